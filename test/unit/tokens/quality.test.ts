import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createCountCache } from '../../../src/core/tokens/countCache';
import { sumFigures, worstQuality } from '../../../src/core/tokens/quality';

describe('token quality', () => {
  it('knows the worse of two', () => {
    assert.equal(worstQuality('exact', 'calibrated'), 'calibrated');
    assert.equal(worstQuality('estimated', 'calibrated'), 'estimated');
    assert.equal(worstQuality('exact', 'exact'), 'exact');
  });

  it('sums figures with the worst quality and the weighted error', () => {
    assert.deepEqual(sumFigures([]), { value: 0, quality: 'exact' });
    assert.deepEqual(
      sumFigures([
        { value: 300, quality: 'exact' },
        { value: 100, quality: 'estimated', error: 0.2 },
      ]),
      { value: 400, quality: 'estimated', error: 0.05 },
    );
  });
});

describe('count cache', () => {
  it('counts a key once while it is in use, and forgets what is not', () => {
    const counted: string[] = [];
    const cache = createCountCache(
      {
        count(text) {
          counted.push(text);
          return text.length;
        },
      },
      4,
    );
    assert.equal(cache.count('first', 'abc'), 3);
    assert.equal(cache.count('first', 'abc'), 3);
    assert.deepEqual(counted, ['abc']);
    for (const key of ['second', 'third', 'fourth', 'fifth']) {
      cache.count(key, key);
    }
    cache.count('first', 'abc');
    assert.equal(counted.filter(text => text === 'abc').length, 2);
  });
});
