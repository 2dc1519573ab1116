import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextRequest } from '../../../src/core/contextTools/nextRequest';
import { sessionStatus } from '../../../src/core/session/sessionStatus';
import { afterSentences, contextAfter } from '../../../src/core/view/contextAfter';
import { jsonLines } from '../../fixtures/jsonLines';
import { openText } from './openText';

const stamp = (second: number): string => new Date(Date.UTC(2026, 4, 1, 9, 0, second)).toISOString();

async function afterOf(records: readonly unknown[] | string): Promise<unknown> {
  const text = typeof records === 'string' ? records : jsonLines(records);
  return contextAfter((await openText(text)).toSession());
}

// Claude Code

let uuids = 0;

function claude(type: string, rest: object): unknown {
  uuids += 1;
  return {
    type,
    uuid: `u${uuids}`,
    parentUuid: uuids === 1 ? null : `u${uuids - 1}`,
    sessionId: 'a-garden',
    version: '2.1.300',
    cwd: '/home/ada/garden',
    isSidechain: false,
    timestamp: stamp(uuids),
    ...rest,
  };
}

const asked = (content: string, rest: object = {}): unknown =>
  claude('user', { message: { role: 'user', content }, ...rest });
const answered = (input: number): unknown =>
  claude('assistant', {
    message: {
      id: `msg_${uuids}`,
      role: 'assistant',
      model: 'claude-opus-4-8',
      content: [{ type: 'text', text: 'The roses are watered.' }],
      usage: { input_tokens: input, output_tokens: 5 },
    },
  });
const compacted = (compactMetadata: object): unknown =>
  claude('system', { subtype: 'compact_boundary', content: 'Conversation compacted', compactMetadata });
const summary = asked('The summary: roses.', { isCompactSummary: true, isVisibleInTranscriptOnly: true });
const talk = [asked('Water the roses. '.repeat(400), { parentUuid: null }), answered(21_000)];

// Codex, pi, opencode, Copilot

const codex = (type: string, payload: unknown): unknown => ({ timestamp: stamp(1), type, payload });
const codexSaid = (role: string, text: string): unknown =>
  codex('response_item', {
    type: 'message',
    role,
    content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
  });
const codexTalk = [
  codex('session_meta', { id: 'c', timestamp: stamp(0), cwd: '/repo', cli_version: '0.150.0' }),
  codex('turn_context', { model: 'gpt-5.5', cwd: '/repo' }),
  codexSaid('user', 'Water the roses.'),
  codexSaid('assistant', 'They are watered.'),
  codexSaid('user', 'Now the beds.'),
  codexSaid('assistant', 'They are too.'),
];

const pi = (type: string, id: string, parentId: string | null, rest: object): unknown => ({
  type,
  id,
  parentId,
  timestamp: stamp(1),
  ...rest,
});
const piSaid = (id: string, parentId: string | null, role: string, text: string): unknown =>
  pi('message', id, parentId, {
    message: {
      role,
      content: [{ type: 'text', text }],
      ...(role === 'assistant' ? { model: 'glm-1', usage: { input: 900, output: 5 } } : {}),
    },
  });
const piTalk = [
  { type: 'session', version: 3, id: 'p', timestamp: stamp(0), cwd: '/repo' },
  piSaid('1', null, 'user', 'Water the roses.'),
  piSaid('2', '1', 'assistant', 'They are watered.'),
  piSaid('3', '2', 'user', 'Now the beds.'),
  piSaid('4', '3', 'assistant', 'They are too.'),
];

const opencodeMessage = (id: string, role: string, text: string): unknown => ({
  info: {
    id,
    sessionID: 'ses_1',
    role,
    time: { created: 1000, completed: 1001 },
    ...(role === 'assistant'
      ? {
          modelID: 'small',
          providerID: 'shop',
          tokens: { input: 900, output: 5, cache: { read: 0, write: 0 } },
        }
      : {}),
  },
  parts: [{ id: `${id}-part`, messageID: id, sessionID: 'ses_1', type: 'text', text }],
});
const opencode = (info: object): string =>
  JSON.stringify({
    info: { id: 'ses_1', title: 'Garden', version: '1.18.34', directory: '/repo', time: {}, ...info },
    messages: [
      opencodeMessage('msg_1', 'user', 'Water the roses.'),
      opencodeMessage('msg_2', 'assistant', 'They are watered.'),
      opencodeMessage('msg_3', 'user', 'Now the beds.'),
      opencodeMessage('msg_4', 'assistant', 'They are too.'),
    ],
  });

