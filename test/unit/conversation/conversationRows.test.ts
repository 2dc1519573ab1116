import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CacheFinding } from '../../../src/core/cache/cacheFinding';
import { blockFlags } from '../../../src/core/model/block';
import type { SessionColumns, SessionSummary } from '../../../src/core/model/columns';
import { conversationOf } from '../../../webview/state/conversationMessages';
import { type ConversationRow, conversationRows } from '../../../webview/state/conversationRows';
import { requestView } from '../../../webview/state/derived';
import type { ConversationPart } from '../../../webview/state/viewState';
import { processorTime } from '../../fixtures/linearWork';
import { type MadeBlock, type MadeRequest, makeColumns, makeSummary } from '../../webview/sessionBuilder';

const prompt = (label: string): MadeBlock => ({ kind: 'prompt', label, tokens: 20 });
const reply = (label: string): MadeBlock => ({ kind: 'assistant', label, tokens: 30 });
const call = (id: string, tool = 'Bash'): MadeBlock => ({
  kind: 'toolCall',
  label: `${tool} ${id}`,
  tool,
  callId: id,
  tokens: 10,
});
const result = (id: string, more: Partial<MadeBlock> = {}): MadeBlock => ({
  kind: 'toolResult',
  label: `Bash ${id}`,
  tool: 'Bash',
  callId: id,
  tokens: 100,
  ...more,
});

interface Choices {
  readonly summary?: Partial<SessionSummary>;
  readonly findings?: readonly CacheFinding[];
  readonly toggled?: readonly string[];
  readonly wanted?: readonly number[];
  readonly marked?: readonly number[];
  readonly show?: ConversationPart;
}

function rowsAt(
  columns: SessionColumns,
  request: number,
  { summary, findings = [], toggled = [], wanted = [], marked = [], show = 'all' }: Choices = {},
): readonly ConversationRow[] {
  return conversationRows({
    columns,
    summary: makeSummary(summary),
    view: requestView(columns, request),
    findings,
    toggled: new Set(toggled),
    isWanted: block => wanted.includes(block),
    isMarked: block => marked.includes(block),
    show,
  });
}

/** Each row in a word: its blocks, its standing, and what is folded. */
const told = (rows: readonly ConversationRow[]): readonly string[] =>
  rows.map(row => {
    switch (row.kind) {
      case 'message': {
        const { message, standing, gone, request, depth } = row;
        const why = gone === undefined ? standing : `${gone.why}@${gone.slot}`;
        return `${'>'.repeat(depth)}${request ?? '-'} ${message.kind} ${message.blocks.join('+')} ${why}`;
      }
      case 'folded':
        return `${row.gone === undefined ? row.standing : `${row.gone.why}@${row.gone.slot}`} × ${row.messages.length}`;
      case 'compaction':
        return `compaction ${row.slot}`;
      case 'loss':
        return `loss ${row.slot}`;
      case 'notRecorded':
      case 'boundary':
      case 'end':
        return row.kind;
    }
  });

const usage = (cacheRead: number): NonNullable<MadeRequest['usage']> => ({
  input: 1,
  cacheRead,
  cacheWrite: 0,
});

/** Two questions; the second request reads the first one from the cache. */
const twoQuestions = makeColumns(
  [prompt('a'), call('1'), result('1'), reply('done'), prompt('b'), reply('answer'), reply('last')],
  [[0, 1, 2, 3, 4, 5]],
  [
    { length: 1, complete: true, usage: usage(0) },
    { length: 3, complete: true, usage: usage(20) },
    { length: 5, complete: true, usage: { input: 50, cacheRead: 130, cacheWrite: 0 } },
  ],
);

