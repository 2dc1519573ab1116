import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
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
const talk = [asked('Water the roses. '.repeat(400)), answered(21_000)];

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
  it('has the tokens that the record of a compaction names', async () => {
    assert.deepEqual(
      await afterOf([...talk, compacted({ trigger: 'manual', preTokens: 21_000, postTokens: 900 }), summary]),
      { change: 'compaction', tokens: 900, isRecorded: true },
    );
  });

  it('is estimated from the blocks that are left if the record names no tokens', async () => {
    const after = (await openText(jsonLines([...talk, compacted({ trigger: 'auto' }), summary]))).toSession();
    const found = contextAfter(after);
    assert.equal(found?.change, 'compaction');
    assert.equal(found.isRecorded, false);
    assert.ok(found.tokens !== undefined && found.tokens < 20_000, String(found.tokens));
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
      assert.deepEqual(await afterOf(records), { model: 'gpt-6-sol', isRecorded: false });
    }
    assert.equal(
      await afterOf([...piTalk, pi('model_change', '5', '4', { provider: 'lab', modelId: 'glm-1' })]),
      undefined,
    );
  });

  it('is told in sentences', () => {
    assert.deepEqual(afterSentences({ change: 'compaction', tokens: 900, isRecorded: true }), [
      'Compacted after the newest request: 900 tokens left, as recorded',
    ]);
    assert.deepEqual(afterSentences({ change: 'clearing', isRecorded: false, model: 'm' }), [
      'Results pruned after the newest request: the size of the rest is not recorded',
      'The next request goes to another model: m',
    ]);
    assert.deepEqual(afterSentences({ change: 'rewind', tokens: 40, isRecorded: false }), [
      'Rewound after the newest request: about 40 tokens left',
    ]);
  });
});
