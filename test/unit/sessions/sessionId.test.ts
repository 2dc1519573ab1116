import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sessionIdOf } from '../../../src/core/finder/sessionId';

const uuid = '5f0c1d1e-8a44-4c1b-9a5e-0d4f7c2b1a90';

describe('the id of a session', () => {
  const paths: readonly (readonly [path: string, id: string])[] = [
    [`/home/ada/.claude/projects/-home-ada-bookshop/${uuid}.jsonl`, uuid],
    [`C:\\Users\\ada\\.claude\\projects\\C--bookshop\\${uuid}.jsonl`, uuid],
    [`/home/ada/.codex/sessions/2026/01/05/rollout-2026-01-05T09-00-00-${uuid}.jsonl.zst`, uuid],
    [`/home/ada/.copilot/session-state/${uuid}/events.jsonl`, uuid],
    [`/home/ada/.gemini/antigravity/brain/${uuid}/.system_generated/logs/transcript.jsonl`, uuid],
    ['/home/ada/.local/share/opencode/storage/session/p1/ses_4f2ab81c9ffe.json', 'ses_4f2ab81c9ffe'],
    ['/home/ada/.local/share/amp/threads/T-1f2e3d4c5b6a.json', 'T-1f2e3d4c5b6a'],
    ['/home/ada/tasks/1767603600000/api_conversation_history.json', '1767603600000'],
    [
      '/home/ada/.gemini/tmp/c0ffee/chats/session-2026-01-05T09-00-1a2b3c4d.json',
      'session-2026-01-05T09-00-1a2b3c4d',
    ],
    ['/home/ada/bookshop/.aider.chat.history.md', '.aider'],
    ['/home/ada/.hermes/state.db', 'state'],
  ];
  for (const [path, id] of paths) {
    it(`of ${path} is ${id}`, () => {
      assert.equal(sessionIdOf(path), id);
    });
  }
});
