import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { NativeBackend } from '../../../src/backend/nativeBackend';
import type { NativeResponse } from '../../../src/backend/nativeMessage';
import { isArray, isObject } from '../../../src/core/base/json';
import { type Protocol, protocols } from '../../../src/core/model/protocol';
import type { RecordedUsage } from '../../../src/core/model/transcript';
import { allowLoopbackOnly } from '../../fixtures/loopbackOnly';

allowLoopbackOnly();

const mock = new LLMock({ port: 0 });
before(() => mock.start());
after(() => mock.stop());

/** Each protocol uses two of these. */
const usage = {
  input_tokens: 7,
  output_tokens: 5,
  prompt_tokens: 7,
  completion_tokens: 5,
  promptTokenCount: 7,
  candidatesTokenCount: 5,
};
const calls = [
  { id: 'call_1', name: 'read', arguments: '{"path":"a.txt","lines":[1,2]}' },
  { id: 'call_2', name: 'list', arguments: '{}' },
];
const answers = [
  ['a text', { content: 'Hello, 世界 👋 and a good many more words than fit one chunk.', usage }],
  ['reasoning and a text', { content: 'The answer is 4.', reasoning: 'Two and two make four.', usage }],
  ['two calls', { toolCalls: calls, usage }],
  ['a text and two calls', { content: 'I look.', toolCalls: calls, usage }],
] as const;
for (const [prompt, answer] of answers) {
  mock.on({ userMessage: new RegExp(`^${prompt}$`) }, answer);
}

/** Ids that the mock invents for each answer, also as the content of encrypted reasoning. */
const inventedId = /^(?:msg|rs|fc|toolu)[-_]/;

/** The members that differ because of the mock: its ids, and `refusal: null`, which its streams leave out. */
function isOfTheMock(key: string, value: unknown): boolean {
  return (
    (key === 'id' && typeof value === 'string' && inventedId.test(value)) ||
    key === 'encrypted_content' ||
    (key === 'refusal' && value === null)
  );
}

function comparable(value: unknown): unknown {
  if (isArray(value)) {
    return value.map(comparable);
  }
  return isObject(value)
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([key, inner]) => !isOfTheMock(key, inner))
          .map(([key, inner]) => [key, comparable(inner)]),
      )
    : value;
}

interface Read {
  readonly messages: readonly unknown[];
  readonly usage: RecordedUsage | undefined;
  readonly answers: number;
}

/** The path of each protocol's requests, before the API's own. */
const paths: Readonly<Record<Protocol, string>> = {
  anthropic: '',
  openaiChat: '/v1',
  openaiResponses: '/v1',
  gemini: '/v1beta',
};

async function bothWays(
  protocol: Protocol,
  prompt: string,
): Promise<{ readonly whole: Read; readonly streamed: Read }> {
  const backend = new NativeBackend(protocol, {
    contextWindow: 1,
    countTokens: () => Promise.resolve(0),
    baseUrl: `${mock.url}${paths[protocol]}`,
  });
  const members = { model: 'm' };
  const messages = [backend.userMessage(prompt)];
  const read = (responses: readonly NativeResponse[]): Read => ({
    messages: backend.extractMessagesFromBackendResponse(responses).map(({ native }) => comparable(native)),
    usage: backend.usage(responses),
    answers: responses.length,
  });
  const whole = read([await backend.send(messages, { members })]);
  const events: NativeResponse[] = [];
  for await (const event of backend.sendStream(messages, { members })) {
    events.push(event);
  }
  return { whole, streamed: read(events) };
}

describe('a whole answer', () => {
  for (const protocol of protocols) {
    for (const [prompt] of answers) {
      it(`${protocol}: ${prompt}, is the merged stream`, async () => {
        const { whole, streamed } = await bothWays(protocol, prompt);
        assert.equal(whole.answers, 1);
        // Gemini sends each call in one piece.
        assert.ok(streamed.answers > 1 || (protocol === 'gemini' && prompt === 'two calls'), 'in pieces');
        assert.equal(whole.messages.length, 1);
        assert.deepEqual(streamed.messages, whole.messages);
        assert.deepEqual([whole.usage?.input, whole.usage?.output], [7, 5]);
        assert.deepEqual(streamed.usage, whole.usage);
      });
    }
  }
});
