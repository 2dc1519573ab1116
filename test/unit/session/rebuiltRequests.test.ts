import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createTarget, type PreparedRequest } from '../../../src/backend/modelTarget';
import { providerPreset } from '../../../src/backend/providers';
import { arrayAt, isArray, isObject, type JsonObject, objectAt, stringAt } from '../../../src/core/base/json';
import { sentConversation } from '../../../src/core/sending/sentConversation';
import { readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { openText } from './openText';

// Recorded requests of the chat API and of Gemini, taken apart and rebuilt: they are the same except for the listed
// differences.

const standIn = 'skip_thought_signature_validator';

async function rebuilt(body: JsonObject, provider: 'openai-chat' | 'gemini'): Promise<PreparedRequest> {
  const session = await openText(JSON.stringify(body));
  const conversation = await sentConversation(session, 0, { redactWith: undefined });
  const preset = providerPreset(provider);
  assert.ok(conversation !== undefined && preset !== undefined);
  return createTarget({ preset, model: 'm' }).prepare(conversation);
}

function without(item: JsonObject, ...keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([key]) => !keys.includes(key)));
}

type Change = (item: JsonObject) => JsonObject;

/** The allowed differences between a message and the recorded one, and how to compare the rest. */
const chatChanges: Readonly<Record<string, Change>> = {
  'a refusal that is null is left out': item => (item['refusal'] === null ? without(item, 'refusal') : item),
  'members of clients’ own are left out': item => without(item, '__copilotMessageSource'),
  'reasoning under two names is sent under one': item =>
    item['reasoning'] === item['reasoning_content'] ? without(item, 'reasoning') : item,
  'the developer’s message is the system’s': item =>
    item['role'] === 'developer' ? { ...item, role: 'system' } : item,
  'one text in a list is a text': item => {
    const { content } = item;
    const only: unknown = isArray(content) && content.length === 1 ? content[0] : undefined;
    const text = stringAt(only, 'text');
    return text === undefined ? item : { ...item, content: text };
  },
  'no text beside calls is null': item =>
    item['content'] === '' && item['tool_calls'] !== undefined ? { ...item, content: null } : item,
};

const toolChanges: Readonly<Record<string, Change>> = {
  'a tool without parameters says that it has none': item => {
    const inner = objectAt(item, 'function') ?? {};
    return 'parameters' in inner
      ? item
      : { ...item, function: { ...inner, parameters: { type: 'object', properties: {} } } };
  },
};

function changed(
  items: readonly unknown[],
  changes: Readonly<Record<string, Change>>,
  seen: Set<string>,
): readonly JsonObject[] {
  return items.filter(isObject).map(recorded => {
    let item = recorded;
    for (const [name, change] of Object.entries(changes)) {
      const after = change(item);
      if (JSON.stringify(after) !== JSON.stringify(item)) {
        seen.add(name);
      }
      item = after;
    }
    return item;
  });
}

/** Every fourth request: the later ones repeat the earlier. */
function bodiesOf(run: string, list: 'messages' | 'contents'): readonly JsonObject[] {
  return readUnpacked(join(shared, 'agent-runs', run, 'raw-requests.jsonl.gz'))
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
    .map(line => objectAt(line, 'body'))
    .filter(body => body !== undefined)
    .filter(body => isArray(body[list]))
    .filter((_, index) => index % 4 === 1);
}

describe('a recorded request of the chat API', () => {
  const runs: readonly (readonly [run: string, differences: readonly string[]])[] = [
    ['cline-cli/3.0.65/rich', []],
    [
      'copilot-cli/1.0.102/rich-chat',
      ['a refusal that is null is left out', 'members of clients’ own are left out'],
    ],
    ['opencode/1.18.34/openai-compat', ['no text beside calls is null']],
    [
      'pi-coding-agent/0.87.1/rich-chat',
      ['one text in a list is a text', 'the developer’s message is the system’s'],
    ],
    [
      'qwen-code/0.24.4/rich',
      [
        'a tool without parameters says that it has none',
        'no text beside calls is null',
        'one text in a list is a text',
        'reasoning under two names is sent under one',
      ],
    ],
  ];
  for (const [run, differences] of runs) {
    it(`is what was sent: ${run}`, { skip: skipWithout('agent-runs', run) }, async () => {
      const seen = new Set<string>();
      const bodies = bodiesOf(run, 'messages');
      assert.ok(bodies.length > 5);
      for (const body of bodies) {
        const { messages, members } = await rebuilt(body, 'openai-chat');
        assert.deepEqual(messages, changed(arrayAt(body, 'messages'), chatChanges, seen));
        assert.deepEqual(arrayAt(members, 'tools'), changed(arrayAt(body, 'tools'), toolChanges, seen));
      }
      assert.deepEqual([...seen].sort(), differences);
    });
  }
});

