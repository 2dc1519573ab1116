import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import { isFull, NativeBackend } from '../../../src/backend/nativeBackend';
import { isRecord } from '../../../src/core/base/jsonValue';
import { AgentError } from '../../../src/core/model/contextBackend';

const sample = resolve('..', 'shared', 'samples', 'raw-api', 'anthropic-stream.sse');
const skip = existsSync(sample) ? false : 'the captured traffic is not beside this repository';

const backend = new NativeBackend('anthropic', {
  contextWindow: 10,
  countTokens: text => Promise.resolve(text.length),
});
const stream = (...events: Readonly<Record<string, unknown>>[]) =>
  events.map(event => backend.response(event));
const start = (index: number, block: unknown) => ({
  type: 'content_block_start',
  index,
  content_block: block,
});
const delta = (index: number, change: unknown) => ({ type: 'content_block_delta', index, delta: change });

const toolUse = { type: 'tool_use', id: 't', name: 'read', input: {} };
const signed = { type: 'thinking', thinking: 'hm', signature: 's' };
const assistant = (...content: unknown[]) => backend.message({ role: 'assistant', content });

describe('Anthropic messages', () => {
  it('are made in the native shape', () => {
    assert.deepEqual(backend.userMessage('u').native, { role: 'user', content: 'u' });
    assert.deepEqual(backend.systemMessage('s').native, { role: 'system', content: 's' });
    const tool = backend.toolMessage('t', 'out');
    assert.deepEqual(tool.native, {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't', content: 'out' }],
    });
    assert.deepEqual(
      [backend.userMessage('u'), backend.systemMessage('s'), tool, assistant()].map(m => m.role()),
      ['user', 'system', 'tool', 'assistant'],
    );
    assert.deepEqual(backend.toSystemMessage(backend.userMessage('sum')).native, {
      role: 'system',
      content: 'sum',
    });
  });

  it('keep thinking only where a call was made after signed thinking', () => {
    const kept = assistant(signed, toolUse);
    const redacted = assistant({ type: 'redacted_thinking', data: 'x' }, toolUse);
    const request = backend.toRequestMessages([
      kept,
      redacted,
      assistant(signed, { type: 'text', text: 'answer' }),
      assistant({ type: 'thinking', thinking: 'hm', signature: '' }, toolUse),
      assistant(signed),
      backend.userMessage('u'),
    ]);
    assert.deepEqual(
      request.map(message => message.native['content']),
      [
        kept.native['content'],
        redacted.native['content'],
        [{ type: 'text', text: 'answer' }],
        [toolUse],
        [],
        'u',
      ],
    );
  });

  it('go through JSONL unchanged', () => {
    const line =
      '{"role":"user","content":[{"type":"text","text":"a\\nb","cache_control":{"type":"ephemeral"}}],"x":null}';
    assert.equal(backend.messageToJsonl(backend.messageFromJsonl(line)), line);
    for (const bad of ['', '[]', '{"some":"thing"}']) {
      assert.throws(
        () => backend.messageFromJsonl(bad),
        (error: unknown) => error instanceof AgentError && error.kind === 'context',
        bad,
      );
    }
  });

  it('are counted by their texts, and fill the window from its size on', async () => {
    const message = backend.message({
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 't',
          content: [{ type: 'text', text: '1234' }, { type: 'image' }],
        },
        { type: 'text', text: '56789' },
      ],
    });
    assert.equal(await backend.estimateTokens([message]), 9);
    assert.equal(await backend.estimateTokens([assistant(toolUse)]), 'read'.length + '{}'.length);
    assert.equal(backend.contextWindow(), 10);
    assert.equal(await isFull(backend, [message]), false);
    assert.equal(await isFull(backend, [message, backend.userMessage('0')]), true);
  });
});

