import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isObject, objectAt } from '../../../src/core/base/json';
import { readTranscript } from '../../../src/core/formats/readTranscript';
import type { RecordedRequest, Transcript } from '../../../src/core/model/transcript';
import {
  blocksOf,
  numbersOf,
  openBytes,
  type OpenedTranscript,
  sourceOf,
} from '../../fixtures/transcriptBytes';

type Json = Readonly<Record<string, unknown>>;

const usage = (output: number, input = 3) => ({
  input_tokens: input,
  cache_read_input_tokens: 1000,
  cache_creation_input_tokens: 20,
  output_tokens: output,
});

/** The lines of an invented session. */
class Lines {
  readonly lines: string[] = [];

  constructor(private readonly common: Json = { version: '2.1.62' }) {}

  add(record: Json): this {
    this.lines.push(JSON.stringify(record));
    return this;
  }

  line(type: string, rest: Json): this {
    const uuid = `u${this.lines.length + 1}`;
    const parentUuid = this.lines.length === 0 ? null : `u${this.lines.length}`;
    return this.add({
      parentUuid,
      isSidechain: false,
      sessionId: 's',
      type,
      ...this.common,
      uuid,
      ...rest,
    });
  }

  user(content: unknown, rest: Json = {}): this {
    return this.line('user', { message: { role: 'user', content }, ...rest });
  }

  result(id: string, content: unknown, rest: Json = {}): this {
    return this.user([{ type: 'tool_result', tool_use_id: id, content }], rest);
  }

  reply(id: string, item: Json | undefined, rest: Json = {}, message: Json = {}): this {
    const content = item === undefined ? [] : [item];
    return this.line('assistant', {
      requestId: `req-${id}`,
      message: { id, role: 'assistant', model: 'claude-sonnet-4-5', content, usage: usage(7), ...message },
      ...rest,
    });
  }

  system(subtype: string, rest: Json = {}): this {
    return this.line('system', { subtype, ...rest });
  }

  attachment(attachment: Json, rest: Json = {}): this {
    return this.line('attachment', { attachment, ...rest });
  }

  toString(): string {
    return this.lines.map(line => `${line}\n`).join('');
  }
}

const text = (value: string) => ({ type: 'text', text: value });
const call = (id: string, name = 'Bash', input: Json = { command: id }) => ({
  type: 'tool_use',
  id,
  name,
  input,
});

/** The context of a request as a readable list: kind and text of every block, in wire order. */
async function contextOf(opened: OpenedTranscript, request: RecordedRequest | undefined) {
  const { transcript, texts } = opened;
  const found: string[] = [];
  for (const number of numbersOf(transcript, request)) {
    const block = transcript.blocks.at(number);
    found.push(`${block?.kind ?? ''}: ${block?.kind === 'image' ? '' : await texts.read(number)}`);
  }
  return found;
}

async function contextsOf(content: { toString(): string }, thread = 0): Promise<string[][]> {
  const opened = await openBytes(content.toString());
  const requests = opened.transcript.requests.filter(request => request.thread === thread);
  return Promise.all(requests.map(request => contextOf(opened, request)));
}

async function transcriptOf(content: { toString(): string }): Promise<Transcript> {
  return (await openBytes(content.toString())).transcript;
}

function leftOut(transcript: Transcript): Readonly<Record<string, number>> {
  return Object.fromEntries(transcript.leftOut.map(({ reason, count }) => [reason, count]));
}

function problems(transcript: Transcript): Readonly<Record<string, number>> {
  return Object.fromEntries(transcript.problems.map(({ kind, count }) => [kind, count]));
}

