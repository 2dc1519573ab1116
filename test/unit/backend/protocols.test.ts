import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import {
  createTarget,
  type ModelReply,
  type ModelTarget,
  type PreparedRequest,
  type ReplyPiece,
} from '../../../src/backend/modelTarget';
import { providerPreset } from '../../../src/backend/providers';
import { arrayAt, objectAt, stringAt } from '../../../src/core/base/json';
import type { Conversation, ConversationPart } from '../../../src/core/model/conversation';
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

mock.onMessage('plain', { content: 'Hello, 世界 👋', usage });
mock.onMessage('think', { content: 'The answer is 4.', reasoning: 'Two and two make four.' });
mock.onMessage('one call', {
  toolCalls: [{ id: 'call_1', name: 'read', arguments: '{"path":"a.txt","lines":[1,2]}' }],
});
mock.onMessage('two calls', {
  toolCalls: [
    { id: 'call_1', name: 'read', arguments: '{"path":"a.txt"}' },
    { id: 'call_2', name: 'list', arguments: '{}' },
  ],
});
mock.onMessage('Summarise the conversation', { content: 'the summary' });
mock.on({ userMessage: 'refused' }, { error: { message: 'No such luck', type: 'api_error' }, status: 500 });

/** The base URLs as each preset's path expects them. */
const targets: readonly (readonly [provider: string, path: string])[] = [
  ['anthropic', ''],
  ['openai-chat', '/v1'],
  ['openai', '/v1'],
  ['gemini', '/v1beta'],
];

const schema = { type: 'object', properties: { path: { type: 'string' } } };

function conversation(prompt: string): Conversation {
  const text = (words: string): ConversationPart => ({ kind: 'text', blocks: [], text: words });
  return {
    system: [text('Be brief.')],
    tools: ['read', 'list'].map(name => ({
      blocks: [],
      name,
      description: `${name} it`,
      schema,
      inferred: false,
    })),
    turns: [
      { role: 'user', parts: [text('Look at it.')] },
      {
        role: 'assistant',
        parts: [
          text('I look.'),
          { kind: 'call', blocks: [], id: 'call_0', name: 'read', input: { path: 'b' } },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            kind: 'result',
            blocks: [],
            callId: 'call_0',
            name: 'read',
            text: 'contents',
            isError: false,
            pictures: [],
          },
        ],
      },
      { role: 'assistant', parts: [text('Seen.')] },
      { role: 'user', parts: [text(prompt)] },
    ],
    breakpoints: [],
    notes: [],
  };
}

