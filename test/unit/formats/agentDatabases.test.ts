import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import initSqlJs from 'sql.js/dist/sql-wasm-inline.js';
import { arrayAt, isObject, member, stringAt } from '../../../src/core/base/json';
import { decoderTools } from '../../../src/node/databases/database';
import { scenarios } from '../../fixtures/copilotScenarios';
import { databaseOf, type Row } from '../../fixtures/databaseOf';
import * as newer from '../../fixtures/newerAgents';
import {
  contextsOf,
  jsonLines,
  leftOutOf,
  openTranscriptBytes,
  outlineOf,
  problemsOf,
  sharedFolder,
} from '../../fixtures/openedTranscript';
import { zstdFrame } from '../../fixtures/zstdFrame';

const finish = { type: 'finish', data: { reason: 'stop', time: 0 } };
const text = (words: string) => ({ type: 'text', data: { text: words } });

describe('Crush', () => {
  const message = (id: string, role: string, time: number, ...parts: readonly object[]): Row => [
    id,
    's1',
    role,
    JSON.stringify(parts),
    role === 'assistant' ? 'small' : '',
    time,
  ];
  const sessionColumns =
    'id TEXT, parent_session_id TEXT, title TEXT, created_at INTEGER, summary_message_id TEXT';
  const messageColumns = 'id TEXT, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at INTEGER';

  it('reads sessions with calls, results and a summary', async () => {
    const bytes = await databaseOf({
      sessions: {
        columns: sessionColumns,
        rows: [
          ['s1', null, 'Kiosk', 1_700_000_000, 'm5'],
          ['m2$$call_1', 's1', 'Look around', 1_700_000_002, null],
        ],
      },
      messages: {
        columns: messageColumns,
        rows: [
          message('m1', 'user', 1_700_000_000, text('open?'), finish),
          message(
            'm2',
            'assistant',
            1_700_000_001,
            { type: 'reasoning', data: { thinking: 'hm' } },
            { type: 'tool_call', data: { id: 'call_1', name: 'view', input: '{"file_path":"/work/a.txt"}' } },
            finish,
          ),
          message('m3', 'tool', 1_700_000_002, {
            type: 'tool_result',
            data: { tool_call_id: 'call_1', content: 'nine', metadata: '{"a":1}', is_error: false },
          }),
          message('m4', 'assistant', 1_700_000_003, finish),
          message('m5', 'assistant', 1_700_000_004, text('It opens at nine.'), finish),
          message('m6', 'user', 1_700_000_005, text('thanks'), {
            type: 'shell_command',
            data: { command: 'date', output: 'noon', exit_code: 0 },
          }),
          message('m7', 'assistant', 1_700_000_006, text('welcome')),
        ],
      },
    });
    const opened = await openTranscriptBytes(bytes, { tools: decoderTools });
    const { transcript } = opened;
    assert.equal(transcript.format, 'crush');
    const call = 'assistant: {"file_path":"/work/a.txt"}';
    assert.deepEqual(contextsOf(opened), [
      ['user: open?'],
      ['user: open?', 'assistant: hm', call, 'tool: nine'],
      ['assistant: It opens at nine.', 'user: thanks', 'user: date', 'user: noon'],
    ]);
    assert.deepEqual(outlineOf(transcript).slice(2, 5), [
      'assistant toolCall history developer',
      'tool toolResult history tool',
      'assistant summary history memory',
    ]);
    assert.equal(transcript.requests[0]?.timestamp, 1_700_000_001_000);
    assert.deepEqual(transcript.subagents, [
      { id: 'm2$$call_1', thread: 1, description: 'Look around', callId: 'call_1' },
    ]);
    assert.deepEqual(
      transcript.compactions.map(({ kind, request }) => [kind, request]),
      [['compaction', 2]],
    );
    assert.deepEqual(leftOutOf(transcript), {
      'finish part': 4,
      "a tool's metadata for the interface": 1,
      'a model call without a reply': 1,
    });
    assert.deepEqual(problemsOf(transcript), {});
  });

  it('reads a real database', async test => {
    const folder = sharedFolder(test, 'samples/crush-sqlite');
    if (folder === undefined) {
      return;
    }
    const opened = await openTranscriptBytes(readFileSync(join(folder, 'dbos-crush.db')), {
      tools: decoderTools,
    });
    assert.equal(opened.transcript.format, 'crush');
    assert.deepEqual(problemsOf(opened.transcript), {});
    assert.equal(opened.transcript.conversations.length, 2);
    const kinds = [...opened.transcript.blocks].map(({ kind }) => kind);
    // Counted by SQL: 13 user texts, 32 texts, 41 calls and 41 results.
    assert.equal(kinds.filter(kind => kind === 'toolCall').length, 41);
    assert.equal(kinds.filter(kind => kind === 'toolResult').length, 41);
    assert.equal(kinds.filter(kind => kind === 'assistant').length, 32);
    assert.ok(kinds.filter(kind => kind === 'prompt' || kind === 'injected').length >= 13);
  });
});

