import type { PruneOptions } from '../model/pruneConfig';
import type { PruneHistory } from './pruneInput';
import { truncationNotice } from './replacement';
import type { PruneRules, PruneWalk } from './ruleSet';

/**
 * Tokens freed by replacing each queued output. Never negative: an output smaller than its notice frees nothing,
 * although the rule sets replace it. Without closures, because a slider runs this loop many times.
 */
export function savings(
  rules: PruneRules,
  history: PruneHistory,
  options: PruneOptions,
  { queued, unconditional }: PruneWalk,
  noticeTokens: (notice: string) => number,
): Float64Array {
  const { tokens, characters } = history.results;
  const freed = new Float64Array(history.count);
  const known = new Map<string | number, number>();
  switch (options.replacement) {
    case 'clear': {
      const hasUnconditional = unconditional.size > 0;
      let last: string | undefined;
      let count = 0;
      for (const number of queued) {
        const notice = rules.notice(history, number, options, hasUnconditional && unconditional.has(number));
        if (notice !== last) {
          count = known.get(notice) ?? noticeTokens(notice);
          known.set(notice, count);
          last = notice;
        }
        freed[number] = Math.max(0, (tokens[number] ?? 0) - count);
      }
      return freed;
    }
    case 'truncate': {
      const limit = options.toolOutputMaxChars;
      for (const number of queued) {
        const size = tokens[number] ?? 0;
        const length = characters[number] ?? 0;
        if (length <= limit) {
          continue;
        }
        // All numbers of the same length have the same number of tokens.
        let omitted = 1;
        while (omitted * 10 <= length - limit) {
          omitted *= 10;
        }
        const count = known.get(omitted) ?? noticeTokens(`\n${truncationNotice(omitted)}`);
        known.set(omitted, count);
        freed[number] = Math.max(0, size - Math.round((size * limit) / length) - count);
      }
      return freed;
    }
  }
}
