import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  conversationZones,
  createZones,
  requestOf,
  withQuestion,
  zonesToJsonl,
} from '../../../src/backend/contextZones';
import { NativeBackend, type NativeMessage } from '../../../src/backend/nativeBackend';

const backend = new NativeBackend('openaiChat', {
  contextWindow: 1,
  countTokens: text => Promise.resolve(text.length),
});
const user = (content: string) => backend.userMessage(content);
const texts = (messages: readonly NativeMessage[]) => messages.map(message => message.texts().join());

const zones = {
  ...createZones([backend.systemMessage('s')]),
  incremental: [user('a'), user('b'), user('c')],
};

describe('the zones of a context', () => {
  it('are sent in their order, with the scratch of the call behind, which is kept nowhere', () => {
    assert.deepEqual(texts(requestOf({ ...zones, compressed: [user('z')] }, [user('?')])), [
      's',
      'z',
      'a',
      'b',
      'c',
      '?',
    ]);
    assert.deepEqual(texts(requestOf(zones)), ['s', 'a', 'b', 'c']);
    assert.ok(!zonesToJsonl(backend, zones).includes('?'));
    assert.equal(zonesToJsonl(backend, createZones([user('x')])), '{"role":"user","content":"x"}\n');
  });

  it('of a conversation are its system prompt, the summaries that it begins with, and the rest', () => {
    const turn = (role: 'user' | 'assistant', block: number, text: string) =>
      ({ role, parts: [{ kind: 'text', blocks: [block], text }] }) as const;
    const conversation = {
      system: [{ kind: 'text', blocks: [0], text: 's' }],
      tools: [],
      turns: [turn('user', 1, 'summary'), turn('user', 2, 'u'), turn('user', 3, 'later summary')],
      breakpoints: [],
      summaries: [1, 3],
      notes: [],
    } as const;
    const { turns } = conversation;
    assert.deepEqual(conversationZones(conversation), {
      immutable: [{ role: 'system', parts: conversation.system }],
      compressed: turns.slice(0, 1),
      incremental: turns.slice(1),
    });
    const asked = withQuestion(conversation, '?');
    assert.deepEqual(asked.turns, [
      ...turns,
      { role: 'user', parts: [{ kind: 'text', text: '?', blocks: [] }] },
    ]);
    assert.equal(conversation.turns.length, 3);
  });
});