describe('a conversation', () => {
  it('has a call and its results as one message', () => {
    const { messages, messageOf } = conversationOf(twoQuestions, 0);
    assert.deepEqual(
      messages.map(({ blocks, slot }) => [...blocks, slot]),
      [
        [0, 0],
        [1, 2, 1],
        [3, 2],
        [4, 2],
        [5, 3],
        [6, 3],
      ],
    );
    assert.equal(messageOf[2], messageOf[1]);
  });

  it('ends the cache where the recorded read ends, and the request where its context ends', () => {
    assert.deepEqual(told(rowsAt(twoQuestions, 2)), [
      '0 prompt 0 cached',
      '1 call 1+2 cached',
      'boundary',
      '2 reply 3 new',
      '- prompt 4 new',
      'end',
      '- reply 5 later',
      '- reply 6 later',
    ]);
    assert.deepEqual(told(rowsAt(twoQuestions, 0)).slice(0, 3), [
      '0 prompt 0 new',
      'end',
      '1 call 1+2 later',
    ]);
  });

  it('shows what was said, the edits, or what has a mark, each with what the search found', () => {
    const columns = makeColumns(
      [
        prompt('a'),
        call('1'),
        result('1'),
        call('2', 'Edit'),
        result('2'),
        call('3'),
        result('3', { flags: blockFlags.error }),
        reply('done'),
      ],
      [[0, 1, 2, 3, 4, 5, 6, 7]],
      [{ length: 8, complete: true }],
    );
    const blocksOf = (choices: Choices): readonly number[] =>
      rowsAt(columns, 0, choices).flatMap(row => (row.kind === 'message' ? [row.message.blocks[0]] : []));
    assert.deepEqual(blocksOf({ show: 'talk' }), [0, 7]);
    assert.deepEqual(blocksOf({ show: 'edits' }), [3]);
    assert.deepEqual(blocksOf({ show: 'marked' }), [5]);
    assert.deepEqual(blocksOf({ show: 'marked', marked: [3] }), [3, 5]);
    assert.deepEqual(blocksOf({ show: 'edits', wanted: [1] }), [1, 3]);
  });

  it('says why a request no longer has a message, and folds a run of them', () => {
    const columns = makeColumns(
      [
        prompt('a'),
        call('1'),
        result('1'),
        reply('x'),
        { kind: 'summary', label: 'so far', tokens: 50 },
        prompt('b'),
      ],
      [
        [0, 1, 2, 3],
        [4, 5],
      ],
      [
        { length: 1, complete: true },
        { length: 4, complete: true },
        { context: 1, length: 2, complete: true },
      ],
    );
    const summary = {
      compactions: [{ kind: 'compaction', request: 2, thread: 0, line: 9 }],
    } as const;
    assert.deepEqual(told(rowsAt(columns, 2, { summary })), [
      '0 prompt 0 compacted@2',
      'compacted@2 × 2',
      'compaction 2',
      '2 summary 4 new',
      '- prompt 5 new',
    ]);
    assert.deepEqual(told(rowsAt(columns, 2, { summary, toggled: ['f1'] })).slice(1, 4), [
      'compacted@2 × 2',
      '1 call 1+2 compacted@2',
      '- reply 3 compacted@2',
    ]);
    // At an earlier request nothing is gone.
    assert.deepEqual(told(rowsAt(columns, 1, { summary })), [
      '0 prompt 0 new',
      '1 call 1+2 new',
      '- reply 3 new',
      'end',
      'compaction 2',
      '2 summary 4 later',
      '- prompt 5 later',
    ]);
    assert.deepEqual(told(rowsAt(columns, 2)).slice(0, 2), ['0 prompt 0 rewound@2', 'rewound@2 × 2']);
  });

  it('names a message that was never sent', () => {
    const columns = makeColumns(
      [prompt('a'), reply('lost'), prompt('b')],
      [[0, 2]],
      [
        { length: 1, complete: true },
        { length: 2, complete: true },
      ],
    );
    assert.deepEqual(told(rowsAt(columns, 1)), [
      '0 prompt 0 new',
      '- reply 1 neverSent@-1',
      '1 prompt 2 new',
    ]);
  });

  it('folds a run of calls, but not what must be seen', () => {
    const ids = ['1', '2', '3', '4', '5', '6', '7'];
    const blocks = [prompt('a'), ...ids.flatMap(id => [call(id), result(id)]), prompt('b')];
    const columns = makeColumns(
      blocks,
      [blocks.map((_, index) => index)],
      [...ids.map((_, index) => ({ length: index * 2 + 1, complete: true })), { length: 16, complete: true }],
    );
    assert.deepEqual(told(rowsAt(columns, 7)), [
      '0 prompt 0 new',
      'new × 6',
      '7 call 13+14 new',
      '- prompt 15 new',
    ]);
    assert.deepEqual(told(rowsAt(columns, 7, { wanted: [8] })).slice(1), [
      'new × 3',
      '4 call 7+8 new',
      '5 call 9+10 new',
      '6 call 11+12 new',
      '7 call 13+14 new',
      '- prompt 15 new',
    ]);
  });

  it('shows a loss where it happened', () => {
    const finding: CacheFinding = {
      request: 1,
      previous: 0,
      causes: ['lifetimeExpired'],
      certainty: 'assumed',
      possible: [],
      recorded: null,
      readable: 20,
      read: 0,
      tokensLost: 20,
      evidence: [],
    };
    const rows = told(rowsAt(twoQuestions, 2, { findings: [finding] }));
    assert.deepEqual(rows.slice(0, 3), ['0 prompt 0 cached', 'loss 1', '1 call 1+2 cached']);
    const meant = told(rowsAt(twoQuestions, 2, { findings: [{ ...finding, causes: ['compaction'] }] }));
    assert.ok(!meant.some(row => row.startsWith('loss')));
  });

  it('opens subagents in place, two levels deep', () => {
    const columns = makeColumns(
      [
        prompt('a'),
        call('s1', 'Task'),
        result('s1'),
        prompt('child'),
        call('s2', 'Task'),
        result('s2'),
        prompt('grandchild'),
        call('s3', 'Task'),
        result('s3'),
        prompt('below'),
      ],
      [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9]],
      [
        { length: 3, complete: true },
        { context: 1, length: 3, thread: 1, complete: true },
        { context: 2, length: 3, thread: 2, complete: true },
        { context: 3, length: 1, thread: 3, complete: true },
      ],
    );
    const summary = {
      subagents: [
        { id: 'x', thread: 1, callId: 's1' },
        { id: 'y', thread: 2, callId: 's2' },
        { id: 'z', thread: 3, callId: 's3' },
      ],
    };
    assert.deepEqual(told(rowsAt(columns, 0, { summary, toggled: ['m1', '1/m4', '1/4/m7'] })), [
      '0 prompt 0 new',
      '- call 1+2 new',
      '>0 prompt 3 elsewhere',
      '>- call 4+5 elsewhere',
      '>>0 prompt 6 elsewhere',
      '>>- call 7+8 elsewhere',
    ]);
  });

  it('takes the time of its messages, whatever their number', async () => {
    const calls = (count: number): readonly MadeBlock[] =>
      Array.from({ length: count }, (_, index) => [call(String(index)), result(String(index))]).flat();
    const thoughts = (count: number): readonly MadeBlock[] =>
      Array.from({ length: count }, () => ({ kind: 'thinking', label: 'thought', tokens: 5 }));
    /** The processor time for the last of so many requests, after that for the one before it. */
    const timeOf = (count: number, blocks: readonly MadeBlock[], expected: number): Promise<number> => {
      const share = blocks.length / count;
      const columns = makeColumns(
        blocks,
        [blocks.map((_, index) => index)],
        Array.from({ length: count }, (_, request) => ({ length: (request + 1) * share, complete: true })),
      );
      rowsAt(columns, count - 2);
      return processorTime(() => assert.equal(rowsAt(columns, count - 1).length, expected));
    };
    for (const blocksOf of [calls, thoughts]) {
      const rows = (count: number): number => (blocksOf === calls ? 2 : count);
      const few = await timeOf(2_000, blocksOf(2_000), rows(2_000));
      const many = await timeOf(40_000, blocksOf(40_000), rows(40_000));
      // Quadratic work would take 400 times as long.
      assert.ok(many < 80 * Math.max(few, 5), `${many} ms with many messages, ${few} ms with few`);
    }
  });
});
