import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countBlocks } from '../../../src/backend/countBlocks';
import { dialects } from '../../../src/core/wire/writing/dialects';
import { createTarget } from '../../../src/backend/modelTarget';
import { presetForModel, providerPreset, providerPresets } from '../../../src/backend/providers';
import { isObject, stringAt } from '../../../src/core/base/json';
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

/** Counts one token per character of all strings in the body, so that differences can be added up. */
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
  ['llamacpp', '/v1', '/v1/chat/completions/input_tokens', 'input_tokens', 'authorization', 'Bearer k'],
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
        // Leaving out a result removes only its text; other blocks also have the names of their types.
        assert.equal(counted.parts[0]?.tokens, 50);
        assert.ok((counted.parts[1]?.tokens ?? 0) >= 4 && (counted.parts[2]?.tokens ?? 0) >= 6);
        const [first] = server.requests;
        assert.equal(first?.path, path);
        assert.equal(first.headers[header], value);
        assert.equal(counted.tokens, characters(JSON.parse(first.body)));
        // Counting services reject members that belong only to the answer.
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

  it('say where each row comes from, and since when it is known', () => {
    for (const { id, source, asOf } of providerPresets) {
      assert.ok(source.length > 10, id);
      assert.match(asOf, /^20\d\d-(?:0[1-9]|1[0-2])$/, id);
    }
  });

  it('are asked at the addresses, and with the key and the limit, that their documentation gives', () => {
    // Copied from the providers' pages, not from the rows.
    const documented: readonly (readonly [
      id: string,
      url: string,
      key: string | undefined,
      limit: string,
    ])[] = [
      ['anthropic', 'https://api.anthropic.com/v1/messages', 'ANTHROPIC_API_KEY', 'max_tokens'],
      ['openai', 'https://api.openai.com/v1/responses', 'OPENAI_API_KEY', 'max_output_tokens'],
      [
        'openai-chat',
        'https://api.openai.com/v1/chat/completions',
        'OPENAI_API_KEY',
        'max_completion_tokens',
      ],
      [
        'gemini',
        'https://generativelanguage.googleapis.com/v1beta/models/m:generateContent',
        'GEMINI_API_KEY',
        'generationConfig',
      ],
      ['deepseek', 'https://api.deepseek.com/chat/completions', 'DEEPSEEK_API_KEY', 'max_tokens'],
      ['zai', 'https://api.z.ai/api/paas/v4/chat/completions', 'ZAI_API_KEY', 'max_tokens'],
      [
        'qwen',
        'https://dashscope-intl.aliyuncs.com/compatible-mode/v1/chat/completions',
        'DASHSCOPE_API_KEY',
        'max_completion_tokens',
      ],
      ['moonshot', 'https://api.moonshot.ai/v1/chat/completions', 'MOONSHOT_API_KEY', 'max_tokens'],
      ['openrouter', 'https://openrouter.ai/api/v1/chat/completions', 'OPENROUTER_API_KEY', 'max_tokens'],
      ['ollama', 'http://localhost:11434/v1/chat/completions', undefined, 'max_tokens'],
      ['vllm', 'http://localhost:8000/v1/chat/completions', undefined, 'max_tokens'],
      ['llamacpp', 'http://localhost:8080/v1/chat/completions', undefined, 'max_tokens'],
      ['lmstudio', 'http://localhost:1234/v1/chat/completions', undefined, 'max_tokens'],
    ];
    assert.deepEqual(
      documented.map(([id]) => id),
      providerPresets.map(({ id }) => id),
    );
    for (const [id, url, key, limit] of documented) {
      const preset = providerPreset(id);
      assert.ok(preset !== undefined, id);
      const { body, members } = createTarget({ preset, model: 'm', maximumOutput: 9 }).prepare(conversation);
      const { path } = dialects[preset.protocol].request([], members, false);
      assert.equal(preset.baseUrl + path, url);
      assert.equal(preset.keyVariable, key);
      assert.ok(limit in body, id);
      assert.equal(JSON.stringify(body).match(/max\w*token\w*/gi)?.length, 1, id);
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
    assert.equal(prepared.destination, 'http://localhost:1234');
    assert.equal(prepared.isLocal, true);
    assert.equal(stringAt(prepared.members, 'model'), 'm');
    assert.ok(prepared.bytes > 60);
  });
});
