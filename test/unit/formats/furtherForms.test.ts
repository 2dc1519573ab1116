import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import initSqlJs from 'sql.js/dist/sql-wasm-inline.js';
import { decoderTools } from '../../../src/node/databases/database';
import { droidExec } from '../../fixtures/agents';
import { inspectChunks } from '../../fixtures/formats';
import { contextsOf, jsonLines, openTranscriptBytes, problemsOf } from '../../fixtures/openedTranscript';
import { shared, skipWithout } from '../../fixtures/sharedFiles';
import * as trajectories from '../../fixtures/trajectories';

describe('droid exec', () => {
  it('makes one reply of the records with one message id', async () => {
    const opened = await openTranscriptBytes(jsonLines(droidExec));
    const { transcript } = opened;
    assert.equal(transcript.format, 'droid-exec');
    const prompt = 'user: Where is the bug?';
    assert.deepEqual(contextsOf(opened), [
      [prompt],
      [prompt, 'assistant: I look.', 'assistant: {"file_path":"order.py"}', 'tool: total = price'],
    ]);
    assert.deepEqual(
      transcript.requests.map(({ id, model, reply }) => [id, model, reply.length]),
      [
        ['m2', 'claude-sonnet-4-5', 2],
        ['m4', 'claude-sonnet-4-5', 1],
      ],
    );
  });

  it('gives the usage of the whole run to its only request', async () => {
    const [head, user, , , , reply, last] = droidExec;
    const { transcript } = await openTranscriptBytes(
      jsonLines([head, user, reply, { ...last, usage: { input_tokens: 10, output_tokens: 2 } }]),
    );
    assert.equal(transcript.requests[0]?.usage?.input, 10);
  });
});

describe('a SWE-agent trajectory', () => {
  it('may hold only what was said', async () => {
    const opened = await openTranscriptBytes(
      JSON.stringify({
        history: [
          { role: 'system', content: 'You fix bugs.', agent: 'main' },
          { role: 'user', content: 'Fix it.', agent: 'main' },
          { role: 'assistant', content: 'I look.', thought: 'I look.', action: 'ls', agent: 'main' },
        ],
        info: { exit_status: 'submitted' },
      }),
    );
    assert.equal(opened.transcript.format, 'swe-agent');
    assert.deepEqual(contextsOf(opened), [['system: You fix bugs.', 'user: Fix it.']]);
  });
});

describe('an Inspect log in chunks', () => {
  it('is joined to whole samples, its events in the order of their numbers', async () => {
    const opened = await openTranscriptBytes(inspectChunks(trajectories.inspectChunks));
    const { transcript } = opened;
    assert.equal(transcript.format, 'inspect-log');
    assert.equal(transcript.requests.length, 1);
    assert.ok(contextsOf(opened)[0]?.includes(`user: ${trajectories.attachedText}`));
    assert.deepEqual(transcript.requests[0]?.usage, {
      input: 200,
      cacheRead: 300,
      cacheWrite: 0,
      output: 20,
    });
    assert.deepEqual(problemsOf(transcript), {});
  });

  it(
    'is read from a real archive',
    { skip: skipWithout('samples', 'inspect', 'chunked-log_read_sample.eval') },
    async () => {
      const { transcript } = await openTranscriptBytes(
        readFileSync(join(shared, 'samples', 'inspect', 'chunked-log_read_sample.eval')),
      );
      assert.deepEqual(
        transcript.requests.map(({ usage }) => usage),
        [{ input: 66, cacheRead: 0, cacheWrite: 0, output: 3 }],
      );
      assert.deepEqual(problemsOf(transcript), {});
    },
  );
});

