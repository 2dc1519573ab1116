import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { isFull, NativeBackend } from '../../../src/backend/nativeBackend';
import { isRecord } from '../../../src/core/base/jsonValue';
import { AgentError } from '../../../src/core/model/contextBackend';

const samples = resolve('..', 'shared', 'samples', 'raw-api');
const skip = existsSync(samples) ? false : 'the captured traffic is not beside this repository';
const lines = (name: string) => readFileSync(join(samples, name), 'utf8').trimEnd().split('\n');
const parse = (line: string): Readonly<Record<string, unknown>> => {
  const value: unknown = JSON.parse(line);
  assert.ok(isRecord(value));
  return value;
};

const backend = new NativeBackend('openaiChat', {
  contextWindow: 10,
  countTokens: text => Promise.resolve(text.length),
});
const chunk = (delta: Readonly<Record<string, unknown>>, id = 'x') =>
  backend.response({ id, object: 'chat.completion.chunk', choices: [{ index: 0, delta }] });
const call = { id: 'c', type: 'function', function: { name: 'run', arguments: '{}' } };

describe('OpenAI chat messages', () => {
  it('are made in the native shape', () => {
    assert.deepEqual(backend.userMessage('u').native, { role: 'user', content: 'u' });
    assert.deepEqual(backend.toolMessage('c', 'out').native, {
      role: 'tool',
      tool_call_id: 'c',
      content: 'out',
    });
    assert.deepEqual(
      backend.toSystemMessage(backend.userMessage('sum')).native,
      backend.systemMessage('sum').native,
    );
    const role = (native: string) => backend.message({ role: native }).role();
    assert.deepEqual(['developer', 'function', 'assistant', 'user'].map(role), [
      'system',
      'tool',
      'assistant',
      'user',
    ]);
  });

  it('keep reasoning only beside calls', () => {
    const messages = [
      { role: 'assistant', content: '', reasoning_content: 'r', tool_calls: [call] },
      { role: 'assistant', content: 'a', reasoning_content: 'r', tool_calls: [] },
      { role: 'assistant', content: 'a', reasoning_content: null },
      { role: 'user', content: 'u' },
    ].map(native => backend.message(native));
    assert.deepEqual(
      backend.toRequestMessages(messages).map(message => message.native),
      [
        messages[0]?.native,
        { role: 'assistant', content: 'a', tool_calls: [] },
        { role: 'assistant', content: 'a' },
        { role: 'user', content: 'u' },
      ],
    );
  });

  it('go through JSONL unchanged', () => {
    const line = '{"content":null,"role":"assistant","tool_calls":[],"name":""}';
    assert.equal(backend.messageToJsonl(backend.messageFromJsonl(line)), line);
    for (const bad of ['{', '"user"', '{"content":"x"}', '{"role":"bot"}']) {
      assert.throws(() => backend.messageFromJsonl(bad), AgentError, bad);
    }
  });

  it('are counted by their texts, and fill the window from its size on', async () => {
    const parts = backend.message({
      role: 'user',
      content: [
        { type: 'text', text: '123' },
        { type: 'image_url', image_url: { url: 'data:' } },
      ],
    });
    const reply = backend.message({
      role: 'assistant',
      content: null,
      reasoning_content: '1',
      tool_calls: [call],
    });
    assert.equal(await backend.estimateTokens([parts]), 3);
    assert.equal(await backend.estimateTokens([reply]), 1 + 'run'.length + '{}'.length);
    assert.equal(await isFull(backend, [parts, reply]), false);
    assert.equal(await isFull(backend, [parts, reply, backend.userMessage('!')]), true);
  });
});

