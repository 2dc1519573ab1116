import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { listUnread } from '../samples/unreadMembers';

const folder = mkdtempSync(join(tmpdir(), 'unread-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const long = 'A text that is long enough to matter. '.repeat(8);

it('members that nothing reads are those with counts or text that no reader looked at', () => {
  const path = join(folder, 'session.jsonl');
  const common = { parentUuid: null, sessionId: 's', version: '2.1.62', isSidechain: false };
  writeFileSync(
    path,
    [
      {
        ...common,
        type: 'user',
        uuid: 'u',
        message: { role: 'user', content: long },
        toolUseResult: { stdout: long, usage: { spent_tokens: 7 } },
        short: 'a name',
      },
    ]
      .map(each => JSON.stringify(each))
      .join('\n'),
  );
  const other = join(folder, 'notes.txt');
  writeFileSync(other, 'no JSON');
  assert.deepEqual(listUnread([path, other]), [
    `claude-code | user | toolUseResult.stdout | text | 1 times | 1 files | ${long.length} in all`,
    'claude-code | user | toolUseResult.usage.spent_tokens | tokens | 1 times | 1 files | 7 in all',
    '1 files read; 1 are no JSON that a format reads',
  ]);
});
