import { tokens } from '../base/countWords';
import { formatNumber } from '../base/format';
import { translate } from '../base/translate';
import type { PruneOptions } from '../model/pruneConfig';
import type { PrunePlan } from './plan';

/**
 * Says why a plan prunes nothing, and how far it is from pruning; undefined if it executes.
 * @param request the number of the request for people
 */
export function nothingSentence(plan: PrunePlan, options: PruneOptions, request: string): string | undefined {
  return plan.executes
    ? undefined
    : translate('Nothing to prune at request {0}: {1}.', request, reasonOf(plan, options));
}

function reasonOf(
  { candidates, candidateTokens, scannedTokens }: PrunePlan,
  { enabled, ruleSet, measure, protectTokens, minimumTokens }: PruneOptions,
): string {
  const size = (count: number): string =>
    measure === 'chars4' ? translate('{0} (characters / 4)', tokens(count)) : tokens(count);
  if (!enabled) {
    return translate('pruning is off');
  }
  if (candidateTokens === 0) {
    return ruleSet === 'duplicates'
      ? translate('no old result is repeated or outdated')
      : scannedTokens === 0 || scannedTokens > protectTokens
        ? translate('no result is old enough')
        : translate(
            'the results have {0}, and the newest {1} are protected',
            size(scannedTokens),
            formatNumber(protectTokens),
          );
  }
  if (ruleSet === 'microcompact' && candidateTokens >= minimumTokens) {
    return translate('{0} in old results, but the window is not full enough', size(candidateTokens));
  }
  return candidates.length === 0 && candidateTokens > minimumTokens
    ? translate('the old results are short enough')
    : translate(
        '{0} in old results, the rule starts at {1}',
        size(candidateTokens),
        formatNumber(minimumTokens),
      );
}
