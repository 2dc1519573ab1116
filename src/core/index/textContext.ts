import { surroundings } from '../base/surroundings';
import { type MaskedRange, maskText } from '../sensitivity/maskText';
import { redactionMark } from '../sensitivity/redactionMark';
import { ruleName } from '../sensitivity/ruleWords';

/** The most text that is shown before and after a hit, in UTF-16 units. */
const most = { before: 60, after: 100 };

/**
 * A hit with the text around it, which begins and ends at whole words; `…` marks where text is left out. Credentials
 * are replaced by the display name of the rule that found them.
 */
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
      .map(segment => ('text' in segment ? segment.text : redactionMark(ruleName(segment.rule))))
      .join('');
  const hitEnd = Math.min(end, start + most.after);
  const [first, last] = surroundings(text, { start, end: hitEnd }, most);
  return {
    before: (first > 0 ? '…' : '') + part(first, start),
    hit: part(start, hitEnd),
    after: part(hitEnd, last) + (last < text.length ? '…' : ''),
  };
}
