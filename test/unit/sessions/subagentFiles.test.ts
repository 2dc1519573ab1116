import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { findFiles } from '../../../src/core/base/pathPattern';
import { probeSession } from '../../../src/core/finder/sessionProbe';
import { parentFiles, subagentFiles, type TranscriptPlace } from '../../../src/core/formats/subagentFiles';
import { localFiles } from '../../../src/node/sessions/sessionFiles';

const home = mkdtempSync(join(tmpdir(), 'context-inspector-subagents-'));
after(() => rmSync(home, { recursive: true, force: true }));

const files = [
  'claude/s1.jsonl',
  'claude/s1/subagents/agent-a1.jsonl',
  'claude/s1/subagents/workflows/w/agent-a2.jsonl',
  'claude/agent-a3.jsonl',
  'codex/sessions/2026/01/05/rollout-2026-01-05T23-59-00-t1.jsonl',
  'codex/sessions/2026/01/06/rollout-2026-01-06T00-01-00-t2.jsonl.zst',
  'gemini/chats/session-2026-01-05T09-00-2206eca9.jsonl',
  'gemini/chats/2206eca9-dc5c/dfef7942.jsonl',
  'qwen/chats/q1.jsonl',
  'qwen/subagents/q1/agent-general-call_7.jsonl',
  'debug-logs/s1/main.jsonl',
  'debug-logs/s1/runSubagent-Explore-c1.jsonl',
  'opencode/ses_1.json',
  'opencode/ses_2.json',
  'exports/child-ses_2-after-3.json',
];
for (const file of files) {
  mkdirSync(dirname(join(home, file)), { recursive: true });
  writeFileSync(join(home, file), '{}');
}

function placeOf(file: string): TranscriptPlace {
  const [fileName = '', ...folders] = join(home, file).split('/').reverse();
  return { fileName, folders };
}

async function firstOf(file: string, patterns: readonly string[]): Promise<string | undefined> {
  const disk = localFiles();
  for (const pattern of patterns) {
    const [found] = await findFiles(dirname(join(home, file)), pattern, folder => disk.list(folder));
    if (found !== undefined) {
      return found.slice(home.length + 1);
    }
  }
  return undefined;
}

describe('the transcript of a subagent', () => {
  const cases: readonly [format: string, parent: string, id: string, child: string, head: string][] = [
    ['claude-code', 'claude/s1.jsonl', 'a1', 'claude/s1/subagents/agent-a1.jsonl', ''],
    ['claude-code', 'claude/s1.jsonl', 'a2', 'claude/s1/subagents/workflows/w/agent-a2.jsonl', ''],
    [
      'claude-code',
      'claude/s1.jsonl',
      'a3',
      'claude/agent-a3.jsonl',
      '{"isSidechain":true,"sessionId":"s1"}',
    ],
    [
      'codex',
      'codex/sessions/2026/01/05/rollout-2026-01-05T23-59-00-t1.jsonl',
      't2',
      'codex/sessions/2026/01/06/rollout-2026-01-06T00-01-00-t2.jsonl.zst',
      '{"source":{"subagent":{"thread_spawn":{"depth":1,"parent_thread_id":"t1"}}}}',
    ],
    [
      'gemini-cli-log',
      'gemini/chats/session-2026-01-05T09-00-2206eca9.jsonl',
      'dfef7942',
      'gemini/chats/2206eca9-dc5c/dfef7942.jsonl',
      '',
    ],
    ['qwen-code', 'qwen/chats/q1.jsonl', 'call_7', 'qwen/subagents/q1/agent-general-call_7.jsonl', ''],
    ['copilot-debug-log', 'debug-logs/s1/main.jsonl', 'c1', 'debug-logs/s1/runSubagent-Explore-c1.jsonl', ''],
    ['opencode', 'opencode/ses_1.json', 'ses_2', 'opencode/ses_2.json', '{"id":"ses_2","parentID":"ses_1"}'],
  ];
  for (const [format, parent, id, child, head] of cases) {
    it(`is found from its parent's and back: ${child}`, async () => {
      assert.equal(await firstOf(parent, subagentFiles(format, placeOf(parent), id)), child);
      assert.equal(await firstOf(child, parentFiles(format, placeOf(child), probeSession(head))), parent);
    });
  }

  it('is found among exports by its id', async () => {
    const parent = 'exports/export-after-3.json';
    assert.equal(
      await firstOf(parent, subagentFiles('opencode', placeOf(parent), 'ses_2')),
      'exports/child-ses_2-after-3.json',
    );
  });

  it('is nowhere for an id that would leave the folder, or for a format without any', () => {
    assert.deepStrictEqual(subagentFiles('claude-code', placeOf('claude/s1.jsonl'), '../../secret'), []);
    assert.deepStrictEqual(subagentFiles('claude-code', placeOf('claude/s1.jsonl'), 'x'.repeat(100_000)), []);
    assert.deepStrictEqual(subagentFiles('sharegpt', placeOf('claude/s1.jsonl'), 'a1'), []);
    assert.deepStrictEqual(
      parentFiles('codex', placeOf('claude/s1.jsonl'), probeSession('{"parent_thread_id":"../x"}')),
      [],
    );
    assert.deepStrictEqual(parentFiles('claude-code', placeOf('claude/s1.jsonl'), { sessionId: 's1' }), []);
  });
});
