import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PruneOptions } from '../../../src/core/model/pruneConfig';
import { everything, netAt, PricedSession, prices, row, used } from './pricedSession';

/**
 * One result of 20,007 tokens with 5,100 before and 60,000 after it. Request 0 sends it first. Each later request adds
 * 500 tokens (one of them 501, so that the provider visibly counts in steps of one) and reads everything that the
 * previous one sent. A pruned result leaves a notice of 7 tokens.
 */
function session({
  more = 3,
  marks = [],
}: { readonly more?: number; readonly marks?: readonly number[] } = {}) {
  const made = new PricedSession();
  const blocks = [
    made.prompt(5_000),
    ...made.tool(20_007),
    made.reply(30_000),
    made.prompt(1_000),
    made.reply(28_000),
    made.prompt(1_000),
  ];
  const context = made.context(...blocks, ...Array.from({ length: more }, (_, at) => made.reply(growth(at))));
  made.request(context, 7, used(0, 85_107), marks.length === 0 ? {} : { breakpoints: [0, 6] });
  let read = 85_107;
  for (let at = 0; at < more; at++) {
    const usage = used(read, growth(at));
    made.request(context, 8 + at, usage, marks.length === 0 ? {} : { breakpoints: marks });
    read += growth(at);
  }
  return made;
}

const growth = (at: number): number => (at === 2 ? 501 : 500);

function assertMoney(actual: number | undefined, expected: number, what: string): void {
  assert.ok(
    actual !== undefined && Math.abs(actual - expected) < 1e-9,
    `${what}: ${actual}, not ${expected}`,
  );
}

