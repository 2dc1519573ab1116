import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Subagent } from '../../../src/core/model/transcript';
import {
  goToRequest,
  predictedBySlot,
  requestLabelOf,
  requestNumber,
} from '../../../webview/state/cacheReport';
import {
  compactionAt,
  compactionInView,
  compactionsIn,
  fateTokens,
  hasCompactions,
} from '../../../webview/state/compaction';
import { comparedWith, requestBefore } from '../../../webview/state/comparison';
import {
  blockAt,
  endOfLane,
  formerPosition,
  positionOf,
  requestInView,
  requestsInView,
  requestView,
  shownPositions,
} from '../../../webview/state/derived';
import { goToBlock } from '../../../webview/state/exposure';
import { goToNextBlock, sensitiveBlocks, sourceOrder } from '../../../webview/state/firstSight';
import type { Inspector } from '../../../webview/state/inspector';
import { placeInView, viewOfPlace } from '../../../webview/state/place';
import { firstPruneOpening, isGrowing, pruneOpeningAfter } from '../../../webview/state/pruneOpening';
import { createStore, memoise } from '../../../webview/state/store';
import { tableRows } from '../../../webview/state/tableRows';
import { namedThreads, openSubagent, subagentOf, viewOfCall } from '../../../webview/state/threads';
import { notRecordedBlock, parseViewState, type SortKey } from '../../../webview/state/viewState';
import { type MadeBlock, makeColumns, makeSummary } from '../../webview/sessionBuilder';

const view = parseViewState(undefined);

/** Blocks 0 to 5 in the main thread, 6 in a subagent's, and 7 in no request. */
const blocks: readonly MadeBlock[] = [
  { kind: 'systemPrompt', label: 'system', tokens: 50 },
  { kind: 'prompt', label: 'first', tokens: 30, sensitivity: 'private' },
  { kind: 'toolCall', label: 'Task', tool: 'Task', callId: 'call', tokens: 10 },
  {
    kind: 'toolResult',
    label: 'result',
    tool: 'Task',
    callId: 'call',
    tokens: 90,
    sensitivity: 'restricted',
  },
  { kind: 'summary', label: 'summary', tokens: 20 },
  { kind: 'prompt', label: 'second', tokens: 5 },
  { kind: 'prompt', label: 'of the subagent', tokens: 40, sensitivity: 'restricted' },
  { kind: 'assistant', label: 'never sent', tokens: 7, sensitivity: 'restricted' },
];

/** Requests 0, 1, 3 and 4 of the main thread, the last two after a compaction; 2 of a subagent. */
const columns = makeColumns(
  blocks,
  [[0, 1, 2, 3], [6], [0, 4, 5]],
  [
    { length: 2 },
    { length: 4, usage: { input: 200, cacheRead: 0, cacheWrite: 0 } },
    { context: 1, length: 1, thread: 1 },
    { context: 2, length: 2 },
    { context: 2, length: 3 },
  ],
);
const summary = makeSummary({
  compactions: [
    { kind: 'clearing', thread: 1, request: 2, line: 1 },
    { kind: 'compaction', thread: 0, request: 3, line: 1 },
  ],
});

/** An inspector that notes what it is told. */
function noted(block?: number): { readonly inspector: Inspector; readonly said: unknown[] } {
  const said: unknown[] = [];
  const note = (what: unknown): void => {
    said.push(what);
  };
  const store = createStore({ view: { ...view, block } });
  // @ts-expect-error -- Only these members are asked for.
  return { inspector: { store, changeView: note, act: note }, said };
}

