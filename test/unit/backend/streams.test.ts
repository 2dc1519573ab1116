import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { AnthropicBackend } from '../../../src/backend/anthropicBackend';
import { GeminiBackend } from '../../../src/backend/geminiBackend';
import { createTarget } from '../../../src/backend/modelTarget';
import type { NativeBackend, NativeMessage, NativeResponse } from '../../../src/backend/nativeBackend';
import { OpenAiChatBackend } from '../../../src/backend/openaiChatBackend';
import { OpenAiResponsesBackend } from '../../../src/backend/openaiResponsesBackend';
import { providerPreset } from '../../../src/backend/providers';
import { shapes } from '../../../src/backend/shapes/shapes';
import type { Protocol } from '../../../src/core/model/conversation';
import { eventText, startFaultServer } from '../../fixtures/faultServer';
import { allowLoopbackOnly } from '../../fixtures/loopbackOnly';

allowLoopbackOnly();

const mock = new LLMock({ port: 0 });
before(() => mock.start());
after(() => mock.stop());
mock.onMessage('plain', { content: 'Hello, 世界 👋' });
mock.onMessage('think', { content: 'The answer is 4.', reasoning: 'Two and two make four.' });
mock.onMessage('two calls', {
  toolCalls: [
    { id: 'call_1', name: 'read', arguments: '{"path":"a.txt","lines":[1,2]}' },
    { id: 'call_2', name: 'list', arguments: '{}' },
  ],
});

/** What the messages say, without ids and signatures, which the mock makes anew for each answer. */
function said<Message extends NativeMessage<Message>>(
  protocol: Protocol,
  messages: readonly Message[],
): readonly unknown[] {
  return (
    shapes[protocol]
      .read(messages.map(({ native }) => native))
      .flatMap(({ parts }) => parts)
      // A reasoning item whose text is kept back says nothing.
      .filter(part => part.kind !== 'thinking' || part.text !== '')
      .map(part =>
        part.kind === 'call'
          ? [part.kind, part.name, part.input]
          : [part.kind, 'text' in part ? part.text : undefined],
      )
  );
}

/** The same question twice: what is said in the whole answer, and in the stream. */
async function bothWays<Message extends NativeMessage<Message>, Response extends NativeResponse>(
  protocol: Protocol,
  backend: NativeBackend<Message, Response>,
  prompt: string,
): Promise<readonly [whole: readonly unknown[], streamed: readonly unknown[]]> {
  const messages = [backend.userMessage(prompt)];
  const options = { members: { model: 'some-model' }, apiKey: 'invented' };
  const whole = backend.extractMessagesFromBackendResponse([await backend.send(messages, options)]);
  const chunks: Response[] = [];
  for await (const chunk of backend.sendStream(messages, options)) {
    chunks.push(chunk);
  }
  return [said(protocol, whole), said(protocol, backend.extractMessagesFromBackendResponse(chunks))];
}

const noCount = (): Promise<number> => Promise.resolve(0);
const at = (path: string) => ({ baseUrl: `${mock.url}${path}` });
const askBothWays: Readonly<Record<Protocol, (prompt: string) => ReturnType<typeof bothWays>>> = {
  anthropic: prompt => bothWays('anthropic', new AnthropicBackend(1, noCount, at('')), prompt),
  openaiChat: prompt => bothWays('openaiChat', new OpenAiChatBackend(1, noCount, at('/v1')), prompt),
  openaiResponses: prompt =>
    bothWays('openaiResponses', new OpenAiResponsesBackend(1, noCount, at('/v1')), prompt),
  gemini: prompt => bothWays('gemini', new GeminiBackend(1, noCount, at('/v1beta')), prompt),
};

const expected: Readonly<Record<string, readonly unknown[]>> = {
  plain: [['text', 'Hello, 世界 👋']],
  think: [
    ['thinking', 'Two and two make four.'],
    ['text', 'The answer is 4.'],
  ],
  'two calls': [
    ['call', 'read', { path: 'a.txt', lines: [1, 2] }],
    ['call', 'list', {}],
  ],
};

describe('a streamed answer says what the whole one says', () => {
  for (const [protocol, ask] of Object.entries(askBothWays)) {
    for (const [prompt, parts] of Object.entries(expected)) {
      it(`${protocol}: ${prompt}`, async () => {
        const [whole, streamed] = await ask(prompt);
        assert.deepEqual(whole, parts);
        assert.deepEqual(streamed, parts);
      });
    }
  }
});

/** Half of an answer in each protocol's own stream. */
const halves: readonly (readonly [provider: string, events: readonly unknown[]])[] = [
  ['openai-chat', [{ choices: [{ index: 0, delta: { role: 'assistant', content: 'half' } }] }]],
  [
    'openai',
    [
      {
        type: 'response.created',
        response: { id: 'r', object: 'response', status: 'in_progress', output: [] },
      },
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { id: 'm', type: 'message', role: 'assistant', content: [] },
      },
      { type: 'response.output_text.delta', output_index: 0, content_index: 0, item_id: 'm', delta: 'half' },
    ],
  ],
  ['gemini', [{ candidates: [{ index: 0, content: { role: 'model', parts: [{ text: 'half' }] } }] }]],
];

describe('faults in the streams of the other protocols', () => {
  for (const [provider, events] of halves) {
    const asked = async (breaks: boolean) => {
      const server = await startFaultServer(response => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(eventText(...events));
        setTimeout(() => (breaks ? response.destroy() : response.end()), 50);
      });
      try {
        const preset = providerPreset(provider);
        assert.ok(preset !== undefined);
        const target = createTarget({ preset, baseUrl: server.baseUrl, model: 'm' });
        const conversation = {
          system: [],
          tools: [],
          turns: [{ role: 'user', parts: [{ kind: 'text', blocks: [], text: 'hi' }] }],
          breakpoints: [],
          notes: [],
        } as const;
        const pieces: string[] = [];
        const reply = await target.ask(target.prepare(conversation), { apiKey: 'invented' }, ({ text }) => {
          pieces.push(text);
        });
        while (server.running() > 0) {
          await new Promise(resolve => setTimeout(resolve, 5));
        }
        return { reply, pieces };
      } finally {
        await server.close();
      }
    };

    it(`${provider}: a connection that breaks keeps what had arrived`, async () => {
      const { reply, pieces } = await asked(true);
      assert.deepEqual(pieces, ['half']);
      assert.match(reply.error?.message ?? '', /broke off before the answer was complete/);
      assert.deepEqual(
        reply.parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])),
        ['half'],
      );
    });

    it(`${provider}: a stream that ends too early is told`, async () => {
      const { reply, pieces } = await asked(false);
      assert.deepEqual(pieces, ['half']);
      assert.match(reply.error?.message ?? '', /ended before it was complete\.$/);
    });
  }
});
