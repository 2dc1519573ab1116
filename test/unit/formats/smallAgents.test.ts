import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readAiderUsage } from '../../../src/core/formats/aider';
import {
  contextsOf,
  jsonLines,
  leftOutOf,
  openTranscriptBytes,
  outlineOf,
  problemsOf,
  sharedFolder,
} from '../../fixtures/openedTranscript';

const text = (words: string) => ({ type: 'text', text: words });

describe('Cursor', () => {
  it('reads an agent transcript, and says that results are missing', async () => {
    const opened = await openTranscriptBytes(
      jsonLines([
        { role: 'user', message: { content: [text('<user_query>\nopen?\n</user_query>')] } },
        {
          role: 'assistant',
          message: {
            content: [text('**Looking**'), { type: 'tool_use', name: 'Read', input: { path: '/a.txt' } }],
          },
        },
        { role: 'assistant', message: { content: [text('At nine.')] } },
      ]),
    );
    assert.equal(opened.transcript.format, 'cursor-agent');
    assert.deepEqual(contextsOf(opened), [
      ['user: <user_query>\nopen?\n</user_query>'],
      ['user: <user_query>\nopen?\n</user_query>', 'assistant: **Looking**', 'assistant: {"path":"/a.txt"}'],
    ]);
    assert.deepEqual(problemsOf(opened.transcript), { missingRequestContent: 1 });
    assert.equal(opened.transcript.title, 'open?');
  });
});

describe('Amp', () => {
  it('reads a thread with results and token counts', async () => {
    const usage = {
      model: 'large',
      inputTokens: 10,
      outputTokens: 2,
      cacheCreationInputTokens: 3,
      cacheReadInputTokens: 4,
    };
    const opened = await openTranscriptBytes(
      JSON.stringify({
        v: 3,
        id: 'T-1',
        title: 'Kiosk',
        env: { initial: { trees: [{ uri: 'file:///work/kiosk' }] } },
        usageLedger: { events: [] },
        messages: [
          { role: 'user', messageId: 0, content: [text('open?')], meta: { sentAt: 1_700_000_000_000 } },
          {
            role: 'assistant',
            messageId: 1,
            content: [
              { type: 'thinking', thinking: 'hm', signature: 's' },
              { type: 'tool_use', id: 'c1', name: 'Read', input: { path: '/a.txt' } },
            ],
            usage,
          },
          {
            role: 'user',
            messageId: 2,
            content: [{ type: 'tool_result', toolUseID: 'c1', run: { status: 'done', result: 'nine' } }],
          },
          { role: 'assistant', messageId: 3, content: [text('At nine.')] },
        ],
      }),
    );
    const { transcript } = opened;
    assert.equal(transcript.format, 'amp');
    assert.deepEqual(contextsOf(opened), [
      ['user: open?'],
      ['user: open?', 'assistant: hm', 'assistant: {"path":"/a.txt"}', 'tool: nine'],
    ]);
    assert.deepEqual(transcript.requests[0]?.usage, { input: 10, cacheRead: 4, cacheWrite: 3, output: 2 });
    assert.equal(transcript.requests[0]?.model, 'large');
    assert.equal(transcript.workingDirectory, '/work/kiosk');
    assert.deepEqual(problemsOf(transcript), {});
  });
});

describe('Kiro', () => {
  const history = [
    {
      user: { additional_context: 'It is noon.', content: { Prompt: { prompt: 'open?' } } },
      assistant: {
        ToolUse: {
          message_id: 'm1',
          content: 'I look.',
          tool_uses: [{ id: 'c1', name: 'fs_read', args: { path: '/a.txt' } }],
        },
      },
    },
    {
      user: {
        content: {
          ToolUseResults: {
            tool_use_results: [
              { tool_use_id: 'c1', content: [{ Text: 'nine' }, { Json: { to: 18 } }], status: 'Success' },
            ],
          },
        },
      },
      assistant: { Response: { message_id: 'm2', content: 'At nine.' } },
    },
  ];
  const contexts = [
    ['user: It is noon.', 'user: open?'],
    [
      'user: It is noon.',
      'user: open?',
      'assistant: I look.',
      'assistant: {"path":"/a.txt"}',
      'tool: nine\n{"to":18}',
    ],
  ];

  it('reads a conversation, its pairs as objects or as lists', async () => {
    for (const pairs of [history, history.map(({ user, assistant }) => [user, assistant])]) {
      const opened = await openTranscriptBytes(JSON.stringify({ conversation_id: 'k1', history: pairs }));
      assert.equal(opened.transcript.format, 'kiro');
      assert.deepEqual(contextsOf(opened), contexts);
      assert.deepEqual(problemsOf(opened.transcript), {});
      assert.equal(opened.transcript.requests[1]?.id, 'm2');
    }
  });

  it('keeps what it does not know', async () => {
    const opened = await openTranscriptBytes(
      JSON.stringify({
        conversation_id: 'k1',
        history: [{ user: { content: { Riddle: { a: 1 } } }, assistant: { Song: 2 } }, 7],
      }),
    );
    assert.deepEqual(contextsOf(opened), [['user: {"a":1}']]);
    assert.deepEqual(outlineOf(opened.transcript), [
      'user other history user',
      'assistant other history developer',
    ]);
    assert.deepEqual(problemsOf(opened.transcript), { malformedRecord: 1 });
  });
});

