import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { arrayAt, objectAt, parseJson, stringAt } from '../../../src/core/base/json';
import { type HandOffTarget, handOffTargets, targetFacts } from '../../../src/core/handOff/targets';
import { convertedCall } from '../../../src/core/handOff/toolActions';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { handedItems } from '../../fixtures/handedItems';
import {
  bytesOf,
  claudeCodeSession,
  openedSession,
  planned,
  reply,
  tryOpen,
  tryPlan,
} from '../../fixtures/handOffs';
import { openTranscriptBytes } from '../../fixtures/openedTranscript';
import { rebuiltItems } from '../../fixtures/sentRequests';
import { filesBelow, readUnpacked, shared, skipWithout } from '../../fixtures/sharedFiles';
import { someOf } from '../../fixtures/variants';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
/** Everything that the next request of a session sends, as items. */
async function itemsIn(bytes: Uint8Array, format: string): Promise<readonly string[]> {
  const { transcript, texts } = await openTranscriptBytes(bytes);
  assert.equal(transcript.format, format);
  assert.deepEqual(
    transcript.problems.filter(({ kind }) => kind !== 'noRequests'),
    [],
  );
  const newest = transcript.requests.at(-1);
  assert.ok(newest !== undefined);
  const blocks = transcript.after?.blocks ?? transcript.contexts[newest.context] ?? [];
  const request = { ...newest, context: 0, length: blocks.length };
  const items = rebuiltItems(
    { transcript: { ...transcript, contexts: [blocks], requests: [request] }, texts },
    0,
  );
  // Over the chat API, pi sends this line before the images of results.
  return format === 'pi' ? items.filter(item => item !== 'user: Attached image(s) from tool result:') : items;
}

/** A session of Claude Code with what a hand-off has to decide about. */
const claudeSession = claudeCodeSession([
  {
    type: 'user',
    message: {
      role: 'user',
      content: [
        { type: 'text', text: 'Fix the shop.' },
        { type: 'text', text: '<system-reminder>\nContents of CLAUDE.md: be brief\n</system-reminder>' },
      ],
    },
  },
  reply('msg_1', [
    { type: 'thinking', thinking: 'I look first.', signature: 'c2lnbmVk' },
    { type: 'text', text: 'I look.' },
    {
      type: 'tool_use',
      id: 'toolu_1',
      name: 'Read',
      input: { file_path: '/shop/a.ts', offset: 10, limit: 5 },
    },
    { type: 'tool_use', id: 'toolu_2', name: 'Bash', input: { command: 'ls', description: 'List' } },
    { type: 'tool_use', id: 'toolu_3', name: 'Agent', input: { prompt: 'Look around.' } },
  ]),
  {
    type: 'user',
    message: {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: '10\tconst a = 1;\n' },
        {
          type: 'tool_result',
          tool_use_id: 'toolu_3',
          content: [{ type: 'text', text: 'All is well.' }],
        },
        { type: 'tool_result', tool_use_id: 'toolu_2', content: 'Exit code 1', is_error: true },
      ],
    },
  },
  reply('msg_2', [
    {
      type: 'tool_use',
      id: 'toolu_4',
      name: 'Edit',
      input: { file_path: '/shop/a.ts', old_string: 'const a = 1;', new_string: 'const a = 2;' },
    },
    { type: 'tool_use', id: 'toolu_5', name: 'Read', input: { file_path: '/shop/a.png' } },
  ]),
  {
    type: 'user',
    message: {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'toolu_4', content: 'Updated.' },
        {
          type: 'tool_result',
          tool_use_id: 'toolu_5',
          content: [
            { type: 'text', text: 'One pixel.' },
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
          ],
        },
      ],
    },
  },
  reply('msg_3', [{ type: 'text', text: 'Done: “a” is 2 – 日本 😀.' }]),
]);

