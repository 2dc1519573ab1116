import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { cutClineResult } from '../../../src/core/content/clineCut';
import type { SiblingFiles } from '../../../src/core/reading/format';
import {
  contextOf,
  contextsOf,
  leftOutOf,
  openTranscriptBytes,
  outlineOf,
  problemsOf,
  totalUsage,
} from '../../fixtures/openedTranscript';

const text = (words: string) => ({ type: 'text', text: words });

const history = [
  {
    role: 'user',
    ts: 10,
    content: [
      text('<task>\nWhen does it open?\n</task>'),
      text('<environment_details>\nnoon\n</environment_details>'),
    ],
  },
  { role: 'assistant', ts: 20, content: [text('<read_file><path>a.txt</path></read_file>')] },
  {
    role: 'user',
    ts: 30,
    content: [
      text("[read_file for 'a.txt'] Result:"),
      text('nine'),
      text('<environment_details>\nnoon\n</environment_details>'),
    ],
  },
  { role: 'assistant', ts: 40, content: [text('At nine.')] },
  { role: 'user', ts: 50, content: [text('and closes?')] },
  { role: 'assistant', ts: 60, content: [text('At six.')] },
];

const counts = (tokensIn: number) =>
  JSON.stringify({ request: 'x', tokensIn, tokensOut: 2, cacheWrites: 3, cacheReads: 4, cost: 0.1 });

const shown = [
  { ts: 9, type: 'say', say: 'task', text: 'When does it open?' },
  { ts: 15, type: 'say', say: 'api_req_started', text: counts(100) },
  { ts: 21, type: 'say', say: 'text', text: 'reading' },
  { ts: 35, type: 'say', say: 'api_req_started', text: counts(7) },
  { ts: 36, type: 'say', say: 'api_req_started', text: counts(200) },
  { ts: 51, type: 'say', say: 'api_req_started', text: counts(50), conversationHistoryDeletedRange: [1, 2] },
];

function beside(name: string, files: Record<string, unknown>): SiblingFiles {
  return {
    fileName: name,
    folders: [],
    read: path =>
      Promise.resolve(Object.hasOwn(files, path) ? Buffer.from(JSON.stringify(files[path])) : undefined),
    list: () => Promise.resolve([]),
  };
}

describe('Cline', () => {
  const files = { 'api_conversation_history.json': history, 'ui_messages.json': shown };
  const first = [
    'user: <task>\nWhen does it open?\n</task>',
    'user: <environment_details>\nnoon\n</environment_details>',
  ];

  it('reads the history with the token counts of the interface, from either file', async () => {
    for (const name of Object.keys(files)) {
      const content = name === 'ui_messages.json' ? shown : history;
      const opened = await openTranscriptBytes(JSON.stringify(content), { siblings: beside(name, files) });
      const { transcript } = opened;
      assert.equal(transcript.format, 'cline');
      assert.deepEqual(contextsOf(opened), [
        first,
        [
          ...first,
          'assistant: <read_file><path>a.txt</path></read_file>',
          "tool: [read_file for 'a.txt'] Result:",
          'tool: nine',
          first[1],
        ],
        [...first, 'assistant: At nine.', 'user: and closes?'],
      ]);
      assert.deepEqual(
        transcript.requests.map(({ usage }) => usage?.input),
        [100, 200, 50],
      );
      assert.equal(transcript.requests[0]?.usage?.cacheRead, 4);
      assert.deepEqual(
        transcript.compactions.map(({ request, trigger }) => [request, trigger]),
        [[2, 'truncation']],
      );
      assert.equal(leftOutOf(transcript)['token counts of a call in the interface'], 4);
      assert.deepEqual(problemsOf(transcript), {});
    }
  });

  it('tells results and details from what was typed', async () => {
    const opened = await openTranscriptBytes(JSON.stringify(history));
    assert.deepEqual(outlineOf(opened.transcript).slice(0, 6), [
      'user prompt history user',
      'user injected state system',
      'assistant assistant history developer',
      'tool toolResult history tool',
      'tool toolResult history tool',
      'user injected state system',
    ]);
    assert.equal(opened.transcript.blocks.at(4)?.toolName, 'read_file');
  });

  it('follows what Roo Code condensed', async () => {
    const opened = await openTranscriptBytes(
      JSON.stringify([
        { role: 'user', ts: 1, content: 'first', condenseParent: 'c1' },
        { role: 'assistant', ts: 2, content: [text('reply')], condenseParent: 'c1' },
        { role: 'user', ts: 3, content: [text('the story so far')], isSummary: true, condenseId: 'c1' },
        { role: 'user', ts: 4, content: 'next' },
        { role: 'assistant', ts: 5, content: [text('done')] },
        { type: 'reasoning', ts: 6, encrypted_content: 'x' },
      ]),
    );
    assert.equal(opened.transcript.agent.name, 'Roo Code');
    assert.deepEqual(contextsOf(opened), [['user: first'], ['user: the story so far', 'user: next']]);
    assert.deepEqual(leftOutOf(opened.transcript), { 'encrypted reasoning': 1 });
    assert.equal(opened.transcript.compactions[0]?.request, 1);
  });

  it('says that the messages are missing where only the interface is there, and shows its calls', async () => {
    const opened = await openTranscriptBytes(JSON.stringify(shown));
    const { transcript } = opened;
    assert.deepEqual(problemsOf(transcript), { missingRequestContent: 1 });
    assert.deepEqual(
      transcript.requests.map(({ usage, timestamp }) => [usage?.input, timestamp]),
      [
        [100, 15],
        [7, 35],
        [200, 36],
        [50, 51],
      ],
    );
    assert.deepEqual(totalUsage(transcript), {
      input: 357,
      cacheRead: 16,
      cacheWrite: 12,
      output: 8,
      reasoning: 0,
    });
    assert.deepEqual(contextsOf(opened), [
      ['user: When does it open?'],
      ...[1, 2, 3].map(() => ['user: When does it open?', 'assistant: reading']),
    ]);
  });
});

