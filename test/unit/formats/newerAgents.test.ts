import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as agents from '../../fixtures/newerAgents';
import {
  contextsOf,
  jsonLines,
  leftOutOf,
  openTranscriptBytes,
  problemsOf,
  type OpenedTranscript,
} from '../../fixtures/openedTranscript';

/** The content that the last request of a thread saw, and the reply. */
function lastOf({ transcript, texts }: OpenedTranscript, thread = 0): readonly string[] {
  const index = transcript.requests.findLastIndex(request => request.thread === thread);
  const reply = transcript.requests[index]?.reply ?? [];
  const context = contextsOf({ transcript, texts })[index] ?? [];
  return [...context, ...reply.map(number => `reply: ${texts[number] ?? ''}`)];
}

/** The tool of each result, and if it failed. */
function resultsOf({ transcript }: OpenedTranscript): readonly (readonly [string | undefined, boolean])[] {
  return [...transcript.blocks]
    .filter(({ kind }) => kind === 'toolResult')
    .map(({ toolName, isError }) => [toolName, isError === true]);
}

describe('Grok Build', () => {
  it('rebuilds what a compaction dropped, the compaction itself, and what followed', async () => {
    const siblings = agents.siblingsOf('chat_history.jsonl', agents.grokFiles);
    const opened = await openTranscriptBytes(jsonLines(agents.grokHistory), { siblings });
    const { requests, compactions, title, workingDirectory, leftOut } = opened.transcript;
    assert.deepEqual(
      [title, workingDirectory, problemsOf(opened.transcript)],
      ['The bug', '/shop', { unrecordedCalls: 2 }],
    );
    const contexts = contextsOf(opened).map(context => context.slice(2));
    const [first = [], second = [], attempt = [], again = [], reply = [], last = []] = contexts;
    assert.deepEqual(first, [
      'system: You are an agent.',
      'user: <user_info>\nWorkspace Path: /shop\n</user_info>',
      'user: <system-reminder>\nNo skills are available.\n</system-reminder>',
      'user: <user_query>\nWhere is the bug?\n</user_query>',
    ]);
    assert.deepEqual(second.slice(first.length), [
      'assistant: Hm. ',
      'assistant: I look.',
      'assistant: {"path":"."}',
      'tool: order.py',
    ]);
    assert.deepEqual(attempt, ['system: You are an agent.', 'user: Your task is to produce a summary.']);
    assert.deepEqual(again, attempt);
    assert.ok(!reply.some(text => text.includes('Break it')));
    assert.equal(reply[2], 'user: <user_query>\nRepair it\n</user_query>');
    assert.equal(last.length, reply.length + 7);
    assert.equal(contexts.length, 6);
    assert.ok(requests.every(({ complete }) => complete));
    assert.deepEqual(
      requests.map(({ timestamp = 0 }) => timestamp - 1_772_359_200_000),
      [2000, 5000, 7000, 7000, 12_000, 14_000],
    );
    assert.deepEqual(
      compactions.map(({ request, tokensBefore }) => [request, tokensBefore]),
      [[4, 900]],
    );
    assert.deepEqual(opened.transcript.subagents, [
      { id: 's2', description: 'Look around', totalTokens: 70 },
    ]);
    assert.equal(requests[5]?.usage?.cacheRead, 500);
    // Two calls answered the first prompt, and their sum is recorded: it is billed with the second.
    assert.equal(requests[0]?.usage, undefined);
    assert.deepEqual(
      requests[1]?.usage?.billing?.passes.map(({ kind, input, cacheRead, output }) => [
        ...[kind, input, cacheRead, output],
      ]),
      [['run', 400, 500, 40]],
    );
    assert.deepEqual(leftOut, []);
  });

  it('calls a request complete only if it was sent after the program was last started', async () => {
    const completeWith = async (files: Readonly<Record<string, unknown>>): Promise<readonly boolean[]> => {
      const siblings = agents.siblingsOf('chat_history.jsonl', files);
      const { transcript } = await openTranscriptBytes(jsonLines(agents.grokHistory), { siblings });
      return transcript.requests.map(({ complete }) => complete);
    };
    const { 'prompt_context.json': _, ...older } = agents.grokFiles;
    const started = { build_timestamp_utc: '2026-03-01T10:00:06.500Z' };
    assert.deepEqual(await completeWith({ ...older, 'prompt_context.json': started }), [
      ...[false, false],
      ...[true, true, true, true],
    ]);
    assert.deepEqual(await completeWith(older), [false, false, false, false, true, true]);
  });

  it('shows the calls and results that a compaction sends as in the requests before it', async () => {
    const files = {
      ...agents.grokFiles,
      'compaction_requests/q1.json': {
        created_at: '2026-03-01T10:00:16.000Z',
        model: 'grok-4.5',
        chat_history: [...agents.grokHistory, { type: 'user', content: [{ type: 'text', text: 'Sum up.' }] }],
      },
    };
    const siblings = agents.siblingsOf('chat_history.jsonl', files);
    const { transcript } = await openTranscriptBytes(jsonLines(agents.grokHistory), { siblings });
    // The compaction is the third, in the place of the recorded one.
    const [compaction = [], , last = []] = transcript.requests
      .slice(2)
      .map(({ context, length }) =>
        (transcript.contexts[context] ?? [])
          .slice(0, length)
          .map(each => transcript.blocks.at(each)?.toolName),
      );
    assert.equal(last.length, 13);
    assert.deepEqual(compaction.slice(0, last.length), last);
  });

  it('says that something is missing where the record of a compaction is gone', async () => {
    const files: Readonly<Record<string, unknown>> = { ...agents.grokFiles, 'compaction/segment_000.md': '' };
    const siblings = agents.siblingsOf('chat_history.jsonl', files);
    const opened = await openTranscriptBytes(jsonLines(agents.grokHistory), { siblings });
    assert.deepEqual(
      opened.transcript.requests.map(({ complete }) => complete),
      [false, false, true, true, true, true],
    );
    assert.deepEqual(problemsOf(opened.transcript), { missingRequestContent: 1, unrecordedCalls: 2 });
    assert.equal(contextsOf(opened)[0]?.at(-1), 'user: <user_query>\nWhere is the bug?\n</user_query>');
  });
});

