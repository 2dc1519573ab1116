import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPruneOptions, type PruneOptions, pruneRuleSets } from '../../../src/core/model/pruneConfig';
import { replayPrune } from '../../../src/core/prune/replay';
import { findBestMoment, findBestOptions, runSearch } from '../../../src/core/prune/search';
import { processorTime } from '../../fixtures/linearWork';
import { everything, netAt, PricedSession, row, used } from './pricedSession';

const dollars = 1e-6;

function assertMoney(actual: number | undefined, expected: number, what: string): void {
  assert.ok(
    actual !== undefined && Math.abs(actual - expected) < 1e-9,
    `${what}: ${actual}, not ${expected}`,
  );
}

/**
 * Turns with a prompt of 1,000 tokens, a call of 100 with a result of 20,007, and a reply of 900; two requests each.
 * Every request reads everything that the previous one sent. Pruning a result frees 20,000 tokens.
 */
function turns(count: number, gap = 0, calls = 1) {
  const made = new PricedSession();
  const blocks: number[] = [];
  const context = made.context();
  let sent = 0;
  let size = 0;
  let minute = 0;
  const send = (tokens: number): void => {
    size += tokens;
    // 1,000 tokens are below the minimum size for caching.
    const read = gap > 300 || sent < 1_024 ? 0 : sent;
    made.request(context, blocks.length, used(read, size - read), { timestamp: minute * 1_000 });
    sent = size;
    minute += gap;
  };
  for (let turn = 0; turn < count; turn++) {
    blocks.push(made.append(context, made.prompt(1_000)));
    send(turn === 0 ? 1_000 : 1_900);
    for (let call = 0; call < calls; call++) {
      blocks.push(...made.tool(20_007).map(block => made.append(context, block)));
      send(20_107);
    }
    blocks.push(made.append(context, made.reply(900)));
  }
  return made;
}