describe('the request in view', () => {
  it('is the chosen one of the thread, otherwise its newest', () => {
    assert.deepEqual([...requestsInView(columns, view)], [0, 1, 3, 4]);
    assert.deepEqual([...requestsInView(columns, { ...view, thread: 1 })], [2]);
    assert.deepEqual([...requestsInView(columns, { ...view, thread: 9 })], [0, 1, 3, 4]);
    assert.equal(requestInView(columns, view), 4);
    assert.equal(requestInView(columns, { ...view, request: 1 }), 1);
    assert.equal(requestInView(columns, { ...view, request: 2 }), 4);
    assert.equal(requestInView(makeColumns([], [], []), view), undefined);
  });

  it('has a number in its conversation, and follows the newest', () => {
    assert.deepEqual(
      [0, 2, 4].map(request => requestNumber(columns, request)),
      ['1', '1', '4'],
    );
    assert.equal(requestLabelOf(columns, 3), requestLabelOf(columns, 3));
    assert.notEqual(requestLabelOf(columns, 2), requestLabelOf(columns, 0));
    const { inspector, said } = noted();
    goToRequest(inspector, columns, 4);
    goToRequest(inspector, columns, 3, 5);
    assert.deepEqual(said, [
      { thread: 0, request: undefined },
      { thread: 0, request: 3, block: 5, panel: 'block' },
    ]);
  });

  it('is compared with the one before it, or with a chosen one that exists', () => {
    assert.deepEqual(
      [0, 1, 2, 3].map(request => requestBefore(columns, request)),
      [undefined, 0, undefined, 1],
    );
    const with_ = (compared: number | undefined): number | undefined =>
      comparedWith(columns, { ...view, compared }, 3);
    assert.deepEqual([undefined, 0, 3, 4, 5].map(with_), [1, 0, 1, 4, 1]);
  });

  it('is expected to read what the report predicts', () => {
    const boundary = (tokens: number) => ({ predicted: { tokens } });
    // @ts-expect-error -- Only the predicted tokens are asked for.
    const found = predictedBySlot({ boundaries: [boundary(0), boundary(50)] }, Uint32Array.of(0, 1, 4));
    assert.deepEqual([...found], [Number.NaN, 50, Number.NaN]);
  });
});