/** The contents without placeholders, and their places: the number of the content and of the part. */
function unsigned(contents: readonly unknown[]): {
  readonly contents: readonly unknown[];
  readonly standIns: readonly string[];
} {
  const standIns: string[] = [];
  const bare = contents.filter(isObject).map((content, number) => ({
    ...content,
    parts: arrayAt(content, 'parts')
      .filter(isObject)
      .map((part, index) => {
        if (part['thoughtSignature'] !== standIn) {
          return part;
        }
        standIns.push(`${number}.${index}`);
        return without(part, 'thoughtSignature');
      }),
  }));
  return { contents: bare, standIns };
}

/** Places where a signature is expected but missing: the first call of each reply. */
function wanted(contents: readonly unknown[]): readonly string[] {
  return contents.flatMap((content, number) => {
    const parts = arrayAt(content, 'parts');
    const first = parts.findIndex(part => objectAt(part, 'functionCall') !== undefined);
    const signature = stringAt(parts[first], 'thoughtSignature');
    return first < 0 || (signature !== undefined && signature !== standIn) ? [] : [`${number}.${first}`];
  });
}

describe('a recorded request of Gemini', () => {
  const run = 'gemini-cli/0.61.0/rich';

  it(
    'is what was sent, with a stand-in where a signature is wanted',
    { skip: skipWithout('agent-runs', run) },
    async () => {
      let withoutTools = 0;
      let added = 0;
      const bodies = bodiesOf(run, 'contents');
      assert.ok(bodies.length > 5);
      for (const body of bodies) {
        const { messages, members, notes } = await rebuilt(body, 'gemini');
        const recorded = arrayAt(body, 'contents');
        const made = unsigned(messages);
        assert.deepEqual(made.contents, unsigned(recorded).contents);
        assert.deepEqual(made.standIns, wanted(recorded));
        added += made.standIns.length - unsigned(recorded).standIns.length;
        assert.deepEqual(
          arrayAt(objectAt(members, 'systemInstruction'), 'parts'),
          arrayAt(objectAt(body, 'systemInstruction'), 'parts'),
        );
        // A history of calls without tools gets the called tools, and the request says so.
        const isCalling = JSON.stringify(recorded).includes('"functionCall"');
        if (body['tools'] === undefined && isCalling) {
          withoutTools += 1;
          assert.ok(
            notes.some(note => note.startsWith('Tool schemas inferred from the arguments of the calls')),
          );
        } else {
          assert.deepEqual(members['tools'], body['tools']);
        }
      }
      assert.ok(added > 0);
      assert.ok(withoutTools > 0);
    },
  );

  it('keeps responses with the calls that have no id, in their order', async () => {
    const contents = [
      { role: 'user', parts: [{ text: 'Read both.' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'read', args: { path: 'a' } }, thoughtSignature: 'c2ln' },
          { functionCall: { name: 'read', args: { path: 'b' } } },
        ],
      },
      {
        role: 'user',
        parts: [
          { functionResponse: { id: 'x#0-0', name: 'read', response: { output: 'A' } } },
          { functionResponse: { id: 'x#0-1', name: 'read', response: { output: 'B' } } },
        ],
      },
    ];
    const tools = [{ functionDeclarations: [{ name: 'read', parametersJsonSchema: { type: 'object' } }] }];
    const body = { model: 'gemini-3.8-flash', contents, tools };
    const { messages, notes } = await rebuilt(body, 'gemini');
    assert.deepEqual(messages, contents);
    assert.deepEqual(notes, []);
    // For another provider, calls and results have the same ids.
    const chat = (await rebuilt(body, 'openai-chat')).messages;
    assert.deepEqual(
      arrayAt(chat[1], 'tool_calls').map(call => stringAt(call, 'id')),
      ['x_0-0', 'x_0-1'],
    );
    assert.deepEqual(
      chat.slice(2).map(message => [stringAt(message, 'tool_call_id'), stringAt(message, 'content')]),
      [
        ['x_0-0', 'A'],
        ['x_0-1', 'B'],
      ],
    );
  });
});