describe('over HTTP', () => {
  for (const [provider, path] of targets) {
    const target = (): ModelTarget => {
      const preset = providerPreset(provider);
      assert.ok(preset !== undefined);
      return createTarget({ preset, baseUrl: `${mock.url}${path}`, model: 'some-model', maximumOutput: 100 });
    };
    const ask = async (prompt: string): Promise<{ reply: ModelReply; pieces: readonly ReplyPiece[] }> => {
      const pieces: ReplyPiece[] = [];
      const asked = target();
      const reply = await asked.ask(asked.prepare(conversation(prompt)), { apiKey: 'invented' }, piece => {
        pieces.push(piece);
      });
      return { reply, pieces };
    };
    const joinedText = (pieces: readonly ReplyPiece[], kind: ReplyPiece['kind']): string =>
      pieces.flatMap(piece => (piece.kind === kind ? [piece.text] : [])).join('');
    const callsOf = ({ parts }: ModelReply) =>
      parts.flatMap(part => (part.kind === 'call' ? [{ name: part.name, input: part.input }] : []));

    it(`${provider}: a plain answer streams in`, async () => {
      const { reply, pieces } = await ask('plain');
      assert.equal(reply.error, undefined);
      assert.equal(joinedText(pieces, 'content'), 'Hello, 世界 👋');
      assert.equal(joinedText(pieces, 'thinking'), '');
      assert.deepEqual(
        reply.parts.flatMap(part => (part.kind === 'text' ? [part.text] : [])),
        ['Hello, 世界 👋'],
      );
      assert.equal(reply.usage?.input, 7);
      assert.equal(reply.usage.output, 5);
      assert.ok(reply.firstPieceAfter !== undefined && reply.firstPieceAfter <= reply.duration);
      assert.ok(reply.jsonl.every(line => !line.includes('\n')));
    });

    it(`${provider}: thinking and content are told apart`, async () => {
      const { reply, pieces } = await ask('think');
      assert.equal(reply.error, undefined);
      assert.equal(joinedText(pieces, 'thinking'), 'Two and two make four.');
      assert.equal(joinedText(pieces, 'content'), 'The answer is 4.');
      assert.deepEqual(
        reply.parts.flatMap(part => (part.kind === 'thinking' || part.kind === 'text' ? [part.kind] : [])),
        ['thinking', 'text'],
      );
    });

    it(`${provider}: calls come with their arguments, several in their order`, async () => {
      const one = await ask('one call');
      assert.equal(one.reply.error, undefined);
      assert.deepEqual(callsOf(one.reply), [{ name: 'read', input: { path: 'a.txt', lines: [1, 2] } }]);
      const two = await ask('two calls');
      assert.deepEqual(callsOf(two.reply), [
        { name: 'read', input: { path: 'a.txt' } },
        { name: 'list', input: {} },
      ]);
    });

    it(`${provider}: an error of the provider is part of the reply`, async () => {
      const { reply } = await ask('refused');
      assert.equal(reply.error?.refusal.status, 500);
      assert.match(reply.error.message, /failed \(500\): No such luck$/);
      assert.deepEqual(reply.parts, []);
      assert.equal(reply.usage, undefined);
    });

    it(`${provider}: sends what the mock understands as the same conversation`, async () => {
      mock.clearRequests();
      await ask('plain');
      const body: unknown = mock.getRequests()[0]?.body;
      const roles = arrayAt(body, 'messages').map(message => stringAt(message, 'role'));
      // The mock turns a reply of two items into two messages.
      assert.deepEqual(
        roles.filter((role, index) => role !== roles[index - 1]),
        ['system', 'user', 'assistant', 'tool', 'assistant', 'user'],
      );
      assert.deepEqual(
        arrayAt(body, 'tools').map(tool => stringAt(objectAt(tool, 'function'), 'name')),
        ['read', 'list'],
      );
    });

    /** The sent content by role, with each call and result by its id. */
    const sent = (asked: ModelTarget, { messages }: PreparedRequest) => {
      const lines = messages.map(message => JSON.stringify(message)).join('\n');
      const { turns, notes } = asked.fromJsonl({ ...conversation(''), system: [], turns: [] }, lines);
      // There would be a note if a call or a result had no counterpart.
      assert.deepEqual(notes, []);
      return turns.map(({ role, parts }) => [
        role,
        ...parts.map(part =>
          part.kind === 'call'
            ? `call ${part.id}`
            : part.kind === 'result'
              ? `result ${part.callId}`
              : part.kind,
        ),
      ]);
    };

    it(`${provider}: what is left behind a summary is a request that the API accepts`, async () => {
      const asked = target();
      const long = conversation('Go on.');
      const [first, ...others] = long.turns;
      const both = ['call_1', 'call_2'];
      const turns = [
        first ?? { role: 'user', parts: [] },
        ...others.slice(0, -1),
        { role: 'user', parts: [{ kind: 'text', blocks: [], text: 'Both.' }] },
        {
          role: 'assistant',
          parts: both.map(id => ({ kind: 'call', blocks: [], id, name: 'read', input: {} }) as const),
        },
        {
          role: 'user',
          parts: both.map(callId => {
            const result = { kind: 'result', blocks: [], callId, name: 'read', text: 't' } as const;
            return { ...result, isError: false, pictures: [] };
          }),
        },
        ...others.slice(-1),
      ] as const satisfies Conversation['turns'];
      for (let keep = 0; keep < 8; keep += 1) {
        const compressed = await asked.compress({ ...long, turns }, keep, { apiKey: 'invented' });
        const messages = sent(asked, asked.prepare(compressed)).filter(([role]) => role !== 'system');
        assert.equal(messages[0]?.[0], 'user', `keeping ${keep}`);
      }
    });

    it(`${provider}: a file without the lines of a call or a result is a request that the API accepts`, () => {
      const asked = target();
      const whole = conversation('Go on.');
      const lines = asked.jsonl(whole).trimEnd().split('\n');
      const of = (word: RegExp) => lines.findLastIndex(line => word.test(line));
      const call = of(/function_call"|tool_use"|tool_calls|functionCall/);
      const result = of(/function_call_output|tool_result|"tool"|functionResponse/);
      assert.ok(call > 0 && result > call);
      for (const [missing, note] of [
        [call, 'Results sent as text because their calls are not in the request: 1.'],
        [result, 'Calls sent with a placeholder because their result is not recorded: 1.'],
      ] as const) {
        const edited = asked.fromJsonl(whole, lines.toSpliced(missing, 1).join('\n'));
        assert.deepEqual(edited.notes, [note]);
        const parts = sent(asked, asked.prepare(edited)).flatMap(([, ...list]) => list);
        assert.deepEqual(
          parts.filter(name => /^(call|result) /.test(name)),
          missing === call ? [] : ['call call_0', 'result call_0'],
        );
      }
      assert.deepEqual(asked.fromJsonl(whole, lines.join('\n')).notes, []);
      assert.equal(asked.prepare(asked.fromJsonl(whole, '')).messages.length > 0, true);
    });
  }
});
