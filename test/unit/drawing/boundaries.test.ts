import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { edgeAfter, placeOfOffset, positionOfTurn } from '../../../src/core/drawing/boundaries';

/** 100 tokens not recorded, then blocks of 50, 0 and 150. */
const offsets = Uint32Array.of(100, 150, 150, 300);

describe('placeOfOffset', () => {
  it('lies in what is not recorded', () => {
    assert.deepEqual(placeOfOffset(offsets, 25), { position: -1, fraction: 0.25, tokens: 25 });
    assert.deepEqual(placeOfOffset(offsets, 100), { position: -1, fraction: 1, tokens: 100 });
  });
  it('lies inside a block', () => {
    assert.deepEqual(placeOfOffset(offsets, 110), { position: 0, fraction: 0.2, tokens: 110 });
    assert.deepEqual(placeOfOffset(offsets, 225), { position: 2, fraction: 0.5, tokens: 225 });
  });
  it('lies at the end of the block before an edge', () => {
    assert.deepEqual(placeOfOffset(offsets, 150), { position: 0, fraction: 1, tokens: 150 });
    assert.deepEqual(placeOfOffset(offsets, 300), { position: 2, fraction: 1, tokens: 300 });
  });
  it('stays inside the request', () => {
    assert.deepEqual(placeOfOffset(offsets, 5000), { position: 2, fraction: 1, tokens: 5000 });
    assert.deepEqual(placeOfOffset(Uint32Array.of(0), 0), { position: -1, fraction: 1, tokens: 0 });
  });
});

describe('edgeAfter', () => {
  it('is the end of the last of so many blocks', () => {
    assert.deepEqual(edgeAfter(offsets, 1), { position: 0, fraction: 1, tokens: 150 });
    assert.deepEqual(edgeAfter(offsets, 0), { position: -1, fraction: 1, tokens: 100 });
  });
});

describe('positionOfTurn', () => {
  const messages = [0, 0, 1, 2, 2, 3];
  it('counts messages of the history', () => {
    const isHistory = (position: number): boolean => position !== 0;
    assert.equal(positionOfTurn(messages, isHistory, 0), 1);
    assert.equal(positionOfTurn(messages, isHistory, 2), 3);
    assert.equal(positionOfTurn(messages, isHistory, 4), 6);
  });
});
