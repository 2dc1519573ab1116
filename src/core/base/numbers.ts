/**
 * The number at an index; 0 beyond the end, so a damaged index draws nothing instead of throwing. Use this to read a
 * single value of a column. Loops over all blocks or requests write `column[row] ?? 0` instead, with the same result: a
 * function called with every kind of array is slow for each of them.
 */
export function at(numbers: ArrayLike<number>, index: number): number {
  return numbers[index] ?? 0;
}

/** True if the number at an index has any of the bits. */
export function hasBits(numbers: Uint8Array, index: number, bits: number): boolean {
  return ((numbers[index] ?? 0) & bits) !== 0;
}

export function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value));
}

/** The last index below `length` whose value is at most `limit`, in ascending numbers; -1 if all are greater. */
export function lastAtMost(numbers: ArrayLike<number>, length: number, limit: number): number {
  return firstWhere(0, length, index => at(numbers, index) > limit) - 1;
}

/** Counts the leading numbers below a limit. The numbers must be ascending. */
export function countBelow(numbers: ArrayLike<number>, limit: number): number {
  return firstWhere(0, numbers.length, index => at(numbers, index) >= limit);
}

/**
 * Binary search: the first whole number from `start` on that passes the test, or `end` if none before it does. Once a
 * number passes, all greater ones must pass too.
 */
export function firstWhere(start: number, end: number, test: (index: number) => boolean): number {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}
