import { type TextKind, textKinds } from '../model/textKind';

/** UTF-16 units that are looked at: some at the beginning, in the middle and at the end. */
const windowLength = 64;

/** A share of the units from which on a text is of the kind. Chosen on recorded sessions, as the growth's priors. */
const leastOtherScript = 0.12;
const leastData = 0.2;
const leastProse = 0.93;

/** The kind of a text, as an index into `textKinds`, from about a hundred of its units: the cost does not follow its length. */
export function textKindOf(text: string): number {
  const { length } = text;
  const counts = { words: 0, data: 0, foreign: 0, seen: 0 };
  if (length <= 3 * windowLength) {
    look(text, 0, length, counts);
  } else {
    const middle = (length - windowLength) >> 1;
    look(text, 0, windowLength, counts);
    look(text, middle, middle + windowLength, counts);
    look(text, length - windowLength, length, counts);
  }
  return textKinds.indexOf(kindOfCounts(counts));
}

interface UnitCounts {
  /** Letters, spaces and the marks between words. */
  words: number;
  /** Digits, quotes, braces and brackets. */
  data: number;
  foreign: number;
  seen: number;
}

function look(text: string, from: number, to: number, counts: UnitCounts): void {
  let { words, data, foreign } = counts;
  for (let index = from; index < to; index += 1) {
    const unit = text.charCodeAt(index);
    const letter = unit | 0x20;
    if (
      (letter >= 0x61 && letter <= 0x7a) ||
      unit === 0x20 ||
      unit === 0x2c ||
      unit === 0x2e ||
      unit === 0x27
    ) {
      words += 1;
    } else if (unit >= 0x80) {
      foreign += 1;
    } else if (
      (unit >= 0x30 && unit <= 0x39) ||
      unit === 0x22 ||
      unit === 0x5b ||
      unit === 0x5d ||
      unit === 0x7b ||
      unit === 0x7d
    ) {
      data += 1;
    }
  }
  counts.words = words;
  counts.data = data;
  counts.foreign = foreign;
  counts.seen += to - from;
}

function kindOfCounts({ words, data, foreign, seen }: UnitCounts): TextKind {
  if (foreign > leastOtherScript * seen) {
    return 'otherScript';
  }
  if (data > leastData * seen) {
    return 'data';
  }
  return words >= leastProse * seen ? 'prose' : 'code';
}
