import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { charTokenEngine } from '../../../src/core/context/charTokenEngine';
import { renderContext, type RenderOptions } from '../../../src/core/context/render';
import { formatCompact, salienceFooter } from '../../../src/core/context/taskStateText';
import {
  createContextPartitions,
  userMessage,
  type ContextPartitions,
  type Message,
} from '../../../src/core/model/contextPartitions';
import type { RenderedContext } from '../../../src/core/model/renderedContext';
import { emptyTaskState, type TaskState } from '../../../src/core/model/taskState';

type Entry = readonly [message: Message, tokens: number];

const parts = (text: string): Message => ({
  role: 'user',
  content: [{ type: 'text', text }],
  toolCalls: [],
});
const result = (callId: string, output: string): Message => ({
  role: 'tool',
  content: [{ type: 'tool_result', callId, output, isError: false }],
  toolCalls: [],
});
const narration = (text: string): Message => ({
  role: 'assistant',
  content: text,
  toolCalls: [{ id: 'c', name: 'n', arguments: {} }],
});

function render(
  history: readonly Entry[],
  options: Partial<RenderOptions> = {},
  partitions: ContextPartitions = createContextPartitions(),
): RenderedContext {
  for (const [message, tokens] of history) {
    partitions.history.push(message, tokens);
  }
  return renderContext(partitions, {
    budget: 1_000,
    engine: charTokenEngine,
    preserveRecentMsgs: 0,
    ...options,
  });
}

const texts = (rendered: RenderedContext) => rendered.turns.map(turn => turn.content);
const state = (changes: Partial<TaskState>): TaskState => ({ ...emptyTaskState, ...changes });

describe('char token engine', () => {
  it('takes four code points for a token, at least one', () => {
    assert.deepEqual(
      ['', 'abc', 'abcdefg', '🚀🚀🚀🚀🚀🚀🚀🚀', '好'.repeat(11)].map(text => charTokenEngine.count(text)),
      [1, 1, 1, 2, 2],
    );
    assert.equal(charTokenEngine.truncate('🚀🚀🚀🚀🚀', 1), '🚀🚀🚀🚀');
    assert.equal(charTokenEngine.truncate('abc', 0), '');
  });

  it('counts content by kind, and no calls', () => {
    const message: Message = {
      role: 'user',
      content: [
        { type: 'text', text: '12345678' },
        { type: 'tool_result', callId: 'a long call id', output: '123456781234', isError: false },
        { type: 'image', data: 'x'.repeat(400) },
        { type: 'audio', data: 'x'.repeat(16), mediaType: 'audio/wav' },
      ],
      toolCalls: [{ id: 'i', name: 'n', arguments: { long: 'x'.repeat(400) } }],
    };
    assert.equal(charTokenEngine.countMessage(message), 2 + 3 + 1 + 4);
    assert.equal(charTokenEngine.countMessage({ ...message, content: [] }), 0);
  });

  it('cuts strings and says so, never parts', () => {
    assert.deepEqual(charTokenEngine.truncateMessage(userMessage('123456789'), 2), {
      ...userMessage('12345678… [truncated]'),
      tokenCount: 2,
    });
    assert.deepEqual(charTokenEngine.truncateMessage(userMessage('12345678'), 2), userMessage('12345678'));
    assert.deepEqual(charTokenEngine.truncateMessage(parts('123456789'), 1), parts('123456789'));
  });
});

describe('system slots', () => {
  it('join strings, skip parts, and keep empty strings in their slot', () => {
    const partitions = createContextPartitions();
    partitions.system.push(userMessage('a'), 1);
    partitions.system.push(parts('skipped'), 1);
    partitions.system.push(userMessage(''), 1);
    partitions.knowledge.push(userMessage('k'), 1);
    const rendered = render([], {}, partitions);
    assert.equal(rendered.systemStable, 'a\n\n');
    assert.equal(rendered.systemKnowledge, 'k');
    assert.equal(rendered.systemText, 'a\n\n\n\nk');
  });
});