describe('Goose', () => {
  const visible = { userVisible: true, agentVisible: true };
  const conversation = [
    {
      role: 'user',
      created: 1_700_000_000,
      content: [{ type: 'text', text: 'open?' }],
      metadata: { userVisible: true, agentVisible: false },
    },
    {
      role: 'assistant',
      created: 1_700_000_001,
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        {
          type: 'toolRequest',
          id: 'c1',
          toolCall: { status: 'success', value: { name: 'shell', arguments: { command: 'cat hours' } } },
        },
      ],
      metadata: { userVisible: true, agentVisible: false },
    },
    {
      role: 'user',
      created: 1_700_000_002,
      content: [
        {
          type: 'toolResponse',
          id: 'c1',
          toolResult: {
            status: 'success',
            value: [
              { type: 'text', text: 'nine', annotations: { audience: ['assistant'] } },
              { type: 'text', text: '**nine**', annotations: { audience: ['user'] } },
            ],
          },
        },
      ],
      metadata: { userVisible: true, agentVisible: false },
    },
    {
      role: 'assistant',
      created: 1_700_000_003,
      content: [{ type: 'text', text: 'At nine.' }],
      metadata: { userVisible: true, agentVisible: false },
    },
    {
      role: 'user',
      created: 1_700_000_004,
      content: [{ type: 'text', text: 'The kiosk opens at nine.' }],
      metadata: { userVisible: false, agentVisible: true },
    },
    {
      role: 'assistant',
      created: 1_700_000_004,
      content: [{ type: 'text', text: 'I go on.' }],
      metadata: { userVisible: false, agentVisible: true },
    },
    {
      role: 'assistant',
      created: 1_700_000_005,
      content: [{ type: 'systemNotification', msg: 'compacted' }],
      metadata: visible,
    },
    {
      role: 'user',
      created: 1_700_000_006,
      content: [{ type: 'text', text: 'and closes?' }],
      metadata: visible,
    },
    {
      role: 'assistant',
      created: 1_700_000_007,
      content: [{ type: 'text', text: 'At six.' }],
      metadata: visible,
    },
  ];
  const call = 'assistant: {"command":"cat hours"}';
  const contexts = [
    ['user: open?'],
    ['user: open?', 'assistant: hm', call, 'tool: nine'],
    ['user: The kiosk opens at nine.', 'assistant: I go on.', 'user: and closes?'],
  ];

  it('reads an export, with what the model saw before a summary', async () => {
    const opened = await openTranscriptBytes(
      JSON.stringify({ id: '1', working_dir: '/work', name: 'Kiosk', conversation }),
    );
    assert.equal(opened.transcript.format, 'goose');
    assert.deepEqual(contextsOf(opened), contexts);
    assert.equal(opened.transcript.workingDirectory, '/work');
    assert.deepEqual(leftOutOf(opened.transcript), {
      'a result for the user only': 1,
      'a notice to the user': 1,
    });
  });

  it('reads a session file of lines', async () => {
    const opened = await openTranscriptBytes(
      jsonLines([{ working_dir: '/work', description: 'Kiosk' }, ...conversation, { odd: 1 }]),
    );
    assert.equal(opened.transcript.format, 'goose-lines');
    assert.deepEqual(contextsOf(opened), contexts);
    assert.deepEqual(problemsOf(opened.transcript), { unknownRecord: 1 });
  });

  it('reads its database', async () => {
    const bytes = await databaseOf({
      sessions: {
        columns: 'id TEXT, name TEXT, working_dir TEXT, created_at TEXT',
        rows: [['1', 'Kiosk', '/work', '2026-01-01']],
      },
      messages: {
        columns:
          'id INTEGER, message_id TEXT, session_id TEXT, role TEXT, content_json TEXT, created_timestamp INTEGER, metadata_json TEXT',
        rows: conversation.map(({ role, content, created, metadata }, index) => [
          index,
          `m${index}`,
          '1',
          role,
          JSON.stringify(content),
          created,
          JSON.stringify(metadata),
        ]),
      },
    });
    const opened = await openTranscriptBytes(bytes, { tools: decoderTools });
    assert.equal(opened.transcript.format, 'goose');
    assert.deepEqual(contextsOf(opened), contexts);
    assert.equal(opened.transcript.title, 'Kiosk');
  });
});

