import { formatNumber, formatShare } from '../base/format';
import { translate } from '../base/translate';
import { shareInterval } from '../tokens/cacheSurvival';
import type { CacheSession } from './cacheSession';

/** Says how many observed caches survived a pause of this length: one sentence, or none. */
export function survivalWords(session: CacheSession, earlier: number, later: number): readonly string[] {
  const seen = session.survivalBetween(earlier, later);
  if (seen === undefined) {
    return [];
  }
  const [low, high] = shareInterval(seen.survived, seen.of);
  return [
    seen.isOwn
      ? translate(
          'In recorded sessions, {1} of {0} caches of this model survived a pause of this length (likely range: {2} to {3}).',
          formatNumber(seen.of),
          formatNumber(seen.survived),
          formatShare(low),
          formatShare(high),
        )
      : translate(
          'In recorded sessions, {1} of {0} caches of this model family survived a pause of this length (likely range: {2} to {3}).',
          formatNumber(seen.of),
          formatNumber(seen.survived),
          formatShare(low),
          formatShare(high),
        ),
  ];
}
