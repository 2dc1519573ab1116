/** Maximum number of UTF-16 units that are left out to begin or end at a whole word. */
const mostLeftOut = 24;

const ofWord = /[\p{L}\p{M}\p{N}_]/u;
const isSpace = (unit = ''): boolean => /\s/.test(unit);

/** True if a cut before this place parts no word and no character. */
const partsNothing = (text: string, place: number): boolean =>
  !ofWord.test(text[place - 1] ?? '') || !ofWord.test(text[place] ?? '');

const isInCharacter = (text: string, place: number): boolean =>
  /[\uDC00-\uDFFF]/.test(text[place] ?? '') && /[\uD800-\uDBFF]/.test(text[place - 1] ?? '');

/**
 * The beginning and the end of the text that is shown around a hit. Both are at a space if one is near, otherwise
 * between words, and never in the middle of a character. Words of scripts without spaces may be parted.
 * @param most the length before and after the hit, in UTF-16 units
 */
export function surroundings(
  text: string,
  hit: { readonly start: number; readonly end: number },
  most: { readonly before: number; readonly after: number },
): readonly [from: number, to: number] {
  const first = hit.start - most.before;
  const last = hit.end + most.after;
  return [
    first <= 0 ? 0 : cutNear(text, first, Math.min(hit.start, first + mostLeftOut), 1),
    last >= text.length ? text.length : cutNear(text, last, Math.max(hit.end, last - mostLeftOut), -1),
  ];
}

function cutNear(text: string, from: number, to: number, step: 1 | -1): number {
  const places = Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => from + step * index);
  // The space itself is not shown.
  const space = places.find(place => isSpace(text[step === 1 ? place - 1 : place]));
  const between = (): number | undefined => places.find(place => partsNothing(text, place));
  const chosen = space ?? between() ?? from;
  return isInCharacter(text, chosen) ? chosen + step : chosen;
}
