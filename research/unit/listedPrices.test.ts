import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { differences, listedPrices } from '../samples/listedPrices';

describe('a public price list', () => {
  const model = (id: string, input: number, output: number) => ({
    id,
    cost: { input, output, cacheRead: input / 10, cacheWrite: 0 },
  });

  it('is sorted, without free models', () => {
    const list = { chat: { b: model('b', 2, 10), a: model('a', 1, 5), free: model('free', 0, 0) } };
    assert.deepEqual(Object.entries(listedPrices([['acme', list]])), [
      ['acme/a', [1, 0.1, 0, 5]],
      ['acme/b', [2, 0.2, 0, 10]],
    ]);
  });

  it('names what the table lacks, and what it has otherwise; a 0 says nothing', () => {
    const lines = differences({
      'anthropic/claude-opus-4-8': [5, 0.5, 0, 25],
      'anthropic/claude-haiku-4-5': [2, 0, 0, 5],
      'acme/acme-9': [1, 0, 0, 2],
    });
    assert.deepEqual(lines, [
      'anthropic/claude-haiku-4-5: 1 / 0.1 / 1.25 / 5 in the table, 2 / 0 / 0 / 5 listed',
      'acme/acme-9: no price in the table, 1 / 0 / 0 / 2 listed',
    ]);
  });
});
