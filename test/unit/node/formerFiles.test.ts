import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { deleteFormerFiles } from '../../../src/node/files/formerFiles';

describe('files of earlier versions', () => {
  const storage = mkdtempSync(join(tmpdir(), 'former-'));
  after(() => rmSync(storage, { recursive: true, force: true }));

  it('are deleted from the storage, and nothing else is', async () => {
    mkdirSync(join(storage, 'measures'));
    writeFileSync(join(storage, 'sessions.json'), '{}');
    mkdirSync(join(storage, 'code'));
    writeFileSync(join(storage, 'code', 'worker.js.code'), '');
    await deleteFormerFiles(storage, 'compiled');
    assert.deepEqual(readdirSync(storage), ['measures']);
  });

  it('of compiled code go when they are old', async () => {
    const folder = join(storage, 'compiled', 'node');
    mkdirSync(folder, { recursive: true });
    const [old, young] = [join(folder, 'old'), join(folder, 'young')];
    writeFileSync(old, '');
    writeFileSync(young, '');
    const time = new Date(Date.now() - 100 * 86_400_000);
    utimesSync(old, time, time);
    await deleteFormerFiles(storage, 'compiled');
    assert.deepEqual(readdirSync(folder), ['young']);
  });

  it('may be gone', async () => {
    await deleteFormerFiles(storage, 'compiled');
    await deleteFormerFiles(join(storage, 'nowhere'), 'compiled');
  });
});