describe('the positions of a request', () => {
  const first = requestView(columns, 1);
  const last = requestView(columns, 4);

  it('belong to blocks, and to the unrecorded part', () => {
    assert.equal(first.notRecorded.value, 20);
    assert.deepEqual(
      [0, 3, 4, notRecordedBlock].map(block => positionOf(columns, first, block)),
      [0, 3, undefined, -1],
    );
    // The context of the first request is longer than it.
    assert.equal(positionOf(columns, requestView(columns, 0), 2), undefined);
    assert.equal(positionOf(columns, last, notRecordedBlock), undefined);
    assert.deepEqual(
      [-1, 2].map(position => blockAt(first, position)),
      [notRecordedBlock, 2],
    );
  });

  it('are found again in another request', () => {
    const former = (request: number, position: number): number | undefined =>
      formerPosition(columns, last, request, position);
    assert.deepEqual(
      [0, 1, 2].map(position => former(1, position)),
      [0, undefined, undefined],
    );
    assert.deepEqual(
      [1, 2].map(position => former(3, position)),
      [1, undefined],
    );
    assert.equal(former(1, -1), -1);
    assert.equal(endOfLane(columns, first, 1), 3);
    assert.equal(endOfLane(columns, first, 0), 0);
  });

  it('are shown if their blocks have all that a filter asks for', () => {
    const found = new Map([[1, { block: 1, hits: 1, isNamed: false }]]);
    const result = { query: { text: 'a', isRegex: false, matchesCase: false }, found, isDone: true };
    const shown = (
      filter: Parameters<typeof shownPositions>[2],
      isFound = false,
      lit?: Uint8Array,
      candidates?: Uint8Array,
    ): readonly number[] => {
      const searched = isFound ? { ...result, sentence: undefined, retry: undefined } : undefined;
      const { shown: marks, count } = shownPositions(columns, first, filter, searched, candidates, lit);
      const positions = [...marks.keys()].filter(position => marks[position] === 1);
      assert.equal(count, positions.length);
      return positions;
    };
    assert.deepEqual(shown({}), [0, 1, 2, 3]);
    assert.deepEqual(shown({ kind: 'toolResult' }), [3]);
    assert.deepEqual(shown({ sensitivity: 'private' }), [1]);
    assert.deepEqual(shown({ blocks: [0, 3, 6] }), [0, 3]);
    assert.deepEqual(shown({ blocks: [0, 3], kind: 'prompt' }), []);
    assert.deepEqual(shown({ source: 'instructions' }), [0]);
    assert.deepEqual(shown({}, true), [1]);
    assert.deepEqual(shown({}, false, Uint8Array.of(0, 0, 1, 1, 0, 0, 0, 0)), [2, 3]);
    const pruned = Uint8Array.of(0, 0, 0, 1, 0, 0, 0, 0);
    assert.deepEqual(shown({ verdict: 'pruned' }, false, undefined, pruned), [3]);
    assert.deepEqual(shown({ verdict: 'kept' }, false, undefined, pruned), []);
    assert.deepEqual(shown({ verdict: 'kept' }), [3]);
  });

  it('are rows of the table, sorted with equal ones in wire order', () => {
    const none = new Uint8Array(8);
    const rows = (key: SortKey, descending = false, shown?: Uint8Array): readonly number[] => [
      ...tableRows(columns, first, shown, key, descending, Uint8Array.of(0, 1, 0, 1, 0, 0, 0, 0)),
    ];
    assert.deepEqual(rows('wire'), [-1, 0, 1, 2, 3]);
    assert.deepEqual(rows('wire', true), [3, 2, 1, 0, -1]);
    // 20 are not recorded, then 50, 30, 10 and 90.
    assert.deepEqual(rows('tokens'), [2, -1, 1, 0, 3]);
    assert.deepEqual(rows('tokens', true), [3, 0, 1, -1, 2]);
    assert.deepEqual(rows('label', false, Uint8Array.of(1, 1, 1, 1)), [1, 3, 0, 2]);
    assert.deepEqual(rows('sensitivity', true), [3, 1, -1, 0, 2]);
    assert.deepEqual(rows('verdict', true).slice(0, 2), [1, 3]);
    assert.deepEqual(rows('tool', true), [2, 3, -1, 0, 1]);
    assert.deepEqual(rows('line', true, Uint8Array.of(1, 1, 1, 1)), [3, 2, 1, 0]);
    assert.deepEqual(rows('tokens', false, Uint8Array.of(1, 0, 0, 1)), [0, 3]);
    assert.deepEqual([...tableRows(columns, last, undefined, 'wire', false, none)], [0, 1, 2]);
  });
});

describe('a place in a session', () => {
  const changeTo = (place: Parameters<typeof viewOfPlace>[1]): unknown => {
    const found = viewOfPlace(columns, place);
    return found.ok ? found.change : found.sentence;
  };

  it('is shown, and the newest request is followed', () => {
    assert.deepEqual(changeTo({}), { thread: 0, request: undefined });
    assert.deepEqual(changeTo({ request: 3 }), { thread: 0, request: 4 });
    assert.deepEqual(changeTo({ conversation: 1, request: 0 }), { thread: 1, request: 2 });
    assert.deepEqual(changeTo({ request: 1, block: 3 }), {
      thread: 0,
      request: 1,
      block: 3,
      panel: 'block',
    });
    assert.deepEqual(changeTo({ request: 2, block: 1, panel: 'cache' }), {
      thread: 0,
      request: 3,
      block: 4,
      panel: 'cache',
    });
  });

  it('is a sentence if the transcript does not have it', () => {
    assert.match(String(changeTo({ conversation: 2 })), /conversation 3/);
    assert.match(String(changeTo({ request: 4 })), /request 5, but this conversation has 4/);
    assert.match(String(changeTo({ request: 0, block: 2 })), /block 3, but this request has 2/);
    assert.match(String(changeTo({ blockNumber: 8 })), /block 9, .*has 8/);
  });

  it('of a block is the next request that carries it', () => {
    assert.deepEqual(changeTo({ request: 0, blockNumber: 0 }), {
      thread: 0,
      request: 0,
      block: 0,
      panel: 'block',
    });
    assert.deepEqual(changeTo({ request: 0, blockNumber: 3 }), {
      thread: 0,
      request: 1,
      block: 3,
      panel: 'block',
    });
    assert.deepEqual(changeTo({ request: 0, blockNumber: 7 }), {
      thread: 0,
      request: 0,
      block: 7,
      panel: 'block',
    });
  });

  it('in view counts within its conversation', () => {
    const inView = (change: Partial<typeof view>): unknown => placeInView(columns, { ...view, ...change });
    assert.deepEqual(inView({}), { conversation: 0, request: 3 });
    assert.deepEqual(inView({ request: 3, block: 4 }), { conversation: 0, request: 2, block: 1 });
    assert.deepEqual(inView({ request: 3, block: 5 }), { conversation: 0, request: 2 });
    assert.deepEqual(inView({ request: 1, block: notRecordedBlock }), { conversation: 0, request: 1 });
    assert.deepEqual(inView({ thread: 1, block: 6 }), { conversation: 1, request: 0, block: 0 });
    assert.equal(placeInView(makeColumns([], [], []), view), undefined);
  });
});

