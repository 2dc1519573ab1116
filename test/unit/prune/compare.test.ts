import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import * as v from 'valibot';
import { CacheSession } from '../../../src/core/cache/cacheSession';
import { defaultPruneOptions, pruneRuleSets } from '../../../src/core/model/pruneConfig';
import { comparePrunes } from '../../../src/core/prune/compare';
import { planPrune } from '../../../src/core/prune/plan';
import { PruneTranscript } from '../../../src/core/prune/pruneTranscript';
import { buildRequestView } from '../../../src/core/view/requestView';
import { openCounted } from '../../fixtures/prunedCopies';
import { recordedClearings } from '../../fixtures/recordedClearings';
import { readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { everything, PricedSession, used } from './pricedSession';

describe('rule sets side by side', () => {
  it('gives each rule set a row, with its own thresholds where nobody moved them', () => {
    const made = new PricedSession();
    const repeated = [made.tool(30_000, 'Read'), made.tool(30_000, 'Read')].flat();
    const context = made.context(made.prompt(10), repeated, made.prompt(10), made.reply(10), made.prompt(10));
    made.request(context, 8, used(0, 60_240));
    const session = made.build();
    const rows = comparePrunes(session, buildRequestView(session.columns, 0), {
      ...defaultPruneOptions(),
      measure: 'tokens',
    });
    assert.deepEqual(
      rows.map(({ ruleSet, options }) => [ruleSet, options.ruleSet]),
      pruneRuleSets.map(ruleSet => [ruleSet, ruleSet]),
    );
    assert.deepEqual(
      rows.map(({ preview, net, options }) => [
        options.protectTokens,
        preview.plan.candidates.length,
        preview.plan.executes,
        net.state,
      ]),
      [
        // 60,000 tokens: the older result crosses 40,000, and is more than 20,000.
        [40_000, 1, true, 'cold'],
        // Counts up to and including the result that crosses the limit, so that both are within 40,000.
        [40_000, 0, false, 'nothing'],
        [40_000, 0, false, 'nothing'],
        // The newest three stay.
        [40_000, 0, false, 'nothing'],
        // Two calls of `{}` whose outputs name their calls: the first one was repeated.
        [0, 1, true, 'cold'],
      ],
    );
  });

  it('reads what the agent cleared off the transcript', () => {
    const made = new PricedSession();
    const [call, result] = made.tool(5_000);
    const [otherCall, other] = made.tool(700);
    const first = made.prompt(10);
    const before = made.context(first, call, result, otherCall, other);
    made.request(before, 5, used(0, 5_910), { thread: 1 });
    made.request(before, 5, used(0, 5_910));
    made.compact('clearing');
    const notice = made.notice(result, 8);
    made.request(made.context(first, call, notice, otherCall, other), 5, used(110, 808));
    made.request(before, 5, used(5_910, 0), { thread: 1 });
    made.compact('clearing');
    const session = made.build();
    assert.deepEqual(recordedClearings(session, 0), [
      { before: 1, after: 2, positions: [2], blocks: [result], tokensFreed: 4_992, claimed: undefined },
    ]);
    assert.deepEqual(recordedClearings(session, 1), []);
    // Cleared results are no longer candidates and free nothing again.
    const [opencode] = comparePrunes(session, buildRequestView(session.columns, 2), everything);
    assert.deepEqual(opencode?.preview.plan.candidates, []);
  });
});

const runs = ['agent-runs', 'opencode', '1.18.34'];

const loopsSchema = v.array(
  v.object({ case: v.string(), match: v.boolean(), predictedPartIds: v.array(v.string()) }),
);

describe('rule set opencode on the sessions that opencode pruned', { skip: skipWithout(...runs) }, () => {
  it('names what opencode cleared between any two requests, session by session', async () => {
    const folder = join(shared, ...runs);
    const loops = v.parse(
      loopsSchema,
      JSON.parse(readUnpacked(join(folder, 'prune-oracle.json')).toString()),
    );
    const cut = new Set(loops.flatMap(loop => (loop.match ? [] : [loop.case])));
    const counts = { sessions: 0, turns: 0, results: 0 };
    for (const name of new Set(loops.map(loop => loop.case))) {
      // Because the process ended, opencode marked only a part of the results that it had found.
      if (cut.has(name)) {
        continue;
      }
      const exports = readdirSync(join(folder, name, 'exports'))
        .filter(file => file.startsWith('export-after-'))
        .sort((one, other) => Number(/\d+/.exec(one)?.[0]) - Number(/\d+/.exec(other)?.[0]));
      const opened = await openCounted(readUnpacked(join(folder, name, 'exports', exports.at(-1) ?? '')));
      const session = new CacheSession(opened.toSession());
      const clearings = new Map(recordedClearings(session, 0).map(clearing => [clearing.before, clearing]));
      counts.sessions += 1;
      for (const request of turnEnds(session)) {
        const context = contextAfterTurn(session, request);
        const plan = planPrune(context.history, { ...defaultPruneOptions(), measure: 'chars4' }, () => 0);
        const cleared = clearings.get(request)?.blocks ?? [];
        assert.deepEqual(
          plan.executes ? plan.candidates.toReversed() : [],
          cleared,
          `${name} after request ${request}`,
        );
        counts.turns += 1;
        counts.results += cleared.length;
        clearings.delete(request);
      }
      assert.equal(clearings.size, 0, name);
    }
    // By opencode's marks, if a request followed in the same history: 2 + 11 + 3 + 6 + 5 + 3 results in six turns.
    assert.deepEqual([counts.sessions, counts.results], [10, 30]);
    assert.ok(counts.turns > 30, `${counts.turns} turns`);
  });
});

/** The requests of the main thread that were followed by a prompt with the same history. */
function turnEnds({ columns }: CacheSession): readonly number[] {
  const { requests, contexts } = columns;
  return [...requests.thread.keys()].filter(request => {
    const next = request + 1;
    return requests.thread[request] === 0 && requests.thread[next] === 0 && opensTurn(request, next);
  });

  function opensTurn(request: number, next: number): boolean {
    const transcript = new PruneTranscript(columns);
    return [...(contexts[requests.context[next] ?? 0] ?? []).slice(0, requests.length[next])].some(
      (block, position) => {
        const opens = position >= (requests.length[request] ?? 0) && transcript.opensTurn(block);
        transcript.add(block, 0);
        return opens;
      },
    );
  }
}

/** The context of a request with the replies and results up to the next prompt. */
function contextAfterTurn({ columns }: CacheSession, request: number): PruneTranscript {
  const transcript = new PruneTranscript(columns);
  const length = columns.requests.length[request] ?? 0;
  for (const [position, block] of (
    columns.contexts[columns.requests.context[request] ?? 0] ?? []
  ).entries()) {
    if (position >= length && transcript.opensTurn(block)) {
      break;
    }
    transcript.add(block, 0);
  }
  return transcript;
}
