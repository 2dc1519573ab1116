import type { MaskedRange } from '../sensitivity/maskText';
import { maskText } from '../sensitivity/maskText';
import { redactionMark } from '../sensitivity/gate';

/** The length of the shown text before and after a hit, in UTF-16 units. */
const [shownBefore, shownAfter] = [60, 100];

/** A hit with the text around it. Credentials are replaced by the name of the rule that found them. */
export interface FoundText {
  readonly before: string;
  readonly hit: string;
  readonly after: string;
}

export function contextOf(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  masked: readonly MaskedRange[],
): FoundText {
  const part = (from: number, to: number): string =>
    maskText(
      text.slice(from, to),
      masked
        .filter(range => range.end > from && range.start < to)
        .map(range => ({
          ...range,
          start: Math.max(0, range.start - from),
          end: Math.min(to, range.end) - from,
        })),
    )
      .map(segment => ('text' in segment ? segment.text : redactionMark(segment.rule)))
      .join('');
  const hitEnd = Math.min(end, start + shownAfter);
  return {
    before: part(Math.max(0, start - shownBefore), start),
    hit: part(start, hitEnd),
    after: part(hitEnd, Math.min(text.length, hitEnd + shownAfter)),
  };
}
