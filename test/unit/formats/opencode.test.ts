import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { opencodeNotice } from '../../../src/core/formats/opencode/opencodeNotice';
import { readUsage } from '../../../src/core/wire/usage';
import type { SiblingFiles } from '../../../src/core/reading/format';
import {
  contextsOf,
  leftOutOf,
  openTranscriptBytes,
  outlineOf,
  problemsOf,
  totalUsage,
} from '../../fixtures/openedTranscript';

const noTokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } };

let partNumber = 0;

function user(id: string, created: number, ...parts: readonly object[]) {
  return { info: { id, role: 'user', sessionID: 'ses_1', time: { created } }, parts: numbered(parts) };
}

function assistant(id: string, created: number, more: object, ...parts: readonly object[]) {
  return {
    info: {
      id,
      role: 'assistant',
      sessionID: 'ses_1',
      modelID: 'small',
      finish: 'stop',
      time: { created },
      tokens: noTokens,
      ...more,
    },
    parts: numbered(parts),
  };
}

function numbered(parts: readonly object[]) {
  return parts.map(part => ({ id: `prt_${(partNumber += 1)}`, ...part }));
}

const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });

const read = (callID: string, output: string, compacted?: number, more: object = {}) => ({
  type: 'tool',
  tool: 'read',
  callID,
  state: {
    status: 'completed',
    input: { filePath: `/work/${callID}.txt` },
    output,
    metadata: { preview: output },
    time: { start: 1, end: 2, ...(compacted === undefined ? {} : { compacted }) },
    ...more,
  },
});

const session = (messages: readonly object[], info: object = {}) =>
  JSON.stringify(
    {
      info: { id: 'ses_1', title: 'Kiosk', version: '1.18.34', directory: '/work', time: {}, ...info },
      messages,
    },
    null,
    2,
  );

const png = Buffer.from('89504e470d0a1a0a0000000d49484452000000030000000208020000001216f14d', 'hex').toString(
  'base64',
);

