import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ModelRow } from '../../../src/core/model/modelRow';
import {
  cachesInput,
  inputCost,
  inputPrices,
  predictedRead,
  readableTokens,
  sentTokens,
  worthOf,
} from '../../../src/core/prune/requestCost';
import { PricedSession, row, used } from './pricedSession';

/** Caches without being asked, in steps of 128 tokens. */
const automatic: ModelRow = { ...row, cache: { ...row.cache, explicit: false, granularityTokens: 128 } };

/** Millionths of a dollar. */
const millionths = (money: number): number => Math.round(1e6 * money);

/** Two prompts of 4,000 tokens, each a request. */
function session(
  usages: readonly [Parameters<PricedSession['request']>[2], Parameters<PricedSession['request']>[2]],
  known: ModelRow | 'nothing' = row,
) {
  const made = new PricedSession();
  const context = made.context(made.prompt(4_000));
  made.request(context, 1, usages[0], { timestamp: 0 });
  made.append(context, made.prompt(4_000));
  made.request(context, 2, usages[1], { timestamp: 60_000 });
  return made.build(known);
}

const cached = session([used(0, 4_000), used(3_000, 4_000, 1_000)]);
const uncached = session([used(0, 0, 4_000), used(0, 0, 8_000)]);
const unrecorded = session([undefined, undefined], automatic);

describe('the cost of the input of a request', () => {
  it('has the price of writing only where the cache is used', () => {
    const prices = (of: typeof cached) => {
      const { fresh, read, written } = inputPrices(of, 1, 8_000) ?? assert.fail();
      return [fresh, read, written].map(price => Math.round(price * 1e7) / 10);
    };
    assert.deepEqual(prices(cached), [10, 1, 12.5]);
    assert.deepEqual(prices(uncached), [10, 1, 10]);
    assert.deepEqual(prices(unrecorded), [10, 1, 12.5]);
    assert.deepEqual(prices(session([undefined, undefined])), [10, 1, 10]);
    assert.equal(inputPrices(session([used(0, 1), used(0, 1)], 'nothing'), 1, 8_000), undefined);
    assert.deepEqual(
      [cached, uncached, unrecorded].map(of => cachesInput(of, 1)),
      [true, false, true],
    );
  });

  it('counts what is not read as fresh up to the recorded fresh input, then as written', () => {
    const cost = (total: number, read: number, of = cached): readonly number[] => {
      const { money, inputTokens } = inputCost(of, 1, { total, read }) ?? assert.fail();
      return [millionths(money), Math.round(inputTokens)];
    };
    // 3,000 × 1 + 1,000 × 10 + 4,000 × 12.5 millionths, at 10 for a token.
    assert.deepEqual(cost(8_000, 3_000), [63_000, 6_300]);
    // 400 are less than the fresh input.
    assert.deepEqual(cost(1_000, 600), [600 + 4_000, 460]);
    assert.deepEqual(cost(600, 600), [600, 60]);
    assert.deepEqual(cost(500, 600), [600, 60]);
    assert.deepEqual(cost(1_000, 600, unrecorded), [600 + 5_000, 560]);
    assert.deepEqual(worthOf({ fresh: 0, read: 0, written: 0 }, 3), { money: 3, inputTokens: 0 });
  });

  it('is that of the recorded tokens, or of the predicted ones where the provider caches by itself', () => {
    assert.deepEqual(sentTokens(cached, 1), { total: 8_000, read: 3_000 });
    assert.equal(predictedRead(unrecorded, 0), 0);
    assert.deepEqual(sentTokens(unrecorded, 1), { total: 8_000, read: 4_000 });
    assert.deepEqual(sentTokens(session([undefined, undefined]), 1), { total: 8_000, read: 0 });
  });

  it('reads nothing below the minimum, and whole steps', () => {
    assert.deepEqual(
      [1_023, 1_024, 1_100].map(tokens => readableTokens(cached, 1, tokens)),
      [0, 1_024, 1_100],
    );
    assert.deepEqual(
      [1_100, 1_152, 1_279].map(tokens => readableTokens(unrecorded, 1, tokens)),
      [1_024, 1_152, 1_152],
    );
    assert.equal(readableTokens(session([undefined, undefined], 'nothing'), 1, 3), 3);
  });
});