describe('Kiro CLI', () => {
  it('reads a session with its model, and usage where a prompt has one call', async () => {
    const siblings = agents.siblingsOf('s1.jsonl', agents.kiroFiles);
    const opened = await openTranscriptBytes(jsonLines(agents.kiroRecords), { siblings });
    const { requests, title, sessionId, workingDirectory } = opened.transcript;
    assert.deepEqual([title, sessionId, workingDirectory], ['The bug', 's1', '/shop']);
    assert.deepEqual(lastOf(opened), [
      'user: Where is the bug?',
      'assistant: I look.',
      'assistant: {"path":"order.py"}',
      'tool: none\n{"code":1}',
      'assistant: In the sum.',
      'user: Thanks',
      'reply: Bye.',
    ]);
    assert.deepEqual(resultsOf(opened), [['fs_read', true]]);
    assert.deepEqual(
      requests.map(({ model, usage }) => [model, usage?.input, usage?.cacheRead]),
      [
        ['claude-sonnet-4.5', undefined, undefined],
        ['claude-sonnet-4.5', undefined, undefined],
        ['claude-sonnet-4.5', 400, 500],
      ],
    );
    assert.deepEqual(problemsOf(opened.transcript), { unknownRecord: 1 });
    assert.deepEqual(leftOutOf(opened.transcript), {
      'metadata record': 1,
      "a prompt's credits, or its token counts together": 1,
    });
  });
});

describe('a session of lines with files beside', () => {
  it('is recognised by a first record that is longer than the part of a file that is looked at', async () => {
    const [first, ...others] = agents.kiroRecords;
    const text = 'A long paste. '.repeat(30_000);
    const data = { message_id: 'm1', content: [{ kind: 'text', data: text }] };
    const opened = await openTranscriptBytes(jsonLines([{ ...first, data }, ...others]));
    assert.equal(opened.transcript.format, 'kiro-session');
    assert.ok(lastOf(opened)[0]?.includes(text));
  });

  it('is none that is nested too deeply for the parser of cut texts', async () => {
    const deep = `{"version":"v1","kind":"Prompt","data":${'{"content":'.repeat(60_000)}`;
    await assert.rejects(openTranscriptBytes(Buffer.from(deep)), { message: /nested too deeply/ });
  });
});

describe('Mistral Vibe', () => {
  it('reads messages with the prompt and the tools of the file beside', async () => {
    const siblings = agents.siblingsOf('messages.jsonl', agents.vibeFiles);
    const opened = await openTranscriptBytes(jsonLines(agents.vibeMessages), { siblings });
    const { requests, blocks, workingDirectory } = opened.transcript;
    assert.equal(workingDirectory, '/shop');
    assert.deepEqual(
      [...blocks].map(({ kind }) => kind),
      [
        'toolSchema',
        'systemPrompt',
        'prompt',
        'image',
        'thinking',
        'assistant',
        'toolCall',
        'toolResult',
        'injected',
        'assistant',
      ],
    );
    assert.equal(lastOf(opened).at(-1), 'reply: In the sum.');
    assert.ok(requests.every(({ complete, model }) => complete && model === 'devstral'));
    assert.deepEqual(resultsOf(opened), [['read_file', false]]);
  });

  it('reads them alone where the other file is gone', async () => {
    const opened = await openTranscriptBytes(jsonLines(agents.vibeMessages));
    assert.equal(opened.transcript.format, 'mistral-vibe');
    assert.ok(opened.transcript.requests.every(({ complete }) => !complete));
  });
});

