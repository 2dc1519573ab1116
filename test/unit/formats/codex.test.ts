import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import type { SiblingFiles } from '../../../src/core/reading/format';
import { countAt, member, objectAt, stringAt } from '../../../src/core/base/json';
import { siblingFilesOf } from '../../../src/node/sessions/siblingFiles';
import {
  contextOf,
  contextsOf,
  jsonLines,
  leftOutOf,
  openTranscriptBytes,
  outlineOf,
  problemsOf,
  readJsonLines,
  readUnpacked,
  sharedFolder,
  totalUsage,
} from '../../fixtures/openedTranscript';

let clock = 0;

function line(type: string, payload: unknown, seconds = (clock += 1)): unknown {
  return { timestamp: new Date(Date.UTC(2026, 2, 1, 8) + seconds * 1_000).toISOString(), type, payload };
}

const item = (payload: unknown): unknown => line('response_item', payload);
const event = (payload: unknown): unknown => line('event_msg', payload);
const said = (role: string, text: string): unknown =>
  item({
    type: 'message',
    role,
    content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
  });
const call = (id: string, cmd: string): unknown =>
  item({ type: 'function_call', name: 'exec_command', arguments: JSON.stringify({ cmd }), call_id: id });
const output = (id: string, text: string): unknown =>
  item({ type: 'function_call_output', call_id: id, output: text });

/** A token_count event: the running total, and the last request's input, cached input, output and reasoning. */
function tokens(total: number, last: readonly [number, number, number, number]): unknown {
  const [input, cached, out, reasoning] = last;
  return event({
    type: 'token_count',
    info: {
      total_token_usage: { total_tokens: total },
      last_token_usage: {
        input_tokens: input,
        cached_input_tokens: cached,
        output_tokens: out,
        reasoning_output_tokens: reasoning,
        total_tokens: input + out,
      },
    },
  });
}

const lengthOf = (records: readonly unknown[]): number => new TextEncoder().encode(jsonLines(records)).length;

const header = (id: string, rest: object = {}): unknown =>
  line('session_meta', {
    id,
    timestamp: '2026-03-01T08:00:00.000Z',
    cwd: '/repo',
    cli_version: '0.150.0',
    base_instructions: { text: 'You are Codex.' },
    ...rest,
  });

const turn = line('turn_context', { model: 'gpt-5.5', cwd: '/repo' });