describe('Aider', () => {
  const history = [
    '',
    '# aider chat started at 2026-01-02 03:04:05',
    '',
    '> Aider v0.86.1  ',
    '> Model: vendor/small with diff edit format  ',
    '',
    '#### /add a.txt  ',
    '> Added a.txt to the chat  ',
    '',
    '#### When does it open?  ',
    '#### And why – so late?  ',
    '',
    'The sign says:',
    '',
    '> open at nine',
    '',
    '# Reason',
    'Sleep.',
    '',
    '> Tokens: 1.2k sent, 200 cache hit, 45 received. Cost: $0.01.  ',
    '',
    '#### /ask and closes?  ',
    '',
    'At six.',
    '',
    '# aider chat started at 2026-01-03 03:04:05',
    '',
    '> Aider v0.86.1  ',
    '',
    '# aider chat started at 2026-01-04 03:04:05',
    '',
    '#### thanks  ',
    '',
    'welcome',
    '',
  ].join('\n');

  it('reads a chat history, each session a conversation', async () => {
    const opened = await openTranscriptBytes(history);
    const { transcript } = opened;
    assert.equal(transcript.format, 'aider');
    const prompt = 'user: When does it open?\nAnd why – so late?';
    assert.deepEqual(contextsOf(opened), [
      [prompt],
      [prompt, 'assistant: The sign says:\n\n> open at nine\n\n# Reason\nSleep.', 'user: and closes?'],
      ['user: thanks'],
    ]);
    assert.deepEqual(transcript.requests[0]?.usage, {
      input: 1000,
      cacheRead: 200,
      cacheWrite: 0,
      output: 45,
    });
    assert.equal(transcript.requests[0]?.model, 'small');
    assert.deepEqual(transcript.agent, { name: 'Aider', versions: ['0.86.1'] });
    assert.deepEqual(transcript.conversations, [
      { thread: 0, title: '2026-01-02 03:04:05 When does it open? And why – so late?' },
      { thread: 1, title: '2026-01-04 03:04:05 thanks' },
    ]);
    assert.deepEqual(leftOutOf(transcript), { "Aider's own words": 4, 'a command to Aider': 1 });
  });

  it('knows the bytes of every entry', async () => {
    const { transcript } = await openTranscriptBytes(history);
    const places = transcript.blocks.map(({ source: { offset, length, line } }) => ({
      bytes: Buffer.from(history)
        .subarray(offset, offset + length)
        .toString(),
      line,
    }));
    assert.deepEqual(places.slice(0, 2), [
      { bytes: '#### When does it open?  \n#### And why – so late?  \n', line: 10 },
      { bytes: 'The sign says:\n\n> open at nine\n\n# Reason\nSleep.\n', line: 13 },
    ]);
  });

  it('reads token counts as Aider rounds them', () => {
    assert.deepEqual(readAiderUsage('> Tokens: 12k sent, 3k cache write, 1,234 received.'), {
      input: 9000,
      cacheRead: 0,
      cacheWrite: 3000,
      output: 1234,
    });
    assert.equal(readAiderUsage('> Applied edit to a.txt'), undefined);
  });

  it('reads a real history', async test => {
    const folder = sharedFolder(test, 'samples/aider');
    if (folder === undefined) {
      return;
    }
    const opened = await openTranscriptBytes(readFileSync(join(folder, 'zen.aider.chat.history.md')));
    assert.equal(opened.transcript.format, 'aider');
    assert.deepEqual(problemsOf(opened.transcript), {});
    assert.deepEqual(opened.transcript.agent.versions, ['0.86.1']);
    // Nothing but commands was typed in its sessions (grep '^####').
    assert.ok((leftOutOf(opened.transcript)['a command to Aider'] ?? 0) > 0);
  });
});
