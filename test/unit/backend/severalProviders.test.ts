import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { NativeBackend } from '../../../src/backend/nativeBackend';
import { NativeMessage } from '../../../src/backend/nativeMessage';
import { arrayAt, isObject, type JsonObject, member, objectAt, stringAt } from '../../../src/core/base/json';
import { AgentError } from '../../../src/core/model/contextBackend';
import { type Protocol, protocols } from '../../../src/core/model/protocol';
import { startFaultServer } from '../../fixtures/faultServer';
import { allowLoopbackOnly } from '../../fixtures/loopbackOnly';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { isDeep, someOf } from '../../fixtures/variants';

allowLoopbackOnly();

const count = (text: string) => Promise.resolve(text.length);

function backendFor(protocol: Protocol, baseUrl = 'http://127.0.0.1:9'): NativeBackend {
  return new NativeBackend(protocol, { contextWindow: 100, countTokens: count, baseUrl });
}

/** For each provider, a line that no other provider has. */
const own: Readonly<Record<Protocol, JsonObject>> = {
  anthropic: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'out' }] },
  openaiChat: { role: 'tool', tool_call_id: 't', content: 'out' },
  openaiResponses: { type: 'function_call_output', call_id: 't', output: 'out' },
  gemini: {
    role: 'user',
    parts: [{ functionResponse: { id: 't', name: 'f', response: { output: 'out' } } }],
  },
};

describe('a mixed transcript', () => {
  it('is read and written in the shape of each message', () => {
    for (const current of protocols) {
      const backend = backendFor(current);
      for (const protocol of protocols) {
        const line = JSON.stringify(own[protocol]);
        const message = backend.messageFromJsonl(line);
        assert.equal(message.protocol, protocol, `${current} reads ${protocol}`);
        assert.equal(message.role(), 'tool');
        assert.equal(backend.messageToJsonl(message), line);
      }
      // Several providers write this line; the current one reads it.
      const plain = backend.messageFromJsonl('{"role":"user","content":"hi"}');
      assert.equal(plain.protocol, current === 'gemini' ? 'anthropic' : current);
      assert.throws(() => backend.messageFromJsonl('{"some":"thing"}'), AgentError);
      assert.throws(() => backend.messageFromJsonl('{'), AgentError);
    }
  });

  it('makes, changes and counts messages as their own provider does', async () => {
    const backend = backendFor('gemini');
    assert.deepEqual(backend.userMessage('u').native, { role: 'user', parts: [{ text: 'u' }] });
    assert.deepEqual(backend.toSystemMessage(backend.userMessage('u')).native, {
      role: 'system',
      parts: [{ text: 'u' }],
    });
    const chat = new NativeMessage('openaiChat', {
      role: 'assistant',
      content: 'four',
      reasoning_content: 'r',
    });
    assert.deepEqual(backend.toRequestMessages([chat])[0]?.native, { role: 'assistant', content: 'four' });
    assert.equal(
      await backend.estimateTokens([chat, backend.userMessage('xy')]),
      'four'.length + 'r'.length + 2,
    );
    assert.equal(backend.contextWindow(), 100);
  });

  it('is brought into the shape of the current provider when it is sent', async () => {
    const server = await startFaultServer(response => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"type":"message","role":"assistant","content":[{"type":"text","text":"ok"}]}');
    });
    try {
      const backend = backendFor('anthropic', server.baseUrl);
      const messages = [
        new NativeMessage('openaiChat', { role: 'system', content: 'S' }),
        new NativeMessage('gemini', { role: 'user', parts: [{ text: 'U' }] }),
        new NativeMessage('openaiChat', {
          role: 'assistant',
          content: null,
          reasoning_content: 'r',
          tool_calls: [{ id: 'c|1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
        }),
        new NativeMessage('openaiResponses', { type: 'function_call_output', call_id: 'c|1', output: 'out' }),
      ];
      const response = await backend.send(messages, { members: { model: 'm', max_tokens: 5 } });
      assert.equal(backend.extractMessagesFromBackendResponse([response])[0]?.texts().join(), 'ok');
      assert.deepEqual(JSON.parse(server.requests[0]?.body ?? ''), {
        model: 'm',
        max_tokens: 5,
        system: [{ type: 'text', text: 'S' }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'U' }] },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c_1', name: 'f', input: { a: 1 } }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c_1', content: 'out' }] },
        ],
      });
    } finally {
      await server.close();
    }
  });
});

