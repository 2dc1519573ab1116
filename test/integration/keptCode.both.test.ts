import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Uri } from 'vscode';
import type { OpenEditor } from '../../src/host/api';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { waitUntil } from './driver';
import { test } from './index';
import { closeEverything, finalEditor, inspectorApi, openAlone, temporaryFile } from './inspector';

async function opened(uri: Uri): Promise<OpenEditor> {
  await closeEverything();
  await openAlone(uri);
  return finalEditor(uri);
}

test('keeps the code of the thread that reads, and opens transcripts where that is damaged or gone', async () => {
  const { measureFolder } = await inspectorApi();
  const folder = join(measureFolder ?? '', '..', 'code');
  const kept = (): string | undefined =>
    existsSync(folder)
      ? readdirSync(folder).find(name => name.startsWith('worker.js.') && name.endsWith('.code'))
      : undefined;
  const uri = temporaryFile(
    'code.jsonl',
    addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 9, 2000).toString(),
  );
  const final = await opened(uri);
  await waitUntil('the code is kept', () => kept() !== undefined);
  const path = join(folder, kept() ?? '');
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const code = readFileSync(path);
  const { ino } = statSync(path);

  assert.deepStrictEqual(await opened(uri), final);
  assert.equal(statSync(path).ino, ino, 'the code is made again');

  writeFileSync(
    path,
    code.map((byte, index) => (index === code.length >> 1 ? byte ^ 1 : byte)),
  );
  assert.deepStrictEqual(await opened(uri), final);
  await waitUntil('the damaged code is replaced', () => statSync(path).ino !== ino);

  rmSync(folder, { recursive: true });
  assert.deepStrictEqual(await opened(uri), final);
  await waitUntil('the code is kept again', () => existsSync(path));
});