describe('history in a budget', () => {
  it('charges one token for an empty system text', () => {
    assert.deepEqual(texts(render([[userMessage('x'), 5]], { budget: 6 })), ['x']);
    assert.deepEqual(texts(render([[userMessage('x'), 5]], { budget: 5 })), []);
  });

  it('drops the first string that does not fit and all before it', () => {
    const history: Entry[] = [
      [userMessage('small'), 1],
      [userMessage('large'), 50],
      [userMessage('new'), 3],
    ];
    assert.deepEqual(texts(render(history, { budget: 40 })), ['new']);
  });

  it('keeps parts that do not fit while something is left, and stops there', () => {
    const history: Entry[] = [
      [userMessage('small'), 1],
      [parts('large'), 50],
      [userMessage('new'), 3],
    ];
    assert.deepEqual(texts(render(history, { budget: 40 })), [[{ type: 'text', text: 'large' }], 'new']);
    assert.deepEqual(texts(render(history, { budget: 4 })), ['new'], 'nothing is left');
  });

  it('keeps the protected tail beyond the budget; messages without tokens take no place in it', () => {
    const history: Entry[] = [
      [userMessage('old'), 1],
      [userMessage('b'), 50],
      [userMessage('zero'), 0],
      [userMessage('c'), 50],
    ];
    assert.deepEqual(texts(render(history, { budget: 10, preserveRecentMsgs: 2 })), ['b', 'c']);
  });

  it('begins with the user', () => {
    const assistant: Message = { role: 'assistant', content: 'a', toolCalls: [] };
    assert.deepEqual(render([[assistant, 1]]).turns, [
      { role: 'user', content: '[context resumed]', toolCalls: [] },
      { ...assistant, tokenCount: 1 },
    ]);
    assert.deepEqual(texts(render([[{ role: 'system', content: 's', toolCalls: [] }, 1]])), ['s']);
  });

  it('replaces the narration of older calls from 40 code points on', () => {
    const stub =
      '[earlier narration collapsed; tool call(s) preserved below — current progress is in the TASK STATE block]';
    const history: Entry[] = [
      [userMessage('u'), 1],
      [narration('x'.repeat(39)), 9],
      [narration('🚀'.repeat(40)), 9],
      [narration('y'.repeat(40)), 9],
    ];
    const rendered = render(history, { collapseNarration: true, preserveRecentMsgs: 1 });
    assert.deepEqual(texts(rendered), ['u', 'x'.repeat(39), stub, 'y'.repeat(40)]);
    assert.deepEqual(rendered.turns[2], { ...narration(stub) }, 'without a stamp');
    // The stub has 105 code points and costs 26 tokens: with 1 for the system text and 9 for the newest it needs 36.
    assert.equal(Array.from(stub).length, 105);
    assert.equal(
      render(history, { collapseNarration: true, preserveRecentMsgs: 1, budget: 35 }).turns.length,
      2,
      'the newest behind [context resumed]',
    );
  });

  it('shows collapsed results as 160 bytes, cut at a character', () => {
    const output = `${'a'.repeat(159)}é${'b'.repeat(10)}`;
    const rendered = render(
      [
        [userMessage('u'), 1],
        [result('c', output), 100],
        [result('d', 'short'), 1],
      ],
      { collapsedResults: new Set(['c', 'd']), preserveRecentMsgs: 9 },
    );
    assert.deepEqual(rendered.turns[1], {
      ...result(
        'c',
        `${'a'.repeat(159)}…\n[collapsed: 12 chars projected out of view; full result retained in history]`,
      ),
    });
    assert.deepEqual(rendered.turns[2], {
      ...result('d', 'short…\n[collapsed: 0 chars projected out of view; full result retained in history]'),
    });
  });

  it('counts the frozen prefix from the end', () => {
    const history: Entry[] = ['a', 'b', 'c', 'd'].map(text => [userMessage(text), 1]);
    const frozen = (frozenHistoryLen: number, budget = 100) =>
      render(history, { frozenHistoryLen, budget }).frozenPrefixLen;
    assert.deepEqual(
      [0, 1, 3, 4, 5].map(length => frozen(length)),
      [undefined, 1, 3, undefined, undefined],
    );
    assert.equal(frozen(2, 4), 1, 'three of four turns fit, two are hot');
    assert.equal(frozen(2, 3), undefined, 'all that fits is hot');
  });
});

