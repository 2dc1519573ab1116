/** Maximum number of compared pairs of places. For longer lists, only the beginnings and ends are compared. */
const mostCompared = 4_000_000;

type Pair = readonly [left: number, right: number];

/**
 * The longest common subsequence of two lists, as pairs of indices. For lists that are too long, only their common
 * beginnings and ends.
 */
export function longestCommon(left: readonly number[], right: readonly number[]): readonly Pair[] {
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) {
    start += 1;
  }
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) {
    end += 1;
  }
  const middle = commonIn(left.slice(start, left.length - end), right.slice(start, right.length - end));
  return [
    ...Array.from({ length: start }, (_, place): Pair => [place, place]),
    ...middle.map(([one, other]): Pair => [one + start, other + start]),
    ...Array.from({ length: end }, (_, place): Pair => [
      left.length - end + place,
      right.length - end + place,
    ]),
  ];
}

function commonIn(left: readonly number[], right: readonly number[]): readonly Pair[] {
  if (left.length * right.length > mostCompared) {
    return [];
  }
  const width = right.length + 1;
  const lengths = new Uint32Array((left.length + 1) * width);
  for (let row = left.length - 1; row >= 0; row -= 1) {
    for (let column = right.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        left[row] === right[column]
          ? (lengths[(row + 1) * width + column + 1] ?? 0) + 1
          : Math.max(lengths[(row + 1) * width + column] ?? 0, lengths[row * width + column + 1] ?? 0);
    }
  }
  const pairs: Pair[] = [];
  for (let row = 0, column = 0; row < left.length && column < right.length;) {
    if (left[row] === right[column]) {
      pairs.push([row, column]);
      row += 1;
      column += 1;
    } else if ((lengths[(row + 1) * width + column] ?? 0) >= (lengths[row * width + column + 1] ?? 0)) {
      row += 1;
    } else {
      column += 1;
    }
  }
  return pairs;
}
