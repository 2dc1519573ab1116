import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dividedPrefix, divideTotal } from '../../../src/core/tokens/calibration';

const figures = {
  input: 20_000,
  sum: 12_000,
  notRecorded: 8_500,
  notRecordedError: 0.1,
  totalError: 0.2,
};

describe('divideTotal', () => {
  it('gives the blocks what is recorded and not unrecorded, so that both add up', () => {
    assert.deepEqual(divideTotal(figures), {
      blocks: 11_500,
      quality: 'calibrated',
      notRecorded: { value: 8_500, quality: 'calibrated', error: 0.1 },
      total: { value: 20_000, quality: 'exact' },
    });
  });

  it('adds blocks and what is not recorded up where no total is recorded, with the error of that sum', () => {
    assert.deepEqual(divideTotal({ ...figures, input: undefined, sum: 12_000.4 }), {
      blocks: 12_000,
      quality: 'estimated',
      notRecorded: { value: 8_500, quality: 'estimated', error: 0.1 },
      total: { value: 20_500, quality: 'estimated', error: 0.2 },
    });
  });

  it('leaves all of a recorded total without blocks unrecorded', () => {
    const { blocks, notRecorded } = divideTotal({ ...figures, sum: 0, notRecorded: 0 });
    assert.deepEqual([blocks, notRecorded.value], [0, 20_000]);
  });

  it('never takes more for unrecorded than was recorded', () => {
    const { blocks, notRecorded } = divideTotal({ ...figures, notRecorded: 30_000 });
    assert.deepEqual([blocks, notRecorded.value], [0, 20_000]);
  });

  it('states no error of nothing', () => {
    const { notRecorded } = divideTotal({ ...figures, notRecorded: 0 });
    assert.deepEqual(notRecorded, { value: 0, quality: 'calibrated' });
  });
});

describe('dividedPrefix', () => {
  it('gives a prefix its share of what the blocks have', () => {
    assert.deepEqual(dividedPrefix(20_000, 8_500, 6_000, 12_000), { notRecorded: 8_500, head: 5_750 });
    assert.deepEqual(dividedPrefix(undefined, 8_500, 6_000, 12_000), { notRecorded: 8_500, head: 6_000 });
  });

  it('is the whole where it has all blocks', () => {
    const { notRecorded, head } = dividedPrefix(20_001, 8_500, 12_000, 12_000);
    assert.equal(notRecorded + head, 20_001);
  });

  it('gives nothing to blocks if the request has none', () => {
    assert.deepEqual(dividedPrefix(20_000, 0, 0, 0), { notRecorded: 20_000, head: 0 });
  });
});