describe('Continue', () => {
  it('makes requests as Continue does: attachments before words, outputs of calls after them', async () => {
    const opened = await openTranscriptBytes(JSON.stringify(agents.continueSession));
    const { requests, compactions, workingDirectory } = opened.transcript;
    assert.equal(workingDirectory, '/shop');
    assert.deepEqual(contextsOf(opened)[1], [
      'user: ```\nsum = 1\n```\n',
      'user: Where is the bug?',
      'assistant: Hm.',
      'assistant: {"query":"sum"}',
      'tool: order.py:1\n\norder.py:2',
      'tool: The user cancelled this tool call.',
    ]);
    assert.deepEqual(contextsOf(opened)[2]?.slice(0, 2), ['user: The bug is in the sum.', 'user: Repair it']);
    assert.deepEqual(
      compactions.map(({ request }) => request),
      [2],
    );
    assert.deepEqual([requests[0]?.usage?.input, requests[0]?.usage?.cacheRead], [400, 500]);
    assert.deepEqual(leftOutOf(opened.transcript), {
      "a prompt's log, which repeats the conversation": 1,
      'a message that is not sent again': 2,
      'token counts of the whole session': 1,
    });
  });
});

describe("Entire's checkpoints", () => {
  it('sends the results in the calls after the reply', async () => {
    const opened = await openTranscriptBytes(jsonLines(agents.entire));
    assert.equal(opened.transcript.agent.name, 'claude-code');
    assert.deepEqual(lastOf(opened), [
      'user: Where is the bug?',
      'assistant: I look.',
      'assistant: {"file_path":"order.py"}',
      'assistant: {"file_path":"none"}',
      'tool: sum = 1',
      'tool: no such file',
      'assistant: {"command":"ls"}',
      'tool: order.py',
      'reply: In the sum.',
    ]);
    assert.deepEqual(resultsOf(opened), [
      ['Read', false],
      ['Read', true],
      ['Bash', false],
    ]);
    assert.equal(opened.transcript.requests[0]?.usage?.output, 40);
  });

  it('takes lines with one id as one reply, and a summary at the start for a compaction', async () => {
    const line = (type: string, rest: object) => ({
      v: 1,
      agent: 'claude-code',
      cli_version: '0.8.42',
      type,
      ...rest,
    });
    const part = (text: string, output: number) =>
      line('assistant', {
        id: 'msg_1',
        input_tokens: 5_000,
        output_tokens: output,
        content: [{ type: 'text', text }],
      });
    const opened = await openTranscriptBytes(
      jsonLines([
        line('user', {
          content: [
            { text: 'This session is being continued from a previous conversation. Birds were counted.' },
          ],
        }),
        part('Part 1.', 10),
        part('Part 2.', 282),
        line('user', { content: [{ text: 'And now?' }] }),
      ]),
    );
    const { requests, compactions } = opened.transcript;
    assert.deepEqual(
      requests.map(({ usage, reply }) => [usage?.input, usage?.output, reply.length]),
      [[5_000, 282, 2]],
    );
    assert.deepEqual(
      compactions.map(({ kind, request }) => [kind, request]),
      [['compaction', 0]],
    );
  });
});

describe('Claude Managed Agents', () => {
  it('reads events as calls with their usage, without those of subagents', async () => {
    const opened = await openTranscriptBytes(jsonLines(agents.managedAgents));
    assert.deepEqual(lastOf(opened), [
      'user: Where is the bug?',
      'assistant: ',
      'assistant: I look.',
      'assistant: {"name":"sum"}',
      'tool: order.py',
      'user: It is the sum.',
      'reply: In the sum.',
    ]);
    const { requests, subagents } = opened.transcript;
    assert.deepEqual(
      requests.map(({ usage }) => [usage?.input, usage?.cacheWrite, usage?.output]),
      [
        [12, 30, 40],
        [12, 30, 40],
      ],
    );
    assert.deepEqual(resultsOf(opened), [['mcp__shop__find', true]]);
    assert.deepEqual(
      subagents.map(({ id, description }) => [id, description]),
      [['sthr_1', 'Reviewer']],
    );
  });

  it('reads the system prompt and the tools of a session', async () => {
    const opened = await openTranscriptBytes(JSON.stringify(agents.managedSession));
    assert.equal(opened.transcript.format, 'claude-managed-agents-list');
    assert.deepEqual(
      [...opened.transcript.blocks].slice(0, 2).map(({ kind }) => kind),
      ['toolSchema', 'systemPrompt'],
    );
    assert.equal(opened.transcript.requests[0]?.model, 'claude-sonnet-4-5');
  });
});