describe('a reply of several lines', () => {
  const lines = new Lines()
    .user('go')
    .reply('m1', { type: 'thinking', thinking: 'hm', signature: 'c2ln' })
    .reply('m1', call('a'))
    .result('a', 'first')
    .reply('m1', call('b'), {}, { usage: usage(41) })
    .result('b', 'second')
    .reply('m2', text('done'));

  it('is one request, though results of its parallel calls stand between its lines', async () => {
    assert.deepEqual(await contextsOf(lines), [
      ['prompt: go'],
      [
        'prompt: go',
        'thinking: hm',
        'toolCall: {"command":"a"}',
        'toolCall: {"command":"b"}',
        'toolResult: first',
        'toolResult: second',
      ],
    ]);
  });

  it('has one message, and the usage of its last line once', async () => {
    const { requests, blocks } = await transcriptOf(lines);
    assert.deepEqual(
      requests.map(({ id, usage: found }) => [id, found?.input, found?.output]),
      [
        ['m1', 3, 41],
        ['m2', 3, 7],
      ],
    );
    const reply = requests[0]?.reply.map(number => blocks.at(number)?.message);
    assert.equal(reply?.length, 3);
    assert.equal(new Set(reply).size, 1);
  });

  it('keeps the greatest output where a later line says less', async () => {
    const { requests } = await transcriptOf(
      new Lines()
        .user('go')
        .reply('m1', text('a'), {}, { usage: usage(9) })
        .reply('m1', text('b')),
    );
    assert.equal(requests[0]?.usage?.output, 9);
  });

  it('names the model of each, and takes what the provider says of the cache', async () => {
    const { requests } = await transcriptOf(
      new Lines()
        .user('go')
        .reply(
          'm1',
          text('a'),
          {},
          {
            model: 'claude-haiku-4-5',
            usage: { ...usage(1), cache_creation: { ephemeral_1h_input_tokens: 5 } },
          },
        )
        .user('on')
        .reply('m2', text('b')),
    );
    assert.deepEqual(
      requests.map(({ model, usage: found }) => [model, found?.cacheLifetime]),
      [
        ['claude-haiku-4-5', 3600],
        ['claude-sonnet-4-5', undefined],
      ],
    );
  });

  it('is doubted where its version wrote the output of the stream’s start', async () => {
    for (const [version, doubtful] of [
      ['2.1.11', undefined],
      ['2.1.12', true],
      ['2.1.50', true],
      ['2.1.51', undefined],
      ['2.0.64', undefined],
    ] as const) {
      const { requests } = await transcriptOf(new Lines({ version }).user('go').reply('m1', text('a')));
      assert.equal(requests[0]?.outputDoubtful, doubtful, version);
    }
  });
});

describe('what is no message', () => {
  it('never takes the program’s own copy of a result', async () => {
    const copy = { toolUseResult: { stdout: 'the whole file again', originalFile: 'x'.repeat(5000) } };
    const transcript = await transcriptOf(
      new Lines().user('go').reply('m1', call('a')).result('a', 'short', copy).reply('m2', text('ok')),
    );
    const characters = [...transcript.blocks].reduce((sum, { size }) => sum + size.characters, 0);
    assert.equal(characters, 'go'.length + '{"command":"a"}'.length + 'short'.length + 'ok'.length);
  });

  it('leaves out state, progress, titles and unknown kinds by name', async () => {
    const transcript = await transcriptOf(
      new Lines()
        .add({ type: 'summary', summary: 'An old title', leafUuid: 'elsewhere' })
        .add({ type: 'file-history-snapshot', messageId: 'x', snapshot: {} })
        .user('go')
        .line('progress', { data: { type: 'bash_progress', output: 'running' } })
        .line('progress', {
          data: { type: 'agent_progress', agentId: 'a7', message: { message: { content: 'again' } } },
          parentToolUseID: 't1',
        })
        .line('never-seen-before', { payload: 1 })
        .add({ payload: 'no type' })
        .line('user', { message: undefined })
        .reply('m1', text('ok')),
    );
    assert.deepEqual(leftOut(transcript), {
      'session title': 1,
      'file-history-snapshot record': 1,
      'progress bash_progress': 1,
      'progress agent_progress': 1,
      'never-seen-before record': 1,
      'a record without a type': 1,
      'a user line without a message': 1,
    });
    assert.deepEqual(problems(transcript), { unknownRecord: 1, malformedRecord: 1 });
    assert.equal(transcript.title, 'An old title');
    assert.equal(transcript.blocks.length, 2);
    assert.deepEqual(transcript.subagents, [{ id: 'a7', callId: 't1' }]);
  });

  it('leaves out API errors, and keeps what else the client says in the model’s name without a request', async () => {
    const synthetic = { model: '<synthetic>', usage: usage(0, 0) };
    const lines = new Lines()
      .user('go')
      .reply('e1', text('API Error: 529'), { isApiErrorMessage: true }, synthetic)
      .reply('e2', text('No response requested.'), {}, synthetic)
      .user('on')
      .reply('m1', text('ok'));
    const transcript = await transcriptOf(lines);
    assert.equal(transcript.requests.length, 1);
    assert.deepEqual(await contextsOf(lines), [
      ['prompt: go', 'injected: No response requested.', 'prompt: on'],
    ]);
    assert.deepEqual(leftOut(transcript), { 'an API error that the client shows as a reply': 1 });
  });

  it('leaves out lines that are shown but not sent, and counts a line that comes twice once', async () => {
    const lines = new Lines()
      .user('only shown', { isVisibleInTranscriptOnly: true })
      .user('go', { uuid: 'same' })
      .user('go', { uuid: 'same' })
      .reply('m1', text('ok'));
    assert.deepEqual(await contextsOf(lines), [['prompt: go']]);
    const transcript = await transcriptOf(lines);
    assert.deepEqual(leftOut(transcript), {
      'a user line that is shown but not sent': 1,
      'the same line again': 1,
    });
    assert.deepEqual(problems(transcript), { duplicateRecord: 1 });
  });
});

