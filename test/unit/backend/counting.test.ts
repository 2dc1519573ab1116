import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countBlocks } from '../../../src/backend/countBlocks';
import { createTarget } from '../../../src/backend/modelTarget';
import { presetForModel, providerPreset, providerPresets } from '../../../src/backend/providers';
import { isObject, stringAt } from '../../../src/core/json';
import type { Conversation, ConversationPart } from '../../../src/core/model/conversation';
import { startFaultServer } from '../../fixtures/faultServer';
import { allowLoopbackOnly } from '../../fixtures/loopbackOnly';

allowLoopbackOnly();

const part = (block: number, text: string): ConversationPart => ({ kind: 'text', blocks: [block], text });
const conversation: Conversation = {
  system: [part(0, 'ssss')],
  tools: [],
  turns: [
    { role: 'user', parts: [part(1, 'uu')] },
    {
      role: 'assistant',
      parts: [{ kind: 'call', blocks: [2], id: 'c', name: 'read', input: { path: 'a' } }],
    },
    {
      role: 'user',
      parts: [
        {
          kind: 'result',
          blocks: [3],
          callId: 'c',
          name: 'read',
          text: 'r'.repeat(50),
          isError: false,
          pictures: [],
        },
        part(4, 'eeeeee'),
      ],
    },
  ],
  breakpoints: [],
  notes: [],
};

/** Counts as many tokens as all strings of the body have characters: any difference is a matter of addition. */
function characters(value: unknown): number {
  return typeof value === 'string'
    ? value.length
    : Array.isArray(value)
      ? value.reduce((sum: number, inner: unknown) => sum + characters(inner), 0)
      : isObject(value)
        ? characters(Object.values(value))
        : 0;
}

const endpoints = [
  ['anthropic', '', '/v1/messages/count_tokens', 'input_tokens', 'x-api-key', 'k'],
  ['openai', '/v1', '/v1/responses/input_tokens', 'input_tokens', 'authorization', 'Bearer k'],
  ['gemini', '/v1beta', '/v1beta/models/m:countTokens', 'totalTokens', 'x-goog-api-key', 'k'],
] as const;

describe('counting by the provider', () => {
  for (const [provider, base, path, member, header, value] of endpoints) {
    it(`${provider}: counts the request, and its blocks by what they make of it`, async () => {
      const server = await startFaultServer(response => {
        const body: unknown = JSON.parse(server.requests.at(-1)?.body ?? '');
        response.end(JSON.stringify({ [member]: characters(body) }));
      });
      try {
        const preset = providerPreset(provider);
        assert.ok(preset?.counts === true);
        const target = createTarget({ preset, baseUrl: server.baseUrl + base, model: 'm', maximumOutput: 9 });
        const counted = await countBlocks(target, conversation, [3, 3, 0, 4, 1], 4, { apiKey: 'k' });
        assert.equal(counted.calls, 4);
        assert.equal(server.requests.length, 4);
        assert.deepEqual(
          counted.parts.map(({ blocks }) => blocks),
          [[3], [0], [4]],
        );
        // What is left out with a result is its text alone; with others the names of their own type too.
        assert.equal(counted.parts[0]?.tokens, 50);
        assert.ok((counted.parts[1]?.tokens ?? 0) >= 4 && (counted.parts[2]?.tokens ?? 0) >= 6);
        const [first] = server.requests;
        assert.equal(first?.path, path);
        assert.equal(first.headers[header], value);
        assert.equal(counted.tokens, characters(JSON.parse(first.body)));
        // Counting services refuse what belongs to the answer alone.
        assert.ok(!/max_tokens|max_output_tokens|"stream"|"store"/.test(first.body), first.body);
      } finally {
        await server.close();
      }
    });
  }

  it('a provider without such a service says so, and nothing is sent', async () => {
    const preset = providerPreset('ollama');
    assert.ok(preset?.counts === false);
    const target = createTarget({ preset, baseUrl: 'http://127.0.0.1:9', model: 'm' });
    await assert.rejects(target.count(target.prepare(conversation), {}), /cannot count the tokens/);
  });
});

describe('providers', () => {
  it('have an address that can be one, and a name of their own', () => {
    assert.equal(new Set(providerPresets.map(({ id }) => id)).size, providerPresets.length);
    for (const { baseUrl, id } of providerPresets) {
      assert.ok(URL.canParse(baseUrl) && !baseUrl.endsWith('/'), id);
      const isLocal = new URL(baseUrl).hostname === 'localhost';
      assert.equal(baseUrl.startsWith('https://'), !isLocal, id);
    }
  });

  it('are found by the model', () => {
    const ids = [
      'claude-opus-5-5',
      'gpt-5.5',
      'o3',
      'gemini-3-pro',
      'deepseek-chat',
      'glm-5',
      'qwen3',
      'kimi-k2',
    ];
    assert.deepEqual(
      ids.map(id => presetForModel(id)?.id),
      ['anthropic', 'openai', 'openai', 'gemini', 'deepseek', 'zai', 'qwen', 'moonshot'],
    );
    assert.equal(presetForModel('meta/llama')?.id, 'openrouter');
    assert.equal(presetForModel('my-model'), undefined);
  });

  it('say before anything is sent where it goes and how much it is', () => {
    const preset = providerPreset('lmstudio');
    assert.ok(preset !== undefined);
    const prepared = createTarget({ preset, model: 'm' }).prepare(conversation);
    assert.equal(prepared.host, 'localhost:1234');
    assert.equal(prepared.isLocal, true);
    assert.equal(stringAt(prepared.members, 'model'), 'm');
    assert.ok(prepared.bytes > 60);
  });
});