const copilot = (type: string, id: string, data: object): unknown => ({
  type,
  id,
  data,
  timestamp: stamp(1),
  parentId: null,
});
const copilotTalk = [
  copilot('session.start', 's', { sessionId: 'g', copilotVersion: '1.0.102' }),
  copilot('user.message', '1', { content: 'Water the roses.' }),
  copilot('assistant.message', '2', { content: 'They are watered.', model: 'gpt-5.5' }),
];

describe('the context after the newest request', () => {
  it('has system text and tools, also if the record names the tokens without them', async () => {
    const begun = [asked('Water.', { parentUuid: null }), answered(18_000)];
    const grown = [...begun, asked('Water the roses. '.repeat(500)), answered(21_000)];
    for (const metadata of [{ trigger: 'auto' }, { trigger: 'manual', preTokens: 21_000, postTokens: 900 }]) {
      const session = await openText(jsonLines([...grown, compacted(metadata), summary]));
      await session.countTokens();
      const found = contextAfter(session.toSession());
      assert.equal(found?.change, 'compaction');
      // The first request has 18,000 tokens besides some of a prompt, and the summary has five.
      assert.ok(Math.abs((found.tokens ?? 0) / 18_005 - 1) < 0.05, String(found.tokens));
    }
  });

  it('has no size if the conversation began in another file', async () => {
    const [first, ...rest] = [...talk, compacted({ trigger: 'auto' }), summary];
    const elsewhere = JSON.stringify(first).replace('"parentUuid":null', '"parentUuid":"of-another-file"');
    const text = `${elsewhere}\n${jsonLines(rest)}`;
    assert.deepEqual(await afterOf(text), { change: 'compaction' });
    assert.equal(nextRequest((await openText(text)).toSession(), 0), undefined);
  });

  it('does not start from the call for the summary', async () => {
    // The call has its own usage, and nothing of the conversation.
    const session = await openText(
      jsonLines([
        ...piTalk,
        pi('compaction', '5', '4', {
          summary: 'Roses and beds.',
          firstKeptEntryId: '4',
          tokensBefore: 905,
          usage: { input: 5000, output: 40 },
        }),
      ]),
    );
    await session.countTokens();
    const whole = session.toSession();
    const found = contextAfter(whole);
    assert.equal(found?.change, 'compaction');
    // 900 are system text and tools but for some 20 tokens of talk; a summary of 4 tokens in pi's frame is left.
    assert.ok(found.tokens !== undefined && Math.abs(found.tokens - 920) < 40, String(found.tokens));
    const { requests, newest } = sessionStatus(whole);
    assert.deepEqual([requests, newest?.tokens.value], [3, 900]);
    assert.equal(nextRequest(whole, 0)?.tokens, found.tokens);
  });

  it('takes the tools from the first request where Codex counts without them', async () => {
    const counted = (input: number, total = input): unknown =>
      codex('event_msg', {
        type: 'token_count',
        info: {
          last_token_usage: { input_tokens: input, output_tokens: 0, total_tokens: total },
          total_token_usage: { total_tokens: 2 * total },
        },
      });
    const session = await openText(
      jsonLines([
        ...codexTalk.slice(0, 4),
        counted(3000),
        codex('compacted', { message: '', replacement_history: [] }),
        counted(0, 700),
      ]),
    );
    // The only item of the first request is a prompt of 16 bytes: Codex takes (16 + 60) / 4 = 19 tokens for it.
    assert.equal(contextAfter(session.toSession())?.tokens, 700 + 3000 - 19);
  });

  it('is that of the next request once there is one', async () => {
    assert.equal(await afterOf(talk), undefined);
    assert.equal(
      await afterOf([...talk, compacted({ trigger: 'manual', postTokens: 900 }), summary, answered(1200)]),
      undefined,
    );
  });

  it('follows a rewind of each agent that records one', async () => {
    for (const records of [
      [...codexTalk, codex('event_msg', { type: 'thread_rolled_back', num_turns: 1 })],
      [...piTalk, piSaid('5', '2', 'user', 'Rather the trees.')],
      opencode({ revert: { messageID: 'msg_3' } }),
      [...copilotTalk, copilot('session.snapshot_rewind', '3', { upToEventId: '1', eventsRemoved: 2 })],
    ]) {
      const after = await afterOf(records);
      assert.ok(
        typeof after === 'object' && after !== null && 'change' in after && after.change === 'rewind',
        JSON.stringify([after, records]).slice(0, 300),
      );
    }
    assert.equal(await afterOf(opencode({})), undefined);
  });

  it('names the model that was chosen for the next request', async () => {
    for (const records of [
      [...codexTalk, codex('turn_context', { model: 'gpt-6-sol', cwd: '/repo' })],
      [...piTalk, pi('model_change', '5', '4', { provider: 'lab', modelId: 'gpt-6-sol' })],
      [...copilotTalk, copilot('session.model_change', '3', { newModel: 'gpt-6-sol' })],
    ]) {
      assert.deepEqual(await afterOf(records), { model: 'gpt-6-sol' });
    }
    assert.equal(
      await afterOf([...piTalk, pi('model_change', '5', '4', { provider: 'lab', modelId: 'glm-1' })]),
      undefined,
    );
  });

  it('names the model that the command of Claude Code chose', async () => {
    const said = (text: string): unknown =>
      asked(`<local-command-stdout>Set model to ${text}</local-command-stdout>`);
    for (const [text, model] of [
      ['claude-sonnet-5', 'claude-sonnet-5'],
      ['opus (claude-opus-4-9-20260901)', 'claude-opus-4-9-20260901'],
      ['\u001b[1mSonnet 5\u001b[22m and saved as your default for new sessions', 'claude-sonnet-5'],
      ['`Haiku 4.5`', 'claude-haiku-4-5'],
      ['haiku', 'haiku'],
    ] as const) {
      assert.deepEqual(await afterOf([...talk, said(text)]), { model }, text);
    }
    for (const text of ['opus', 'Opus 4.8', 'Default (recommended)']) {
      assert.equal(await afterOf([...talk, said(text)]), undefined, text);
    }
    const next = nextRequest((await openText(jsonLines([...talk, said('Haiku 4.5')]))).toSession(), 0);
    // 21,005 tokens, written at $1.25 a million.
    assert.deepEqual([next?.tokens, next?.readable], [21_005, 0]);
    assert.ok(Math.abs((next?.warm ?? 0) - 0.02625625) < 1e-9, String(next?.warm));
  });

  it('may be in the cache of a model that was used before', async () => {
    const other = JSON.stringify(answered(15_000)).replace('claude-opus-4-8', 'claude-sonnet-5');
    const set = asked('<local-command-stdout>Set model to Sonnet 5</local-command-stdout>');
    const text = `${jsonLines(talk.slice(0, 1))}${other}\n${jsonLines([answered(21_000), set])}`;
    assert.deepEqual(await afterOf(text), { model: 'claude-sonnet-5', mayRead: true });
  });

  it('is told in sentences', () => {
    assert.deepEqual(afterSentences({ change: 'compaction', tokens: 900 }), [
      'Compacted after the newest request: about 900 tokens left',
    ]);
    assert.deepEqual(afterSentences({ change: 'clearing', model: 'm' }), [
      'Results pruned after the newest request: the size of the rest is not recorded',
      'The next request goes to another model, m, and has to write its cache again',
    ]);
    assert.deepEqual(afterSentences({ change: 'rewind', tokens: 40 }), [
      'Rewound after the newest request: about 40 tokens left',
    ]);
  });
});
