import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { textScheme } from '../../src/host/manifest';
import { ClaudeCodeSession, sourceText } from '../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, finalEditor, openAlone, temporaryFile, temporaryPath } from './inspector';
import { answered, answerMessage, chooseRow, fromPalette, isShown } from './inventory/workbench';

const session = new ClaudeCodeSession()
  .prompt('Why does the shop close early? DB_PASSWORD=Xk29vTq81LmZ')
  .reply({ tool: 'Bash', id: 'toolu_a', input: { command: 'cat hours.txt' } })
  .result('toolu_a', sourceText(1, 4_000))
  .reply({ text: 'The clock is wrong.' })
  .toString();

/** The text of the manifest that is shown. */
const shownManifest = (): string | undefined =>
  vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === textScheme)?.getText();

test(
  'hands a session to Codex: shows what it will receive, then saves a session that opens as one history',
  async () => {
    const uri = temporaryFile('hand-me.jsonl', session);
    const folder = temporaryPath('handed');
    mkdirSync(join(folder, 'inside'), { recursive: true });
    await openAlone(uri);
    await finalEditor(uri);
    await answered(() => fromPalette('Hand Off to…'), chooseRow, 'Codex');
    await ui(chooseRow, 'Everything');
    await ui(chooseRow, 'Redacted');
    await waitUntil('the manifest is shown', () => shownManifest() !== undefined);
    const total = /\nTotal: (.*), and your next prompt\n/.exec(shownManifest() ?? '')?.[1] ?? '';
    assert.match(total, /^[\d,–]+ tokens \(estimated/, shownManifest());
    assert.match(shownManifest() ?? '', /^First request of Codex after the hand-off/);
    assert.deepEqual(
      readdirSync(folder),
      ['inside'],
      'nothing is written before the user has seen the manifest',
    );
    await answerMessage(total, 'Save As…');
    await waitUntil('the session is saved', async () => {
      const isSaved = readdirSync(folder).some(each => each.endsWith('.jsonl'));
      if (!isSaved) {
        await typeFolder(folder);
      }
      return isSaved;
    });
    const name = readdirSync(folder).find(each => each.endsWith('.jsonl')) ?? '';
    const text = readFileSync(join(folder, name), 'utf8');
    assert.match(text, /The clock is wrong\./);
    assert.doesNotMatch(text, /Xk29vTq81LmZ/);
    await answerMessage('The session was saved', 'Open');
    const written = vscode.Uri.file(join(folder, name));
    await isShown(written);
    const { summary, requests } = await finalEditor(written);
    assert.equal(summary?.format, 'codex');
    assert.deepEqual([(requests ?? 0) > 0, summary.conversations, summary.problems], [true, [], []]);
    assert.equal(readFileSync(uri.fsPath, 'utf8'), session);
    await closeEverything();
  },
  { skip: windowMissing },
);

/** Types a folder into the dialog, and confirms it once the dialog shows what is in it. */
const typeFolder = (folder: string): Promise<unknown> =>
  ui(async ({ page }, wanted) => {
    const dialog = page.locator('.quick-input-widget:visible');
    const ok = dialog.getByRole('button', { name: 'Save Here' });
    const input = dialog.locator('input[type=text]').last();
    if (await ok.isVisible()) {
      const timeout = 1000;
      const isThere = await dialog.locator('.monaco-list-row', { hasText: 'inside' }).isVisible();
      const typed = await input.inputValue({ timeout }).catch(() => '');
      await (
        isThere ? ok.click({ timeout }) : typed === wanted ? undefined : input.fill(wanted, { timeout })
      )?.catch(() => undefined);
    }
  }, `${folder}/`);