describe('Codex rollouts', () => {
  it('holds the tools that the header declares, one by one or in namespaces, but for those to search for', async () => {
    const tool = (name: string, rest: object = {}): object => ({
      name,
      description: `Use ${name}.`,
      inputSchema: { type: 'object' },
      ...rest,
    });
    const opened = await openTranscriptBytes(
      jsonLines([
        header('t1', {
          base_instructions: { text: 'You are Codex.' },
          dynamic_tools: [
            tool('show_page', { namespace: 'app' }),
            {
              type: 'namespace',
              name: 'app',
              tools: [tool('read_terminal'), tool('update_plan', { deferLoading: true })],
            },
          ],
        }),
        turn,
        said('user', 'Which fjord is longest?'),
        said('assistant', 'Sognefjord.'),
        tokens(130, [100, 40, 30, 10]),
      ]),
    );
    assert.deepEqual(
      contextOf(opened, 0).map(text => /"name":"(\w+)"/.exec(text)?.[1] ?? text),
      ['show_page', 'read_terminal', 'system: You are Codex.', 'user: Which fjord is longest?'],
    );
  });

  it('keeps the limits of the subscription as they were last recorded, also in the older form', async () => {
    const limits = (at: string, rate_limits: object): unknown => ({
      timestamp: at,
      type: 'event_msg',
      payload: { type: 'token_count', info: null, rate_limits },
    });
    const window = (used_percent: number, window_minutes: number, rest: object) => ({
      used_percent,
      window_minutes,
      ...rest,
    });
    const quotaOf = async (...records: readonly unknown[]) =>
      (await openTranscriptBytes(jsonLines([header('t1'), turn, said('user', 'One.'), ...records])))
        .transcript.quota;
    const at = Date.UTC(2026, 2, 1, 9);
    assert.deepEqual(
      await quotaOf(
        limits('2026-03-01T08:30:00.000Z', { primary: window(1, 300, { resets_at: 1 }) }),
        limits('2026-03-01T09:00:00.000Z', {
          primary: window(20.5, 300, { resets_at: 1_782_095_529 }),
          secondary: window(55, 10_080, { resets_in_seconds: 60 }),
        }),
        limits('2026-03-01T09:01:00.000Z', { primary: null, secondary: { used_percent: 'x' } }),
      ),
      {
        at,
        windows: [
          { minutes: 300, used: 0.205, resetsAt: 1_782_095_529_000 },
          { minutes: 10_080, used: 0.55, resetsAt: at + 60_000 },
        ],
      },
    );
    assert.equal(await quotaOf(limits('2026-03-01T09:00:00.000Z', {})), undefined);
  });

  it('keeps the last record of every window of a limit, however its end is rounded', async () => {
    const used = (minute: number, used_percent: number, resets_at: number): unknown => ({
      timestamp: new Date(Date.UTC(2026, 2, 1, 9, minute)).toISOString(),
      type: 'event_msg',
      payload: {
        type: 'token_count',
        info: null,
        rate_limits: { primary: { used_percent, window_minutes: 300, resets_at } },
      },
    });
    const first = Date.UTC(2026, 2, 1, 9, 30) / 1000;
    const opened = await openTranscriptBytes(
      jsonLines([
        header('t1'),
        turn,
        said('user', 'One.'),
        used(0, 80, first),
        used(1, 81, first + 7),
        // Nothing is used: the window has not begun, and its end moves.
        used(31, 0, first + 18_000),
        used(45, 0, first + 18_840),
        used(50, 3, first + 19_140),
      ]),
    );
    assert.deepEqual(opened.transcript.quotaWindows, [
      { minutes: 300, used: 0.81, resetsAt: (first + 7) * 1000, at: Date.UTC(2026, 2, 1, 9, 1) },
      { minutes: 300, used: 0.03, resetsAt: (first + 19_140) * 1000, at: Date.UTC(2026, 2, 1, 9, 50) },
    ]);
  });

  it('keeps the newest thousand windows of a file that names one in each record', async () => {
    const used = (number: number): unknown => ({
      timestamp: new Date(Date.UTC(2026, 2, 1) + number * 1000).toISOString(),
      type: 'event_msg',
      payload: {
        type: 'token_count',
        info: null,
        rate_limits: {
          primary: { used_percent: 5, window_minutes: 300, resets_at: 1_782_000_000 + number * 18_000 },
        },
      },
    });
    const opened = await openTranscriptBytes(
      jsonLines([header('t1'), turn, ...Array.from({ length: 3000 }, (_, number) => used(number))]),
    );
    const ends = opened.transcript.quotaWindows.map(
      ({ resetsAt }) => (resetsAt / 1000 - 1_782_000_000) / 18_000,
    );
    assert.deepEqual(
      ends,
      Array.from({ length: 1000 }, (_, place) => 2000 + place),
    );
  });

  it('takes content from items, tokens from the last count, and leaves what is shown twice', async () => {
    const opened = await openTranscriptBytes(
      jsonLines([
        header('t1'),
        said('developer', '<permissions instructions>\nEverything is allowed.'),
        said('user', '# AGENTS.md instructions for /repo\n\nUse tabs.'),
        said('user', '<environment_context>\n  <cwd>/repo</cwd>\n</environment_context>'),
        turn,
        said('user', 'Which fjord is longest?'),
        event({ type: 'user_message', message: 'Which fjord is longest?' }),
        item({ type: 'reasoning', summary: [], content: null, encrypted_content: 'gAAAAB' }),
        event({ type: 'agent_message', message: 'I look.' }),
        said('assistant', 'I look.'),
        call('c1', 'cat fjords.txt'),
        call('c2', 'wc fjords.txt'),
        output('c1', 'Sognefjord 205'),
        output('c2', '1 2 15'),
        tokens(130, [100, 40, 30, 10]),
        tokens(130, [100, 40, 30, 10]),
        item({
          type: 'custom_tool_call',
          name: 'apply_patch',
          call_id: 'c3',
          input: '*** Begin Patch\n*** Update File: src/fjords.ts\n*** End Patch',
        }),
        item({
          type: 'custom_tool_call_output',
          call_id: 'c3',
          output: [{ type: 'input_text', text: 'Done.' }],
        }),
        tokens(300, [150, 120, 20, 0]),
        said('assistant', 'Sognefjord.'),
        tokens(490, [180, 160, 10, 0]),
        event({ type: 'task_complete' }),
        output('c9', 'nobody asked'),
      ]),
    );
    const { transcript } = opened;
    assert.equal(transcript.format, 'codex');
    assert.equal(transcript.sessionId, 't1');
    assert.equal(transcript.title, 'Which fjord is longest?');
    assert.equal(transcript.workingDirectory, '/repo');
    assert.deepEqual(transcript.agent, { name: 'Codex', versions: ['0.150.0'] });
    const first = [
      'system: You are Codex.',
      'system: <permissions instructions>\nEverything is allowed.',
      'user: # AGENTS.md instructions for /repo\n\nUse tabs.',
      'user: <environment_context>\n  <cwd>/repo</cwd>\n</environment_context>',
      'user: Which fjord is longest?',
    ];
    const second = [
      ...first,
      'assistant: ',
      'assistant: I look.',
      'assistant: {"cmd":"cat fjords.txt"}',
      'assistant: {"cmd":"wc fjords.txt"}',
      'tool: Sognefjord 205',
      'tool: 1 2 15',
    ];
    assert.deepEqual(contextsOf(opened), [
      first,
      second,
      [...second, 'assistant: *** Begin Patch\n*** Update File: src/fjords.ts\n*** End Patch', 'tool: Done.'],
    ]);
    assert.deepEqual(outlineOf(transcript).slice(0, 6).sort(), [
      'assistant thinking history developer',
      'system injected state system',
      'system systemPrompt system system',
      'user injected knowledge developer',
      'user injected state system',
      'user prompt history user',
    ]);
    assert.deepEqual(
      transcript.requests.map(({ usage, model, complete, reply }) => [usage, model, complete, reply.length]),
      [
        [{ input: 60, cacheRead: 40, cacheWrite: 0, output: 30, reasoning: 10 }, 'gpt-5.5', false, 4],
        [{ input: 30, cacheRead: 120, cacheWrite: 0, output: 20, reasoning: 0 }, 'gpt-5.5', false, 1],
        [{ input: 20, cacheRead: 160, cacheWrite: 0, output: 10, reasoning: 0 }, 'gpt-5.5', false, 1],
      ],
    );
    const patch = [...transcript.blocks].find(({ toolName }) => toolName === 'apply_patch');
    assert.equal(patch?.path, 'src/fjords.ts');
    assert.deepEqual(leftOutOf(transcript), {
      'turn_context record': 1,
      'user_message event': 1,
      'agent_message event': 1,
      'usage of a request': 3,
      'token_count event that says nothing new': 1,
      'task_complete event': 1,
    });
    assert.deepEqual(problemsOf(transcript), { resultWithoutCall: 1 });
  });

  it('prefers the record of every request, and tools and prompt that are items', async () => {
    const usage = (id: string, input: number): unknown =>
      line('token_usage_record', {
        response_id: id,
        usage: { input_tokens: input, cached_input_tokens: 0, cache_write_input_tokens: 4, output_tokens: 5 },
      });
    const opened = await openTranscriptBytes(
      jsonLines([
        header('t2'),
        item({
          type: 'additional_tools',
          role: 'developer',
          tools: [
            {
              type: 'namespace',
              name: 'functions',
              description: 'Run things.',
              tools: [{ type: 'custom', name: 'exec' }],
            },
          ],
        }),
        item({
          type: 'message',
          role: 'developer',
          content: [{ type: 'input_text', text: 'You are Codex, for real.' }],
          internal_chat_message_metadata_passthrough: { content_item_kinds: ['model.base_instructions'] },
        }),
        line('world_state', { full: true }),
        said('user', 'Begin.'),
        item({
          type: 'reasoning',
          summary: [{ type: 'summary_text', text: 'Hm.' }],
          encrypted_content: 'gA',
        }),
        item({ type: 'function_call', name: 'spawn_agent', arguments: '{"message":"Look."}', call_id: 'c1' }),
        usage('r1', 20),
        event({
          type: 'item_completed',
          item: { type: 'SubAgentActivity', id: 'c1', kind: 'started', agent_thread_id: 't9' },
        }),
        output('c1', '{"task_name":"/root/look"}'),
        tokens(25, [20, 0, 5, 0]),
        line('inter_agent_communication_metadata', { trigger_turn: false }),
        item({
          type: 'agent_message',
          author: '/root/look',
          content: [
            { type: 'input_text', text: 'Seen.' },
            { type: 'encrypted_content', encrypted_content: 'Z0FBQUFB' },
          ],
        }),
        said('assistant', 'Done.'),
        usage('r2', 30),
        usage('r2', 30),
        tokens(60, [30, 0, 5, 0]),
      ]),
    );
    const { transcript } = opened;
    assert.deepEqual(contextOf(opened, 1), [
      'system: Run things.',
      'system: {"type":"custom","name":"exec"}',
      'system: You are Codex, for real.',
      'user: Begin.',
      'assistant: Hm.',
      'assistant: {"message":"Look."}',
      'tool: {"task_name":"/root/look"}',
      'user: Seen.',
      'user: ',
    ]);
    assert.deepEqual(
      transcript.requests.map(({ id, complete, usage: reported }) => [id, complete, reported]),
      [
        ['r1', true, { input: 16, cacheRead: 0, cacheWrite: 4, output: 5 }],
        ['r2', true, { input: 26, cacheRead: 0, cacheWrite: 4, output: 5 }],
      ],
    );
    assert.deepEqual(transcript.subagents, [{ id: 't9', callId: 'c1' }]);
    assert.deepEqual(problemsOf(transcript), {});
  });

  it('replaces the history at a compaction', async () => {
    const prompt = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'One.' }] };
    const opened = await openTranscriptBytes(
      jsonLines([
        header('t3'),
        item(prompt),
        said('assistant', 'First.'),
        tokens(110, [100, 0, 10, 0]),
        line('compacted', {
          message: '',
          replacement_history: [prompt, { type: 'compaction', encrypted_content: 'gAAA' }],
        }),
        tokens(110, [0, 0, 0, 0]),
        event({ type: 'context_compacted' }),
        said('user', 'Two.'),
        said('assistant', 'Second.'),
        tokens(140, [20, 0, 10, 0]),
        line('compacted', { message: 'They counted to two.' }),
        said('user', 'Three.'),
        said('assistant', 'Third.'),
      ]),
    );
    assert.deepEqual(contextsOf(opened), [
      ['system: You are Codex.', 'user: One.'],
      ['system: You are Codex.', 'user: One.', 'user: ', 'user: Two.'],
      ['system: You are Codex.', 'user: One.', 'user: Two.', 'user: They counted to two.', 'user: Three.'],
    ]);
    assert.deepEqual(
      opened.transcript.compactions.map(({ request, tokensBefore, tokensAfter }) => [
        request,
        tokensBefore,
        tokensAfter,
      ]),
      [
        [1, 110, 0],
        [2, 30, undefined],
      ],
    );
  });

  it('drops the turns that were rolled back, with the context added before them', async () => {
    const opened = await openTranscriptBytes(
      jsonLines([
        header('t4'),
        said('user', 'One.'),
        said('assistant', 'First.'),
        said('developer', '<model_switch>\nAnother.'),
        said('user', 'Two.'),
        said('assistant', 'Second.'),
        event({ type: 'thread_rolled_back', num_turns: 1 }),
        said('user', 'Instead.'),
        said('assistant', 'Third.'),
      ]),
    );
    assert.deepEqual(contextOf(opened, 2), [
      'system: You are Codex.',
      'user: One.',
      'assistant: First.',
      'user: Instead.',
    ]);
  });

  it('keeps the history that a fork copied, but not its calls', async () => {
    const at = (seconds: number, type: string, payload: unknown): unknown => line(type, payload, seconds);
    const message = (role: string, text: string): unknown => ({
      type: 'message',
      role,
      content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
    });
    const opened = await openTranscriptBytes(
      jsonLines([
        at(100, 'session_meta', {
          id: 'child',
          forked_from_id: 'parent',
          timestamp: '2026-03-01T08:01:40.000Z',
          base_instructions: { text: 'You are Codex.' },
        }),
        at(100, 'session_meta', { id: 'parent', timestamp: '2026-03-01T08:00:00.000Z' }),
        at(100, 'response_item', message('user', 'One.')),
        at(100, 'response_item', message('assistant', 'First.')),
        at(100, 'event_msg', {
          type: 'token_count',
          info: {
            total_token_usage: { total_tokens: 11 },
            last_token_usage: { input_tokens: 10, output_tokens: 1, total_tokens: 11 },
          },
        }),
        at(160, 'response_item', message('user', 'Two.')),
        at(161, 'response_item', message('assistant', 'Second.')),
        at(162, 'event_msg', {
          type: 'token_count',
          info: {
            total_token_usage: { total_tokens: 33 },
            last_token_usage: { input_tokens: 20, output_tokens: 2, total_tokens: 22 },
          },
        }),
      ]),
    );
    assert.equal(opened.transcript.sessionId, 'child');
    assert.deepEqual(contextsOf(opened), [
      ['system: You are Codex.', 'user: One.', 'assistant: First.', 'user: Two.'],
    ]);
    assert.deepEqual(
      [...opened.transcript.blocks].flatMap(({ inherited, label }) => (inherited === true ? [label] : [])),
      ['One.', 'First.'],
    );
    assert.deepEqual(totalUsage(opened.transcript), {
      input: 20,
      cacheRead: 0,
      cacheWrite: 0,
      output: 2,
      reasoning: 0,
    });
  });

  for (const hasParentsHeader of [true, false]) {
    const copied = hasParentsHeader ? 'the copied history' : 'the last turns, copied without their header,';
    it(`believes the header of a subagent about where ${copied} ends`, async () => {
      const message = (role: string, text: string): unknown => ({
        type: 'message',
        role,
        content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
      });
      const usage = (id: string, input: number): unknown => ({
        response_id: id,
        usage: { input_tokens: input, output_tokens: 1, total_tokens: input + 1 },
      });
      const records: readonly (readonly [milliseconds: number, type: string, payload: unknown])[] = [
        [
          0,
          'session_meta',
          {
            id: 'child',
            forked_from_id: 'parent',
            history_mode: 'paginated',
            subagent_history_start_ordinal: hasParentsHeader ? 5 : 4,
          },
        ],
        ...(hasParentsHeader
          ? [[0, 'session_meta', { id: 'parent', history_mode: 'paginated' }] as const]
          : []),
        // Copying may take longer than a second, and the own history may begin at once.
        [3_000, 'response_item', message('user', 'One.')],
        [3_000, 'response_item', message('assistant', 'First.')],
        [3_000, 'token_usage_record', usage('parents', 10)],
        [3_000, 'response_item', message('user', 'Two.')],
        [3_001, 'response_item', message('assistant', 'Second.')],
        [3_002, 'token_usage_record', usage('own', 20)],
      ];
      const { transcript } = await openTranscriptBytes(
        jsonLines(
          records.map(([milliseconds, type, payload], ordinal) => ({
            timestamp: new Date(Date.UTC(2026, 2, 1, 8) + milliseconds).toISOString(),
            ordinal,
            type,
            payload,
          })),
        ),
      );
      assert.equal(transcript.sessionId, 'child');
      assert.deepEqual(
        [...transcript.blocks].flatMap(({ inherited, label }) => (inherited === true ? [label] : [])),
        ['One.', 'First.'],
      );
      assert.equal(totalUsage(transcript).input, 20);
    });
  }

  it('tells a window that starts without a summary from a compaction', async () => {
    const prompt = {
      type: 'message',
      role: 'user',
      content: [{ type: 'input_text', text: '<environment_context>' }],
    };
    const summary = { type: 'compaction', encrypted_content: 'gAAAAB' };
    const compacted = (...items: object[]): unknown =>
      line('compacted', { message: '', replacement_history: items });
    const { transcript } = await openTranscriptBytes(
      jsonLines([
        header('t1'),
        turn,
        said('user', 'Count.'),
        said('assistant', 'One.'),
        compacted(prompt),
        said('assistant', 'Two.'),
        compacted(prompt, summary),
        said('assistant', 'Three.'),
      ]),
    );
    assert.deepEqual(
      transcript.compactions.map(({ request, isReset }) => [request, isReset]),
      [
        [1, true],
        [2, undefined],
      ],
    );
  });

  it('has the answers that Codex sends for calls without a recorded one', async () => {
    const opened = await openTranscriptBytes(
      jsonLines([
        header('t1'),
        turn,
        said('user', 'Count.'),
        call('c1', 'wc a'),
        call('c2', 'wc b'),
        output('c1', '1'),
        said('user', 'Go on.'),
        said('assistant', 'Done.'),
      ]),
    );
    assert.deepEqual(contextOf(opened, 1).slice(2), [
      'assistant: {"cmd":"wc a"}',
      'assistant: {"cmd":"wc b"}',
      'tool: aborted',
      'tool: 1',
      'user: Go on.',
    ]);
    assert.deepEqual(problemsOf(opened.transcript), {});
  });

  it('calls no request complete to a model whose tools are not recorded', async () => {
    const tools = item({
      type: 'additional_tools',
      role: 'developer',
      tools: [
        { type: 'namespace', name: 'functions', description: '', tools: [{ type: 'custom', name: 'exec' }] },
      ],
    });
    const to = (model: string): unknown => line('turn_context', { model });
    const asked = (id: string, input: number): unknown[] => [
      said('user', `Question ${id}`),
      said('assistant', `Answer ${id}`),
      line('token_usage_record', {
        response_id: id,
        usage: { input_tokens: input, cached_input_tokens: 0, output_tokens: 5, total_tokens: input + 5 },
      }),
    ];
    const { transcript } = await openTranscriptBytes(
      jsonLines([
        header('t1'),
        tools,
        to('gpt-5.6-sol'),
        ...asked('r1', 100),
        ...asked('r2', 110),
        to('gpt-5.4'),
        ...asked('r3', 900),
        ...asked('r4', 910),
        tools,
        to('gpt-5.6-sol'),
        ...asked('r5', 200),
      ]),
    );
    assert.deepEqual(
      transcript.requests.map(({ complete }) => complete),
      [true, true, false, false, true],
    );
  });

  describe('a fork without a copy of its history', () => {
    const recorded = (ordinal: number, type: string, payload: object): object => ({
      timestamp: new Date(Date.UTC(2026, 2, 1, 8) + ordinal * 1_000).toISOString(),
      ordinal,
      type,
      payload,
    });
    const spoken = (ordinal: number, role: string, text: string): object =>
      recorded(ordinal, 'response_item', {
        type: 'message',
        role,
        content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
      });
    const used = (ordinal: number, id: string, input: number): object =>
      recorded(ordinal, 'token_usage_record', {
        response_id: id,
        usage: { input_tokens: input, cached_input_tokens: 0, output_tokens: 1, total_tokens: input + 1 },
      });
    const head = (ordinal: number, id: string, base?: object): object =>
      recorded(ordinal, 'session_meta', {
        id,
        timestamp: new Date(Date.UTC(2026, 2, 1, 8) + ordinal * 1_000).toISOString(),
        base_instructions: { text: 'You are Codex.' },
        ...(base === undefined ? {} : { forked_from_id: stringAt(base, 'thread_id'), history_base: base }),
      });
    const first = [
      head(0, 't-one'),
      spoken(1, 'user', 'One.'),
      spoken(2, 'assistant', 'First.'),
      used(3, 'r1', 10),
      recorded(4, 'compacted', { message: '', replacement_history: [] }),
      spoken(5, 'user', 'Again.'),
      spoken(6, 'assistant', 'First again.'),
      spoken(7, 'user', 'Not in the fork.'),
    ];
    const second = [
      head(7, 't-two', {
        thread_id: 't-one',
        end_ordinal_exclusive: 7,
        end_byte_offset: lengthOf(first.slice(0, 7)),
      }),
      spoken(8, 'user', 'Two.'),
      spoken(9, 'assistant', 'Second.'),
      used(10, 'r2', 20),
    ];
    const third = [
      head(11, 't-three', {
        thread_id: 't-two',
        end_ordinal_exclusive: 11,
        end_byte_offset: lengthOf(second),
      }),
      spoken(12, 'user', 'Three.'),
      spoken(13, 'assistant', 'Third.'),
      used(14, 'r3', 30),
    ];
    const files: Readonly<Record<string, readonly unknown[]>> = {
      './rollout-2026-03-01T08-00-07-t-two.jsonl': second,
      '../../../2026/02/28/rollout-2026-02-28T23-00-00-t-one.jsonl': first,
    };
    const beside = (without = ''): SiblingFiles => {
      const paths = Object.keys(files).filter(path => without === '' || !path.includes(without));
      return {
        fileName: 'rollout-2026-03-01T08-00-11-t-three.jsonl',
        folders: ['01', '03', '2026', 'sessions'],
        read: path =>
          Promise.resolve(
            paths.includes(path) ? new TextEncoder().encode(jsonLines(files[path] ?? [])) : undefined,
          ),
        list: folder =>
          Promise.resolve([
            ...new Set(
              paths.flatMap(path =>
                path.startsWith(`${folder}/`) ? [path.slice(folder.length + 1).split('/')[0] ?? ''] : [],
              ),
            ),
          ]),
      };
    };

    it('begins with what the other files have up to the fork, through several forks', async () => {
      const { transcript, texts } = await openTranscriptBytes(jsonLines(third), { siblings: beside() });
      assert.deepEqual(contextsOf({ transcript, texts }), [
        [
          'system: You are Codex.',
          'user: Again.',
          'assistant: First again.',
          'user: Two.',
          'assistant: Second.',
          'user: Three.',
        ],
      ]);
      const inherited = [...transcript.blocks].map(block => block.inherited === true);
      assert.deepEqual(
        texts.filter((_, block) => inherited[block]),
        ['One.', 'First.', 'Again.', 'First again.', 'Two.', 'Second.'],
      );
      assert.deepEqual(totalUsage(transcript), {
        input: 30,
        cacheRead: 0,
        cacheWrite: 0,
        output: 1,
        reasoning: 0,
      });
      assert.deepEqual(transcript.compactions, []);
      assert.deepEqual(problemsOf(transcript), {});
      assert.equal(transcript.title, 'Three.');
    });

    it('finds files that Codex archived or packed', async () => {
      const sessions = mkdtempSync(join(tmpdir(), 'codex-fork-'));
      try {
        const folder = join(sessions, 'sessions/2026/03/01');
        const archive = join(sessions, 'archived_sessions');
        mkdirSync(folder, { recursive: true });
        mkdirSync(archive);
        const path = join(folder, 'rollout-2026-03-01T08-00-11-t-three.jsonl');
        writeFileSync(path, jsonLines(third));
        writeFileSync(join(archive, 'rollout-2026-02-28T23-00-00-t-one.jsonl'), jsonLines(first));
        writeFileSync(
          join(folder, 'rollout-2026-03-01T08-00-07-t-two.jsonl.zst'),
          zstdCompressSync(jsonLines(second)),
        );
        const { transcript } = await openTranscriptBytes(jsonLines(third), {
          siblings: siblingFilesOf(path),
        });
        assert.deepEqual(problemsOf(transcript), {});
        assert.deepEqual(
          transcript.requests.map(({ length }) => length),
          [6],
        );
      } finally {
        rmSync(sessions, { recursive: true });
      }
    });

    it('names the number of records that are in no file', async () => {
      const withoutFirst = await openTranscriptBytes(jsonLines(third), { siblings: beside('t-one') });
      assert.deepEqual(problemsOf(withoutFirst.transcript), { missingHistory: 7 });
      const [gap] = withoutFirst.transcript.problems;
      assert.equal(gap?.bytes, lengthOf(first.slice(0, 7)));
      const alone = await openTranscriptBytes(jsonLines(third));
      assert.deepEqual(problemsOf(alone.transcript), { missingHistory: 11 });
      assert.equal(alone.transcript.problems[0]?.bytes, lengthOf(second));
      assert.deepEqual(contextsOf(alone), [['system: You are Codex.', 'user: Three.']]);
      assert.deepEqual(
        alone.transcript.requests.map(({ complete }) => complete),
        [false],
      );
    });
  });

  it('reads the bare lines of the first era', async () => {
    const opened = await openTranscriptBytes(
      jsonLines([
        { id: 'b1', timestamp: '2025-07-01T10:00:00.000Z', instructions: null, git: {} },
        { record_type: 'state' },
        {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: '<environment_context>\n/repo' }],
        },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'List.' }] },
        {
          type: 'local_shell_call',
          call_id: 's1',
          action: { type: 'exec', command: ['ls', '-l'] },
        },
        { type: 'function_call_output', call_id: 's1', output: '{"output":"a","metadata":{"exit_code":0}}' },
        { record_type: 'state' },
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'One file.' }] },
      ]),
    );
    assert.equal(opened.transcript.format, 'codex');
    assert.deepEqual(contextOf(opened, 1), [
      'user: <environment_context>\n/repo',
      'user: List.',
      'assistant: {"type":"exec","command":["ls","-l"]}',
      'tool: {"output":"a","metadata":{"exit_code":0}}',
    ]);
    assert.deepEqual(leftOutOf(opened.transcript), { 'header record': 1, 'state record': 2 });
  });

  it('unpacks what Codex packed, and says so when the pack is damaged', async () => {
    const packed = Buffer.from(packedRollout, 'base64');
    const opened = await openTranscriptBytes(packed);
    assert.deepEqual(contextsOf(opened), [['system: You are Codex.', 'user: Count the fjords.']]);
    await assert.rejects(openTranscriptBytes(packed.subarray(0, packed.length - 40)), /Zstandard/);
  });

  it('survives lines that hold anything', async () => {
    const opened = await openTranscriptBytes(
      jsonLines([
        header('t5'),
        line('response_item', {}),
        line('response_item', { type: 'message', role: 'user', content: 7 }),
        line('response_item', { type: 'reasoning', summary: 'none' }),
        line('response_item', { type: 'hologram', shape: [1] }),
        line('response_item', { type: 'function_call' }),
        line('response_item', { type: 'function_call_output', call_id: 3, output: { a: 1 } }),
        line('event_msg', { type: 'token_count', info: null }),
        line('compacted', {}),
        line('token_usage_record', {}),
        line('event_msg', { type: 'thread_rolled_back', num_turns: -3 }),
        { timestamp: 'never', type: 'tomorrow', payload: {} },
        { payload: {} },
        {},
        [1],
        'text',
      ]),
    );
    assert.ok(
      [...opened.transcript.blocks].some(({ label, kind }) => label === 'hologram' && kind === 'other'),
    );
    assert.deepEqual(problemsOf(opened.transcript), { unknownRecord: 4 });
  });

  it('opens every sample and adds up to the totals that Codex kept', async test => {
    const folder = sharedFolder(test, 'samples/codex');
    if (folder === undefined) {
      return;
    }
    for (const name of readdirSync(folder)) {
      const opened = await openTranscriptBytes(readUnpacked(join(folder, name)));
      assert.equal(opened.transcript.format, 'codex', name);
      assert.deepEqual(problemsOf(opened.transcript), {}, name);
      const totals: unknown = readJsonLines(join(folder, name))
        .map(record => objectAt(objectAt(objectAt(record, 'payload'), 'info'), 'total_token_usage'))
        .findLast(total => total !== undefined);
      const used = totalUsage(opened.transcript);
      assert.deepEqual(
        [used.input + used.cacheRead, used.cacheRead, used.output, used.reasoning],
        ['input_tokens', 'cached_input_tokens', 'output_tokens', 'reasoning_output_tokens'].map(key =>
          countAt(totals, key),
        ),
        name,
      );
    }
  });
});

