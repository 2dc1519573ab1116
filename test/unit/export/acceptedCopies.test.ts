import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { arrayAt, objectAt, parseJson, stringAt } from '../../../src/core/base/json';
import { prunedCopy } from '../../../src/core/export/prunedCopy';
import { reasoningEdits } from '../../../src/core/export/signedReasoning';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { redactConversation } from '../../../src/core/sending/redactConversation';
import { sentConversation } from '../../../src/core/sending/sentConversation';
import { dialects } from '../../../src/core/wire/writing/dialects';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { bytesSource, openCounted } from '../../fixtures/prunedCopies';

const token = ['ghp', 'k9Q2mX7vT4bR8wZ3pLd6NcY1sHf5gJ0aEuWq'].join('_');
const mark = /\[redacted: [\w/-]+\]/;
const validName = /^[\w-]{1,64}$/;

async function copyOf(value: unknown): Promise<string> {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const copy = await prunedCopy({
    session: await openCounted(text),
    request: 0,
    candidates: [],
    notices: new Map(),
    options: defaultPruneOptions(),
    redactWith: secretScanner,
  });
  assert.ok(copy.ok);
  const parts: Uint8Array[] = [];
  for await (const chunk of copy.bytes) {
    parts.push(chunk);
  }
  const bytes = Buffer.concat(parts);
  await copy.readBack(bytesSource(bytes));
  assert.ok(!bytes.includes(token));
  return bytes.toString();
}

/** A value and the same with a redaction in place of each token; the edits of the second one. */
function edited(value: unknown): unknown {
  const after: unknown = JSON.parse(JSON.stringify(value).replaceAll(token, '[redacted: x]'));
  return reasoningEdits(value, after).map(edit => ('json' in edit ? parseJson(edit.json) : edit));
}

const thought = `The token is ${token}.`;
const redactedThought = 'The token is [redacted: x].';

describe('reasoning that a redaction has changed', () => {
  const changed: readonly (readonly [
    dialect: string,
    value: (text: string) => unknown,
    accepted: unknown,
  ])[] = [
    [
      'Anthropic becomes a text',
      text => ({ type: 'thinking', thinking: text, signature: 'c2ln' }),
      { type: 'text', text: redactedThought },
    ],
    [
      'LiteLLM leaves its block out',
      text => ({
        role: 'assistant',
        thinking_blocks: [{ type: 'thinking', thinking: text, signature: 'c2ln' }],
      }),
      { role: 'assistant', thinking_blocks: [] },
    ],
    [
      'Bedrock becomes a text',
      text => ({ reasoningContent: { reasoningText: { text, signature: 'c2ln' } } }),
      { text: redactedThought },
    ],
    [
      'OpenAI Responses becomes a message',
      text => ({
        type: 'reasoning',
        id: 'rs_1',
        summary: [{ type: 'summary_text', text }],
        encrypted_content: 'gA',
      }),
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: redactedThought }] },
    ],
    [
      'a call of Gemini has the signature that the API accepts for others',
      text => ({ functionCall: { name: 'read', args: { text } }, thoughtSignature: 'c2ln' }),
      {
        functionCall: { name: 'read', args: { text: redactedThought } },
        thoughtSignature: 'skip_thought_signature_validator',
      },
    ],
    [
      'a thought of Gemini has no signature',
      text => ({ text, thought: true, thoughtSignature: 'c2ln' }),
      { text: redactedThought, thought: true },
    ],
    [
      'opencode has no members of the provider',
      text => ({ id: 'prt_1', type: 'reasoning', text, metadata: { anthropic: { signature: 'c2ln' } } }),
      { id: 'prt_1', type: 'reasoning', text: redactedThought, metadata: {} },
    ],
    [
      'OpenRouter has no signature',
      text => ({ type: 'reasoning.text', text, signature: 'c2ln' }),
      { type: 'reasoning.text', text: redactedThought },
    ],
    [
      'pi has no signature',
      text => ({ type: 'thinking', thinking: text, thinkingSignature: 'c2ln' }),
      { type: 'thinking', thinking: redactedThought },
    ],
    [
      'Copilot has no opaque reasoning',
      text => ({ reasoning_text: text, reasoning_opaque: 'c2ln' }),
      { reasoning_text: redactedThought },
    ],
  ];
  for (const [name, value, accepted] of changed) {
    it(`in the form of ${name}, and stays whole without a secret`, () => {
      assert.deepEqual(edited([value(thought), { content: token }]), [accepted]);
      assert.deepEqual(edited([value('No secret.'), { content: token }]), []);
      assert.equal(
        JSON.stringify(edited({ body: JSON.stringify([value(thought)]) })).includes('"inner"'),
        true,
      );
    });
  }

  it('is a text in a copy of a session and of a request, whose other blocks keep their signatures', async () => {
    const session = new ClaudeCodeSession()
      .prompt('Go')
      .reply({ thinking: thought }, { text: 'Done.' })
      .prompt('On')
      .reply({ thinking: 'No secret.' }, { text: 'Done.' });
    const copy = await copyOf(session.toString());
    assert.match(copy, /\{"type":"text","text":"The token is \[redacted: [^\]]+\]\."\}/);
    assert.match(copy, /\{"type":"thinking","thinking":"No secret\.","signature":"c2lnbmF0dXJl"\}/);
    const content = [
      { type: 'thinking', thinking: thought, signature: 'c2ln' },
      { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } },
    ];
    const request = {
      model: 'claude-opus-4-8',
      max_tokens: 10,
      messages: [
        { role: 'user', content: 'Go' },
        { role: 'assistant', content },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'a' }] },
      ],
    };
    const indented = JSON.stringify(request, null, 2);
    const [, reply] = arrayAt(parseJson(await copyOf(indented)), 'messages');
    assert.deepEqual(
      arrayAt(reply, 'content').map(block => stringAt(block, 'type')),
      ['text', 'tool_use'],
    );
  });
});