describe('opencode', () => {
  it('shows results until they were pruned and the notice from then on', async () => {
    const opened = await openTranscriptBytes(
      session([
        user('msg_1', 10, text('first')),
        assistant(
          'msg_2',
          11,
          {},
          { type: 'step-start' },
          text('look'),
          read('a', 'old', 25),
          read('b', 'new'),
        ),
        assistant('msg_3', 12, {}, text('done')),
        user('msg_4', 20, text('second')),
        assistant('msg_5', 21, {}, text('yes')),
        user('msg_6', 30, text('third')),
        assistant('msg_7', 31, {}, text('still')),
      ]),
    );
    const start = ['user: first', 'assistant: look'];
    const calls = ['assistant: {"filePath":"/work/a.txt"}', 'assistant: {"filePath":"/work/b.txt"}'];
    const later = ['tool: new', 'assistant: done', 'user: second'];
    assert.deepEqual(contextsOf(opened), [
      ['user: first'],
      [...start, ...calls, 'tool: old', 'tool: new'],
      [...start, ...calls, 'tool: old', ...later],
      [
        ...start,
        ...calls,
        'tool: [Old tool result content cleared]',
        ...later,
        'assistant: yes',
        'user: third',
      ],
    ]);
    assert.deepEqual(opened.transcript.compactions, [
      {
        kind: 'clearing',
        request: 3,
        thread: 0,
        contextLength: 10,
        line: opened.transcript.requests[3]?.line,
      },
    ]);
    assert.deepEqual(leftOutOf(opened.transcript), {
      'step-start part': 1,
      "a tool's metadata for the interface": 2,
    });
    assert.equal([...opened.transcript.blocks].filter(({ cleared }) => cleared === true).length, 1);
  });

  it('keeps the newest messages behind the summary', async () => {
    const long = 'x'.repeat(2500);
    const opened = await openTranscriptBytes(
      session([
        user('msg_1', 10, text('first')),
        assistant('msg_2', 11, {}, read('a', long)),
        assistant('msg_3', 12, {}, text('kept')),
        user('msg_4', 20, { type: 'compaction', auto: true, tail_start_id: 'msg_3' }),
        assistant('msg_5', 21, { summary: true, parentID: 'msg_4' }, text('what happened')),
        user('msg_6', 22, text('Continue if you have next steps', { synthetic: true })),
        assistant('msg_7', 23, {}, text('done')),
      ]),
    );
    assert.deepEqual(contextsOf(opened).slice(2), [
      ['user: first', 'assistant: {"filePath":"/work/a.txt"}', `tool: ${long.slice(0, 2000)}`],
      [
        'user: What did we do so far?',
        'assistant: what happened',
        'assistant: kept',
        'user: Continue if you have next steps',
      ],
    ]);
    assert.deepEqual(
      opened.transcript.compactions.map(({ kind, request, trigger }) => [kind, request, trigger]),
      [['compaction', 3, 'auto']],
    );
    assert.ok(outlineOf(opened.transcript).includes('assistant summary history memory'));
    assert.ok(outlineOf(opened.transcript).includes('user injected state system'));
  });

  it('sends the whole conversation for a summary in versions that keep nothing', async () => {
    const opened = await openTranscriptBytes(
      session([
        user('msg_1', 10, text('first')),
        assistant('msg_2', 11, {}, text('reply')),
        user('msg_3', 20, { type: 'compaction', auto: false }),
        assistant('msg_4', 21, { summary: true, parentID: 'msg_3' }, text('sum')),
        user('msg_5', 30, text('next')),
        assistant('msg_6', 31, {}, text('end')),
      ]),
    );
    assert.deepEqual(contextsOf(opened).slice(1), [
      ['user: first', 'assistant: reply', 'user: What did we do so far?'],
      ['user: What did we do so far?', 'assistant: sum', 'user: next'],
    ]);
  });

  it('leaves out what opencode does not send', async () => {
    const opened = await openTranscriptBytes(
      session([
        user(
          'msg_1',
          10,
          text('look at @a.txt'),
          text('hidden', { ignored: true }),
          { type: 'file', mime: 'text/plain', filename: 'a.txt', url: 'file:///work/a.txt' },
          { type: 'file', mime: 'image/png', url: `data:image/png;base64,${png}` },
          { type: 'hologram' },
        ),
        assistant('msg_2', 11, { error: { name: 'APIError' } }, { type: 'step-start' }),
        assistant('msg_3', 12, { error: { name: 'APIError' } }, text('half a repl')),
        assistant('msg_4', 13, { error: { name: 'MessageAbortedError' } }, text('half an ans')),
        user('msg_5', 20, text('again')),
        assistant(
          'msg_6',
          21,
          {},
          {
            type: 'tool',
            tool: 'bash',
            callID: 'c',
            state: { status: 'running', input: { command: 'sleep' } },
          },
          {
            type: 'tool',
            tool: 'read',
            callID: 'd',
            state: { status: 'error', input: {}, error: 'no file' },
          },
        ),
        assistant('msg_6b', 21, {
          tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
        }),
        assistant(
          'msg_7',
          22,
          {},
          {
            type: 'tool',
            tool: 'bash',
            callID: 'e',
            state: { status: 'running', input: { command: 'ls' } },
          },
        ),
      ]),
    );
    assert.deepEqual(contextsOf(opened).at(-1), [
      'user: look at @a.txt',
      `user: ${png}`,
      'assistant: half an ans',
      'user: again',
      'assistant: {"command":"sleep"}',
      'assistant: {}',
      'tool: [Tool execution was interrupted]',
      'tool: no file',
    ]);
    assert.equal(opened.transcript.requests.length, 4);
    assert.equal([...opened.transcript.blocks].at(-1)?.kind, 'toolCall');
    assert.deepEqual(problemsOf(opened.transcript), { unknownRecord: 1 });
    assert.deepEqual(leftOutOf(opened.transcript), {
      'text that is shown but not sent': 1,
      'attached file, whose text stands in a part of its own': 1,
      'hologram part': 1,
      'a call that failed': 1,
      'a call that was stopped before it was sent': 1,
      'step-start part': 1,
    });
    assert.deepEqual([...opened.transcript.blocks].find(({ kind }) => kind === 'image')?.image, {
      width: 3,
      height: 2,
      mediaType: 'image/png',
    });
  });

  it('keeps a prompt without a reply and the newest results in the context', async () => {
    const { transcript } = await openTranscriptBytes(
      session([
        user('msg_1', 10, text('first')),
        assistant('msg_2', 11, {}, read('a', 'one')),
        user('msg_3', 12, text('second')),
      ]),
    );
    const context = transcript.contexts.at(-1) ?? [];
    assert.deepEqual(
      context.map(block => transcript.blocks.at(block)?.kind),
      ['prompt', 'toolCall', 'toolResult', 'prompt'],
    );
    assert.equal(transcript.requests.at(-1)?.length, 1);
  });

  it('tells every call of a message with several steps', async () => {
    const finish = (input: number) => ({ type: 'step-finish', tokens: { ...noTokens, input } });
    const opened = await openTranscriptBytes(
      session([
        user('msg_1', 10, text('first')),
        assistant(
          'msg_2',
          11,
          { tokens: { ...noTokens, input: 30 } },
          { type: 'step-start' },
          read('a', 'result'),
          finish(10),
          { type: 'step-start' },
          text('done'),
          finish(20),
        ),
      ]),
    );
    assert.deepEqual(contextsOf(opened), [
      ['user: first'],
      ['user: first', 'assistant: {"filePath":"/work/a.txt"}', 'tool: result'],
    ]);
    assert.deepEqual(
      opened.transcript.requests.map(({ usage }) => usage?.input),
      [10, 20],
    );
  });

  it('keeps the cost that opencode records of each request', async () => {
    const tokens = { ...noTokens, input: 10 };
    const finish = (cost: unknown) => ({ type: 'step-finish', tokens, cost });
    const opened = await openTranscriptBytes(
      session([
        user('msg_1', 10, text('first')),
        assistant('msg_2', 11, { tokens, cost: 0.5 }, { type: 'step-start' }, text('yes'), finish(9)),
        assistant('msg_3', 12, { tokens, cost: 0 }, text('free')),
        assistant('msg_4', 13, { tokens, cost: -1 }, text('no cost')),
        assistant('msg_5', 14, { tokens, cost: '1' }, text('a text')),
        assistant(
          'msg_6',
          15,
          { tokens, cost: 3 },
          { type: 'step-start' },
          text('one'),
          finish(1),
          { type: 'step-start' },
          text('two'),
          finish(2),
        ),
      ]),
    );
    assert.deepEqual(
      opened.transcript.requests.map(({ usage }) => usage?.cost),
      [0.5, 0, undefined, undefined, 1, 2],
    );
  });

  it('counts reasoning once, wherever a version puts it', () => {
    const tokens = { input: 5, output: 20, reasoning: 8, cache: { read: 3, write: 2 } };
    const usage = { input: 5, cacheRead: 3, cacheWrite: 2, reasoning: 8 };
    // 5 + 20 + 3 + 2 = 30 if the output includes the reasoning, 38 if it does not.
    assert.deepEqual(readUsage({ ...tokens, total: 30 }, 'opencodeBeside'), { ...usage, output: 20 });
    assert.deepEqual(readUsage({ ...tokens, total: 38 }, 'opencode'), { ...usage, output: 28 });
    assert.deepEqual(readUsage({ ...tokens, output: 6 }, 'opencode'), { ...usage, output: 14 });
    assert.deepEqual(readUsage(tokens, 'opencode'), { ...usage, output: 20 });
    assert.deepEqual(readUsage(tokens, 'opencodeBeside'), { ...usage, output: 28 });
    assert.equal(readUsage(noTokens, 'opencode'), undefined);
  });

  it('skips the notice that stands before an export', async () => {
    const notice = 'Exporting session: ses_1\n';
    const opened = await openTranscriptBytes(notice + session([user('msg_1', 10, text('first'))]));
    assert.equal(opened.transcript.format, 'opencode');
    assert.deepEqual(outlineOf(opened.transcript), ['user prompt history user']);
  });

  it('knows the notice behind colours, but not in other text', () => {
    const matches = (before: number): boolean =>
      opencodeNotice.matches(Buffer.from(`${'x'.repeat(before)}Exporting session: ses_1\n{}`));
    assert.deepEqual([0, 5, 19, 20].map(matches), [true, true, true, false]);
    assert.equal(opencodeNotice.matches(Buffer.from('{"a":"Exporting session"}')), false);
  });

  it('survives messages of any kind', async () => {
    for (const message of [null, 7, {}, { info: null }, { info: {}, parts: [] }, { info: { role: 'x' } }]) {
      const document = JSON.stringify({
        info: { id: 'ses_1' },
        messages: [{ info: { role: 'assistant' }, parts: [null, 3, {}, { type: 'tool' }] }],
        ...(message === null ? {} : { todos: [message] }),
      });
      const { transcript } = await openTranscriptBytes(document);
      assert.equal(transcript.requests.length, 1);
      assert.deepEqual(problemsOf(transcript), { unknownRecord: 3 });
    }
  });

  it('gathers the files of a session from any of them', async () => {
    const child = { id: 'ses_2', projectID: 'p1', parentID: 'ses_1', title: 'Child', time: { created: 12 } };
    const files: Record<string, object> = {
      'session/p1/ses_1.json': {
        id: 'ses_1',
        projectID: 'p1',
        title: 'Kiosk',
        version: '0.9',
        time: { created: 9 },
      },
      'session/p1/ses_2.json': child,
      'message/ses_1/msg_1.json': { id: 'msg_1', sessionID: 'ses_1', role: 'user', time: { created: 10 } },
      'message/ses_1/msg_2.json': {
        id: 'msg_2',
        sessionID: 'ses_1',
        role: 'assistant',
        modelID: 'small',
        time: { created: 11 },
        tokens: { ...noTokens, input: 4 },
      },
      'message/ses_2/msg_3.json': { id: 'msg_3', sessionID: 'ses_2', role: 'user', time: { created: 12 } },
      'part/msg_1/prt_1.json': { id: 'prt_1', messageID: 'msg_1', sessionID: 'ses_1', ...text('first') },
      'part/msg_2/prt_2.json': {
        id: 'prt_2',
        messageID: 'msg_2',
        sessionID: 'ses_1',
        type: 'tool',
        tool: 'task',
        callID: 'c',
        state: {
          status: 'completed',
          input: { description: 'ask' },
          output: 'ok',
          metadata: { sessionId: 'ses_2' },
        },
      },
      'part/msg_3/prt_3.json': { id: 'prt_3', messageID: 'msg_3', sessionID: 'ses_2', ...text('asked') },
    };
    const storage = (path: string): string => path.replace('../../', '');
    for (const [name, file] of Object.entries(files).slice(0, 7)) {
      if (name.includes('ses_2')) {
        continue;
      }
      const siblings: SiblingFiles = {
        fileName: name.split('/').at(-1) ?? '',
        folders: [],
        read: path => {
          const found = files[storage(path)];
          return Promise.resolve(found === undefined ? undefined : Buffer.from(JSON.stringify(found)));
        },
        list: path =>
          Promise.resolve([
            ...new Set(
              Object.keys(files)
                .filter(key => key.startsWith(`${storage(path)}/`))
                .map(key => key.slice(storage(path).length + 1).split('/')[0] ?? ''),
            ),
          ]),
      };
      const opened = await openTranscriptBytes(JSON.stringify(file), { siblings });
      assert.equal(opened.transcript.title, 'Kiosk', name);
      assert.deepEqual(contextsOf(opened), [['user: first']]);
      assert.equal(totalUsage(opened.transcript).input, 4);
      assert.deepEqual(opened.transcript.subagents, [
        { description: 'ask', id: 'ses_2', thread: 1, callId: 'c' },
      ]);
      const alone = await openTranscriptBytes(JSON.stringify(file));
      assert.deepEqual(problemsOf(alone.transcript), { missingRequestContent: 1, noRequests: 1 });
    }
  });
});

describe('opencode run --format json', () => {
  it('reads the replies of a run, whose prompt is missing', async () => {
    const opened = await openTranscriptBytes(readFileSync('test/fixtures/opencode-run/run.jsonl'));
    assert.equal(opened.transcript.format, 'opencode-run');
    assert.deepEqual(contextsOf(opened), [
      [],
      ['assistant: I look – now.', 'assistant: {"filePath":"sign.txt"}', 'tool: Open from nine.'],
    ]);
    // 120 + 10, 0 + 220, 100 + 15, and 9 + 4 + 6 with the reasoning that is counted in addition to the output.
    assert.deepEqual(totalUsage(opened.transcript), {
      input: 130,
      cacheRead: 220,
      cacheWrite: 115,
      output: 19,
      reasoning: 4,
    });
    assert.deepEqual(problemsOf(opened.transcript), { missingRequestContent: 1 });
    assert.deepEqual(leftOutOf(opened.transcript), {
      'step-start part': 2,
      'step-finish part': 2,
      'error part': 1,
    });
  });
});
