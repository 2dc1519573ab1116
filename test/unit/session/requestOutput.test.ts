import assert from 'node:assert/strict';
import { it } from 'node:test';
import { recordAgrees } from '../../../src/core/view/requestOutput';

it('a record agrees with an estimate that is higher by no more than its error', () => {
  // 86 % of 460 are 395.6, and of 470 are 404.2.
  const estimates = [460, 470].map(value => ({ value, quality: 'estimated' as const, error: 0.14 }));
  assert.deepEqual(
    estimates.map(estimate => recordAgrees(400, estimate)),
    [true, false],
  );
});