describe('codex exec --json', () => {
  it('reads completed items once, with calls and their answers', async () => {
    const done = (payload: object): unknown => ({ type: 'item.completed', item: payload });
    const opened = await openTranscriptBytes(
      jsonLines([
        { type: 'thread.started', thread_id: 't1' },
        { type: 'turn.started' },
        done({ id: 'i0', type: 'reasoning', text: 'Look first.' }),
        { type: 'item.started', item: { id: 'i1', type: 'command_execution', command: 'ls' } },
        done({
          id: 'i1',
          type: 'command_execution',
          command: 'ls',
          aggregated_output: 'a.txt',
          exit_code: 2,
        }),
        done({ id: 'i2', type: 'file_change', changes: [{ path: '/repo/a.txt', kind: 'update' }] }),
        done({
          id: 'i3',
          type: 'collab_tool_call',
          tool: 'spawn_agent',
          prompt: 'Help.',
          receiver_thread_ids: ['t2'],
        }),
        done({ id: 'i4', type: 'agent_message', text: 'Done.' }),
        done({ id: 'i5', type: 'error', message: 'late' }),
        { type: 'turn.completed', usage: { input_tokens: 10, cached_input_tokens: 0, output_tokens: 2 } },
      ]),
    );
    assert.equal(opened.transcript.format, 'codex-exec');
    assert.equal(opened.transcript.sessionId, 't1');
    assert.deepEqual(contextsOf(opened), [
      [],
      ['assistant: Look first.', 'assistant: ls', 'tool: a.txt'],
      [
        'assistant: Look first.',
        'assistant: ls',
        'tool: a.txt',
        'assistant: [{"path":"/repo/a.txt","kind":"update"}]',
        'assistant: Help.',
        'tool: ',
      ],
    ]);
    assert.equal(opened.transcript.blocks.at(2)?.isError, true);
    assert.deepEqual(opened.transcript.subagents, [{ id: 't2', callId: 'i3', description: 'Help.' }]);
    assert.deepEqual(leftOutOf(opened.transcript), {
      'thread.started record': 1,
      'turn.started record': 1,
      'item.started record': 1,
      'error item': 1,
      'turn.completed record with the usage of several requests': 1,
    });
  });

  it('opens every recorded stream', async test => {
    const folder = sharedFolder(test, 'agent-runs/codex/0.169.0');
    if (folder === undefined) {
      return;
    }
    for (const name of readdirSync(folder)) {
      for (const stream of readdirSync(join(folder, name, 'streams'))) {
        const path = join(folder, name, 'streams', stream);
        const opened = await openTranscriptBytes(readUnpacked(path));
        assert.equal(opened.transcript.format, 'codex-exec', path);
        assert.deepEqual(problemsOf(opened.transcript), {}, path);
        const completed: unknown[] = readJsonLines(path).filter(
          record =>
            stringAt(record, 'type') === 'item.completed' &&
            stringAt(member(record, 'item'), 'type') !== 'error',
        );
        assert.equal(opened.transcript.requests.flatMap(({ reply }) => reply).length, completed.length, path);
      }
    }
  });
});

/** Three lines of a rollout: header, prompt and answer. */
const packedRollout =
  'KLUv/QRoTQcAQo8tHlBvc5OfWbG3tIggqjwkjzZl3JTByDb5GnC6M+VCDYA5G/PrbWURPcF+rdkxt6cxvziScAJpVtJNvwkeFNRT' +
  'fI7B3m/7Qbk8UaC8+kYa80rS9oORVzqAOefXZSN4aFa2ZoKKs/dlmx90/Zhk83PQcnNcXZcSnKVnl1uBHAXGlYKzR5aHutNnj9wz' +
  '7FGDFEyLV2+9EvSgY14++0ZMX32hqkuVqTKDJhwNDDRQePQ5e5Ra80qunwkSIFDCUvix3oBRuZcuq4RPvguaKE4dWoKghS8QgcoN' +
  'c0HtrtNw+MIZ9MLgOqdVKaIz7cbr';
