import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  compressZones,
  type ContextZones,
  conversationZones,
  requestOf,
  zonesToJsonl,
} from '../../../src/backend/contextZones';
import { NativeBackend } from '../../../src/backend/nativeBackend';
import type { NativeMessage } from '../../../src/backend/nativeMessage';

const backend = new NativeBackend('openaiChat', {
  contextWindow: 1,
  countTokens: text => Promise.resolve(text.length),
});
const user = (content: string) => backend.userMessage(content);
const texts = (messages: readonly NativeMessage[]) => messages.map(message => message.texts().join());

const zones: ContextZones<NativeMessage> = {
  immutable: [backend.systemMessage('s')],
  compressed: [],
  incremental: [user('a'), user('b'), user('c')],
  scratch: [],
};

describe('the zones of a context', () => {
  it('are sent in their order, with the scratch of the call behind, which is kept nowhere', () => {
    const full = { ...zones, compressed: [user('z')], scratch: [user('?')] };
    assert.deepEqual(texts(requestOf(full)), ['s', 'z', 'a', 'b', 'c', '?']);
    assert.deepEqual(
      zonesToJsonl(backend, full)
        .trimEnd()
        .split('\n')
        .map(line => backend.messageFromJsonl(line).texts().join()),
      ['s', 'z', 'a', 'b', 'c'],
    );
    assert.ok(!zonesToJsonl(backend, full).includes('?'));
  });

  it('of a conversation are its system prompt, and its turns by their zone', () => {
    const turn = (text: string) => ({ role: 'user', parts: [{ kind: 'text', blocks: [], text }] }) as const;
    const [summary, live, question] = [
      { ...turn('summary'), zone: 'compressed' } as const,
      turn('u'),
      { ...turn('?'), zone: 'scratch' } as const,
    ];
    const system = [{ kind: 'text', blocks: [0], text: 's' }] as const;
    const conversation = { system, tools: [], turns: [summary, live, question], breakpoints: [], notes: [] };
    assert.deepEqual(conversationZones(conversation), {
      immutable: [{ role: 'system', parts: system }],
      compressed: [summary],
      incremental: [live],
      scratch: [question],
    });
  });

  it('are compressed by the model: the newest stay, the older become a system message', async () => {
    const asked: (readonly string[])[] = [];
    const summarise = (older: readonly NativeMessage[]) => {
      asked.push(texts(older));
      return Promise.resolve(
        backend.message({ role: 'assistant', content: 'sum', reasoning_content: 'think' }),
      );
    };
    const after = await compressZones(backend, zones, 1, summarise);
    assert.deepEqual(asked, [['s', 'a', 'b']]);
    assert.deepEqual(after.compressed[0]?.native, { role: 'system', content: 'sum' });
    assert.deepEqual(texts(requestOf(after)), ['s', 'sum', 'c']);
    assert.equal(await compressZones(backend, zones, 3, summarise), zones);
    // A result is useless without its call.
    const call = backend.message({ role: 'assistant', content: 'call', tool_calls: [] });
    const incremental = [...zones.incremental, call, backend.toolMessage('i', 'out')];
    const withResult = { ...zones, incremental };
    assert.deepEqual(texts((await compressZones(backend, withResult, 1, summarise)).incremental), [
      'call',
      'out',
    ]);
  });
});
