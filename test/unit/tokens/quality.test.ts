import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