describe('texts in the user’s name', () => {
  it('cuts reminders off the words that were typed, without a gap', async () => {
    const typed = 'Please look.\n<system-reminder>Your todo list is empty.</system-reminder>\nThank you.';
    const opened = await openBytes(new Lines().user(typed).reply('m1', text('ok')).toString());
    const blocks = blocksOf(opened.transcript, opened.transcript.requests[0]);
    assert.deepEqual(
      blocks.map(({ kind, partition, provenance }) => [kind, partition, provenance]),
      [
        ['prompt', 'history', 'user'],
        ['injected', 'state', 'memory'],
        ['prompt', 'history', 'user'],
      ],
    );
    const parts = await contextOf(opened, opened.transcript.requests[0]);
    assert.equal(parts.map(part => part.replace(/^\w+: /, '')).join(''), typed);
  });

  it('tells commands, caveats and developers’ notes from prompts', async () => {
    const lines = new Lines()
      .user('<command-name>/clear</command-name>')
      .user('Caveat: The messages below were generated by the user while running local commands.', {
        isMeta: true,
      })
      .user([text('Base directory for this skill: /skills/a')], { isMeta: true })
      .system('local_command', { content: '<local-command-stdout>ok</local-command-stdout>' })
      .user('go')
      .reply('m1', text('ok'));
    const transcript = await transcriptOf(lines);
    assert.deepEqual(
      blocksOf(transcript, transcript.requests[0]).map(({ kind, provenance }) => `${kind} ${provenance}`),
      ['injected user', 'injected user', 'injected system', 'injected user', 'prompt user'],
    );
    assert.equal(transcript.title, 'go');
  });

  it('takes images of prompts and of results as image blocks, behind the text of the result', async () => {
    const png = {
      type: 'image',
      source: {
        type: 'base64',
        media_type: 'image/png',
        data: 'iVBORw0KGgoAAAANSUhEUgAAACAAAAAQCAYAAAB3AH1ZAAAAAElFTkSuQmCC',
      },
    };
    const lines = new Lines()
      .user([png, text('What is this?')])
      .reply('m1', call('a', 'Read', { file_path: '/x/chart.png' }))
      .result('a', [text('one'), png, text('two')])
      .reply('m2', text('ok'));
    assert.deepEqual((await contextsOf(lines))[1], [
      'image: ',
      'prompt: What is this?',
      'toolCall: {"file_path":"/x/chart.png"}',
      'toolResult: one\ntwo',
      'image: ',
    ]);
    const { blocks } = await transcriptOf(lines);
    const images = [...blocks].filter(({ kind }) => kind === 'image');
    assert.deepEqual(
      images.map(({ image, role, callId }) => [image?.width, image?.height, role, callId]),
      [
        [32, 16, 'user', undefined],
        [32, 16, 'tool', 'a'],
      ],
    );
  });

  it('counts nothing for thinking that is not recorded', async () => {
    const { blocks } = await transcriptOf(
      new Lines()
        .user('go')
        .reply('m1', { type: 'thinking', thinking: '', signature: 'bG9uZyBzaWduYXR1cmU=' })
        .reply('m1', { type: 'redacted_thinking', data: 'c2VjcmV0' }),
    );
    assert.deepEqual(
      [...blocks].slice(1).map(({ kind, size }) => [kind, size.characters]),
      [
        ['thinking', 0],
        ['thinking', 0],
      ],
    );
  });

  it('does not need a call for a result, or a result for a call', async () => {
    const transcript = await transcriptOf(
      new Lines().result('nowhere', 'lost').reply('m1', call('a')).user('on').reply('m2', text('ok')),
    );
    assert.deepEqual(problems(transcript), { resultWithoutCall: 1 });
    assert.equal(transcript.requests.length, 2);
  });
});

