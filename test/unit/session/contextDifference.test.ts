import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { blockFlags } from '../../../src/core/model/block';
import { ContextComparison, type ContextDifference } from '../../../src/core/view/contextDifference';
import { type MadeBlock, makeColumns } from '../../webview/sessionBuilder';

const made = {
  system: { kind: 'systemPrompt', label: '', tokens: 1 },
  read: { kind: 'toolSchema', label: '', tool: 'read', tokens: 1 },
  write: { kind: 'toolSchema', label: '', tool: 'write', tokens: 1 },
  prompt: { kind: 'prompt', label: '', tokens: 1 },
  reply: { kind: 'assistant', label: '', tokens: 1 },
  call: { kind: 'toolCall', label: '', tool: 'read', callId: 'c', tokens: 1 },
  result: { kind: 'toolResult', label: '', tool: 'read', callId: 'c', tokens: 1 },
  otherSystem: { kind: 'systemPrompt', label: '', tokens: 1 },
  notice: { kind: 'toolResult', label: '', tool: 'read', callId: 'c', flags: blockFlags.cleared, tokens: 1 },
  summary: { kind: 'summary', label: '', tokens: 1 },
  newPrompt: { kind: 'prompt', label: '', tokens: 1 },
  otherRead: { kind: 'toolSchema', label: '', tool: 'read', tokens: 1 },
} as const satisfies Readonly<Record<string, MadeBlock>>;

type Name = keyof typeof made;
const names = Object.keys(made);
const numberOf = (name: Name): number => names.indexOf(name);
const before: readonly Name[] = ['system', 'read', 'write', 'prompt', 'reply', 'call', 'result'];

function comparison(...later: readonly Name[]): ContextComparison {
  const contexts = [before, later].map(context => context.map(numberOf));
  const requests = contexts.map((context, number) => ({ context: number, length: context.length }));
  return new ContextComparison(makeColumns(Object.values(made), contexts, requests));
}

const pair = (one: Name, other: Name) => ({ before: numberOf(one), after: numberOf(other) });
const same: ContextDifference = {
  position: 7,
  toolsAdded: [],
  toolsRemoved: [],
  toolsChanged: [],
  isReordered: false,
  system: [],
  systemMoved: false,
  cleared: [],
  hasSummary: false,
  rewritten: [],
  dropped: 0,
  inserted: 0,
  addedAtEnd: 0,
  keepsHistory: true,
  fresh: [],
};

describe('the difference between two contexts', () => {
  const check = (later: readonly Name[], expected: Partial<ContextDifference>): void =>
    assert.deepEqual(comparison(...later).compare(0, 1), { ...same, ...expected });

  it('is nothing, or what was added at the end', () => {
    check(before, {});
    check([...before, 'newPrompt'], { addedAtEnd: 1, fresh: [7] });
    check(before.slice(0, 5), { position: 5, dropped: 2 });
  });

  it('is a system text that changed, came or went', () => {
    const rest = before.slice(1);
    check(['otherSystem', ...rest], { position: 0, system: [pair('system', 'otherSystem')], fresh: [0] });
    check(['system', 'otherSystem', ...rest], { position: 1, systemMoved: true, fresh: [1] });
    check(rest, { position: 0, systemMoved: true });
  });

  it('is in the tools, by name', () => {
    const history = before.slice(3);
    check(['system', 'otherRead', 'write', ...history], { position: 1, toolsChanged: ['read'], fresh: [1] });
    check(['system', 'read', ...history], { position: 2, toolsRemoved: ['write'] });
    check(['system', 'write', 'read', ...history], { position: 1, isReordered: true });
    const { toolsAdded } = comparison(...before).compare(1, 1);
    assert.deepEqual(toolsAdded, []);
  });

  it('is in the history: cleared, summarised, rewritten, dropped or inserted', () => {
    const head = before.slice(0, 3);
    check([...before.slice(0, 6), 'notice', 'newPrompt'], {
      position: 6,
      cleared: [pair('result', 'notice')],
      addedAtEnd: 2,
      fresh: [6, 7],
    });
    check([...head, 'summary', 'newPrompt'], {
      position: 3,
      hasSummary: true,
      dropped: 4,
      addedAtEnd: 2,
      keepsHistory: false,
      fresh: [3, 4],
    });
    check([...head, 'newPrompt', ...before.slice(4)], {
      position: 3,
      rewritten: [pair('prompt', 'newPrompt')],
      fresh: [3],
    });
    check([...head, 'newPrompt', ...before.slice(3)], { position: 3, inserted: 1, fresh: [3] });
    check([...head, ...before.slice(4)], { position: 3, dropped: 1 });
  });

  it('leaves the blocks that both have', () => {
    const { pairs, left, added } = comparison(
      'system',
      'read',
      'write',
      'newPrompt',
      'reply',
      'result',
    ).match(0, 1);
    const kept = (['system', 'read', 'write', 'reply', 'result'] as const).map(name => pair(name, name));
    assert.deepEqual([pairs, left, added], [kept, [3, 5], [numberOf('newPrompt')]]);
    assert.equal(comparison('system', 'read').common(0, 1), 2);
    assert.equal(comparison('otherSystem').common(0, 1), 0);
  });
});
