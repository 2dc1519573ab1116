import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { deleteFormerFiles } from '../../../src/node/formerFiles';

describe('files of earlier versions', () => {
  const storage = mkdtempSync(join(tmpdir(), 'former-'));
  after(() => rmSync(storage, { recursive: true, force: true }));

  it('are deleted from the storage, and nothing else is', async () => {
    mkdirSync(join(storage, 'measures'));
    writeFileSync(join(storage, 'sessions.json'), '{}');
    await deleteFormerFiles(storage);
    assert.deepEqual(readdirSync(storage), ['measures']);
  });

  it('may be gone', async () => {
    await deleteFormerFiles(storage);
    await deleteFormerFiles(join(storage, 'nowhere'));
  });
});
