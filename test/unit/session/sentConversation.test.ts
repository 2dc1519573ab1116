import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { conversationZones } from '../../../src/backend/contextZones';
import { createTarget, type PreparedRequest } from '../../../src/backend/modelTarget';
import { providerPreset } from '../../../src/backend/providers';
import { arrayAt, isArray, isObject, type JsonObject, objectAt, stringAt } from '../../../src/core/base/json';
import type { ConversationPart } from '../../../src/core/model/conversation';
import type { Protocol } from '../../../src/core/model/protocol';
import { defaultPruneOptions, type PruneOptions } from '../../../src/core/model/pruneConfig';
import { compareReplies } from '../../../src/core/sending/compareReplies';
import { recordedReply, sentConversation } from '../../../src/core/sending/sentConversation';
import { openTranscript } from '../../../src/core/session/openTranscript';
import type { TranscriptSession } from '../../../src/core/session/transcriptSession';
import { secretScanner } from '../../../src/node/secrets/secretScannerOnDemand';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';

const runs = join(shared, 'agent-runs');
const skip = skipWithout('agent-runs');

async function opened(name: string, bytes: Uint8Array): Promise<TranscriptSession> {
  const source = {
    size: bytes.length,
    read: (offset: number, length: number) => Promise.resolve(bytes.subarray(offset, offset + length)),
  };
  const result = await openTranscript(source, { fileName: name, scanner: secretScanner });
  assert.ok(result.ok, name);
  return result.session;
}

/** A session of Codex with items of the Responses API. */
function openedRollout(payloads: readonly object[]): Promise<TranscriptSession> {
  const meta = { id: 's', cwd: '/shop', originator: 'codex_exec', cli_version: '0.171.0' };
  const lines = [
    { type: 'session_meta', payload: meta },
    ...payloads.map(payload => ({ type: 'response_item', payload })),
  ].map(line => JSON.stringify({ timestamp: '2026-11-27T10:00:00.000Z', ...line }));
  return opened('rollout.jsonl', Buffer.from(`${lines.join('\n')}\n`));
}

const providerOf: Readonly<Record<Protocol, string>> = {
  anthropic: 'anthropic',
  openaiChat: 'openai-chat',
  openaiResponses: 'openai',
  gemini: 'gemini',
};

async function prepared(
  session: TranscriptSession,
  request: number,
  protocol: Protocol,
  model: string,
): Promise<PreparedRequest> {
  const conversation = await sentConversation(session, request, { redactWith: undefined });
  const preset = providerPreset(providerOf[protocol]);
  assert.ok(conversation !== undefined && preset !== undefined);
  return createTarget({ preset, model }).prepare(conversation);
}

/**
 * The form in which two requests must be equal: neighbours of one role joined, texts as lists, no marks and no empty
 * texts.
 */
function normalAnthropic(messages: readonly unknown[]): readonly unknown[] {
  const turns: { role: string; content: JsonObject[] }[] = [];
  for (const message of messages) {
    const content = isObject(message) ? message['content'] : undefined;
    const list: readonly unknown[] = isArray(content) ? content : [{ type: 'text', text: content }];
    const items = list.filter(isObject).map(unmarked);
    const role = stringAt(message, 'role') ?? '';
    const last = turns.at(-1);
    if (last?.role === role) {
      last.content.push(...items);
    } else {
      turns.push({ role, content: [...items] });
    }
  }
  return turns;
}

function unmarked(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([key]) => key !== 'cache_control'));
}

function bodiesOf(path: string): readonly JsonObject[] {
  return readUnpacked(path)
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
    .map(line => objectAt(line, 'body'))
    .filter(body => body !== undefined);
}