describe('a hand-off', () => {
  for (const by of handOffTargets) {
    for (const target of handOffTargets) {
      it(`${by} to ${target}: the written session has the texts of the manifest, and results after their calls`, async () => {
        // The origin of each format was itself handed over from one session.
        const origin =
          by === 'claude-code'
            ? claudeSession
            : await bytesOf(await planned(await openedSession(claudeSession), by));
        const session = await openedSession(origin);
        const plan = await planned(session, target);
        const bytes = await bytesOf(plan);
        assert.deepEqual(await itemsIn(bytes, targetFacts[target].format), plan.parts.flatMap(handedItems));
        const written = await openedSession(bytes);
        assert.equal(written.transcript.workingDirectory, '/home/ada/shop');
        const calls = new Set<string | undefined>();
        for (const block of written.transcript.blocks) {
          if (block.kind === 'toolCall') {
            calls.add(block.callId);
          } else if (block.role === 'tool') {
            assert.ok(calls.has(block.callId), `${block.label} has its call`);
          }
        }
        const handed = new Set(plan.manifest.blocks.flatMap(({ blocks }) => blocks));
        const lost = new Set(plan.manifest.lost.flatMap(({ blocks }) => blocks));
        const all = new Set(session.transcript.contexts.at(-1));
        for (const block of all) {
          assert.notEqual(handed.has(block), lost.has(block), 'a block is handed over or lost');
        }
      });
    }
  }

  it('turns calls into those of the nearest tool, and others into text', async () => {
    const session = await openedSession(claudeSession);
    const codex = (await planned(session, 'codex')).parts.flatMap(handedItems);
    assert.deepEqual(codex, [
      'user: Fix the shop.',
      'assistant: I look.\n\n[Called the tool Agent]\n{"prompt":"Look around."}',
      `assistant calls exec_command: {"cmd":"sed -n '10,14p' '/shop/a.ts'"}`,
      'assistant calls exec_command: {"cmd":"ls"}',
      'tool: 10\tconst a = 1;\n',
      'tool: Exit code 1',
      'user: [Result of the tool Agent]\nAll is well.',
      'assistant calls apply_patch: "*** Begin Patch\\n*** Update File: /shop/a.ts\\n@@\\n-const a = 1;\\n+const a = 2;\\n*** End Patch\\n"',
      `assistant calls exec_command: {"cmd":"cat '/shop/a.png'"}`,
      'tool: Updated.',
      'tool: One pixel.',
      `image: ${pixel}`,
      'assistant: Done: “a” is 2 – 日本 😀.',
    ]);
    const pi = (await planned(session, 'pi')).parts.flatMap(handedItems);
    assert.ok(pi.includes('assistant calls read: {"path":"/shop/a.ts","offset":10,"limit":5}'));
    assert.ok(
      pi.includes(
        'assistant calls edit: {"path":"/shop/a.ts","edits":[{"oldText":"const a = 1;","newText":"const a = 2;"}]}',
      ),
    );
  });

  it('knows the edit in a patch, and no shell of another machine', () => {
    const patch = '*** Begin Patch\n*** Update File: a.ts\n@@\n-const a = 1;\n+const a = 2;\n*** End Patch\n';
    assert.deepEqual(convertedCall('claude-code', 'apply_patch', patch), {
      name: 'Edit',
      input: { file_path: 'a.ts', old_string: 'const a = 1;', new_string: 'const a = 2;' },
    });
    assert.equal(convertedCall('claude-code', 'ssh', { host: 'shop', command: 'cat a.ts' }), undefined);
  });

  it('gives opencode its parts in the order of their ids, and images to the message of their result', async () => {
    const text = (await bytesOf(await planned(await openedSession(claudeSession), 'opencode'))).toString();
    const messages = arrayAt(parseJson(text), 'messages');
    const ids = messages.map(message => stringAt(objectAt(message, 'info'), 'id') ?? '');
    assert.deepEqual(ids, ids.toSorted());
    const parts = messages.map(message => arrayAt(message, 'parts'));
    const partIds = parts.flat().map(part => stringAt(part, 'id') ?? '');
    assert.deepEqual(partIds, partIds.toSorted());
    const images = parts.map(own => own.flatMap(part => arrayAt(objectAt(part, 'state'), 'attachments')));
    assert.equal(images.flat().length, 1);
    images.forEach((own, place) =>
      own.forEach(image => assert.equal(stringAt(image, 'messageID'), ids[place])),
    );
  });

  it('says what is lost and why', async () => {
    const session = await openedSession(claudeSession);
    const reasons = async (target: HandOffTarget) =>
      (await planned(session, target)).manifest.lost.map(({ reason, blocks }) => [
        reason,
        blocks.map(block => session.transcript.blocks.at(block)?.kind),
      ]);
    assert.deepEqual(await reasons('codex'), [
      ['ownMemory', ['injected']],
      ['reasoning', ['thinking']],
    ]);
    assert.deepEqual(await reasons('claude-code'), [['ownMemory', ['injected']]]);
  });

  it('keeps signed reasoning for its own provider, and names the session that it comes from', async () => {
    const text = (await bytesOf(await planned(await openedSession(claudeSession), 'claude-code'))).toString();
    assert.match(text, /"signature":"c2lnbmVk"/);
    assert.match(text, /"forkedFrom":\{"sessionId":"origin"/);
    const again = await openedSession(Buffer.from(text));
    assert.ok([...again.transcript.blocks].every(({ inherited }) => inherited === true));
    assert.equal(
      again.toSession().columns.requests.input.reduce((sum, count) => sum + count, 0),
      0,
    );
  });

  it('prices the first request for a model that the target talks to, and not for another', async () => {
    const session = await openedSession(claudeSession);
    const { manifest } = await planned(session, 'claude-code');
    assert.equal(manifest.model, 'claude-opus-4-5-20251101');
    assert.ok(manifest.cost !== null && manifest.cost.cold > manifest.cost.warm && manifest.cost.warm > 0);
    const sum = manifest.blocks.reduce((before, { tokens }) => before + tokens, manifest.own?.tokens ?? 0);
    assert.equal(manifest.tokens.value, sum);
    assert.ok((manifest.own?.tokens ?? 0) > 5000);
    const other = (await planned(session, 'codex')).manifest;
    assert.deepEqual([other.model, other.cost], [null, null]);
    const named = (await planned(session, 'codex', { model: 'gpt-5.5' })).manifest;
    assert.ok(named.cost !== null && named.cost.cold > 0);
    // $5 for a million tokens, $0.50 for cached ones: caches of OpenAI give multiples of 128 tokens.
    const rest = named.tokens.value % 128;
    assert.ok(rest > 0);
    const expected = ((named.tokens.value - rest) * 0.5 + rest * 5) / 1e6;
    assert.ok(Math.abs(named.cost.warm - expected) < 1e-9);
    for (const target of ['pi', 'codex', 'claude-code'] as const) {
      const measured = (await planned(session, target)).manifest;
      assert.equal(measured.own?.version, measured.version);
      assert.equal(measured.tokens.isLeast, undefined);
    }
  });

  it('gives pi the words that it sends for an empty result, and the reason why each reply ends', async () => {
    const session = await openedSession(
      claudeCodeSession([
        { type: 'user', message: { role: 'user', content: 'Make the folder.' } },
        reply('msg_1', [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'mkdir a' } }]),
        {
          type: 'user',
          message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '' }] },
        },
        reply('msg_2', [{ type: 'text', text: 'Made.' }]),
      ]),
    );
    const results = async (target: HandOffTarget) =>
      (await planned(session, target)).parts.flatMap(({ part }) =>
        part.kind === 'result' ? [part.text] : [],
      );
    assert.deepEqual(await results('pi'), ['(no tool output)']);
    assert.deepEqual(await results('claude-code'), ['']);
    const written = (await bytesOf(await planned(session, 'pi'))).toString();
    assert.deepEqual(written.match(/"stopReason":"\w+"/g), ['"stopReason":"toolUse"', '"stopReason":"stop"']);
  });

  it('joins the images that pi sends after a result to the result', async () => {
    const session = await openedSession(
      await bytesOf(await planned(await openedSession(claudeSession), 'pi')),
    );
    const last = session.transcript.requests.length - 1;
    // The reply of an API that takes no images in results.
    const text = (await bytesOf(await planned(session, 'pi'))).toString();
    const chat = text.replaceAll('"api":"anthropic-messages"', '"api":"openai-completions"');
    const plan = await planned(await openedSession(Buffer.from(chat)), 'claude-code', { request: last });
    const results = plan.parts.flatMap(({ part }) => (part.kind === 'result' ? [part] : []));
    assert.equal(results.length, new Set(results.map(({ callId }) => callId)).size);
    assert.deepEqual(
      results.filter(({ pictures }) => pictures.length > 0).map(({ text: own }) => own),
      ['One pixel.'],
    );
  });

  it('hands over what the model had in an earlier request', async () => {
    const session = await openedSession(claudeSession);
    const plan = await planned(session, 'pi', { request: 1, isWhole: false });
    assert.equal(plan.parts.flatMap(handedItems).at(-1), 'user: [Result of the tool Agent]\nAll is well.');
  });

  it('answers a call that was interrupted', async () => {
    const lines = claudeSession.toString().split('\n').slice(0, 2).join('\n');
    const plan = await planned(await openedSession(Buffer.from(`${lines}\n`)), 'codex');
    assert.ok(plan.parts.flatMap(handedItems).includes('tool: [No result was recorded for this call.]'));
    assert.equal(plan.manifest.notes.length, 1);
  });

  it('prunes old results first', async () => {
    const prune = { ...defaultPruneOptions('duplicates'), ruleSet: 'opencode', minimumTokens: 0 } as const;
    const session = await openedSession(claudeSession);
    const plan = await planned(session, 'claude-code', { prune });
    const pruned = plan.manifest.blocks.filter(({ reason }) => reason === 'pruned');
    const expected = plan.parts.filter(({ reason }) => reason === 'pruned').flatMap(handedItems);
    assert.equal(pruned.length, expected.length);
    assert.deepEqual(await itemsIn(await bytesOf(plan), 'claude-code'), plan.parts.flatMap(handedItems));
  });

  it('removes credentials', async () => {
    const secret = ['sk', 'live', '0'.repeat(24)].join('-');
    const text = claudeSession.toString().replaceAll('Fix the shop.', `Fix ${secret} now.`);
    const scanner = {
      scan: (content: string) => {
        const start = content.indexOf(secret);
        return Promise.resolve(
          start < 0
            ? []
            : [
                {
                  rule: 'test-key',
                  start,
                  end: start + secret.length,
                  label: 'restricted' as const,
                  message: '',
                },
              ],
        );
      },
    };
    const session = await openedSession(Buffer.from(text));
    const kept = (await bytesOf(await planned(session, 'pi'))).toString();
    assert.ok(kept.includes(secret));
    const clean = (await bytesOf(await planned(session, 'pi', { redactWith: scanner }))).toString();
    assert.ok(!clean.includes(secret));
    assert.match(clean, /Fix \[redacted: test-key\] now\./);
  });
});

describe('hand-offs of recorded sessions', { skip: skipWithout('samples') }, () => {
  const files = ['claude-code', 'codex', 'pi', 'qwen-code', 'gemini-cli', 'openhands'].flatMap(folder =>
    filesBelow(join(shared, 'samples', folder), '.jsonl', '.json'),
  );
  for (const file of someOf(files, 6)) {
    it(file.slice(shared.length), async () => {
      const result = await tryOpen(readUnpacked(file));
      if (!result.ok || result.session.transcript.requests.length === 0) {
        return;
      }
      for (const target of handOffTargets) {
        const tried = await tryPlan(result.session, target);
        if (!tried.ok) {
          assert.equal(tried.reason, 'nothing');
          continue;
        }
        const plan = tried;
        const items = await itemsIn(await bytesOf(plan), targetFacts[target].format);
        assert.deepEqual(items, plan.parts.flatMap(handedItems), target);
      }
    });
  }
});
