import { translate } from '../../core/base/translate';
import { tokens } from './words';

/** The number of candidates of a rule set, and the tokens that they free. */
export function pruneWords(
  candidates: number,
  { tokensFreed, executes }: { readonly tokensFreed: number; readonly executes: boolean },
): string {
  return executes
    ? translate(
        '{0, plural, one {# old result} other {# old results}}, {1} freed',
        candidates,
        tokens(tokensFreed),
      )
    : translate(
        '{0, plural, one {# old result} other {# old results}}, {1}, not pruned',
        candidates,
        tokens(tokensFreed),
      );
}