describe('the replay of a session', () => {
  it('is the session itself where nothing is pruned', () => {
    const session = turns(5).build();
    for (const options of [
      { ...everything, enabled: false },
      { ...everything, minimumTokens: 1_000_000 },
      ...pruneRuleSets.map(ruleSet => ({ ...defaultPruneOptions(ruleSet), protectTokens: 1_000_000 })),
    ]) {
      const { prunes, asSent, pruned, saved } = replayPrune(session, 2, options);
      assert.deepEqual(prunes, []);
      assert.deepEqual(pruned, asSent);
      assert.equal(saved?.money, 0);
    }
  });

  it('costs as recorded where the cache did what the model says', () => {
    const { recorded } = replayPrune(turns(5).build(), 0, everything);
    assertMoney(recorded?.modelled, recorded?.recorded ?? 0, 'modelled');
    // Ten requests; the last one sends 5 × 21,107 + 4 × 900 = 109,135 tokens, all written once, the first 1,000 twice.
    // Read: what all but the first two found, 21,107 + 23,007 + 43,114 + ...
    const sizes = [0, 1, 2, 3, 4].flatMap(turn => [turn * 22_007 + 1_000, turn * 22_007 + 21_107]);
    const read = sizes.slice(1, -1).reduce((sum, size) => sum + size, 0);
    assertMoney(recorded?.recorded, (110_135 * 12.5 + read) * dollars, 'recorded');
  });

  it('prunes after each turn as opencode does, and follows the cache', () => {
    const session = turns(4).build();
    // At request 4, the first of the third turn, the first result has two newer prompts after it.
    const { prunes, requests, asSent, pruned, saved, moment } = replayPrune(session, 4, everything);
    assert.equal(moment, 'afterTurn');
    assert.deepEqual([...requests], [4, 5, 6, 7]);
    // When the fourth prompt comes, the turns of the second and third are the newest: nothing to prune yet.
    assert.deepEqual(
      prunes.map(({ request, tokensFreed }) => [request, tokensFreed]),
      [[4, 20_000]],
    );
    // Before the third prompt: 2 × 22,007 tokens; with it 45,014.
    assert.deepEqual([...asSent.total], [45_014, 65_121, 67_021, 87_128]);
    assert.deepEqual([...asSent.read], [43_114, 45_014, 65_121, 67_021]);
    assert.deepEqual([...pruned.total], [25_014, 45_121, 47_021, 67_128]);
    // The prune leaves 1,100 tokens before the first result, which can still be read; after it, everything sent can.
    assert.deepEqual([...pruned.read], [1_100, 25_014, 45_121, 47_021]);
    const asSentCost =
      (43_114 + 45_014 + 65_121 + 67_021) * dollars + (1_900 + 20_107 + 1_900 + 20_107) * 12.5 * dollars;
    const prunedCost =
      (1_100 + 25_014 + 45_121 + 47_021) * dollars + (23_914 + 20_107 + 1_900 + 20_107) * 12.5 * dollars;
    assertMoney(asSent.cost?.money, asSentCost, 'as sent');
    assertMoney(pruned.cost?.money, prunedCost, 'pruned');
    assertMoney(saved?.money, asSentCost - prunedCost, 'saved');
    assertMoney(pruned.money[0], (1_100 + 23_914 * 12.5) * dollars, 'the first request');
    // With a single prune, it equals the prune's net.
    assertMoney(netAt(session, 4).worth?.gained.money, asSentCost - prunedCost, 'net');
  });

  it('prunes again when a turn has been worked off', () => {
    const { prunes } = replayPrune(turns(6).build(), 0, everything);
    // At the end of turn n the results before turn n - 1 are pruned: the first one when the fourth prompt comes.
    assert.deepEqual(
      prunes.map(({ request, tokensFreed }) => [request, tokensFreed]),
      [
        [6, 20_000],
        [8, 20_000],
        [10, 20_000],
      ],
    );
  });

  it('prunes before each request as katu does', () => {
    const options: PruneOptions = {
      ...defaultPruneOptions('katu'),
      protectTokens: 0,
      minimumTokens: 1,
      toolOutputMaxChars: 0,
    };
    const { prunes, moment } = replayPrune(turns(4).build(), 0, options);
    assert.equal(moment, 'beforeRequest');
    // With fewer than two prompts, nothing is protected; otherwise the results before the second newest prompt.
    assert.deepEqual(
      prunes.map(({ request }) => request),
      [1, 4 + 2],
    );
  });

  it('has no cache to lose where every request comes too late', () => {
    const { prunes, asSent, pruned, saved } = replayPrune(turns(4, 301).build(), 4, everything);
    assert.equal(prunes.length, 1);
    assert.deepEqual([...asSent.read, ...pruned.read], [0, 0, 0, 0, 0, 0, 0, 0]);
    assertMoney(saved?.money, 4 * 20_000 * 12.5 * dollars, 'saved');
  });

  it('forgets what a compaction took out', () => {
    const made = turns(3);
    made.compact();
    const context = made.context(made.prompt(3_000));
    made.request(context, 1, used(0, 3_000), { timestamp: 0 });
    made.request(context, 1, used(3_000, 0), { timestamp: 0 });
    const { asSent, pruned } = replayPrune(made.build(), 4, everything);
    assert.deepEqual([...asSent.total], [45_014, 65_121, 3_000, 3_000]);
    assert.deepEqual([...pruned.total], [25_014, 45_121, 3_000, 3_000]);
    assert.deepEqual([...pruned.read].slice(2), [...asSent.read].slice(2));
  });

  it('does not try old turns again when a context is written again', () => {
    const made = new PricedSession();
    const read = () => made.tool(300, 'read', { path: 'a.ts' });
    const old = [made.prompt(10), ...read(), ...read(), made.reply(10), made.prompt(10), made.reply(10_000)];
    made.request(made.context(old), old.length, used(0, 10_830));
    made.request(made.context(made.prompt(2_000), old), old.length + 1, used(0, 12_830));
    // The first read has more than 8,000 tokens after it at both requests, though not at the end of its turn.
    const { prunes } = replayPrune(made.build(), 0, {
      ...defaultPruneOptions('oh-my-pi'),
      measure: 'tokens',
      minimumTokens: 0,
    });
    assert.deepEqual(prunes, []);
  });

  it('shows tokens and no money where prices are not known', () => {
    const { prices: _, ...unpriced } = row;
    const replay = replayPrune(turns(4).build(unpriced), 4, everything);
    assert.deepEqual([replay.saved, replay.recorded, replay.asSent.cost], [undefined, undefined, undefined]);
    assert.deepEqual([...replay.pruned.total], [25_014, 45_121, 47_021, 67_128]);
  });

  it('replays 5,000 requests without replaying for each those before it', async () => {
    const [short, long] = [turns(25, 0, 19).build(), turns(250, 0, 19).build()];
    assert.equal(long.columns.requests.thread.length, 5_000);
    for (const ruleSet of pruneRuleSets) {
      const options = { ...defaultPruneOptions(ruleSet), cacheWarmSuffixTokens: 1_000_000 };
      const few = await processorTime(() => replayPrune(short, 0, options));
      // The compiler and the garbage collector add their time to one run at random.
      const many = Math.min(
        await processorTime(() => replayPrune(long, 0, options)),
        await processorTime(() => replayPrune(long, 0, options)),
      );
      assert.ok(
        many < 30 * Math.max(few, 10),
        `${ruleSet}: ${many} ms for 5,000 requests, ${few} ms for 500`,
      );
    }
  });
});

