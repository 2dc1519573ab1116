import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { longestCommon } from '../../../src/core/base/longestCommon';

/** The length of the longest common subsequence, by trying every choice. */
function longest([first, ...rest]: readonly number[], other: readonly number[]): number {
  if (first === undefined) {
    return 0;
  }
  const place = other.indexOf(first);
  const without = longest(rest, other);
  return place < 0 ? without : Math.max(without, 1 + longest(rest, other.slice(place + 1)));
}

describe('the longest common part of two lists', () => {
  it('is in order, of equal items, and no other is longer', () => {
    const list = fc.array(fc.nat(3), { maxLength: 9 });
    fc.assert(
      fc.property(list, list, (left, right) => {
        const pairs = longestCommon(left, right);
        assert.equal(pairs.length, longest(left, right));
        pairs.forEach(([one, other], index) => {
          const [before, beside] = pairs[index - 1] ?? [-1, -1];
          assert.ok(one > before && other > beside);
          assert.ok(left[one] !== undefined && left[one] === right[other]);
        });
      }),
      { numRuns: 400 },
    );
  });

  it('keeps the earlier items of both where several are as long', () => {
    assert.deepEqual(longestCommon([1, 2, 3, 4], [1, 3, 2, 4]), [
      [0, 0],
      [2, 1],
      [3, 3],
    ]);
    assert.deepEqual(longestCommon([5, 5], [5]), [[0, 0]]);
  });

  it('is the common beginning and end of lists that are too long', () => {
    const middle = (first: number): readonly number[] =>
      Array.from({ length: 2001 }, (_, index) => first + index);
    // In the middle, 2,001 × 2,001 pairs are too many, although all of them are equal but one.
    const [left, right] = [
      [9, ...middle(100), 8],
      [9, ...middle(101), 8],
    ];
    assert.deepEqual(longestCommon(left, right), [
      [0, 0],
      [2002, 2002],
    ]);
    const [fewer, others] = [
      [9, ...middle(100).slice(2), 8],
      [9, ...middle(101).slice(2), 8],
    ];
    assert.equal(longestCommon(fewer, others).length, 2 + 1998);
  });
});