describe('Anthropic streams', () => {
  const events = stream(
    { type: 'message_start', message: { content: [] } },
    start(0, { type: 'thinking', thinking: '', signature: '' }),
    { type: 'ping' },
    delta(0, { type: 'thinking_delta', thinking: 'I ' }),
    delta(0, { type: 'thinking_delta', thinking: 'see' }),
    delta(0, { type: 'signature_delta', signature: 'sig' }),
    { type: 'content_block_stop', index: 0 },
    start(1, { type: 'text', text: '' }),
    delta(1, { type: 'text_delta', text: 'Yes' }),
    delta(1, { type: 'citations_delta', citation: { cited_text: 'c' } }),
    start(2, toolUse),
    delta(2, { type: 'input_json_delta', partial_json: '' }),
    delta(2, { type: 'input_json_delta', partial_json: '{"a":' }),
    delta(2, { type: 'input_json_delta', partial_json: '[1]}' }),
    start(3, { ...toolUse, id: 't2' }),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } },
    { type: 'message_stop' },
  );
  const merged = [
    { type: 'thinking', thinking: 'I see', signature: 'sig' },
    { type: 'text', text: 'Yes', citations: [{ cited_text: 'c' }] },
    { ...toolUse, input: { a: [1] } },
    { ...toolUse, id: 't2', input: {} },
  ];

  it('merge into one message', () => {
    assert.deepEqual(backend.mergeChunks(events)?.native, { role: 'assistant', content: merged });
    assert.equal(backend.mergeChunks(stream({ type: 'message_start' }, { type: 'ping' })), undefined);
    assert.equal(backend.mergeChunks([]), undefined);
  });

  it('keep the text of a call that was cut off', () => {
    const cut = stream(start(0, toolUse), delta(0, { type: 'input_json_delta', partial_json: '{"a' }));
    assert.deepEqual(backend.mergeChunks(cut)?.native['content'], [
      { ...toolUse, input: { INVALID_JSON: '{"a' } },
    ]);
  });

  it('and whole responses become messages, errors are thrown', () => {
    const whole = backend.response({ type: 'message', id: 'm', content: [{ type: 'text', text: 'w' }] });
    const messages = backend.extractMessagesFromBackendResponse([...events, whole, ...events]);
    assert.deepEqual(
      messages.map(message => message.native['content']),
      [merged, [{ type: 'text', text: 'w' }], merged],
    );
    assert.throws(
      () =>
        backend.extractMessagesFromBackendResponse(
          stream({ type: 'error', error: { message: 'Overloaded' } }),
        ),
      (error: unknown) =>
        error instanceof AgentError && error.kind === 'api' && error.message === 'Overloaded',
    );
  });

  it('are classified chunk by chunk', () => {
    let sawThinking = false;
    const kinds = events.map(event => {
      const classified = backend.classifyChunk(event, sawThinking);
      sawThinking = classified.sawThinking;
      return classified.events.map(({ kind }) => kind).join();
    });
    assert.deepEqual(
      kinds.filter(kind => kind !== ''),
      ['thinking', 'thinking', 'thinking', 'contentFirst', 'content'],
    );
  });

  it('of the captured traffic merge into the message that its pieces spell', { skip }, () => {
    const data = readFileSync(sample, 'utf8')
      .split('\n')
      .filter(line => line.startsWith('data: '))
      .map((line): unknown => JSON.parse(line.slice('data: '.length)))
      .filter(isRecord);
    const [message, ...others] = backend.extractMessagesFromBackendResponse(stream(...data));
    assert.equal(others.length, 0);
    const pieces = data.map(event => (isRecord(event['delta']) ? event['delta']['partial_json'] : undefined));
    const input: unknown = JSON.parse(pieces.filter(piece => typeof piece === 'string').join(''));
    const [started] = data.filter(event => event['type'] === 'content_block_start');
    assert.ok(isRecord(started?.['content_block']));
    assert.deepEqual(message?.native, {
      role: 'assistant',
      content: [{ ...started['content_block'], input }],
    });
  });
});