describe('the net of a prune', () => {
  it('weighs the rewriting of the warm suffix against what each request saves', () => {
    const net = netAt(session().build(), 1);
    assert.equal(net.state, 'warm');
    assert.equal(net.tokensFreed, 20_000);
    assert.deepEqual(net.boundary, { position: 2, tokens: 5_100, readable: 5_100 });
    // 85,107 were read: 5,100 still are, 20,000 are not sent, the others are written again.
    assert.equal(net.tokensRewritten, 60_007);
    const { worth } = net;
    // At 12.5 instead of 1 dollar per million.
    assertMoney(worth?.rewrite.money, 60_007 * 11.5e-6, 'rewrite');
    assertMoney(worth?.rewrite.inputTokens, 60_007 * 1.15, 'rewrite in fresh input');
    assertMoney(worth?.savedNow.money, 0.02, 'saved now');
    assertMoney(worth?.savedWarm.money, 0.02, 'saved while warm');
    assertMoney(worth?.savedCold.money, 0.25, 'saved when cold');
    // (0.6900805 - 0.02) / 0.02 = 33.5: the 34th request after this one, the 35th in all.
    assert.equal(worth?.breakEven, 35);
    assert.deepEqual(net.later, { requests: 2, end: 'sessionEnd' });
    assertMoney(worth.gained.money, 3 * 0.02 - 0.6900805, 'gained');
    assert.equal(worth.paidBackAt, undefined);
  });

  it('has paid for itself at the request where its break-even says', () => {
    const long = session({ more: 36 }).build();
    assert.equal(netAt(long, 1).worth?.paidBackAt, 35);
    assertMoney(netAt(long, 1).worth?.gained.money, 36 * 0.02 - 0.6900805, 'gained');
    // The last request: no later request can save anything.
    const last = netAt(long, 36);
    assert.deepEqual(last.later, { requests: 0, end: 'sessionEnd' });
    // It read 17,501 tokens more than request 1.
    assertMoney(last.worth?.gained.money, 0.02 - (60_007 + 17_501) * 11.5e-6, 'gained at the end');
  });

  it('costs nothing where the cache is cold, and saves at the price of writing', () => {
    const made = session({ more: 1 });
    made.request(0, 8, used(0, 85_607));
    const { state, tokensRewritten, worth, boundary } = netAt(made.build(), 2);
    assert.deepEqual([state, tokensRewritten, boundary?.readable], ['cold', 0, 0]);
    assertMoney(worth?.rewrite.money, 0, 'rewrite');
    assertMoney(worth?.savedNow.money, 0.25, 'saved now');
    assert.equal(worth?.breakEven, 1);
    assert.equal(worth.paidBackAt, 2);
  });

  it('counts what a later request with a cold cache would have written', () => {
    const made = session({ more: 1 });
    made.request(0, 8, used(0, 85_607));
    // The result ends at 25,107. A read that ends within it does not prevent writing it again.
    made.request(0, 8, used(20_000, 65_607));
    assertMoney(netAt(made.build(), 1).worth?.gained.money, 0.02 + 0.25 + 0.25 - 0.6900805, 'gained');
  });

  it('ends with a compaction just ahead, with a clearing, and with a rewritten context', () => {
    for (const kind of ['compaction', 'clearing', 'rewritten'] as const) {
      const made = session({ more: 1 });
      if (kind !== 'rewritten') {
        made.compact(kind);
      }
      made.request(made.context(made.prompt(3_000)), 1, used(0, 3_000));
      const { later, worth } = netAt(made.build(), 1);
      assert.deepEqual(later, { requests: 0, end: kind });
      assertMoney(worth?.gained.money, 0.02 - 0.6900805, 'gained');
    }
  });

  it('follows the results into a context that keeps them', () => {
    const made = session({ more: 1 });
    made.compact();
    const [call, result] = [1, 2];
    made.request(made.context(made.prompt(3_000), call, result), 3, used(0, 23_107));
    const { later, worth } = netAt(made.build(), 1);
    assert.deepEqual(later, { requests: 1, end: 'sessionEnd' });
    assertMoney(worth?.gained.money, 0.02 + 0.25 - 0.6900805, 'gained');
  });

  it('loses the whole prefix where what is left is below the minimum', () => {
    const high = { ...row, cache: { ...row.cache, minimumTokens: 5_101 } };
    const { boundary, tokensRewritten } = netAt(session().build(high), 1);
    assert.deepEqual([boundary?.readable, tokensRewritten], [0, 65_107]);
  });

  it('reads whole steps of the prefix', () => {
    const stepped = { ...row, cache: { ...row.cache, granularityTokens: 128 } };
    // 39 × 128 = 4,992.
    assert.equal(netAt(session().build(stepped), 1).boundary?.readable, 4_992);
  });

  it('reads up to the breakpoint that it finds', () => {
    // The first request marked its first block: 5,000 tokens.
    assert.equal(netAt(session({ marks: [0, 7] }).build(), 1).boundary?.readable, 5_000);
    assert.equal(netAt(session({ marks: [7] }).build(), 1).boundary?.readable, 5_000);
    const near = { ...row, cache: { ...row.cache, lookbackBlocks: 7 } };
    // Blocks 1 to 7 are within the lookback of block 7, block 0 is not.
    assert.equal(netAt(session({ marks: [7] }).build(near), 1).boundary?.readable, 0);
  });

  it('pays the price of the shorter input where the prune gets below a step of prices', () => {
    const above = { inputTokens: 80_000, prices: { input: 20, cacheRead: 2, cacheWrite: 25, output: 100 } };
    const { worth } = netAt(session({ more: 1 }).build({ ...row, prices: { ...prices, above } }), 1);
    // As sent: 85,107 read at 2 and 500 written at 25. Pruned: 5,100 read at 1, 60,507 written at 12.5.
    const asSent = 85_107 * 2e-6 + 500 * 25e-6;
    const pruned = 5_100 * 1e-6 + 60_507 * 12.5e-6;
    assertMoney(worth?.gained.money, asSent - pruned, 'gained');
  });

  it('shows tokens and no money where prices are not known', () => {
    for (const unknown of ['nothing', withoutPrices()] as const) {
      const { worth, tokensFreed, tokensRewritten } = netAt(session().build(unknown), 1);
      assert.deepEqual([worth, tokensFreed, tokensRewritten], [undefined, 20_000, 60_007]);
    }
  });

  it('takes an unrecorded request of a provider that caches by itself as predicted, of others as cold', () => {
    const made = () => {
      const open = session({ more: 0 });
      open.request(0, 7, undefined, { timestamp: 0 });
      open.request(0, 7, undefined, { timestamp: 1_000 });
      return open;
    };
    assert.equal(netAt(made().build(), 2).state, 'cold');
    const automatic = { ...row, cache: { ...row.cache, explicit: false } };
    assert.equal(netAt(made().build(automatic), 2).tokensRewritten, 60_007);
  });

  it('is nothing where nothing is pruned', () => {
    const cases: readonly (readonly [Partial<PruneOptions>, string])[] = [
      [{ enabled: false }, 'disabled'],
      [{ minimumTokens: 1_000_000 }, 'belowMinimum'],
      [{ protectTokens: 1_000_000 }, 'nothing'],
    ];
    for (const [changed, state] of cases) {
      const net = netAt(session().build(), 1, { ...everything, ...changed });
      assert.equal(net.state, state);
      assert.deepEqual([net.tokensFreed, net.tokensRewritten, net.boundary], [0, 0, undefined]);
      const { rewrite, savedNow, gained } = net.worth ?? {};
      assert.deepEqual([rewrite?.money, savedNow?.money, gained?.money], [0, 0, 0]);
    }
  });
});

function withoutPrices() {
  const { prices: _, ...others } = row;
  return others;
}