describe('attachments', () => {
  it('puts those in the user’s name before the prompt, behind results, and the system’s after it', async () => {
    const reminder = (value: string) => `<system-reminder>\n${value}\n</system-reminder>`;
    const lines = new Lines()
      .user('go')
      .attachment(
        { type: 'environment' },
        { rendered: [{ content: reminder('On Linux.') }], renderedRole: 'system' },
      )
      .attachment(
        { type: 'session_context' },
        { rendered: [{ content: reminder('On main.') }], renderedRole: 'user' },
      )
      .attachment({ type: 'prompt_snapshot', systemPrompt: ['never sent from here'] })
      .reply('m1', call('a'))
      .attachment({ type: 'hook_additional_context', content: ['from a hook'] })
      .result('a', 'out')
      .reply('m2', text('ok'));
    assert.deepEqual(await contextsOf(lines), [
      ['injected: <system-reminder>\nOn main.\n</system-reminder>', 'prompt: go', 'injected: On Linux.'],
      [
        'injected: <system-reminder>\nOn main.\n</system-reminder>',
        'prompt: go',
        'injected: On Linux.',
        'toolCall: {"command":"a"}',
        'toolResult: out',
        'injected: from a hook',
      ],
    ]);
    assert.deepEqual(leftOut(await transcriptOf(lines)), { 'prompt_snapshot attachment': 1 });
  });

  it('knows the texts of older versions, and a prompt that was queued', async () => {
    const lines = new Lines()
      .user('go')
      .attachment({ type: 'deferred_tools_delta', addedLines: ['WebSearch', 'WebFetch'] })
      .attachment({ type: 'nested_memory', content: { path: '/x/CLAUDE.md', content: 'Be brief.' } })
      .attachment({ type: 'queued_command', prompt: 'also this', commandMode: 'prompt' })
      .attachment({ type: 'queued_command', prompt: [text('and this')], commandMode: 'prompt' })
      .attachment({ type: 'todo_reminder', content: [{ status: 'pending', content: 'test' }] })
      .reply('m1', text('ok'));
    assert.deepEqual((await contextsOf(lines))[0], [
      'injected: WebSearch',
      'injected: WebFetch',
      'injected: Be brief.',
      'prompt: also this',
      'prompt: and this',
      'injected: [{"status":"pending","content":"test"}]',
      'prompt: go',
    ]);
  });
});