describe('a recorded request, asked again of its own provider', () => {
  const raw = filesBelow(runs, 'raw-requests.jsonl', 'raw-requests.jsonl.gz').filter(path =>
    /claude-code.*(?:rich|errors)\/|pi-coding-agent.*\/rich\//.test(path),
  );

  for (const path of raw) {
    it(`is what was sent: ${path.slice(runs.length + 1)}`, { skip }, async () => {
      const bodies = bodiesOf(path).filter(body => isArray(body['messages']) && isArray(body['tools']));
      // Every fourth request: the later ones repeat the earlier.
      for (const body of bodies.filter((_, index) => index % 4 === 1)) {
        const session = await opened('request.json', Buffer.from(JSON.stringify(body)));
        const model = 'claude-opus-5-5';
        const { messages, members } = await prepared(session, 0, 'anthropic', model);
        assert.deepEqual(normalAnthropic(messages), normalAnthropic(arrayAt(body, 'messages')));
        assert.deepEqual(
          arrayAt(members, 'tools').filter(isObject).map(unmarked),
          arrayAt(body, 'tools').filter(isObject).map(unmarked),
        );
        assert.deepEqual(
          arrayAt(members, 'system').map(part => stringAt(part, 'text')),
          arrayAt(body, 'system').map(part => stringAt(part, 'text')),
        );
        const marks = JSON.stringify([messages, members]).match(/"cache_control"/g)?.length ?? 0;
        assert.ok(marks <= 4, `${marks} breakpoints`);
      }
    });
  }
});

describe('a request of a recorded Claude Code session', () => {
  it('is, for every one of them, a request that was really sent', { skip }, async () => {
    const folder = join(runs, 'claude-code', '2.1.330', 'rich');
    const sent = new Set(
      bodiesOf(join(folder, 'raw-requests.jsonl.gz')).map(body =>
        JSON.stringify(normalAnthropic(arrayAt(body, 'messages'))),
      ),
    );
    const [file = ''] = filesBelow(join(folder, 'native'), '.jsonl.gz');
    const session = await opened('session.jsonl', readUnpacked(file));
    const { requests } = session.transcript;
    const main = [...requests.keys()].filter(request => requests[request]?.thread === 0);
    // The session's note: 35 calls of the main conversation.
    assert.equal(main.length, 35);
    for (const request of main) {
      const { messages } = await prepared(session, request, 'anthropic', 'claude-opus-5-5');
      assert.ok(sent.has(JSON.stringify(normalAnthropic(messages))), `request ${request}`);
    }
  });
});

const invented = {
  model: 'claude-opus-5-5',
  system: 'Help.',
  tools: [{ name: 'read', description: 'Reads', input_schema: { type: 'object', properties: {} } }],
  messages: [
    { role: 'user', content: 'Go' },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'Hm', signature: 'c2ln' },
        { type: 'text', text: 'Reading' },
        { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } },
        { type: 'tool_use', id: 'toolu_2', name: 'read', input: { path: 'b' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: 'old '.repeat(1000) },
        {
          type: 'tool_result',
          tool_use_id: 'toolu_2',
          is_error: true,
          content: [
            { type: 'text', text: 'token ghp_16C7e42F292c6912E7710c838347Ae178B4a' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } },
          ],
        },
      ],
    },
    { role: 'assistant', content: [{ type: 'text', text: 'Done' }] },
    { role: 'user', content: 'Next' },
    { role: 'assistant', content: [{ type: 'text', text: 'Yes' }] },
    { role: 'user', content: 'Last' },
  ],
};

const open = (): Promise<TranscriptSession> => opened('request.json', Buffer.from(JSON.stringify(invented)));

async function sentTo(
  protocol: Protocol,
  options: Parameters<typeof sentConversation>[2],
): Promise<PreparedRequest> {
  const conversation = await sentConversation(await open(), 0, options);
  const preset = providerPreset(providerOf[protocol]);
  assert.ok(conversation !== undefined && preset !== undefined);
  return createTarget({ preset, model: 'some-model' }).prepare(conversation);
}

const asRecorded = { redactWith: undefined };