describe('a database of another program', () => {
  it('is refused in a sentence', async () => {
    const bytes = await databaseOf({ sessions: { columns: 'id TEXT', rows: [] } });
    await assert.rejects(openTranscriptBytes(bytes, { tools: decoderTools }), /opencode, Crush, Goose/);
  });
});

describe('Copilot agent traces', () => {
  const columns =
    'span_id TEXT PRIMARY KEY, trace_id TEXT NOT NULL, parent_span_id TEXT, name TEXT NOT NULL, ' +
    'start_time_ms INTEGER NOT NULL, status_code INTEGER, conversation_id TEXT, chat_session_id TEXT, ' +
    'session_id TEXT GENERATED ALWAYS AS (COALESCE(conversation_id, chat_session_id)) STORED';

  /** The rows that otelSqliteStore.ts creates from spans. */
  async function tracesOf(spans: readonly unknown[]): Promise<Uint8Array> {
    const database = new (await initSqlJs()).Database();
    database.run(`CREATE TABLE spans (${columns})`);
    database.run(
      'CREATE TABLE span_attributes (span_id TEXT, key TEXT, value TEXT, PRIMARY KEY (span_id, key))',
    );
    for (const span of spans) {
      const id = stringAt(span, 'spanId') ?? '';
      const [seconds, nanoseconds] = arrayAt(span, 'startTime');
      const parent =
        stringAt(span, 'parentSpanId') ?? stringAt(member(span, 'parentSpanContext'), 'spanId') ?? null;
      database.run(
        'INSERT INTO spans (span_id, trace_id, parent_span_id, name, start_time_ms, status_code) VALUES (?, ?, ?, ?, ?, ?)',
        [
          id,
          stringAt(span, 'traceId') ?? '',
          parent,
          stringAt(span, 'name') ?? '',
          Number(seconds) * 1000 + Number(nanoseconds) / 1e6,
          1,
        ],
      );
      const attributes = member(span, 'attributes');
      for (const [key, value] of Object.entries(isObject(attributes) ? attributes : {})) {
        database.run('INSERT INTO span_attributes VALUES (?, ?, ?)', [id, key, String(value)]);
      }
    }
    const bytes = database.export();
    database.close();
    return bytes;
  }

  it('reads the same requests as from the file of spans', async () => {
    for (const { name, recording } of scenarios) {
      const lines = await openTranscriptBytes(recording.spanLines);
      const traces = await openTranscriptBytes(await tracesOf(recording.spans), { tools: decoderTools });
      assert.equal(traces.transcript.format, 'copilot-traces');
      assert.deepEqual(contextsOf(traces), contextsOf(lines), name);
      assert.deepEqual(
        traces.transcript.requests.map(({ usage, model, timestamp }) => ({ usage, model, timestamp })),
        lines.transcript.requests.map(({ usage, model, timestamp }) => ({ usage, model, timestamp })),
        name,
      );
    }
  });

  it('completes the requests of Copilot CLI, which notes only what is new', async () => {
    const chat = (id: string, start: number, input: readonly object[], output: string): object => ({
      spanId: id,
      traceId: 'trace',
      parentSpanId: 'agent',
      name: 'chat small',
      startTime: [start, 0],
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.conversation.id': 'session',
        'gen_ai.request.model': 'small',
        'github.copilot.turn_id': '0',
        'gen_ai.usage.input_tokens': 100,
        'gen_ai.usage.output_tokens': 5,
        'gen_ai.system_instructions': JSON.stringify([{ type: 'text', content: 'Be brief.' }]),
        'gen_ai.input.messages': JSON.stringify(input),
        'gen_ai.output.messages': JSON.stringify([
          { role: 'assistant', parts: [{ type: 'text', content: output }] },
        ]),
      },
    });
    const user = (content: string): object => ({ role: 'user', parts: [{ type: 'text', content }] });
    const spans = [
      chat('one', 100, [user('Continue.')], 'One.'),
      chat('two', 101, [user('Continue.')], 'Two.'),
      chat('three', 102, [user('Stop.')], 'Three.'),
    ];
    const opened = await openTranscriptBytes(await tracesOf(spans), { tools: decoderTools });
    const [first = [], second = [], third] = contextsOf(opened);
    assert.deepEqual(first, ['system: Be brief.', 'user: Continue.']);
    assert.deepEqual(second, [...first, 'assistant: One.', 'user: Continue.']);
    assert.deepEqual(third, [...second, 'assistant: Two.', 'user: Stop.']);
    assert.equal(opened.transcript.agent.name, 'GitHub Copilot CLI');
    assert.equal(opened.transcript.conversations.length, 0);
    // The provider gets some tools and results in another form.
    assert.ok(opened.transcript.requests.every(({ complete }) => !complete));
  });

  it('continues a conversation of Copilot CLI with results in any order, without its thinking', async () => {
    const chat = (
      id: string,
      start: number,
      input: readonly object[],
      output: readonly object[],
    ): object => ({
      spanId: id,
      traceId: 'trace',
      parentSpanId: 'agent',
      name: 'chat small',
      startTime: [start, 0],
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.conversation.id': 'session',
        'gen_ai.request.model': 'small',
        'github.copilot.turn_id': '0',
        'gen_ai.input.messages': JSON.stringify(input),
        'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: output }]),
      },
    });
    const text = (content: string): object => ({ type: 'text', content });
    const call = (id: string): object => ({ type: 'tool_call', id, name: 'read', arguments: { path: id } });
    const result = (id: string): object => ({
      role: 'tool',
      parts: [{ type: 'tool_call_response', id, response: `text of ${id}` }],
    });
    const spans = [
      chat(
        'one',
        100,
        [{ role: 'user', parts: [text('Read all.')] }],
        [{ type: 'reasoning', content: 'Hm.' }, call('a'), call('b'), call('c')],
      ),
      chat('two', 101, [result('c'), result('a'), result('b')], [text('Done.')]),
    ];
    const opened = await openTranscriptBytes(await tracesOf(spans), { tools: decoderTools });
    assert.equal(opened.transcript.conversations.length, 0);
    assert.deepEqual(
      contextsOf(opened).map(context => context.length),
      [1, 7],
    );
    assert.deepEqual(
      contextsOf(opened)[1]?.slice(4),
      ['c', 'a', 'b'].map(id => `tool: text of ${id}`),
    );
  });

  it('leaves another database of spans to be refused', async () => {
    const bytes = await databaseOf({ spans: { columns: 'id TEXT', rows: [['1']] } });
    await assert.rejects(openTranscriptBytes(bytes, { tools: decoderTools }), /cannot read this database/);
  });
});

