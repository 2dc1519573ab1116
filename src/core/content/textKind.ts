import { type TextKind, textKinds } from '../model/textKind';

/** Number of UTF-16 units in each examined window. A long text has three windows: at its beginning, middle and end. */
const windowLength = 64;

/**
 * Minimum share of foreign-script units in a text of that kind. Chosen on recorded sessions, like the priors of growth.
 */
const leastOtherScript = 0.12;
const leastData = 0.2;
const leastProse = 0.93;

/**
 * The counts of a unit: words, data and foreign units, 10 bits each, packed so that sums over a text's windows fit in a
 * number.
 */
const word = 1;
const data = 1 << 10;
const foreign = 1 << 20;
const mostCounted = data - 1;

/** By ASCII unit: letters, spaces and the marks between words; digits, quotes, braces and brackets. */
const unitCounts = Uint16Array.from({ length: 0x80 }, (_, unit) => {
  const character = String.fromCharCode(unit);
  return /[a-z ,.']/i.test(character) ? word : /[\d"[\]{}]/.test(character) ? data : 0;
});

/**
 * The kind of a text, as an index into `textKinds`. Examines about two hundred units, so the cost does not depend on
 * the length.
 */
export function textKindOf(text: string): number {
  const { length } = text;
  if (length <= 3 * windowLength) {
    return textKinds.indexOf(kindOfCounts(countsOf(text, 0, length), length));
  }
  const middle = (length - windowLength) >> 1;
  const counts =
    countsOf(text, 0, windowLength) +
    countsOf(text, middle, middle + windowLength) +
    countsOf(text, length - windowLength, length);
  return textKinds.indexOf(kindOfCounts(counts, 3 * windowLength));
}

function countsOf(text: string, from: number, to: number): number {
  let counts = 0;
  for (let index = from; index < to; index += 1) {
    const unit = text.charCodeAt(index);
    // To read past the end of the table would make V8 compile the loop again.
    counts += unit < unitCounts.length ? (unitCounts[unit] ?? 0) : foreign;
  }
  return counts;
}

function kindOfCounts(counts: number, seen: number): TextKind {
  if (counts >> 20 > leastOtherScript * seen) {
    return 'otherScript';
  }
  if (((counts >> 10) & mostCounted) > leastData * seen) {
    return 'data';
  }
  return (counts & mostCounted) >= leastProse * seen ? 'prose' : 'code';
}
