import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ModelPrices } from '../../../src/core/model/modelRow';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { costSum, extraBill, pricesFor, requestCost } from '../../../src/core/tokens/prices';

const prices: ModelPrices = { input: 3, cacheRead: 0.3, cacheWrite: 3.75, cacheWriteHour: 6, output: 15 };
const usage = { input: 1_000, cacheRead: 20_000, cacheWrite: 4_000, output: 500 };

/** Equal except for the rounding of binary fractions: to a millionth of a cent. */
function assertDollars(actual: number | undefined, expected: number, message?: string): void {
  assert.ok(
    actual !== undefined && Math.abs(actual - expected) < 1e-8,
    message ?? `${actual} for ${expected}`,
  );
}

describe('requestCost', () => {
  it('charges each kind of token at its price', () => {
    // 1,000 × 3 + 20,000 × 0.3 + 4,000 × 3.75 + 500 × 15 = 3,000 + 6,000 + 15,000 + 7,500 millionths.
    assertDollars(requestCost(prices, usage), 0.0315);
  });

  it('charges what is written for an hour apart', () => {
    // 4,000 × 6 instead of 4,000 × 3.75: 9,000 millionths more.
    assertDollars(requestCost(prices, { ...usage, cacheLifetime: 3600 }), 0.0405);
    // 1,000 × 6 + 3,000 × 3.75: 2,250 millionths more.
    assertDollars(requestCost(prices, { ...usage, cacheLifetime: 3600, cacheWriteHour: 1_000 }), 0.03375);
    // Without a price of its own, an hour costs the same.
    const { cacheWriteHour: _, ...one } = prices;
    assertDollars(requestCost(one, { ...usage, cacheLifetime: 3600 }), 0.0315);
  });

  it('takes reasoning for a part of the output', () => {
    assertDollars(requestCost(prices, { ...usage, reasoning: 400 }), 0.0315);
  });

  it('charges the whole request at the prices for long contexts, from the token that exceeds the limit', () => {
    const tiered = {
      ...prices,
      above: { inputTokens: 25_000, prices: { input: 6, cacheRead: 0.6, cacheWrite: 7.5, output: 22.5 } },
    };
    // 1,000 + 20,000 + 4,000 is exactly the limit.
    assertDollars(requestCost(tiered, usage), 0.0315);
    // 1,001 × 6 + 20,000 × 0.6 + 4,000 × 7.5 + 500 × 22.5 = 6,006 + 12,000 + 30,000 + 11,250.
    assertDollars(requestCost(tiered, { ...usage, input: 1_001 }), 0.059256);
  });

  it('charges a pass by its own length, and the sum of a run as short requests', () => {
    const long = { input: 6, cacheRead: 0.6, cacheWrite: 7.5, output: 22.5 };
    const tiered = { ...prices, above: { inputTokens: 24_999, prices: long } };
    const billOf = (kind: 'compaction' | 'run', above: ModelPrices): readonly unknown[] => {
      const passes = [{ kind, model: '', cacheWriteHour: 0, ...usage }];
      const bill = extraBill({ terms: [], tools: [], passes }, above, undefined, () => undefined);
      return [Math.round(1e6 * costSum(bill?.cost ?? assert.fail())), bill?.isPartial];
    };
    // 1,000 × 6 + 20,000 × 0.6 + 4,000 × 7.5 + 500 × 22.5 = 6,000 + 12,000 + 30,000 + 11,250 millionths.
    assert.deepEqual(billOf('compaction', tiered), [59_250, false]);
    // A run that exceeds the limit may have had longer requests, so its cost is a lower bound.
    assert.deepEqual(billOf('run', tiered), [31_500, true]);
    const higher = { ...prices, above: { inputTokens: 25_000, prices: long } };
    assert.deepEqual(billOf('run', higher), [31_500, false]);
  });

  it('charges by the hour and the day where the provider does', () => {
    const flash = lookUpModel('deepseek-flash')?.prices;
    assert.ok(flash);
    const at = (time: string): number | undefined =>
      pricesFor(flash, { inputTokens: 1, timestamp: Date.parse(time) })?.input;
    // Texts on which tokenizers are known to disagree.
    assert.deepEqual(
      ['2026-11-02T00:59:59Z', '2026-11-02T01:00:00Z', '2026-11-02T03:59:59Z', '2026-11-02T04:00:00Z'].map(
        at,
      ),
      [0.15, 0.3, 0.3, 0.15],
    );
    assert.deepEqual(
      ['2026-11-02T09:59:59Z', '2026-11-02T10:00:00Z', '2026-11-07T02:00:00Z'].map(at),
      [0.3, 0.15, 0.15],
    );
    assert.equal(pricesFor(flash, { inputTokens: 1 })?.input, 0.15);
  });

  it('charges what was charged then', () => {
    const sol = lookUpModel('gpt-5.6-sol')?.prices;
    const opus = lookUpModel('claude-opus-4-6')?.prices;
    assert.ok(sol && opus);
    const long = 300_000;
    const input = (list: ModelPrices, inputTokens: number, time: string): number | undefined =>
      pricesFor(list, { inputTokens, timestamp: Date.parse(time) })?.input;
    assert.deepEqual(
      [
        input(sol, 1, '2026-08-20T23:59:59Z'),
        input(sol, long, '2026-08-20T23:59:59Z'),
        input(sol, 1, '2026-08-21T00:00:00Z'),
        input(sol, long, '2026-08-21T00:00:00Z'),
      ],
      [5, 10, 4, 8],
    );
    assert.deepEqual(
      [
        input(opus, long, '2026-03-12T12:00:00Z'),
        input(opus, 200_000, '2026-03-12T12:00:00Z'),
        input(opus, long, '2026-03-13T12:00:00Z'),
      ],
      [10, 5, 5],
    );
  });
});

describe('the prices of the table', () => {
  it('are those of the providers’ pages', () => {
    // [id, fresh input, cache read, cache write, output]
    const published = [
      ['claude-opus-4-1', 15, 1.5, 18.75, 75],
      ['claude-opus-4-5', 5, 0.5, 6.25, 25],
      ['claude-opus-5-5', 4, 0.2, 5, 20],
      ['claude-sonnet-4-5', 3, 0.3, 3.75, 15],
      ['claude-sonnet-5-5', 2, 0.1, 2.5, 10],
      ['claude-haiku-4-5', 1, 0.1, 1.25, 5],
      ['claude-haiku-5-5', 0.1, 0.01, 0.125, 0.5],
      ['claude-3-5-haiku', 0.8, 0.08, 1, 4],
      ['claude-3-haiku', 0.25, 0.03, 0.3, 1.25],
      ['claude-mythos-5-1', 10, 0.25, 12.5, 50],
      ['gpt-5', 1.25, 0.125, 1.25, 10],
      ['gpt-5.6-luna', 0.2, 0.02, 0.25, 1.2],
      ['gemini-2.5-pro', 1.25, 0.125, 1.25, 10],
      ['deepseek-v4-pro', 0.66, 0.022, 0.66, 1.98],
    ] as const;
    for (const [id, input, cacheRead, cacheWrite, output] of published) {
      const row = lookUpModel(id)?.prices;
      assertDollars(row?.input, input, id);
      assertDollars(row?.cacheRead, cacheRead, id);
      assertDollars(row?.cacheWrite, cacheWrite, id);
      assertDollars(row?.output, output, id);
    }
  });
});
