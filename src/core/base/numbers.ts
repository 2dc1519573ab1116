/**
 * The number at an index; 0 beyond the end, so that a damaged index draws nothing instead of throwing. Loops over all blocks
 * index for themselves: a function that is used with every kind of array is slow with each.
 */
export function at(numbers: ArrayLike<number>, index: number): number {
  return numbers[index] ?? 0;
}

export function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

/** The last index below `length` whose value is at most `limit`, in ascending numbers; -1 if all are greater. */
export function lastAtMost(numbers: ArrayLike<number>, length: number, limit: number): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(numbers, middle) <= limit) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low - 1;
}