describe('a recorded request, asked of another provider', () => {
  it('keeps calls and results together in the chat API, and leaves reasoning out', async () => {
    const { messages, members, notes } = await sentTo('openaiChat', asRecorded);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ['system', 'user', 'assistant', 'tool', 'tool', 'user', 'assistant', 'user', 'assistant', 'user'],
    );
    assert.deepEqual(messages[2], {
      role: 'assistant',
      content: 'Reading',
      tool_calls: [
        { id: 'toolu_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } },
        { id: 'toolu_2', type: 'function', function: { name: 'read', arguments: '{"path":"b"}' } },
      ],
    });
    assert.equal(messages[4]?.['tool_call_id'], 'toolu_2');
    // The picture of a result follows in a message of the user.
    assert.deepEqual(messages[5], {
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } }],
    });
    assert.deepEqual(members['tools'], [
      {
        type: 'function',
        function: { name: 'read', description: 'Reads', parameters: { type: 'object', properties: {} } },
      },
    ]);
    assert.match(notes.join(), /Left out because only .* reasoning\): 1\./);
  });

  it('becomes items of the Responses API', async () => {
    const { messages, members } = await sentTo('openaiResponses', asRecorded);
    assert.deepEqual(
      messages.map(({ type }) => type),
      [
        'message',
        'message',
        'function_call',
        'function_call',
        'function_call_output',
        'function_call_output',
        'message',
        'message',
        'message',
        'message',
      ],
    );
    assert.equal(members['instructions'], 'Help.');
    assert.deepEqual(messages[5]?.['output'], [
      { type: 'input_text', text: 'token ghp_16C7e42F292c6912E7710c838347Ae178B4a' },
      { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
    ]);
  });

  it('becomes contents of Gemini, with the names of the functions and a stand-in for the signature', async () => {
    const { messages, members } = await sentTo('gemini', asRecorded);
    assert.deepEqual(members['systemInstruction'], { parts: [{ text: 'Help.' }] });
    assert.deepEqual(messages[1], {
      role: 'model',
      parts: [
        { text: 'Reading' },
        {
          functionCall: { id: 'toolu_1', name: 'read', args: { path: 'a' } },
          thoughtSignature: 'skip_thought_signature_validator',
        },
        { functionCall: { id: 'toolu_2', name: 'read', args: { path: 'b' } } },
      ],
    });
    const [, failed, picture] = arrayAt(messages[2], 'parts');
    assert.deepEqual(failed, {
      functionResponse: {
        id: 'toolu_2',
        name: 'read',
        response: { error: 'token ghp_16C7e42F292c6912E7710c838347Ae178B4a' },
      },
    });
    assert.deepEqual(picture, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } });
  });

  it('knows the summaries of what came before', async () => {
    const lines = new ClaudeCodeSession()
      .prompt('Go')
      .reply({ text: 'Gone.' })
      .compact('It went.')
      .prompt('On');
    const session = await opened('session.jsonl', Buffer.from(lines.reply({ text: 'Yes.' }).toString()));
    const sent = await sentConversation(session, 1, { redactWith: undefined });
    assert.ok(sent !== undefined);
    const { compressed, incremental } = conversationZones(sent);
    assert.match(JSON.stringify(compressed), /It went\./);
    assert.doesNotMatch(JSON.stringify(incremental), /It went\./);
  });

  it('is given schemas made from the calls where none are recorded', async () => {
    const lines = [
      { role: 'user', content: 'Go' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a","lines":[1,2]}' } },
          { id: 'c2', type: 'function', function: { name: 'read', arguments: '{"path":null}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: 'x' },
      { role: 'assistant', content: 'ok' },
      { role: 'user', content: 'on' },
      { role: 'assistant', content: 'end' },
    ];
    const session = await opened(
      'm.jsonl',
      Buffer.from(lines.map(line => `${JSON.stringify(line)}\n`).join('')),
    );
    const last = session.transcript.requests.length - 1;
    const conversation = await sentConversation(session, last, asRecorded);
    assert.deepEqual(
      conversation?.tools.map(({ schema, inferred }) => ({ schema, inferred })),
      [
        {
          inferred: true,
          schema: {
            type: 'object',
            properties: {
              path: { anyOf: [{ type: 'string' }, { type: 'null' }] },
              lines: { type: 'array', items: { type: 'integer' } },
            },
            required: ['path'],
          },
        },
      ],
    );
    assert.match(conversation.notes.join(), /Tool schemas inferred .*: 1\./);
    assert.match(conversation.notes.join(), /Calls sent with a placeholder .*: 1\./);
    const results = conversation.turns.flatMap(({ parts }) =>
      parts.flatMap(part => (part.kind === 'result' ? [part.callId] : [])),
    );
    assert.deepEqual(new Set(results), new Set(['c1', 'c2']));
  });

  it('a pruned result of a tool that takes a text stays the result of such a tool', async () => {
    const payloads = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Change it.' }] },
      { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin Patch' },
      { type: 'custom_tool_call_output', call_id: 'c1', output: 'Done. '.repeat(9000) },
      { type: 'function_call', call_id: 'c2', name: 'exec_command', arguments: '{"cmd":"ls"}' },
      { type: 'function_call_output', call_id: 'c2', output: 'a b c '.repeat(9000) },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Changed.' }] },
    ];
    const prompts = [1, 2, 3].flatMap(number => [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: `And ${number}?` }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] },
    ]);
    const session = await openedRollout([...payloads, ...prompts]);
    const last = session.transcript.requests.length - 1;
    await session.countTokens();
    const prune: PruneOptions = { ...defaultPruneOptions('opencode'), minimumTokens: 0, protectTokens: 0 };
    const conversation = await sentConversation(session, last, { prune, redactWith: undefined });
    const preset = providerPreset('openai');
    assert.ok(conversation !== undefined && preset !== undefined);
    const { body } = createTarget({ preset, model: 'gpt-5.5' }).prepare(conversation);
    const outputs = arrayAt(body, 'input').filter(item => stringAt(item, 'type')?.endsWith('_output'));
    assert.deepEqual(
      outputs.map(item => [stringAt(item, 'type'), stringAt(item, 'output')]),
      [
        ['custom_tool_call_output', '[Old tool result content cleared]'],
        ['function_call_output', '[Old tool result content cleared]'],
      ],
    );
  });

  it('a search of the provider goes back to it without a result, and to others with one', async () => {
    const payloads = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Find it.' }] },
      { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'it' } },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Found.' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'And?' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Nothing.' }] },
    ];
    const session = await openedRollout(payloads);
    const last = session.transcript.requests.length - 1;
    const conversation = await sentConversation(session, last, asRecorded);
    assert.doesNotMatch(conversation?.notes.join() ?? '', /placeholder/);
    const own = await prepared(session, last, 'openaiResponses', 'gpt-5.5');
    const types = arrayAt(own.body, 'input').map(item => stringAt(item, 'type'));
    assert.deepEqual(types, ['message', 'web_search_call', 'message', 'message']);
    const other = await prepared(session, last, 'anthropic', 'claude-opus-5-5');
    const blocks = arrayAt(other.body, 'messages').flatMap(message => arrayAt(message, 'content'));
    const calls = blocks.filter(block => stringAt(block, 'type') === 'tool_use');
    const answers = blocks.filter(block => stringAt(block, 'type') === 'tool_result');
    assert.equal(calls.length, 1);
    assert.deepEqual(
      answers.map(block => stringAt(block, 'tool_use_id')),
      calls.map(block => stringAt(block, 'id')),
    );
  });
});

