import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { arrayAt, objectAt, stringAt } from '../../../src/core/base/json';
import {
  contextsOf,
  jsonLines,
  leftOutOf,
  type OpenedTranscript,
  openTranscriptBytes,
  problemsOf,
  readJsonLines,
  readUnpacked,
  sharedFolder,
} from '../../fixtures/openedTranscript';

const fixture = (name: string): Promise<OpenedTranscript> =>
  openTranscriptBytes(readFileSync(join('test/fixtures', name)));

function repliesOf({ transcript, texts }: OpenedTranscript): string[][] {
  return transcript.requests.map(({ reply }) =>
    reply.map(number => `${transcript.blocks.at(number)?.kind ?? ''}: ${texts[number] ?? ''}`),
  );
}

describe('Copilot’s event log', () => {
  it('gives the context of every request: the system prompt first, results in the order of their calls', async () => {
    const opened = await fixture('copilot-events/session.jsonl');
    const prompt = [
      'user: <current_datetime>2026-01-05</current_datetime>\n\n',
      'user: Count the files.',
      'user: \n\n<system_reminder>Use tables.</system_reminder>',
    ];
    const second = [
      'system: You are the helper.',
      ...prompt,
      // The thought was not signed, so it is not sent back.
      'assistant: Looking.',
      'assistant: {"command":"ls"}',
      'assistant: {"prompt":"Sum."}',
      'tool: ls: not found',
      'tool: Six.',
      'user: <system_notification>A task ended.</system_notification>',
    ];
    const compacted = [
      'system: You are the helper.',
      'user: The user counts files.',
      'assistant: Six files.',
    ];
    assert.deepEqual(contextsOf(opened), [
      ['system: You are the helper.', ...prompt],
      ['system: You sum.', 'user: Sum.'],
      second,
      [...second, 'assistant: Six files.'],
      [...compacted, 'user: And folders?'],
      [...compacted, 'user: And links?'],
    ]);
    assert.deepEqual(repliesOf(opened), [
      [
        'thinking: Unsigned thought.',
        'assistant: Looking.',
        'toolCall: {"command":"ls"}',
        'toolCall: {"prompt":"Sum."}',
      ],
      ['thinking: Signed thought.', 'assistant: Six.'],
      ['assistant: Six files.'],
      ['summary: The user counts files.'],
      ['assistant: None.'],
      ['assistant: One.'],
    ]);
  });

  it('takes the cache out of the input, and tells subagents and compactions', async () => {
    const { transcript } = await fixture('copilot-events/session.jsonl');
    assert.deepEqual(
      transcript.requests.map(({ usage }) => usage),
      [
        { input: 10, cacheRead: 60, cacheWrite: 30, output: 20, reasoning: 5 },
        undefined,
        undefined,
        { input: 100, cacheRead: 400, cacheWrite: 0, output: 10 },
        undefined,
        undefined,
      ],
    );
    assert.deepEqual(transcript.subagents, [
      { id: 'agent-7', thread: 1, callId: 't2', description: 'Sums up', totalTokens: 44 },
    ]);
    assert.deepEqual(transcript.compactions, [
      {
        kind: 'compaction',
        request: 4,
        thread: 0,
        trigger: 'manual',
        tokensBefore: 500,
        tokensAfter: 50,
        line: 17,
      },
    ]);
    assert.equal(transcript.title, 'Count the files.');
    assert.deepEqual(
      [...transcript.blocks]
        .slice(1, 4)
        .map(({ kind, partition, provenance }) => [kind, partition, provenance]),
      [
        ['injected', 'state', 'system'],
        ['prompt', 'history', 'user'],
        ['injected', 'state', 'system'],
      ],
    );
    assert.deepEqual(problemsOf(transcript), {});
    assert.equal(leftOutOf(transcript)['tool.execution_start event'], 1);
  });

  it('is read with what is broken in it', async () => {
    const { transcript } = await openTranscriptBytes(
      `${jsonLines([
        { type: 'user.message', data: { content: 'Hi' }, id: '1', parentId: null },
        { data: {} },
        {
          type: 'assistant.message',
          data: { content: 5, toolRequests: [null, { name: 'x' }] },
          id: '2',
          parentId: '1',
        },
        { type: 'session.snapshot_rewind', data: { upToEventId: 'gone' }, id: '3', parentId: '2' },
      ])}{"type":"assistant.mess`,
    );
    assert.deepEqual(problemsOf(transcript), { unknownRecord: 1, truncatedLastLine: 1 });
    assert.equal(transcript.requests.length, 1);
  });

  it('of real sessions leaves nothing unexplained', async test => {
    const folder = sharedFolder(test, 'samples/copilot-cli');
    if (folder === undefined) {
      return;
    }
    for (const name of readdirSync(folder)) {
      const { transcript } = await openTranscriptBytes(readUnpacked(join(folder, name)));
      const events = readJsonLines(join(folder, name));
      const count = (type: string): number => events.filter(event => stringAt(event, 'type') === type).length;
      assert.equal(transcript.format, 'copilot-events');
      assert.deepEqual(problemsOf(transcript), {}, name);
      assert.equal(transcript.requests.length, count('assistant.message'), name);
      assert.equal(
        [...transcript.blocks].filter(({ kind }) => kind === 'toolResult').length,
        count('tool.execution_complete'),
        name,
      );
    }
  });
});