describe('JSONL of the recorded requests', () => {
  const skip = skipWithout('agent-runs');
  const paths = someOf(
    filesBelow(join(shared, 'agent-runs'), 'raw-requests.jsonl', 'raw-requests.jsonl.gz'),
    12,
  );

  it('is the same after reading and writing, for every message', { skip }, () => {
    const counts: Record<Protocol, number> = { anthropic: 0, openaiChat: 0, openaiResponses: 0, gemini: 0 };
    const seen = new Set<string>();
    for (const path of paths) {
      for (const line of readUnpacked(path).toString('utf8').trimEnd().split('\n')) {
        const recorded: unknown = JSON.parse(line);
        const body = objectAt(recorded, 'body');
        const protocol = protocolOf(stringAt(recorded, 'path') ?? '');
        if (protocol === undefined) {
          continue;
        }
        const key = {
          anthropic: 'messages',
          openaiChat: 'messages',
          openaiResponses: 'input',
          gemini: 'contents',
        };
        const backend = backendFor(protocol);
        for (const native of arrayAt(body, key[protocol]).filter(isObject)) {
          const text = JSON.stringify(native);
          if (!seen.has(text)) {
            seen.add(text);
            const message = backend.messageFromJsonl(text);
            assert.equal(backend.messageToJsonl(message), text);
            assert.equal(message.protocol, protocol, text.slice(0, 200));
            counts[protocol] += 1;
          }
        }
      }
    }
    for (const protocol of protocols) {
      assert.ok(!isDeep || counts[protocol] > 50, `${protocol}: ${counts[protocol]} messages`);
    }
  });
});

function protocolOf(path: string): Protocol | undefined {
  const known: readonly (readonly [RegExp, Protocol])[] = [
    [/\/messages/, 'anthropic'],
    [/\/chat\/completions/, 'openaiChat'],
    [/\/responses/, 'openaiResponses'],
    [/generateContent/i, 'gemini'],
  ];
  return known.find(([pattern]) => pattern.test(path))?.[1];
}

describe('captured streams', () => {
  it(
    'merge into the message that the client sent back with its next request',
    {
      skip: skipWithout('samples', 'claude-trace'),
    },
    () => {
      const lines = readUnpacked(join(shared, 'samples', 'claude-trace', 'test-traffic.jsonl'))
        .toString('utf8')
        .trimEnd()
        .split('\n')
        .map((line): unknown => JSON.parse(line));
      const sentBack = new Set(
        lines
          .flatMap(line => arrayAt(objectAt(objectAt(line, 'request'), 'body'), 'messages'))
          .filter(message => stringAt(message, 'role') === 'assistant')
          .map(message => JSON.stringify(plainBlocks(message))),
      );
      const backend = backendFor('anthropic');
      const merged = lines.flatMap(line => {
        const events = (stringAt(objectAt(line, 'response'), 'body_raw') ?? '')
          .split('\n')
          .filter(text => text.startsWith('data: '))
          .map((text): unknown => JSON.parse(text.slice('data: '.length)))
          .filter(isObject);
        return backend.extractMessagesFromBackendResponse(events.map(event => backend.response(event)));
      });
      const made = new Set(merged.map(({ native }) => JSON.stringify(plainBlocks(native))));
      assert.ok(sentBack.size >= 10, `${sentBack.size} replies`);
      assert.deepEqual(
        [...sentBack].filter(reply => !made.has(reply)),
        [],
      );
    },
  );
});

/** Content without cache marks. The texts of blocks are trimmed as in that client. */
function plainBlocks(message: unknown): readonly unknown[] {
  return arrayAt(message, 'content').map(block => ({
    type: member(block, 'type'),
    text: stringAt(block, 'text')?.trim(),
    thinking: member(block, 'thinking'),
    id: member(block, 'id'),
    name: member(block, 'name'),
    input: member(block, 'input'),
  }));
}
