import { translate } from '../base/translate';
import type { PruneRuleSet } from '../model/pruneConfig';

/** Says that a rule set decides otherwise by the agent's own estimate of sizes, which the options do not use. */
export function estimateSentence(ruleSet: PruneRuleSet, results: number): string {
  return translate(
    'By its own measure (“Characters / 4”), {0} prunes {1, plural, one {# result} other {# results}} here.',
    ruleSet,
    results,
  );
}