describe('state turn', () => {
  const stateTurn = (taskState: TaskState, signals: readonly string[] = []) =>
    render([], {}, createContextPartitions(taskState, signals)).stateTurn?.content;

  it('is absent without state and signals, and there for signals of nothing', () => {
    assert.equal(stateTurn(emptyTaskState), undefined);
    assert.equal(stateTurn(state({ criteria: ['c'], directives: ['d'], scratchpad: 's' })), undefined);
    assert.equal(stateTurn(emptyTaskState, ['']), '\n\nProceed.');
    assert.equal(
      stateTurn(emptyTaskState, ['', '']),
      '\n\n\nProceed.',
      'two empty signals join to a newline',
    );
  });

  it('has the compact state, the signals, the footer and the call to proceed', () => {
    assert.equal(
      stateTurn(state({ goal: 'g' }), ['[SIGNAL] a', '[INTERRUPT] b']),
      '[TASK STATE] goal: g\n\n[SIGNAL] a\n[INTERRUPT] b\n\n→ focus: g\n\nProceed.',
    );
    assert.equal(stateTurn(state({ progress: 'p' })), '[TASK STATE] goal: \nprogress: p\n\nProceed.');
  });

  it('writes every part of the compact form in its order', () => {
    assert.equal(
      formatCompact({
        goal: 'g',
        criteria: ['c1', 'c2'],
        plan: [
          { label: 'one', done: true },
          { label: 'two', done: false },
          { label: 'three', done: false },
        ],
        currentStep: 1,
        progress: 'p',
        scratchpad: 's',
        blockedOn: ['x', 'y'],
        directives: ['d1', 'd2'],
        preservedRefs: ['never shown'],
        recentActions: ['never shown'],
        compressionLog: [
          { action: 'dropped', summary: '' },
          { action: 'snip_compact', summary: '' },
          { action: 'auto_compact', summary: 'sum' },
          { action: 'micro_compact', summary: '' },
        ],
      }),
      [
        '[TASK STATE] goal: g',
        'criteria: c1 | c2',
        'active_directives (most recent last):',
        '  - d1',
        '  - d2',
        'plan:',
        '  [done] 1. one',
        '  [active] 2. two',
        '  [todo] 3. three',
        'progress: p',
        'blocked_on: x, y',
        'scratchpad: s',
        'compression_history:',
        '  [snip_compact]',
        '  [auto_compact] sum',
        '  [micro_compact]',
      ].join('\n'),
    );
    assert.equal(
      formatCompact(state({ plan: [{ label: 'a', done: true }], currentStep: 0 })),
      '[TASK STATE] goal: \nplan:\n  [done] 1. a',
      'done wins over active',
    );
  });

  it('points forward in its footer', () => {
    const plan = [
      { label: 'one', done: true },
      { label: 'two', done: false },
    ];
    assert.equal(salienceFooter(state({ progress: 'p', recentActions: ['a'] })), undefined);
    assert.equal(
      salienceFooter(
        state({
          goal: 'g',
          plan,
          currentStep: 1,
          directives: ['d1', 'd2'],
          recentActions: ['old()', 'read(a)', 'edit(b)', 'run(c)'],
        }),
      ),
      '→ did: read → edit → run · next: step 2 — two · must: d2',
    );
    for (const currentStep of [0, 2]) {
      assert.equal(salienceFooter(state({ goal: 'g', plan, currentStep })), '→ focus: g');
    }
    assert.equal(
      salienceFooter(state({ goal: 'g', recentActions: ['run(b)', 'run(a)', 'run(a)', 'run(a)'] })),
      '→ did: run → run → run · STOP: `run` repeated 3× unchanged — do something different or report · next: advance the goal',
    );
    assert.equal(
      salienceFooter(state({ goal: 'g', recentActions: ['x', 'x'] })),
      '→ did: x → x · STOP: `x` repeated 2× unchanged — do something different or report · next: advance the goal',
    );
    assert.equal(salienceFooter(state({ goal: 'g', directives: ['d'] })), '→ must: d');
  });
});