describe('the Cline CLI', () => {
  it('cuts a long result as it is sent', () => {
    // 8000 units including a note of 32 or 33: (8000 - 33) / 2 = 3983 are kept at each end of 20,000.
    const long = 'a'.repeat(10_000) + 'b'.repeat(10_000);
    assert.equal(
      cutClineResult(long),
      `${'a'.repeat(3983)}\n\n...[truncated 12034 chars]...\n\n${'b'.repeat(3983)}`,
    );
    assert.equal(cutClineResult('a'.repeat(8000)), 'a'.repeat(8000));
  });

  it('reads a session as it is sent', async () => {
    const long = 'x'.repeat(9000);
    const opened = await openTranscriptBytes(
      JSON.stringify({
        version: 1,
        sessionId: 's1',
        origin: { version: '3.0.65' },
        system_prompt: 'You are a clerk.',
        messages: [
          { id: 'a', role: 'user', ts: 1, content: [text('<user_input mode="act">open?</user_input>')] },
          {
            id: 'b',
            role: 'assistant',
            ts: 2,
            modelInfo: { id: 'small' },
            metrics: { inputTokens: 100, outputTokens: 5, cacheReadTokens: 60, cacheWriteTokens: 10 },
            content: [{ type: 'tool_use', id: 'c1', name: 'read_files', input: { files: [] } }],
          },
          {
            id: 'c',
            role: 'user',
            ts: 3,
            content: [
              {
                type: 'tool_result',
                tool_use_id: 'c1',
                name: 'read_files',
                content: [{ query: 'q', result: long, success: true }],
              },
            ],
          },
          { id: 'd', role: 'assistant', ts: 4, content: [text('At nine.')] },
        ],
      }),
    );
    assert.deepEqual(contextOf(opened, 0), ['system: You are a clerk.', 'user: open?']);
    assert.deepEqual(contextOf(opened, 1).slice(2), [
      'assistant: {"files":[]}',
      `tool: [{"query":"q","result":${JSON.stringify(cutClineResult(long))},"success":true}]`,
    ]);
    assert.deepEqual(totalUsage(opened.transcript), {
      input: 30,
      cacheRead: 60,
      cacheWrite: 10,
      output: 5,
      reasoning: 0,
    });
    assert.deepEqual(opened.transcript.agent, { name: 'Cline', versions: ['3.0.65'] });
    assert.equal(opened.transcript.requests[0]?.model, 'small');
  });
});

describe('the events of a run of the Cline CLI', () => {
  it('tells the agent from its subagent', async () => {
    const opened = await openTranscriptBytes(readFileSync('test/fixtures/cline-stream/run.jsonl'));
    const { transcript } = opened;
    assert.equal(transcript.format, 'cline-stream');
    assert.deepEqual(contextsOf(opened), [
      [],
      [],
      [
        'assistant: Hm.',
        'assistant: I ask – the owner.',
        'assistant: {"task":"Ask"}',
        'tool: {"text":"She sleeps long."}',
      ],
    ]);
    assert.deepEqual(
      transcript.requests.map(({ thread, model }) => [thread, model]),
      [
        [1, 'small'],
        [0, 'small'],
        [0, 'small'],
      ],
    );
    assert.deepEqual(transcript.subagents, [{ id: 'agent_2', thread: 1, callId: 'c1' }]);
    // 100 + 20 + 130 were sent, 60 + 100 of them from the cache.
    assert.deepEqual(totalUsage(transcript), {
      input: 90,
      cacheRead: 160,
      cacheWrite: 0,
      output: 12,
      reasoning: 0,
    });
    assert.deepEqual(problemsOf(transcript), { missingRequestContent: 2 });
  });
});