describe('OpenAI chat streams', () => {
  it('merge text, reasoning and calls by their index', () => {
    const merged = backend.mergeChunks([
      chunk({ role: 'assistant', content: null, reasoning_content: 'I ' }),
      chunk({ reasoning_content: 'see' }),
      chunk({ content: 'Ye' }),
      chunk({ content: 's' }),
      chunk({
        tool_calls: [{ index: 1, id: 'b', type: 'function', function: { name: 'two', arguments: '' } }],
      }),
      chunk({
        tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'one', arguments: '{"a"' } }],
      }),
      chunk({
        tool_calls: [
          { index: 0, function: { arguments: ':1}' } },
          { index: 1, function: { arguments: '{}' } },
        ],
      }),
      chunk({}),
      backend.response({ choices: [], usage: { total_tokens: 1 } }),
    ]);
    assert.deepEqual(merged?.native, {
      role: 'assistant',
      content: 'Yes',
      reasoning_content: 'I see',
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'one', arguments: '{"a":1}' } },
        { id: 'b', type: 'function', function: { name: 'two', arguments: '{}' } },
      ],
    });
  });

  it('keep nothing, null and empty apart', () => {
    assert.equal(backend.mergeChunks([chunk({ role: 'assistant', content: null }), chunk({})]), undefined);
    assert.deepEqual(backend.mergeChunks([chunk({ content: '' })])?.native, {
      role: 'assistant',
      content: '',
    });
    assert.deepEqual(backend.mergeChunks([chunk({ tool_calls: [{ ...call, index: 0 }] })])?.native, {
      role: 'assistant',
      content: null,
      tool_calls: [call],
    });
  });

  it('tell calls apart by their id where the index is missing', () => {
    const merged = backend.mergeChunks([
      chunk({ tool_calls: [{ id: 'a', function: { name: 'one', arguments: '{' } }] }),
      chunk({ tool_calls: [{ function: { arguments: '}' } }] }),
      chunk({ tool_calls: [{ id: 'b', function: { name: 'two', arguments: '[]' } }] }),
    ]);
    assert.deepEqual(merged?.native['tool_calls'], [
      { id: 'a', type: 'function', function: { name: 'one', arguments: '{}' } },
      { id: 'b', type: 'function', function: { name: 'two', arguments: '[]' } },
    ]);
  });

  it('and whole responses become messages, errors are thrown', () => {
    const message = { role: 'assistant', content: 'whole', function_call: null };
    const messages = backend.extractMessagesFromBackendResponse([
      chunk({ content: 'a' }, '1'),
      chunk({ content: 'b' }, '1'),
      chunk({ content: 'c' }, '2'),
      backend.response({
        choices: [
          { index: 1, message: {} },
          { index: 0, message },
        ],
      }),
    ]);
    assert.deepEqual(
      messages.map(({ native }) => native),
      [{ role: 'assistant', content: 'ab' }, { role: 'assistant', content: 'c' }, message],
    );
    assert.throws(
      () => backend.extractMessagesFromBackendResponse([backend.response({ error: { message: 'Quota' } })]),
      (error: unknown) => error instanceof AgentError && error.kind === 'api' && error.message === 'Quota',
    );
  });

  it('are classified: null and absent are no event, empty is one where it stands alone', () => {
    const deltas = [
      { role: 'assistant', content: null, reasoning_content: null },
      { reasoning_content: '' },
      { content: null, reasoning_content: 'hm' },
      { content: 'A' },
      { content: '' },
      {},
      { reasoning_content: 'again', content: 'B' },
      { content: 'C' },
      { reasoning_content: 'more', content: '' },
      { reasoning_content: '', content: 'D' },
      { reasoning_content: '', content: '' },
    ];
    let sawThinking = false;
    const kinds = deltas.map(delta => {
      const classified = backend.classifyChunk(chunk(delta), sawThinking);
      sawThinking = classified.sawThinking;
      return classified.events.map(({ kind }) => kind);
    });
    assert.deepEqual(kinds, [
      [],
      ['thinking'],
      ['thinking'],
      ['contentFirst'],
      ['content'],
      [],
      ['thinking', 'contentFirst'],
      ['content'],
      ['thinking'],
      ['contentFirst'],
      [],
    ]);
    const types = deltas.map(delta => chunk(delta).responseType());
    assert.deepEqual(new Set(types), new Set(['empty', 'reasoning', 'content', 'reasoningAndContent']));
  });
});

describe('captured OpenAI-compatible traffic', () => {
  it('gives the message of every response, with its reasoning', { skip }, () => {
    for (const line of lines('deepseek-reasoner-responses.jsonl')) {
      const response = backend.response(parse(line));
      const [message, ...others] = backend.extractMessagesFromBackendResponse([response]);
      assert.equal(others.length, 0);
      assert.equal(message?.role(), 'assistant');
      assert.equal(message.native, response.message()?.native);
      assert.equal(message.native['reasoning_content'], response.reasoningContent());
    }
  });

  it('is read and written without a change, and keeps the reasoning of its calls', { skip }, () => {
    const messages = lines('deepseek-reasoner-messages.jsonl').map(line => backend.messageFromJsonl(line));
    for (const [index, line] of lines('deepseek-reasoner-messages.jsonl').entries()) {
      const message = messages[index];
      assert.ok(message);
      assert.deepEqual(parse(backend.messageToJsonl(message)), parse(line));
    }
    const kept = backend.toRequestMessages(messages).filter(message => 'reasoning_content' in message.native);
    assert.equal(kept.length, messages.filter(message => message.role() === 'assistant').length);
  });
});