describe('Hermes Agent', () => {
  it('reads an older session with its tools', async () => {
    const opened = await openTranscriptBytes(jsonLines(agents.hermesLines));
    assert.equal(opened.transcript.requests[1]?.model, 'hermes-4');
    assert.deepEqual(lastOf(opened).slice(1), [
      'user: Where is the bug?',
      'assistant: Hm.',
      'assistant: I look.',
      'assistant: {"command":"ls"}',
      'tool: order.py',
      'reply: In the sum.',
    ]);
  });

  it('reads the log of one session, with its system prompt and tools', async () => {
    const opened = await openTranscriptBytes(JSON.stringify(agents.hermesSession));
    const { format, sessionId, workingDirectory, requests, leftOut } = opened.transcript;
    assert.deepEqual([format, sessionId, workingDirectory], ['hermes-session', 's1', '/shop']);
    assert.equal(requests[1]?.model, 'hermes-4');
    const [prompt, schema, ...said] = lastOf(opened);
    assert.equal(prompt, 'system: You are an agent.');
    assert.match(schema ?? '', /^system: .*terminal/);
    assert.deepEqual(said, [
      'user: Where is the bug?',
      'assistant: Hm.',
      'assistant: I look.',
      'assistant: {"command":"ls"}',
      'tool: order.py',
      'reply: In the sum.',
    ]);
    assert.equal(leftOut.length, 1);
  });
});

describe('Antigravity', () => {
  it('reads a trajectory with results in the order of their calls', async () => {
    const opened = await openTranscriptBytes(JSON.stringify(agents.antigravity));
    assert.equal(opened.transcript.format, 'antigravity');
    assert.deepEqual(lastOf(opened), [
      'user: Where is the bug?',
      'assistant: Hm.',
      'assistant: I look.',
      'assistant: {"path":"order.py"}',
      'assistant: {"command":"ls"}',
      'tool: sum = 1',
      'tool: order.py',
      'reply: In the sum.',
    ]);
    assert.deepEqual(resultsOf(opened), [
      ['view_file', false],
      ['run_command', false],
    ]);
    assert.equal(opened.transcript.requests[0]?.usage?.cacheRead, 500);
    assert.deepEqual(leftOutOf(opened.transcript), { 'a step of the interface': 1 });
  });

  it('reads its own transcript in the order of the steps', async () => {
    const source = agents.antigravityTranscript.map(record => JSON.stringify(record)).join('\n');
    const siblings = {
      ...agents.siblingsOf('transcript.jsonl', agents.antigravityFiles),
      folders: ['logs', '.system_generated', 'c0ffee'],
    };
    const opened = await openTranscriptBytes(source, { siblings });
    const { format, sessionId, title, requests, problems } = opened.transcript;
    assert.deepEqual([format, sessionId, title], ['antigravity-transcript', 'c0ffee', 'Where is the bug?']);
    assert.deepEqual(
      requests.map(({ model }) => model),
      ['Gemini 3.7 Flash (Medium)', 'Gemini 3.7 Flash (Medium)'],
    );
    assert.deepEqual(lastOf(opened).slice(1), [
      'user: Where is the bug?',
      'user: \n</USER_REQUEST>\n<USER_SETTINGS_CHANGE>\nThe user changed setting `Model Selection` from None to Gemini 3.7 Flash (Medium). No need to comment.\n</USER_SETTINGS_CHANGE>',
      'assistant: Hm.',
      'assistant: {"AbsolutePath":"/shop/order.py"}',
      'assistant: {"CommandLine":"ls","Cwd":"/shop"}',
      'tool: sum = 1',
      'tool: order.py',
      'user: Prefer short answers.',
      'reply: In the sum.',
    ]);
    assert.deepEqual(resultsOf(opened), [
      ['view_file', false],
      ['run_command', false],
    ]);
    assert.deepEqual(problems, []);
  });

  it('takes a checkpoint as a compaction of everything before it', async () => {
    const step = (step_index: number, type: string, content: string): unknown => ({
      step_index,
      source: type === 'PLANNER_RESPONSE' ? 'MODEL' : 'USER_EXPLICIT',
      type,
      status: 'DONE',
      created_at: '2026-07-01T10:00:00Z',
      content,
    });
    const own = await openTranscriptBytes(
      jsonLines([
        step(0, 'USER_INPUT', 'Where is the bug?'),
        step(1, 'PLANNER_RESPONSE', 'In the sum.'),
        step(2, 'CHECKPOINT', 'The bug is in the sum.'),
        step(3, 'USER_INPUT', 'Mend it.'),
        step(4, 'PLANNER_RESPONSE', 'Mended.'),
      ]),
    );
    const trajectory = await openTranscriptBytes(
      JSON.stringify({
        steps: [
          { type: 'CORTEX_STEP_TYPE_USER_INPUT', userInput: { userResponse: 'Where is the bug?' } },
          { type: 'CORTEX_STEP_TYPE_PLANNER_RESPONSE', plannerResponse: { response: 'In the sum.' } },
          { type: 'CORTEX_STEP_TYPE_CHECKPOINT', checkpoint: { sessionSummary: 'The bug is in the sum.' } },
          { type: 'CORTEX_STEP_TYPE_USER_INPUT', userInput: { userResponse: 'Mend it.' } },
          { type: 'CORTEX_STEP_TYPE_PLANNER_RESPONSE', plannerResponse: { response: 'Mended.' } },
        ],
      }),
    );
    for (const opened of [own, trajectory]) {
      assert.deepEqual(contextsOf(opened), [
        ['user: Where is the bug?'],
        ['user: The bug is in the sum.', 'user: Mend it.'],
      ]);
      assert.deepEqual(
        opened.transcript.compactions.map(({ kind, request }) => [kind, request]),
        [['compaction', 1]],
      );
    }
  });

  it('names a text that is cut in its own transcript', async () => {
    const source = agents.antigravityTranscript.map(record => JSON.stringify(record)).join('\n');
    const { transcript } = await openTranscriptBytes(source);
    assert.deepEqual(transcript.problems, [{ kind: 'cutText', line: 5, count: 1 }]);
  });
});