describe('searches', () => {
  it('find the request where a prune gains most', async () => {
    const session = turns(8).build();
    const found = await runSearch(findBestMoment(session, 0, everything));
    const gains = [...session.columns.requests.thread.keys()].map(request => ({
      request,
      gained: netAt(session, request).worth?.gained.money ?? 0,
      executes: netAt(session, request).tokensFreed > 0,
    }));
    const best = gains.filter(({ executes }) => executes).toSorted((one, other) => other.gained - one.gained);
    assert.deepEqual(
      found.ranked.map(({ request }) => request),
      best.slice(0, 5).map(({ request }) => request),
    );
    assert.equal(found.considered, best.length);
    assert.equal(found.best?.request, (best[0]?.gained ?? 0) > 0 ? best[0]?.request : undefined);
  });

  it('try a sample first in a long thread, and give the figure of the request that they name', async () => {
    const session = turns(80, 0, 19).build();
    const { best, considered } = await runSearch(findBestMoment(session, 0, everything));
    assert.ok(best !== undefined);
    assert.equal(best.gained.money, netAt(session, best.request).worth?.gained.money);
    assert.ok(considered < 600, `${considered} of 1,600 requests`);
  });

  it('say when the best is not to prune', async () => {
    // Two requests are left, too few to earn back the rewriting.
    const found = await runSearch(findBestMoment(turns(3).build(), 0, everything));
    assert.equal(found.best, undefined);
    assert.ok(found.ranked.length > 0 && found.ranked.every(({ gained }) => gained.money < 0));
  });

  it('find the configuration that gains most', async () => {
    const session = turns(8, 301).build();
    const grid = {
      ruleSets: ['opencode'],
      protectTokens: [0, 20_007, 1_000_000],
      minimumTokens: [0],
    } as const;
    const found = await runSearch(findBestOptions(session, 0, everything, grid));
    // Without a cache, less is always cheaper: no protection frees most, the largest protection frees nothing.
    assert.deepEqual(
      found.ranked.map(({ options }) => options.protectTokens),
      [0, 20_007],
    );
    assert.deepEqual([found.considered, found.unpriced], [2, 0]);
    assert.equal(found.best?.gained.money, replayPrune(session, 0, everything).saved?.money);
  });

  it('rank nothing without prices, and stop when they are cancelled', async () => {
    const { prices: _, ...unpriced } = row;
    const found = await runSearch(findBestMoment(turns(4).build(unpriced), 0, everything));
    assert.deepEqual([found.best, found.ranked], [undefined, []]);
    assert.ok(found.unpriced > 0 && found.unpriced === found.considered);
    await assert.rejects(
      runSearch(endless(), { isCancelled: () => true }),
      ({ name }: Error) => name === 'CancelledError',
    );
  });
});

function* endless(): Generator<{ readonly done: number; readonly total: number }, undefined, undefined> {
  for (;;) {
    yield { done: 0, total: 1 };
  }
}
