/** Longer lists are not compared: as many pairs of places are looked at. */
const mostCompared = 4_000_000;

/** The longest common subsequence of two lists, as pairs of places; none where the lists are too long. */
export function longestCommon(
  left: readonly number[],
  right: readonly number[],
): readonly (readonly [number, number])[] {
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
  const pairs: (readonly [number, number])[] = [];
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