describe('nanocoder', () => {
  it('reads every reply as a request', async () => {
    const opened = await openTranscriptBytes(JSON.stringify(agents.nanocoder));
    const { format, title, workingDirectory, requests } = opened.transcript;
    assert.deepEqual([format, title, workingDirectory], ['nanocoder', 'The bug', '/shop']);
    assert.deepEqual(
      requests.map(({ model }) => model),
      ['qwen4-coder', 'qwen4-coder'],
    );
    assert.deepEqual(lastOf(opened), [
      'user: Where is the bug?',
      'assistant: Hm.',
      'assistant: I look.',
      'assistant: {"path":"order.py"}',
      'tool: sum = 1',
      'reply: In the sum.',
    ]);
    assert.deepEqual(resultsOf(opened), [['read_file', false]]);
  });
});

describe('gptme', () => {
  it('reads results and notes from its system messages', async () => {
    const opened = await openTranscriptBytes(jsonLines(agents.gptme));
    const { format, requests } = opened.transcript;
    assert.equal(format, 'gptme');
    assert.deepEqual(lastOf(opened), [
      'system: You are gptme.',
      'user: Where is the bug?',
      'assistant: I look.\n@shell(c1): {"command": "cat order.py"}',
      'tool: sum = 1',
      'user: The time is noon.',
      'reply: In the sum.',
    ]);
    assert.deepEqual(resultsOf(opened), [['shell', false]]);
    assert.deepEqual(
      requests.map(({ usage }) => [usage?.input, usage?.cacheRead, usage?.cacheWrite, usage?.cost]),
      [
        [20, 300, 10, 0.01],
        [20, 300, 10, undefined],
      ],
    );
  });

  it('leaves messages of others alone that have a time too', async () => {
    const others = agents.gptme.map(({ role, content, timestamp }) => ({ role, content, timestamp }));
    const { transcript } = await openTranscriptBytes(jsonLines(others));
    assert.equal(transcript.format, 'openai-chat-messages');
  });
});

describe('Qoder', () => {
  it('is named by the members that it adds, and its zeros are no counts', async () => {
    const { transcript } = await openTranscriptBytes(jsonLines(agents.qoder));
    const { format, agent, requests } = transcript;
    assert.deepEqual([format, agent.name], ['claude-code', 'Qoder']);
    assert.deepEqual(
      requests.map(({ usage }) => usage),
      [undefined],
    );
  });
});