describe('a chat of VS Code', () => {
  it('is what stands in the rounds and the rendered messages; what was shown is left out', async () => {
    const opened = await fixture('vscode-chat/export.json');
    const first = [
      'user: <environment_info>\nLinux\n</environment_info>',
      'user: \n<workspace_info>\ndemo/\n</workspace_info>',
      'user: <attachments>\n<attachment>a.css</attachment>\n</attachments>',
      'user: \n<userRequest>\nMake it blue.\n</userRequest>\n',
    ];
    const second = [...first, 'assistant: {"filePath":"a.css"}', 'tool: Edited:\na.css!'];
    assert.deepEqual(contextsOf(opened), [first, second, [...second, 'assistant: Done.', 'user: Thanks!']]);
    assert.deepEqual(repliesOf(opened), [
      ['thinking: Blue it is.', 'toolCall: {"filePath":"a.css"}'],
      ['assistant: Done.'],
      ['assistant: You are welcome.'],
    ]);
    assert.deepEqual(
      opened.transcript.requests.map(({ usage, model }) => [usage?.input, usage?.output, model]),
      [
        [undefined, undefined, 'claude-opus-5'],
        [1200, 30, 'claude-opus-5'],
        [undefined, undefined, undefined],
      ],
    );
    assert.deepEqual(leftOutOf(opened.transcript), {
      'shown response: mcpServersStarting': 1,
      'shown response: thinking': 1,
      'shown response: toolInvocationSerialized': 1,
      'shown response: markdown': 1,
      'shown response: progressMessage': 1,
    });
    assert.equal(opened.transcript.title, 'Make it blue.');
  });

  it('is replayed from the log of its changes, and points at the line of each', async () => {
    const opened = await fixture('vscode-chat/log.jsonl');
    assert.deepEqual(contextsOf(opened), [['user: Hi'], ['user: Hi', 'assistant: Hello.', 'user: Thanks!']]);
    assert.deepEqual(repliesOf(opened), [['assistant: Hello.'], ['assistant: You are welcome.']]);
    assert.deepEqual(
      [...opened.transcript.blocks].map(({ source }) => source.line),
      [3, 4, 7, 7],
    );
    assert.equal(opened.transcript.title, 'Greeting');
  });

  it('exported for real: every round is a request, every result has its call', async test => {
    const folder = sharedFolder(test, 'samples/vscode-chat');
    if (folder === undefined) {
      return;
    }
    const path = join(folder, 'p47.json');
    const { transcript } = await openTranscriptBytes(readUnpacked(path));
    const document: unknown = JSON.parse(readFileSync(path, 'utf8'));
    const rounds = arrayAt(document, 'requests').flatMap(request =>
      arrayAt(objectAt(objectAt(request, 'result'), 'metadata'), 'toolCallRounds'),
    );
    assert.equal(transcript.requests.length, rounds.length);
    assert.deepEqual(problemsOf(transcript), {});
    assert.equal([...transcript.blocks].filter(({ kind }) => kind === 'other').length, 0);
    assert.equal([...transcript.blocks].filter(({ kind }) => kind === 'prompt').length, 6);
  });
});

describe('Copilot’s chat replay', () => {
  it('holds every request as it was sent, tools included', async () => {
    const opened = await fixture('copilot-chat-replay/replay.json');
    const { transcript } = opened;
    const first = [
      'system: {"type":"function","function":{"name":"read_file","description":"Reads a file.","parameters":{"type":"object","properties":{"path":{"type":"string"}}}}}',
      'system: You are an assistant.',
      'user: <context>\nMonday\n</context>',
      'user: \n<userRequest>\nRead a.\n</userRequest>',
    ];
    assert.deepEqual(contextsOf(opened), [
      first,
      [...first, 'assistant: I read it.', 'assistant: {"path":"a"}', 'tool: A'],
    ]);
    assert.deepEqual(repliesOf(opened), [['assistant: I read it.'], ['assistant: It says A.']]);
    assert.deepEqual(
      transcript.requests.map(({ usage, complete, breakpoints }) => [usage, complete, breakpoints]),
      [
        [{ input: 50, cacheRead: 0, cacheWrite: 0, output: 5 }, true, [1, 3]],
        [{ input: 30, cacheRead: 40, cacheWrite: 0, output: 6 }, true, [1, 3, 6]],
      ],
    );
    assert.deepEqual(leftOutOf(transcript), {
      'element log': 1,
      'toolCall log': 1,
      // Tools, system prompt and prompt of the first request.
      'repeat of an earlier message': 3,
    });
  });

  it('of a real session is complete', async test => {
    const folder = sharedFolder(test, 'samples/copilot-chatreplay');
    if (folder === undefined) {
      return;
    }
    const { transcript } = await openTranscriptBytes(readUnpacked(join(folder, 'spec.chatreplay.json')));
    assert.equal(transcript.requests.length, 4);
    assert.ok(transcript.requests.every(({ complete }) => complete));
    assert.deepEqual(problemsOf(transcript), {});
    // 18,083 + 18,212 + 19,234 + 19,372 prompt tokens, of which 17,278 + 19,013 came from the cache.
    const sum = (key: 'input' | 'cacheRead'): number =>
      transcript.requests.reduce((all, { usage }) => all + (usage?.[key] ?? 0), 0);
    assert.deepEqual([sum('input'), sum('cacheRead')], [38610, 36291]);
  });
});