describe('Zed', () => {
  const columns =
    'id TEXT, summary TEXT, updated_at TEXT, data_type TEXT, data BLOB, parent_id TEXT, folder_paths TEXT';

  it('reads threads, packed and unpacked, with results, a summary and the usage of each prompt', async () => {
    const packed = zstdFrame([Buffer.from(JSON.stringify(newer.zedThread))]);
    const bytes = await databaseOf({
      threads: {
        columns,
        rows: [
          [
            't3',
            'Look around',
            '2026-03-03',
            'json',
            Buffer.from(JSON.stringify(newer.zedOlder)),
            't1',
            null,
          ],
          [
            't2',
            'An older one',
            '2026-03-01',
            'json',
            Buffer.from(JSON.stringify(newer.zedOlder)),
            null,
            null,
          ],
          ['t1', 'The bug', '2026-03-02', 'zstd', packed, null, '/shop'],
          ['t4', 'Damaged', '2026-02-01', 'zstd', packed.subarray(0, 20), null, null],
        ],
      },
    });
    const opened = await openTranscriptBytes(bytes, { tools: decoderTools });
    const { requests, conversations, subagents, workingDirectory } = opened.transcript;
    assert.equal(workingDirectory, '/shop');
    assert.deepEqual(
      conversations.map(({ title }) => title),
      ['The bug', 'An older one', 'Damaged'],
    );
    assert.deepEqual(
      subagents.map(({ id }) => id),
      ['t3'],
    );
    assert.deepEqual(contextsOf(opened)[1], [
      'user: Where is the bug?',
      'user: sum = 1',
      `user: ${newer.pixel}`,
      'assistant: Hm.',
      'assistant: I look.',
      'assistant: {"regex":"sum"}',
      'assistant: ',
      'tool: none',
      'user: Continue where you left off',
    ]);
    assert.deepEqual(contextsOf(opened)[2]?.slice(1), ['user: Repair it']);
    assert.match(contextsOf(opened)[2]?.[0] ?? '', /compacted.*The bug is in the sum\.$/s);
    assert.deepEqual(
      requests.map(({ usage }) => usage?.cacheRead),
      [undefined, 500, undefined, undefined, undefined],
    );
    assert.deepEqual(problemsOf(opened.transcript), { malformedRecord: 1 });
  });
});