describe('OpenHands', () => {
  it('reads the response and usage of a log of one call', async () => {
    const choice = { index: 0, message: { role: 'assistant', content: 'I look.' } };
    const opened = await openTranscriptBytes(
      JSON.stringify({
        messages: [{ role: 'user', content: 'Fix it.' }],
        tools: [],
        kwargs: { temperature: 0 },
        response: { id: 'r1', choices: [choice], usage: { prompt_tokens: 100, completion_tokens: 20 } },
        cost: 0.01,
        timestamp: 1_790_000_000.5,
      }),
    );
    const [request] = opened.transcript.requests;
    assert.deepEqual(request?.usage, { input: 100, cacheRead: 0, cacheWrite: 0, output: 20 });
    assert.equal(request.reply.length, 1);
  });

  const stats = (prompt: number, output: number, last: number): unknown => ({
    id: `s${prompt}`,
    source: 'environment',
    kind: 'ConversationStateUpdateEvent',
    key: 'stats',
    value: {
      usage_to_metrics: {
        default: {
          accumulated_token_usage: {
            model: 'minimax-m2.7',
            prompt_tokens: prompt,
            completion_tokens: output,
            cache_read_tokens: prompt / 2,
            per_turn_token: last,
          },
        },
      },
    },
  });
  const action = (id: string): unknown => ({
    id: `a-${id}`,
    source: 'agent',
    kind: 'ActionEvent',
    thought: [{ type: 'text', text: 'I look.' }],
    tool_name: 'terminal',
    tool_call_id: id,
    tool_call: { id, name: 'terminal', arguments: '{}' },
    llm_response_id: `r-${id}`,
  });

  it('takes the usage of calls from running totals, also of calls without a reply', async () => {
    const { transcript } = await openTranscriptBytes(
      jsonLines([
        stats(100, 10, 110),
        stats(300, 20, 210),
        action('c1'),
        stats(700, 50, 430),
        action('c2'),
        stats(1100, 60, 410),
      ]),
    );
    assert.deepEqual(
      transcript.requests.map(({ usage, reply, model }) => [
        usage?.input,
        usage?.output,
        reply.length,
        model,
      ]),
      [
        [50, 10, 0, 'minimax-m2.7'],
        [100, 10, 2, 'minimax-m2.7'],
        [200, 30, 2, 'minimax-m2.7'],
        [200, 10, 0, 'minimax-m2.7'],
      ],
    );
  });

  it('counts nothing of the calls before the file', async () => {
    const { transcript } = await openTranscriptBytes(
      jsonLines([stats(5000, 500, 110), stats(5100, 510, 110), action('c1')]),
    );
    assert.deepEqual(
      transcript.requests.map(({ usage }) => usage?.input),
      [50],
    );
  });

  it('reads a document with a list of runs as conversations', async () => {
    const event = { id: 0, source: 'user', message: 'Fix', action: 'message', args: { content: 'Fix it.' } };
    for (const key of ['history', 'trajectory']) {
      const run = { instance_id: 'shop-1', [key]: [event, { ...event, id: 1, source: 'agent' }] };
      const { transcript } = await openTranscriptBytes(JSON.stringify([run, run]));
      assert.equal(transcript.format, 'openhands');
      assert.equal(transcript.conversations.length, 2);
      assert.equal(transcript.requests.length, 2);
    }
  });

  it(
    'finds the usage of every call of a recorded session',
    { skip: skipWithout('samples', 'openhands', 'sdk-goal-events.jsonl') },
    async () => {
      const { transcript } = await openTranscriptBytes(
        readFileSync(join(shared, 'samples', 'openhands', 'sdk-goal-events.jsonl')),
      );
      const used = transcript.requests.flatMap(({ usage }) => usage ?? []);
      // The last running totals of the file.
      assert.equal(
        used.reduce((sum, { input, cacheRead }) => sum + input + cacheRead, 0),
        107_458,
      );
      assert.equal(
        used.reduce((sum, { output }) => sum + output, 0),
        1_347,
      );
    },
  );
});

describe('opencode', () => {
  it('reads a database whose messages are rows of session_message', async () => {
    const { Database } = await initSqlJs();
    const database = new Database();
    database.run(`CREATE TABLE session (id TEXT, title TEXT, time_updated INTEGER);
      CREATE TABLE message (id TEXT, session_id TEXT, time_created INTEGER, data TEXT);
      CREATE TABLE part (id TEXT, message_id TEXT, session_id TEXT, data TEXT);
      CREATE TABLE session_message (id TEXT, session_id TEXT, type TEXT, time_created INTEGER, data TEXT);
      INSERT INTO session VALUES ('ses_1', 'Kept', 1);`);
    const rows = [
      ['user', { text: 'Where is the bug?', time: { created: 1 } }],
      [
        'assistant',
        {
          agent: 'build',
          model: { id: 'gpt-5.5', providerID: 'openai' },
          content: [
            { type: 'reasoning', id: 'r1', text: 'Look first.' },
            {
              type: 'tool',
              id: 'c1',
              name: 'read',
              state: {
                status: 'completed',
                input: { filePath: 'order.py' },
                content: [{ type: 'text', text: 'total = price' }],
              },
            },
          ],
          tokens: { input: 100, output: 20, reasoning: 5, cache: { read: 60, write: 0 } },
          finish: 'tool-calls',
          time: { created: 2, completed: 3 },
        },
      ],
      [
        'assistant',
        {
          model: { id: 'gpt-5.5', providerID: 'openai' },
          content: [{ type: 'text', id: 't1', text: 'In the sum.' }],
          tokens: { input: 150, output: 10, reasoning: 0, cache: { read: 100, write: 0 } },
          finish: 'stop',
          time: { created: 4, completed: 5 },
        },
      ],
    ] as const;
    rows.forEach(([type, data], index) => {
      database.run('INSERT INTO session_message VALUES (?, ?, ?, ?, ?)', [
        `msg_${index}`,
        'ses_1',
        type,
        index,
        JSON.stringify(data),
      ]);
    });
    const bytes = database.export();
    database.close();
    const opened = await openTranscriptBytes(bytes, { tools: decoderTools });
    const { transcript } = opened;
    const prompt = 'user: Where is the bug?';
    assert.deepEqual(contextsOf(opened), [
      [prompt],
      [prompt, 'assistant: Look first.', 'assistant: {"filePath":"order.py"}', 'tool: total = price'],
    ]);
    assert.deepEqual(
      transcript.requests.map(({ usage, model }) => [usage?.input, usage?.cacheRead, model]),
      [
        [100, 60, 'gpt-5.5'],
        [150, 100, 'gpt-5.5'],
      ],
    );
    assert.deepEqual(problemsOf(transcript), {});
  });
});
