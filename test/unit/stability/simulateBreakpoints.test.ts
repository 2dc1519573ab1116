import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { commonBlocks, simulateBreakpoints } from '../../../src/core/stability/simulateBreakpoints';
import { PricedSession, prices, row } from '../prune/pricedSession';

/** Requests of one, three and four blocks of 2,000 tokens; the second a minute after the first. */
function sessionWith(lastAt: number) {
  const made = new PricedSession();
  const context = made.context(...Array.from({ length: 4 }, () => made.prompt(2_000)));
  made.request(context, 1, undefined, { timestamp: 0 });
  made.request(context, 3, undefined, { timestamp: 60_000 });
  made.request(context, 4, undefined, { timestamp: lastAt });
  return made.build();
}

function simulated(
  marks: readonly (readonly number[])[],
  {
    lastAt = 120_000,
    rules = {},
    isPriced = true,
  }: {
    readonly lastAt?: number;
    readonly rules?: Partial<typeof row.cache>;
    readonly isPriced?: boolean;
  } = {},
): readonly (number | undefined)[] {
  const { columns, tokens } = sessionWith(lastAt);
  const { cacheRead, cacheWrite, fresh, dollars } = simulateBreakpoints({
    columns,
    tokens,
    requests: [0, 1, 2],
    marksOf: request => marks[request] ?? [],
    rules: { ...row.cache, ...rules },
    pricesOf: () => (isPriced ? prices : undefined),
  });
  return [cacheRead, cacheWrite, fresh, dollars === undefined ? undefined : Math.round(1e6 * dollars)];
}

describe('a simulation of breakpoints', () => {
  const marks = [[0], [0, 2], [3]];

  it('reads the longest marked prefix, and writes up to the last mark', () => {
    // 2,000 and 6,000 are read; 2,000, 4,000 and 2,000 are written.
    const [read, written] = [8_000, 8_000];
    assert.deepEqual(simulated(marks), [read, written, 0, read * 1 + written * 12.5]);
    // Without a mark at the end, the last block stays fresh.
    assert.deepEqual(simulated([[0], [0, 2], [2]]), [8_000, 6_000, 2_000, 8_000 + 6_000 * 12.5 + 2_000 * 10]);
    assert.deepEqual(simulated([]), [0, 0, 16_000, 160_000]);
    // A mark behind the end of a request is none.
    assert.deepEqual(simulated([[1], [], []]), [0, 0, 16_000, 160_000]);
    assert.deepEqual(simulated(marks, { isPriced: false })[3], undefined);
  });

  it('reads nothing after the lifetime, which each read begins anew', () => {
    assert.deepEqual(simulated(marks, { lastAt: 360_000 }).slice(0, 2), [8_000, 8_000]);
    assert.deepEqual(simulated(marks, { lastAt: 360_001 }).slice(0, 2), [2_000, 14_000]);
    // The first block was read at the second request, although that has no mark there.
    assert.deepEqual(simulated([[0], [2], [0]], { lastAt: 350_000 }).slice(0, 2), [4_000, 6_000]);
    assert.deepEqual(simulated(marks, { lastAt: Number.NaN }).slice(0, 2), [8_000, 8_000]);
  });

  it('looks back so many blocks from a mark, and caches nothing below the minimum', () => {
    assert.deepEqual(simulated(marks, { rules: { lookbackBlocks: 2 } }).slice(0, 2), [8_000, 8_000]);
    assert.deepEqual(simulated(marks, { rules: { lookbackBlocks: 1 } }).slice(0, 2), [2_000, 14_000]);
    assert.deepEqual(simulated(marks, { rules: { minimumTokens: 2_000 } }).slice(0, 2), [8_000, 8_000]);
    assert.deepEqual(
      simulated(marks, { rules: { minimumTokens: 2_001 } }).slice(0, 3),
      [6_000, 8_000, 2_000],
    );
  });

  it('shares blocks with the same content', () => {
    const made = new PricedSession();
    const [one, other, third] = [made.prompt(1), made.prompt(1), made.prompt(1)];
    made.request(made.context(one, other), 2);
    made.request(made.context(one, third, other), 3);
    made.request(made.context(one, other, third), 3);
    const { columns } = made.build();
    assert.deepEqual(
      [commonBlocks(columns, 0, 1), commonBlocks(columns, 0, 2), commonBlocks(columns, 2, 2)],
      [1, 2, 3],
    );
  });
});
