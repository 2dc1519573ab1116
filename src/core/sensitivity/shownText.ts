import type { DecodedText } from './encodedText';

/** What a terminal does not show: colours and other commands to it, and characters without width. */
// oxlint-disable-next-line no-control-regex -- that character begins a command
const hidden = /\u001b\[[\d;?]{0,32}[A-Za-z]|[\u00ad\u200b-\u200f\u2060\ufeff]/g;

export const hasHidden = (text: string): boolean => text.search(hidden) >= 0;

/** The text as a terminal shows it, if that is another one. */
export function* shownTexts(text: string): Generator<DecodedText> {
  const parts: { readonly at: number; readonly from: number }[] = [];
  let shown = '';
  let from = 0;
  for (const found of text.matchAll(hidden)) {
    parts.push({ at: shown.length, from });
    shown += text.slice(from, found.index);
    from = found.index + found[0].length;
  }
  if (from === 0) {
    return;
  }
  parts.push({ at: shown.length, from });
  shown += text.slice(from);
  const placeOf = (offset: number): number => {
    const part = parts.findLast(({ at }) => at <= offset);
    return part === undefined ? offset : part.from + offset - part.at;
  };
  yield { text: shown, rangeOf: ({ start, end }) => ({ start: placeOf(start), end: placeOf(end - 1) + 1 }) };
}