describe('compaction', () => {
  const summary = { isCompactSummary: true, isVisibleInTranscriptOnly: true };

  it('drops what stands before the boundary', async () => {
    const lines = new Lines()
      .user('old')
      .reply('m1', text('older'))
      .system('compact_boundary', {
        compactMetadata: { trigger: 'auto', preTokens: 150_000, postTokens: 9000 },
      })
      .user('This session is being continued …', summary)
      .user('new')
      .reply('m2', text('ok'));
    assert.deepEqual(await contextsOf(lines), [
      ['prompt: old'],
      ['summary: This session is being continued …', 'prompt: new'],
    ]);
    const { compactions, messages, blocks } = await transcriptOf(lines);
    assert.deepEqual(compactions, [
      {
        kind: 'compaction',
        request: 1,
        thread: 0,
        line: 3,
        trigger: 'auto',
        tokensBefore: 150_000,
        tokensAfter: 9000,
      },
    ]);
    const block = [...blocks].find(({ kind }) => kind === 'summary');
    assert.equal(messages[block?.message ?? -1]?.summary, true);
  });

  it('keeps the messages that it lists, behind the summary', async () => {
    for (const kept of [
      { preservedMessages: { uuids: ['u3', 'u4'] } },
      { preservedSegment: { headUuid: 'u3', anchorUuid: 'u1', tailUuid: 'u4' } },
    ]) {
      const lines = new Lines()
        .user('one')
        .reply('m1', text('two'))
        .user('three')
        .reply('m2', text('four'))
        .system('compact_boundary', { compactMetadata: { trigger: 'manual', ...kept } })
        .attachment({ type: 'skill_listing', content: 'skills' })
        .user('summary', summary)
        .user('five')
        .reply('m3', text('ok'));
      assert.deepEqual((await contextsOf(lines)).at(-1), [
        'injected: skills',
        'summary: summary',
        'prompt: three',
        'assistant: four',
        'prompt: five',
      ]);
    }
  });

  it('replaces cleared results by the notice, and drops their images', async () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const lines = new Lines()
      .user('go')
      .reply('m1', call('a'))
      .result('a', [text('long'), image])
      .reply('m2', call('b'))
      .result('b', 'kept')
      .system('microcompact_boundary', {
        microcompactMetadata: { preTokens: 90_000, tokensSaved: 40_000, compactedToolIds: ['a'] },
      })
      .reply('m3', text('ok'));
    assert.deepEqual((await contextsOf(lines)).at(-1), [
      'prompt: go',
      'toolCall: {"command":"a"}',
      'toolResult: [Old tool result content cleared]',
      'toolCall: {"command":"b"}',
      'toolResult: kept',
    ]);
    assert.equal((await contextsOf(lines))[1]?.[2], 'toolResult: long');
    const { compactions } = await transcriptOf(lines);
    assert.deepEqual(compactions, [
      {
        kind: 'clearing',
        request: 2,
        contextLength: 5,
        thread: 0,
        line: 6,
        tokensBefore: 90_000,
        tokensAfter: 50_000,
      },
    ]);
  });
});

describe('subagents', () => {
  it('gives sidechains in the main file threads of their own, with their own usage', async () => {
    const side = { isSidechain: true };
    const lines = new Lines({ version: '1.0.89' })
      .user('go')
      .reply('m1', call('t', 'Task', { description: 'Look', prompt: 'look' }))
      .user('look', { ...side, parentUuid: null, uuid: 'a1' })
      .user('search', { ...side, parentUuid: null, uuid: 'b1' })
      .reply('s1', text('found'), { ...side, parentUuid: 'a1', uuid: 'a2' })
      .reply('s2', text('nothing'), { ...side, parentUuid: 'b1', uuid: 'b2' })
      .result('t', 'found')
      .reply('m2', text('ok'));
    assert.deepEqual((await contextsOf(lines)).at(-1), [
      'prompt: go',
      'toolCall: {"description":"Look","prompt":"look"}',
      'toolResult: found',
    ]);
    assert.deepEqual(await contextsOf(lines, 1), [['prompt: look']]);
    assert.deepEqual(await contextsOf(lines, 2), [['prompt: search']]);
    const { subagents, requests } = await transcriptOf(lines);
    assert.deepEqual(
      subagents.map(({ thread }) => thread),
      [1, 2],
    );
    assert.deepEqual(
      requests.map(({ thread }) => thread),
      [0, 1, 2, 0],
    );
  });

  it('tells sidechains by their agent, and what the parent says of it', async () => {
    const side = { isSidechain: true, agentId: 'a7' };
    const transcript = await transcriptOf(
      new Lines()
        .user('go')
        .reply('m1', call('t', 'Task', { description: 'Look' }))
        .user('look', side)
        .reply('s1', text('found'), side)
        .result('t', 'found', { toolUseResult: { agentId: 'a7', totalTokens: 1234 } })
        .reply('m2', text('ok')),
    );
    assert.deepEqual(transcript.subagents, [
      { id: 'a7', thread: 1, callId: 't', description: 'Look', totalTokens: 1234 },
    ]);
  });

  it('takes a subagent’s own file as its main thread', async () => {
    for (const side of [{ isSidechain: true, agentId: 'a7' }, { isSidechain: true }]) {
      const lines = new Lines().user('look', side).reply('s1', text('found'), side);
      assert.deepEqual(await contextsOf(lines), [['prompt: look']]);
      assert.deepEqual((await transcriptOf(lines)).subagents, []);
    }
  });
});

