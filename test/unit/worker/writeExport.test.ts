import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { stopExport, writeExport } from '../../../src/worker/writeExport';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { openForTwin } from '../../fixtures/twins';

it('stops an export, and leaves no file of it', async () => {
  const text = Array.from({ length: 8_000 }, (_, at) => `word${at.toString(36)} `).join('');
  const session = await openForTwin(Buffer.from(new ClaudeCodeSession().prompt(text).toString()));
  assert.ok(typeof session !== 'string');
  const folder = await mkdtemp(join(tmpdir(), 'export-'));
  const path = join(folder, 'twin.jsonl');
  const options = {
    form: 'twin',
    request: 0,
    options: defaultPruneOptions(),
    colour: 'cache',
    level: 'redacted',
    path,
    overwrite: false,
    notOver: join(folder, 'session.jsonl'),
  } as const;
  const scanner = { scan: () => Promise.resolve([]) };
  try {
    const stopping = writeExport(session, options, scanner);
    stopExport(path);
    await assert.rejects(stopping, { name: 'CancelledError' });
    assert.deepEqual(await readdir(folder), []);
    // The same path can be chosen again.
    await writeExport(session, options, scanner);
    assert.deepEqual(await readdir(folder), ['twin.jsonl']);
  } finally {
    await rm(folder, { recursive: true });
  }
});
