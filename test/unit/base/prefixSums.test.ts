import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PrefixSums } from '../../../src/core/base/prefixSums';

it('prefix sums are those of the numbers, after changes too, for every length', () => {
  for (let length = 0; length <= 40; length += 1) {
    const numbers = Array.from({ length }, (_, index) => (index * 7) % 5);
    const sums = new PrefixSums(length, index => numbers[index] ?? 0);
    for (let step = 0; step < length; step += 3) {
      numbers[step] = (numbers[step] ?? 0) + step;
      sums.add(step, step);
    }
    const before = [0];
    numbers.forEach((number, index) => before.push((before[index] ?? 0) + number));
    before.forEach((sum, count) => {
      assert.equal(sums.sum(count), sum);
      assert.equal(sums.countWithin(sum), before.lastIndexOf(sum));
      assert.equal(sums.countWithin(sum + 0.5), before.lastIndexOf(sum));
    });
    assert.equal(sums.countWithin(Number.POSITIVE_INFINITY), length);
  }
});
