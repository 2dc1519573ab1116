import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  appendMessages,
  clearMessages,
  compressZones,
  conversationZones,
  createZones,
  insertMessage,
  popMessage,
  removeMessage,
  requestOf,
  retainRole,
  updateMessage,
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

const zones = appendMessages(createZones([backend.systemMessage('s')]), user('a'), user('b'), user('c'));

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

  it('change by index in the live conversation alone, and leave the value before as it was', () => {
    const live = ({ incremental }: typeof zones) => texts(incremental).join('');
    assert.equal(live(updateMessage(zones, 1, user('B'))), 'aBc');
    assert.equal(live(insertMessage(zones, 0, user('0'))), '0abc');
    assert.equal(live(insertMessage(zones, 3, user('d'))), 'abcd');
    assert.equal(live(removeMessage(zones, 2)), 'ab');
    assert.equal(live(popMessage(zones)), 'ab');
    assert.equal(live(popMessage(createZones())), '');
    assert.equal(live(retainRole(appendMessages(zones, backend.toolMessage('i', 't')), 'tool')), 't');
    assert.deepEqual(texts(requestOf(clearMessages(zones))), ['s']);
    assert.equal(live(zones), 'abc');
    for (const index of [-1, 3, 0.5]) {
      assert.throws(() => removeMessage(zones, index), /no message/);
      assert.throws(() => updateMessage(zones, index, user('x')), /no message/);
    }
    assert.throws(() => insertMessage(zones, 4, user('x')), /no message 4/);
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
    const withResult = appendMessages(zones, call, backend.toolMessage('i', 'out'));
    assert.deepEqual(texts((await compressZones(backend, withResult, 1, summarise)).incremental), [
      'call',
      'out',
    ]);
  });
});
