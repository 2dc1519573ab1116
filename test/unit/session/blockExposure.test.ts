import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { blockExposure } from '../../../src/core/view/blockExposure';
import { HandMade, measuresOf, toColumns } from './handMade';

const model = 'claude-opus-4-5';
const row = lookUpModel(model);
const models = row === undefined ? [] : [{ id: model, row }];

/**
 * Three requests of one conversation with blocks of 1,000 tokens each, then one without a known price, then one of
 * another conversation.
 */
function sample() {
  const made = new HandMade();
  const blocks = ['one', 'two', 'three'].map(text => made.prompt(text));
  const context = made.builder.startContext(blocks);
  const request = (length: number, cacheRead: number, cacheWrite: number, input: number, options = {}) =>
    made.request(context, length, {
      model,
      complete: true,
      usage: { input, cacheRead, cacheWrite, output: 0 },
      ...options,
    });
  request(2, 0, 2_000, 0);
  request(3, 2_000, 500, 500);
  request(3, 3_000, 0, 0);
  request(3, 0, 0, 3_000, { model: 'acme-1' });
  request(3, 0, 0, 3_000, { thread: 1 });
  const transcript = made.build();
  const columns = toColumns(
    transcript,
    measuresOf(transcript, () => 1_000),
  );
  return { columns, first: blocks[0] ?? -1, third: blocks[2] ?? -1 };
}

/** Millionths of a dollar. */
const millionths = (dollars: number | undefined): number => Math.round((dollars ?? Number.NaN) * 1e6);

describe('exposure of a block', () => {
  it('counts the requests of its conversation that hold it', () => {
    const { columns, first, third } = sample();
    assert.deepEqual(blockExposure(columns, models, first, 0).requests, [0, 1, 2, 3]);
    assert.deepEqual(blockExposure(columns, models, third, 0).requests, [1, 2, 3]);
  });

  it('costs its share of what was read, written and sent fresh, up to a request', () => {
    const { columns, first, third } = sample();
    const cost = (block: number, upTo: number): number =>
      millionths(blockExposure(columns, models, block, upTo).cost);
    // Written for 1,000 × 6.25, then read twice for 1,000 × 0.5.
    assert.deepEqual(
      [0, 1, 2].map(upTo => cost(first, upTo)),
      [6_250, 6_750, 7_250],
    );
    // Half of it written, half of it uncached for 500 × 5; then read.
    assert.deepEqual(
      [1, 2].map(upTo => cost(third, upTo)),
      [5_625, 6_125],
    );
    // A request without a price adds nothing, and content that was not sent yet costs nothing.
    assert.equal(cost(first, 3), 7_250);
    assert.equal(blockExposure(columns, models, third, 0).cost, undefined);
    assert.equal(blockExposure(columns, [], first, 3).cost, undefined);
  });

  it('is cached from the first request on that read all of it', () => {
    const { columns, first, third } = sample();
    const cachedFrom = (block: number, from: number): number | undefined =>
      blockExposure(columns, models, block, from).cachedFrom;
    assert.equal(cachedFrom(first, 0), 1);
    assert.equal(cachedFrom(first, 2), 2);
    assert.equal(cachedFrom(third, 0), 2);
    assert.equal(cachedFrom(third, 3), undefined);
  });
});