describe('what is changed before a request is sent', () => {
  it('credentials stand as the name of what was found, unless they are wanted', async () => {
    const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
    for (const protocol of ['anthropic', 'openaiChat', 'openaiResponses', 'gemini'] as const) {
      const plain = JSON.stringify(await sentTo(protocol, asRecorded));
      const redacted = JSON.stringify(await sentTo(protocol, { redactWith: secretScanner }));
      assert.ok(plain.includes(secret), protocol);
      assert.ok(!redacted.includes(secret), protocol);
      assert.match(redacted, /token \[redacted: /);
    }
  });

  it('credentials are gone from tools that are not made as they should be', async () => {
    const key = `SERVICE_TOKEN=${['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_')}`;
    const tools = [{ name: 'read', description: { [key]: 'x' }, input_schema: { type: 'object' } }];
    const session = await opened('request.json', Buffer.from(JSON.stringify({ ...invented, tools })));
    const sent = await sentConversation(session, 0, { redactWith: secretScanner });
    assert.equal(sent?.tools.length, 1);
    assert.ok(!JSON.stringify(sent).includes(key));
  });

  it('credentials are gone from what is no signature, though it stands where one is', async () => {
    const address = ['postgres', '//app:Qu1ltW0rk9519@db.quillworks.io/prod'].join(':');
    const content = [
      { type: 'thinking', thinking: 'Hm', signature: `psql ${address}` },
      { type: 'text', text: 'Yes' },
    ];
    const messages = [
      ...invented.messages.slice(0, 1),
      { role: 'assistant', content },
      ...invented.messages.slice(4),
    ];
    const session = await opened('request.json', Buffer.from(JSON.stringify({ ...invented, messages })));
    const sent = JSON.stringify(await sentConversation(session, 0, { redactWith: secretScanner }));
    assert.ok(!sent.includes('Qu1ltW0rk9519') && sent.includes('Yes'), sent);
  });

  it('an address with a password, from which a file would be taken, is not sent', async () => {
    const url = 'https://app:Qu1ltW0rk9519@files.quillworks.io/a.pdf';
    const content = [
      { type: 'document', source: { type: 'url', url } },
      { type: 'text', text: 'Read it.' },
    ];
    const body = JSON.stringify({ model: 'claude-opus-4-5', messages: [{ role: 'user', content }] });
    const session = await opened('request.json', Buffer.from(body));
    const recorded = await sentConversation(session, 0, { redactWith: undefined });
    assert.ok(JSON.stringify(recorded).includes(url));
    const redacted = JSON.stringify(await sentConversation(session, 0, { redactWith: secretScanner }));
    assert.match(redacted, /Read it\./);
    assert.ok(!redacted.includes('Qu1ltW0rk9519'));
  });

  it('pruned results stand as the notice, and everything else as it was', async () => {
    const prune: PruneOptions = { ...defaultPruneOptions(), protectTokens: 0, minimumTokens: 0 };
    const before = await sentTo('anthropic', asRecorded);
    const after = await sentTo('anthropic', { ...asRecorded, prune });
    const results = arrayAt(after.messages[2], 'content');
    assert.deepEqual(results[0], {
      type: 'tool_result',
      tool_use_id: 'toolu_1',
      content: '[Old tool result content cleared]',
    });
    // opencode never prunes results that are errors.
    assert.deepEqual(results[1], arrayAt(before.messages[2], 'content')[1]);
    assert.deepEqual(after.messages.toSpliced(2, 1), before.messages.toSpliced(2, 1));
  });
});

describe('two replies', () => {
  const call = (name: string, input: unknown): ConversationPart => ({
    kind: 'call',
    blocks: [],
    id: name,
    name,
    input,
  });
  const text = (words: string): ConversationPart => ({ kind: 'text', blocks: [], text: words });

  it('are the same action when their calls are the same by value', () => {
    const compared = compareReplies(
      [text('a'), call('read', { path: 'x', line: 1 })],
      [text('b'), call('read', { line: 1, path: 'x' })],
    );
    assert.equal(compared.isSameAction, true);
    assert.deepEqual(compared.texts, ['a', 'b']);
  });

  it('differ by arguments, by name, or by a call that the other lacks', () => {
    const compared = compareReplies(
      [call('read', { path: 'x' }), call('list', {}), call('run', {})],
      [call('read', { path: 'y' }), call('find', {})],
    );
    assert.deepEqual(
      compared.calls.map(({ difference }) => difference),
      ['arguments', 'name', 'missing'],
    );
    assert.equal(compared.isSameAction, false);
    assert.equal(compareReplies([call('read', 1)], [call('read', 2)]).isSameTools, true);
    assert.equal(compareReplies([text('a')], [text('b')]).isSameAction, true);
  });

  it('the recorded one is read from the transcript', async () => {
    const lines = [
      { role: 'user', content: 'Go' },
      {
        role: 'assistant',
        content: 'I read.',
        tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
      },
    ];
    const session = await opened(
      'm.jsonl',
      Buffer.from(lines.map(line => `${JSON.stringify(line)}\n`).join('')),
    );
    const parts = await recordedReply(session, 0);
    assert.deepEqual(
      compareReplies(parts, [text('I read.'), call('read', { path: 'a' })]).isSameAction,
      true,
    );
    assert.deepEqual(compareReplies(parts, []).texts, ['I read.', '']);
  });
});
