import { tokens } from '../base/countWords';
import { formatNumber, formatShare } from '../base/format';
import { translate } from '../base/translate';
import { describeAge } from '../finder/sessionText';
import type { SessionStatus } from '../session/sessionStatus';
import { figureShare, figureTokens, qualityOf } from '../tokens/qualityWords';
import { windowText } from '../tokens/windowWords';

type Newest = NonNullable<SessionStatus['newest']>;

/** `71 % of 200,000 tokens, 142,330 tokens (exact)`; without the share if the window is not known. */
export function fillText(newest: Newest): string {
  const { tokens: total, window } = newest;
  const figure = `${figureTokens(total)} (${qualityOf(total)})`;
  return window === undefined
    ? figure
    : translate('{1} of {2}, {0}', figure, figureShare(total, window), windowText(newest));
}

/** The cached part of the newest input, and until when the provider probably keeps it. */
export function cacheText({ input, read, coldAt }: NonNullable<Newest['cache']>, now: number): string {
  const share = translate(
    'Cached: {0} of {1} ({2})',
    formatNumber(read),
    tokens(input),
    formatShare(input === 0 ? 0 : read / input),
  );
  if (coldAt === undefined) {
    return share;
  }
  return coldAt > now
    ? translate(
        '{0}, probably for {1, plural, one {# more minute} other {# more minutes}}',
        share,
        Math.ceil((coldAt - now) / 60_000),
      )
    : translate('{0}, probably expired {1} ago', share, describeAge(now, coldAt));
}

/** The tokens that are left until the place of the last compaction; undefined if there was none, or it is behind. */
export function roomText({ tokens: total, compactedAt }: Newest): string | undefined {
  return compactedAt === undefined || compactedAt <= total.value
    ? undefined
    : translate(
        'The last compaction was at {0}: {1} left until then.',
        formatNumber(compactedAt),
        tokens(compactedAt - total.value),
      );
}