describe('the sensitive blocks of a session', () => {
  it('are those that were sent, by label', () => {
    assert.deepEqual(sensitiveBlocks(columns), [[], [1], [3, 6]]);
  });

  it('follow each other in a circle', () => {
    const next = (selected: number | undefined): unknown => {
      const { inspector, said } = noted(selected);
      goToNextBlock(inspector, columns, [3, 6]);
      return said[0];
    };
    const third = { thread: 0, request: 1, block: 3, panel: 'block' };
    const sixth = { thread: 1, request: undefined, block: 6, panel: 'block' };
    assert.deepEqual([undefined, 2, 3, 6].map(next), [third, third, sixth, third]);
    const { inspector, said } = noted();
    goToNextBlock(inspector, columns, []);
    goToBlock(inspector, columns, 7);
    goToBlock(inspector, columns, 3);
    assert.deepEqual(said, [{ kind: 'revealSource', block: 7 }, third]);
  });

  it('have sources in the order of their size, the unrecorded part first', () => {
    const sums = [1, 5, 0, 9].map(tokens => Float64Array.of(tokens, tokens));
    // @ts-expect-error -- Only the sources are asked for.
    const order = sourceOrder({ sources: sums });
    assert.deepEqual(order.slice(0, 3), [0, 3, 1]);
  });
});

describe('the compactions of a conversation', () => {
  const [diff = assert.fail()] = compactionsIn(columns, summary, 0);

  it('are found at the request after them', () => {
    assert.deepEqual([hasCompactions(summary, 0), hasCompactions(summary, 2)], [true, false]);
    assert.equal(compactionsIn(columns, summary, 0).length, 1);
    assert.deepEqual([diff.compaction, diff.before, diff.after], [1, 1, 3]);
    const found = [0, 1, 2, 3, 4].map(request => compactionAt(columns, summary, request));
    assert.deepEqual(found, [
      undefined,
      undefined,
      { place: 0, kind: 'clearing' },
      { place: 1, kind: 'compaction' },
      undefined,
    ]);
  });

  it('are shown up to the request, or as chosen while one of their requests is in view', () => {
    const earlier = { ...diff, compaction: 0, before: 0, after: 1 };
    const inView = (request: number, compaction?: number): number | undefined =>
      compactionInView([earlier, diff], { ...view, compaction }, request)?.compaction;
    assert.deepEqual(
      [0, 1, 3, 4].map(request => inView(request)),
      [0, 0, 1, 1],
    );
    assert.deepEqual([inView(3, 0), inView(1, 0), inView(1, 1), inView(4, 1)], [1, 0, 1, 1]);
    assert.equal(compactionInView([], view, 3), undefined);
  });

  it('divide the tokens of both requests', () => {
    const fates = fateTokens(columns, diff).map(({ fate, before, after }) => [fate, before, after]);
    // Before: 20 not recorded, and 50 kept of 180. After: 50 kept, and a summary of 20 in place of 130.
    assert.deepEqual(fates, [
      ['notRecorded', 20, 0],
      ['kept', 50, 50],
      ['summarised', 130, 20],
    ]);
  });
});

