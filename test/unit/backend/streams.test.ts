import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { createTarget } from '../../../src/backend/modelTarget';
import { NativeBackend } from '../../../src/backend/nativeBackend';
import type { NativeMessage, NativeResponse } from '../../../src/backend/nativeMessage';
import { providerPreset } from '../../../src/backend/providers';
import { type Protocol, protocols } from '../../../src/core/model/protocol';
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

/** The content of the messages, without ids and signatures, which the mock creates for each answer. */
function said(messages: readonly NativeMessage[]): readonly unknown[] {
  return (
    messages
      .flatMap(message => message.parts())
      // A reasoning item with withheld text has no content.
      .filter(part => part.kind !== 'thinking' || part.text !== '')
      .map(part =>
        part.kind === 'call'
          ? [part.kind, part.name, part.input]
          : [part.kind, 'text' in part ? part.text : undefined],
      )
  );
}

/** The same question twice: the content of the whole answer, and of the stream. */
async function bothWays(
  protocol: Protocol,
  prompt: string,
): Promise<readonly [whole: readonly unknown[], streamed: readonly unknown[]]> {
  const backend = new NativeBackend(protocol, {
    contextWindow: 1,
    countTokens: () => Promise.resolve(0),
    baseUrl: `${mock.url}${paths[protocol]}`,
  });
  const messages = [backend.userMessage(prompt)];
  const options = { members: { model: 'some-model' }, apiKey: 'invented' };
  const whole = backend.extractMessagesFromBackendResponse([await backend.send(messages, options)]);
  const chunks: NativeResponse[] = [];
  for await (const chunk of backend.sendStream(messages, options)) {
    chunks.push(chunk);
  }
  return [said(whole), said(backend.extractMessagesFromBackendResponse(chunks))];
}

/** The path of each protocol's requests, before the API's own. */
const paths: Readonly<Record<Protocol, string>> = {
  anthropic: '',
  openaiChat: '/v1',
  openaiResponses: '/v1',
  gemini: '/v1beta',
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
  for (const protocol of protocols) {
    for (const [prompt, parts] of Object.entries(expected)) {
      it(`${protocol}: ${prompt}`, async () => {
        const [whole, streamed] = await bothWays(protocol, prompt);
        assert.deepEqual(whole, parts);
        assert.deepEqual(streamed, parts);
      });
    }
  }
});

/** Half of an answer in each protocol's own stream format. */
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
      let end = (): void => undefined;
      const server = await startFaultServer(response => {
        end = () => void (breaks ? response.destroy() : response.end());
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write(eventText(...events));
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
          end();
        });
        await server.ended();
        return { reply, pieces };
      } finally {
        await server.close();
      }
    };

    it(`${provider}: a connection that breaks keeps what had arrived`, async () => {
      const { reply, pieces } = await asked(true);
      assert.deepEqual(pieces, ['half']);
      assert.match(reply.error?.message ?? '', /was lost before the answer was complete/);
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