describe('names with a secret in a copy', () => {
  it('stay valid and alike in a request of Anthropic', async () => {
    const name = `mcp__${token}__query`;
    const schema = { type: 'object', properties: { [token]: { type: 'string' } }, required: [token] };
    const request = {
      model: `claude-opus ${token}`,
      max_tokens: 10,
      tools: [
        { name, description: `Uses ${token}`, input_schema: schema },
        { name: 'Read', description: 'Reads', input_schema: { type: 'object' } },
      ],
      messages: [
        { role: 'user', content: 'Go' },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: `toolu_${token}`, name, input: { name: token } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${token}`, content: 'a' }] },
      ],
    };
    const copy = parseJson(await copyOf(request));
    const [tool, read] = arrayAt(copy, 'tools');
    const [, reply, result] = arrayAt(copy, 'messages');
    const [call] = arrayAt(reply, 'content');
    assert.match(stringAt(copy, 'model') ?? '', validName);
    assert.match(stringAt(tool, 'name') ?? '', validName);
    assert.equal(stringAt(call, 'name'), stringAt(tool, 'name'));
    assert.equal(stringAt(read, 'name'), 'Read');
    assert.match(stringAt(call, 'id') ?? '', validName);
    assert.equal(stringAt(arrayAt(result, 'content')[0], 'tool_use_id'), stringAt(call, 'id'));
    assert.match(stringAt(tool, 'description') ?? '', mark);
    const given = objectAt(tool, 'input_schema');
    const properties = Object.keys(objectAt(given, 'properties') ?? {});
    assert.match(properties[0] ?? '', validName);
    assert.deepEqual(arrayAt(given, 'required'), properties);
    assert.match(stringAt(objectAt(call, 'input'), 'name') ?? '', mark);
  });

  it('stay valid and alike in a request of OpenAI', async () => {
    const name = `fetch-${token}`;
    const copy = parseJson(
      await copyOf({
        model: `gpt-4o ${token}`,
        tools: [{ type: 'function', function: { name, parameters: { type: 'object' } } }],
        messages: [
          { role: 'user', content: 'Go' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: `call_${token}`, type: 'function', function: { name, arguments: '{}' } }],
          },
          { role: 'tool', tool_call_id: `call_${token}`, content: 'a' },
        ],
      }),
    );
    const [, reply, result] = arrayAt(copy, 'messages');
    const [call] = arrayAt(reply, 'tool_calls');
    const called = stringAt(objectAt(call, 'function'), 'name') ?? '';
    assert.match(called, validName);
    assert.equal(stringAt(objectAt(arrayAt(copy, 'tools')[0], 'function'), 'name'), called);
    assert.match(stringAt(copy, 'model') ?? '', validName);
    assert.match(stringAt(call, 'id') ?? '', validName);
    assert.equal(stringAt(result, 'tool_call_id'), stringAt(call, 'id'));
  });
});

describe('a request that is sent without its secrets', () => {
  for (const [protocol, dialect] of Object.entries(dialects)) {
    it(`has only reasoning, names and ids that ${protocol} accepts`, async () => {
      const given = await sentConversation(
        await openCounted(
          new ClaudeCodeSession()
            .prompt('Go')
            .reply({ thinking: thought }, { tool: `fetch-${token}`, id: 'toolu_a', input: { [token]: 1 } })
            .result('toolu_a', 'done')
            .reply({ text: 'Done.' })
            .toString(),
        ),
        1,
        { redactWith: undefined },
      );
      assert.ok(given !== undefined);
      const conversation = await redactConversation(given, secretScanner);
      const written = JSON.stringify(dialect.write(conversation, { model: 'claude-opus-4-8' }));
      assert.ok(!written.includes(token) && !written.includes('c2lnbmF0dXJl'), written);
      const names = [...written.matchAll(/"name":"([^"]*)"/g)].map(([, name]) => name);
      assert.ok(names.length > 1 && new Set(names).size === 1, written);
      assert.match(names[0] ?? '', validName);
      assert.match(
        Object.keys(objectAt(conversation.tools[0]?.schema, 'properties') ?? {})[0] ?? '',
        validName,
      );
    });
  }
});