describe('Hermes Agent', () => {
  it('reads what is sent: the text on the wire, without what was taken back', async () => {
    const columnsOf = (names: readonly string[]): string => names.join(', ');
    const names = [
      'session_id',
      'role',
      'content',
      'api_content',
      'reasoning',
      'tool_calls',
      'tool_call_id',
      'tool_name',
      'active',
      'compacted',
      'timestamp',
    ];
    const bytes = await databaseOf({
      system_prompts: { columns: 'hash, prompt', rows: [['h1', 'You are an agent.']] },
      sessions: {
        columns:
          'id, title, model, cwd, model_config, system_prompt_hash, system_prompt, parent_session_id, started_at, input_tokens',
        rows: [
          [
            's2',
            'Look around',
            'hermes-4',
            '/shop',
            '{"_delegate_from":"s1"}',
            null,
            'You look.',
            's1',
            1,
            10,
          ],
          ['s1', 'The bug', 'hermes-4', '/shop', null, 'h1', null, null, 2, 900],
        ],
      },
      messages: {
        columns: `id INTEGER PRIMARY KEY, ${columnsOf(names)}`,
        rows: newer.hermesMessages.map((message, index) => [
          index + 1,
          ...names.map(name => new Map<string, string | number>(Object.entries(message)).get(name) ?? null),
        ]),
      },
    });
    const opened = await openTranscriptBytes(bytes, { tools: decoderTools });
    assert.equal(opened.transcript.format, 'hermes');
    assert.deepEqual(contextsOf(opened).at(-1), [
      'system: You are an agent.',
      'user: Where is the bug?',
      'assistant: Hm.',
      'assistant: {"command":"ls"}',
      'tool: order.py',
    ]);
    assert.deepEqual(
      opened.transcript.subagents.map(({ id }) => id),
      ['s2'],
    );
    assert.deepEqual(leftOutOf(opened.transcript), {
      'a message that was taken back': 1,
      'token counts of a whole session': 2,
    });
  });
});

describe('Devin CLI', () => {
  it('reads the conversation of a session without its abandoned branches', async () => {
    const bytes = await databaseOf({
      sessions: {
        columns: 'id, working_directory, model, created_at, last_activity_at, title, main_chain_id, hidden',
        rows: [['bald-ketch', '/shop', 'swe-1-7', 1786004275, 1786004400, 'The bug', 5, 0]],
      },
      message_nodes: {
        columns: 'row_id INTEGER PRIMARY KEY, session_id, node_id, parent_node_id, chat_message, created_at',
        rows: newer.devinNodes.map(([node, parent, message], index) => [
          index + 1,
          'bald-ketch',
          node,
          parent,
          JSON.stringify(message),
          1786004275 + index,
        ]),
      },
    });
    const opened = await openTranscriptBytes(bytes, { tools: decoderTools });
    const { format, title, workingDirectory, requests } = opened.transcript;
    assert.deepEqual([format, title, workingDirectory], ['devin', 'The bug', '/shop']);
    assert.deepEqual(
      requests.map(({ model, timestamp }) => [model, timestamp]),
      [
        ['swe-1-7', 1786004277000],
        ['swe-1-7', 1786004279000],
      ],
    );
    assert.deepEqual(contextsOf(opened).at(-1), [
      'system: You are an agent.',
      'user: Where is the bug?',
      'assistant: Hm.',
      'assistant: I look.',
      'assistant: {"path":"order.py"}',
      'tool: sum = 1',
    ]);
    assert.deepEqual(leftOutOf(opened.transcript), { 'a message of an abandoned branch': 1 });
  });
});