describe('the conversations of a file', () => {
  const subagent: Subagent = { id: 'a', description: 'Look around', callId: 'call', thread: 1 };

  it('have names, those of subagents by their task', () => {
    const named = (change: Parameters<typeof makeSummary>[0]): readonly unknown[] =>
      namedThreads(columns, makeSummary(change)).map(({ thread, name, requests }) => [
        thread,
        name,
        requests,
      ]);
    assert.deepEqual(named({ subagents: [subagent] })[1], [1, 'Look around', 1]);
    const titled = named({ conversations: [{ thread: 1, title: 'Talk' }] });
    assert.match(String(titled[1]), /^1,.*1.*Talk,1$/);
    assert.equal(subagentOf(makeSummary({ subagents: [subagent] }), 1), subagent);
    assert.equal(subagentOf(makeSummary({ subagents: [subagent] }), 0), undefined);
  });

  it('are opened here if the file has them, and led back to their call', () => {
    const { inspector, said } = noted();
    openSubagent(inspector, columns, subagent);
    openSubagent(inspector, columns, { ...subagent, thread: 5 });
    assert.deepEqual(said, [
      { thread: 1, request: undefined, block: undefined },
      { kind: 'openSubagent', id: 'a' },
    ]);
    assert.deepEqual(viewOfCall(columns, subagent), { thread: 0, request: 1, block: 2 });
    assert.equal(viewOfCall(columns, { ...subagent, callId: 'other' }), undefined);
  });
});

describe('the prune panel', () => {
  it('goes to the best request only while nothing is chosen', () => {
    assert.equal(firstPruneOpening(view), 'free');
    assert.equal(firstPruneOpening({ ...view, block: 0 }), 'never');
    assert.equal(firstPruneOpening({ ...view, request: 0 }), 'never');
    assert.equal(pruneOpeningAfter('free', { panel: 'prune' }), 'wanted');
    assert.equal(pruneOpeningAfter('free', { column: 'prune' }), 'wanted');
    assert.equal(pruneOpeningAfter('wanted', { panel: 'cache' }), 'free');
    assert.equal(pruneOpeningAfter('wanted', { isPaneOpen: false }), 'free');
    assert.equal(pruneOpeningAfter('wanted', { isPaneOpen: true }), 'wanted');
    assert.equal(pruneOpeningAfter('wanted', { request: undefined }), 'never');
    assert.equal(pruneOpeningAfter('never', { panel: 'prune' }), 'never');
  });

  it('leaves the newest request in view while the conversation grows', () => {
    const newest = columns.requests.timestamp[4] ?? 0;
    const minutes = (count: number): boolean => isGrowing(columns, 0, newest + count * 60_000);
    assert.deepEqual([minutes(0), minutes(60)], [true, false]);
  });
});

describe('a store', () => {
  it('tells its listeners of changes only', () => {
    const store = createStore({ count: 0 });
    let told = 0;
    const stop = store.subscribe(() => {
      told += 1;
    });
    store.update(state => state);
    assert.equal(told, 0);
    store.update(({ count }) => ({ count: count + 1 }));
    assert.deepEqual([told, store.get().count], [1, 1]);
    stop();
    store.update(({ count }) => ({ count: count + 1 }));
    assert.deepEqual([told, store.get().count], [1, 2]);
  });

  it('remembers the latest results by identity', () => {
    let computed = 0;
    const sum = memoise((one: number, other: number) => {
      computed += 1;
      return one + other;
    }, 2);
    assert.deepEqual([sum(1, 2), sum(1, 2), sum(1, 3), sum(1, 2)], [3, 3, 4, 3]);
    assert.equal(computed, 2);
    sum(2, 2);
    sum(1, 3);
    assert.equal(computed, 3);
    sum(1, 2);
    assert.equal(computed, 4);
  });
});
