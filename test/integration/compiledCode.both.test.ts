import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { join } from 'node:path';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { waitUntil } from './driver';
import { test } from './index';
import { closeEverything, finalEditor, inspectorApi, openAlone, temporaryFile } from './inspector';

test('keeps the compiled code of the thread that reads, and of nothing else in the host', async () => {
  const { measureFolder } = await inspectorApi();
  const folder = join(measureFolder ?? '', '..', 'compiled');
  const transcript = addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 9, 2000).toString();
  const uri = temporaryFile('code.jsonl', transcript);
  await openAlone(uri);
  const final = await finalEditor(uri);
  await waitUntil('the code is kept', () => existsSync(folder) && readdirSync(folder).length > 0);
  assert.equal(getCompileCacheDir(), undefined);
  await closeEverything();
  await openAlone(uri);
  assert.deepStrictEqual(await finalEditor(uri), final);
  await closeEverything();
});