describe('a resumed session', () => {
  it('reads copied lines under their old ids once, and files of two versions', async () => {
    const first = new Lines().user('go').reply('m1', text('one'));
    const copied = first.lines.join('\n') + '\n' + first.lines.join('\n') + '\n';
    const more = new Lines({ version: '2.2.0' })
      .user('on', { uuid: 'v1' })
      .reply('m2', text('two'), { uuid: 'v2' });
    const transcript = await transcriptOf(copied + more.toString());
    assert.deepEqual(transcript.agent, {
      name: 'Claude Code',
      versions: ['2.1.62', '2.2.0'],
      runs: [
        { request: 0, version: 0 },
        { request: 1, version: 1 },
      ],
    });
    assert.deepEqual(
      transcript.requests.map(({ length }) => length),
      [1, 3],
    );
  });
});

describe('random damage', () => {
  const whole = new Lines({ version: '2.1.330' })
    .add({ type: 'api-request-shape', shapeHash: 'S', shape: { system: [text('You help.')], tools: [] } })
    .user('go')
    .add({ type: 'api-request-blob', hash: 'H', message: { role: 'user', content: [text('go')] } })
    .add({ type: 'api-request', id: 'r1', shapeHash: 'S', keep: 0, tail: ['H'], cacheControl: [] })
    .reply('m1', call('a'), { requestRef: 'r1' })
    .result('a', [text('out')])
    .attachment({ type: 'date' }, { rendered: [{ content: 'x' }], renderedRole: 'system' })
    .system('microcompact_boundary', { microcompactMetadata: { compactedToolIds: ['a'] } })
    .system('compact_boundary', { compactMetadata: { preservedMessages: { uuids: ['u2'] } } })
    .user('summary', { isCompactSummary: true })
    .reply('m2', text('ok'), { isSidechain: true });

  it('never throws for members of any type, nor for lines in any order', async () => {
    const anyLine = fc
      .record({
        index: fc.nat(whole.lines.length - 1),
        key: fc.nat(30),
        value: fc.oneof(fc.jsonValue(), fc.constantFrom('r1', 'S', 'H', '__proto__')),
        deep: fc.boolean(),
      })
      .map(({ index, key, value, deep }) => {
        const record: unknown = JSON.parse(whole.lines[index] ?? '');
        const message = deep ? objectAt(record, 'message') : undefined;
        const target = message ?? (isObject(record) ? record : {});
        const keys = Object.keys(target);
        const changed = { ...target, [keys[key % keys.length] ?? 'type']: value };
        return JSON.stringify(
          message === undefined || !isObject(record) ? changed : { ...record, message: changed },
        );
      });
    await fc.assert(
      fc.asyncProperty(fc.array(anyLine, { maxLength: 25 }), async lines => {
        const bytes = new TextEncoder().encode([...whole.lines.slice(0, 2), ...lines].join('\n'));
        const result = await readTranscript(sourceOf(bytes));
        assert.ok(result.ok);
        for (const { context, length } of result.transcript.requests) {
          assert.ok(length <= (result.transcript.contexts[context]?.length ?? -1));
        }
      }),
      { numRuns: 400 },
    );
  });
});
