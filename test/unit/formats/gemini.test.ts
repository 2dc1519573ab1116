import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import {
  contextOf,
  contextsOf,
  jsonLines,
  leftOutOf,
  openTranscriptBytes,
  outlineOf,
  problemsOf,
  readUnpacked,
  sharedFolder,
} from '../../fixtures/openedTranscript';

const header = { sessionId: 's1', projectHash: 'abc', startTime: '2026-05-01T10:00:00.000Z', kind: 'main' };
const context = '<session_context>\n- **Workspace Directories:**\n  - /repo';
const tokens = { input: 100, output: 10, cached: 40, thoughts: 5, tool: 0, total: 115 };
const user = (id: string, ...texts: string[]): unknown => ({
  id,
  type: 'user',
  content: texts.map(text => ({ text })),
});
const answer = (id: string, call: string, output: string): unknown => ({
  id,
  type: 'user',
  content: [{ functionResponse: { id: call, name: 'read_file', response: { output } } }],
});
const call = (id: string, output: string): unknown => ({
  id,
  name: 'read_file',
  args: { file_path: '/repo/a.txt' },
  result: [{ functionResponse: { id, name: 'read_file', response: { output } } }],
  description: 'Reads a file.',
});

describe('Gemini CLI chats', () => {
  it('replays the log: replaced lines, repeated history, masking and rewinding', async () => {
    const reply = { id: 'g1', type: 'gemini', model: 'gemini-3.8-flash', content: 'I look.', tokens };
    const thoughts = [{ subject: 'Plan', description: 'Read first.' }];
    const opened = await openTranscriptBytes(
      jsonLines([
        header,
        { $set: { messages: [user('u0', context)] } },
        user('u1', 'What is in a?'),
        { $set: { lastUpdated: '2026-05-01T10:00:01.000Z' } },
        { ...reply, thoughts },
        { ...reply, thoughts, toolCalls: [call('c1', 'apples')] },
        answer('u2', 'c1', 'apples'),
        { id: 'g2', type: 'gemini', model: 'gemini-3.8-flash', content: 'Apples.', tokens },
        // The history again under new ids, before it is replaced. It was never sent in a request.
        user('r1', context, 'What is in a?'),
        { id: 'r2', type: 'gemini', content: [{ text: 'I look.' }], tokens },
        {
          $set: {
            messages: [
              user('u0', context),
              user('u1', 'What is in a?'),
              {
                id: 'g1',
                type: 'gemini',
                content: [
                  { text: 'Plan Read first.', thought: true },
                  { text: 'I look.' },
                  { functionCall: { id: 'c1', name: 'read_file', args: { file_path: '/repo/a.txt' } } },
                ],
              },
              answer('g1', 'c1', '<tool_output_masked>\nSee /tmp/a.txt'),
              answer('u2', 'c1', '<tool_output_masked>\nSee /tmp/a.txt'),
              { id: 'g2', type: 'gemini', content: [{ text: 'Apples.' }] },
            ],
          },
        },
        user('u3', 'And now?'),
        { id: 'i1', type: 'info', content: 'Update available.' },
        { id: 'g3', type: 'gemini', model: 'gemini-3.8-flash', content: 'Nothing.', tokens },
        { $rewindTo: 'u3' },
        user('u4', 'Instead?'),
        { id: 'g4', type: 'gemini', model: 'gemini-3.8-flash', content: 'Pears.' },
      ]),
    );
    const { transcript } = opened;
    assert.equal(transcript.format, 'gemini-cli-log');
    assert.equal(transcript.title, 'What is in a?');
    assert.equal(transcript.workingDirectory, '/repo');
    const start = [`user: ${context}`, 'user: What is in a?'];
    const called = ['assistant: I look.', 'assistant: {"file_path":"/repo/a.txt"}'];
    const masked = 'tool: <tool_output_masked>\nSee /tmp/a.txt';
    const after = [...start, ...called, masked, masked, 'assistant: Apples.'];
    assert.deepEqual(contextsOf(opened), [
      start,
      [...start, ...called, 'tool: apples'],
      [...after, 'user: And now?'],
      [...after, 'user: Instead?'],
    ]);
    assert.deepEqual(outlineOf(transcript).slice(0, 6), [
      'user injected state system',
      'user prompt history user',
      'assistant thinking history developer',
      'assistant assistant history developer',
      'assistant toolCall history developer',
      'tool toolResult history tool',
    ]);
    // 100 of input with 40 cached; 10 of output and 5 of thoughts in addition.
    assert.deepEqual(transcript.requests[0]?.usage, {
      input: 60,
      cacheRead: 40,
      cacheWrite: 0,
      output: 15,
      reasoning: 5,
    });
    assert.deepEqual(
      transcript.requests.map(({ reply }) => reply.length),
      [3, 1, 1, 1],
    );
    assert.deepEqual(
      transcript.compactions.map(({ kind, request, contextLength }) => [kind, request, contextLength]),
      [['clearing', 2, 7]],
    );
    assert.deepEqual(leftOutOf(transcript), {
      'header record': 1,
      'change of the header': 1,
      'a repeated message': 1,
      'a repeated reply': 1,
      'info message': 1,
      rewind: 1,
    });
    assert.deepEqual(problemsOf(transcript), {});
  });

  it('marks a compression, whose summary stands in the first message', async () => {
    const opened = await openTranscriptBytes(
      jsonLines([
        header,
        user('u1', 'Long.'),
        { id: 'g1', type: 'gemini', model: 'm', content: 'Yes.' },
        {
          $set: {
            messages: [
              user('n1', context, '<state_snapshot>\nIt was long.'),
              { id: 'n2', type: 'gemini', content: [{ text: 'Got it. Thanks for the additional context!' }] },
            ],
          },
        },
        user('u2', 'On.'),
        { id: 'g2', type: 'gemini', model: 'm', content: 'On it.' },
      ]),
    );
    assert.deepEqual(contextOf(opened, 1), [
      `user: ${context}`,
      'user: <state_snapshot>\nIt was long.',
      'assistant: Got it. Thanks for the additional context!',
      'user: On.',
    ]);
    assert.deepEqual(
      opened.transcript.compactions.map(({ kind, request }) => [kind, request]),
      [['compaction', 1]],
    );
  });

  it('reads the document form, where results stand in the calls alone', async () => {
    const document = {
      ...header,
      messages: [
        { id: 'u1', type: 'user', content: 'What is in a?' },
        {
          id: 'g1',
          type: 'gemini',
          model: 'gemini-2.5-pro',
          content: '',
          tokens,
          toolCalls: [{ ...Object(call('c1', 'apples')), agentId: 'a1' }],
        },
        { id: 'g2', type: 'gemini', model: 'gemini-2.5-pro', content: 'Apples.' },
        { id: 'e1', type: 'error', content: 'quota' },
        { id: 'x1', type: 'surprise' },
      ],
    };
    const opened = await openTranscriptBytes(JSON.stringify(document, null, 2));
    assert.equal(opened.transcript.format, 'gemini-cli-chat');
    assert.deepEqual(contextsOf(opened), [
      ['user: What is in a?'],
      ['user: What is in a?', 'assistant: {"file_path":"/repo/a.txt"}', 'tool: apples'],
    ]);
    assert.deepEqual(opened.transcript.subagents, [{ id: 'a1', callId: 'c1', description: 'a.txt' }]);
    assert.deepEqual(leftOutOf(opened.transcript), { 'error message': 1, 'a record of an unknown kind': 1 });
    assert.deepEqual(problemsOf(opened.transcript), { unknownRecord: 1 });
  });

  it('reads checkpoints, bare and wrapped', async () => {
    const contents = [
      { role: 'user', parts: [{ text: 'Look.' }, { inlineData: { mimeType: 'image/png', data: 'AAAA' } }] },
      {
        role: 'model',
        parts: [
          { text: 'Hm.', thought: true },
          { functionCall: { name: 'ls', args: {} } },
          { thoughtSignature: 'x' },
        ],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { error: 'no' } } }] },
      { role: 'model', parts: [{ text: 'No.' }, { executableCode: { code: '1' } }] },
    ];
    for (const text of [JSON.stringify(contents), JSON.stringify({ history: contents })]) {
      const opened = await openTranscriptBytes(text);
      assert.equal(opened.transcript.format, 'gemini-checkpoint');
      assert.deepEqual(contextsOf(opened), [
        ['user: Look.', 'user: AAAA'],
        ['user: Look.', 'user: AAAA', 'assistant: {}', 'tool: no'],
      ]);
      assert.deepEqual(
        opened.transcript.requests.map(({ reply }) => reply.length),
        [2, 2],
      );
      assert.deepEqual(
        opened.transcript.messages.map(({ role }) => role),
        ['user', 'assistant', 'tool', 'assistant'],
      );
    }
  });

  it('joins the pieces of stream-json', async () => {
    const opened = await openTranscriptBytes(
      jsonLines([
        { type: 'init', session_id: 's1', model: 'gemini-3.8-flash' },
        { type: 'message', role: 'user', content: 'Look.' },
        { type: 'message', role: 'assistant', content: 'I ', delta: true },
        { type: 'message', role: 'assistant', content: 'look.', delta: true },
        { type: 'tool_use', tool_name: 'ls', tool_id: 't1', parameters: { path: '/repo' } },
        { type: 'tool_result', tool_id: 't1', status: 'success', output: 'a.txt' },
        { type: 'message', role: 'assistant', content: 'Done.', delta: true },
        { type: 'result', status: 'success', stats: { total_tokens: 9 } },
      ]),
    );
    assert.equal(opened.transcript.format, 'gemini-stream-json');
    assert.deepEqual(contextsOf(opened), [
      ['user: Look.'],
      ['user: Look.', 'assistant: I look.', 'assistant: {"path":"/repo"}', 'tool: a.txt'],
    ]);
    assert.deepEqual(
      opened.transcript.requests[1]?.reply.map(block => opened.texts[block]),
      ['Done.'],
    );
  });

  it('joins the chunks of recorded responses and keeps the last usage', async () => {
    const chunk = (text: string, candidates: number): unknown => ({
      candidates: [{ content: { role: 'model', parts: [{ text }] } }],
      usageMetadata: { promptTokenCount: 20, candidatesTokenCount: candidates },
    });
    const opened = await openTranscriptBytes(
      jsonLines([
        { method: 'generateContentStream', response: [chunk('BAN', 1), chunk('ANA', 2)] },
        { method: 'countTokens', response: { totalTokens: 3 } },
      ]),
    );
    assert.equal(opened.transcript.format, 'gemini-responses');
    assert.deepEqual(opened.texts, ['BANANA']);
    assert.equal(opened.transcript.requests[0]?.usage?.output, 2);
  });

  it('survives lines that hold anything', async () => {
    const opened = await openTranscriptBytes(
      jsonLines([
        header,
        { $set: { messages: [null, 3, { type: 'gemini', content: { text: 'x' } }, { content: [[], 7] }] } },
        { $rewindTo: 'nowhere' },
        { type: 'gemini', model: 'm', content: 5, toolCalls: [null, {}], tokens: { input: 'many' } },
        { type: 'user' },
        {},
        [1],
      ]),
    );
    assert.equal(opened.transcript.requests.length, 1);
  });

  it('opens every sample and every recorded stream', async test => {
    const samples = sharedFolder(test, 'samples/gemini-cli');
    const streams = sharedFolder(test, 'agent-runs/gemini-cli/0.61.0/rich/streams');
    if (samples === undefined || streams === undefined) {
      return;
    }
    const formats = [
      ['agent-resume-session.json', 'gemini-responses'],
      ['entire-2.json', 'gemini-cli-chat'],
      ['entire-3.json', 'gemini-cli-chat'],
      ['gemini-trajectory.json', 'gemini-checkpoint'],
    ] as const;
    for (const [name, format] of formats) {
      const { transcript } = await openTranscriptBytes(readUnpacked(join(samples, name)));
      assert.equal(transcript.format, format);
      // One of its results answers a call that is not in the file.
      const expected = name === 'gemini-trajectory.json' ? { resultWithoutCall: 1 } : {};
      assert.deepEqual(problemsOf(transcript), expected, name);
      assert.ok(transcript.requests.length > 0);
    }
    for (const name of readdirSync(streams)) {
      const { transcript } = await openTranscriptBytes(readUnpacked(join(streams, name)));
      assert.equal(transcript.format, 'gemini-stream-json');
      assert.deepEqual(problemsOf(transcript), {}, name);
    }
  });
});
