import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Uri } from 'vscode';
import type { OpenEditor } from '../../src/host/api';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, finalEditor, inspectorApi, openAlone, temporaryFile } from './inspector';
import { slowlyMeasured } from './inventory/slowSession';
import { holdThreads } from './threads';

/**
 * Opens a file and returns its final editor, and if measuring was observed. Measuring may be too short to observe, so
 * only its absence proves anything.
 */
async function opened(uri: Uri): Promise<{ readonly isMeasured: boolean; readonly final: OpenEditor }> {
  const { openEditors, onDidChange } = await inspectorApi();
  await closeEverything();
  let isMeasured = false;
  const listener = onDidChange(() => {
    isMeasured ||= openEditors().some(({ pending }) => pending === 'measuring');
  });
  try {
    await openAlone(uri);
    const final = await finalEditor(uri);
    return { isMeasured, final };
  } finally {
    listener.dispose();
  }
}

test('opens a file again with what was measured, and without it where that is damaged or gone', async () => {
  const { measureFolder } = await inspectorApi();
  assert.ok(measureFolder !== undefined, 'there is no folder for measures');
  const uri = temporaryFile('measured.jsonl', slowlyMeasured(3));
  const entries = (): readonly string[] =>
    existsSync(measureFolder) ? readdirSync(measureFolder).filter(name => !name.endsWith('.part')) : [];
  const before = new Set(entries());

  const { final } = await opened(uri);
  await waitUntil('measures are kept', () => entries().some(name => !before.has(name)));
  const entry = join(measureFolder, entries().find(name => !before.has(name)) ?? '');
  const kept = readFileSync(entry);

  // Nothing is left to measure, so the first figures shown are final.
  assert.deepStrictEqual(await opened(uri), { isMeasured: false, final });

  writeFileSync(
    entry,
    kept.map((byte, index) => (index === kept.length - 1 ? byte ^ 1 : byte)),
  );
  assert.deepStrictEqual((await opened(uri)).final, final);
  await waitUntil('the damaged measures are replaced', () => readFileSync(entry).equals(kept));

  rmSync(measureFolder, { recursive: true });
  assert.deepStrictEqual((await opened(uri)).final, final);
  await waitUntil('measures are kept again', () => existsSync(entry));
});

test(
  'tells in the status bar that a file is still measured, until it is',
  async () => {
    const uri = temporaryFile('measuring.jsonl', slowlyMeasured(1));
    const statusBar = async (): Promise<string> =>
      String(await ui(({ page }) => page.locator('.part.statusbar').innerText()));
    const isTold = async (): Promise<boolean> =>
      (await statusBar()).includes('Counting tokens and scanning for sensitive data in measuring.jsonl');
    await closeEverything();
    assert.equal(await isTold(), false);
    const held = holdThreads(['type', 'update']);
    try {
      await openAlone(uri);
      await waitUntil('it is told', isTold);
    } finally {
      held.release();
    }
    await finalEditor(uri);
    await waitUntil('the status bar is silent', async () => !(await isTold()));
  },
  { skip: windowMissing },
);
