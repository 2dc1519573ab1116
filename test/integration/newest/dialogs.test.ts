import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commandIds, textScheme } from '../../../src/host/manifest';
import { ClaudeCodeSession, sourceText } from '../../fixtures/claudeCodeSession';
import { run } from '../contributions';
import { eventually, ui, windowMissing } from '../driver';
import { test } from '../index';
import { finalEditor, openAlone, temporaryFile, temporaryPath } from '../inspector';
import { answered, answerMessage, chooseRow, isShown, pageIsDrawn, saveAt } from '../workbench';

const needsWindow = { skip: windowMissing };
const secret = 'Xk29vTq81LmZ';
const session = new ClaudeCodeSession()
  .prompt(`Why does Zanzibar close early? DB_PASSWORD=${secret}`)
  .reply({ tool: 'Bash', id: 'toolu_a', input: { command: 'cat hours.txt' } })
  .result('toolu_a', sourceText(1, 4_000))
  .reply({ text: 'The clock is wrong.' })
  .toString();

async function openSession(name: string): Promise<vscode.Uri> {
  const uri = temporaryFile(name, session);
  await openAlone(uri);
  await finalEditor(uri);
  await pageIsDrawn();
  return uri;
}

test(
  'shows what a report would hold at each level, and writes figures alone when they are chosen',
  async () => {
    await openSession('share-me.jsonl');
    const levels = await ui(async ({ page, webview }) => {
      await webview.getByRole('button', { name: 'Exports' }).click();
      await webview.getByRole('button', { name: 'Export report…' }).click();
      const rows = page.locator('.quick-input-widget .monaco-list-row');
      await rows.filter({ hasText: 'Figures only' }).waitFor();
      return rows.allTextContents();
    });
    assert.match(
      String(levels),
      /Figures only.*Contains 1 model name, sizes.*Redacted.*Contains 3 labels, 1 tool name, 1 model name.*4 texts leave.*Full.*3 labels/s,
    );
    await ui(chooseRow, 'Figures only');
    const text = await saveAt(temporaryPath('saved/figures.html'));
    assert.match(text, /<svg/);
    assert.doesNotMatch(text, new RegExp(`Zanzibar|${secret}`));
  },
  needsWindow,
);

/** The text of the manifest that is shown. */
const shownManifest = (): string | undefined =>
  vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === textScheme)?.getText();

test(
  'hands a session to Codex: shows what it will receive, then saves a session that opens as one history',
  async () => {
    const uri = await openSession('hand-me.jsonl');
    const folder = temporaryPath('handed');
    mkdirSync(join(folder, 'inside'), { recursive: true });
    await answered(() => run(commandIds.handOff), chooseRow, 'Codex');
    await ui(chooseRow, 'Everything');
    await ui(chooseRow, 'Redacted');
    await eventually('the manifest is shown', () => shownManifest() !== undefined);
    const total = /\nTotal: (.*), and your next prompt\n/.exec(shownManifest() ?? '')?.[1] ?? '';
    assert.match(total, /^[\d,–]+ tokens \(estimated/, shownManifest());
    assert.match(shownManifest() ?? '', /^First request of Codex after the hand-off/);
    assert.deepEqual(readdirSync(folder), ['inside'], 'something was written before the user agreed');
    await answerMessage(total, 'Save As…');
    const saved = (): string | undefined => readdirSync(folder).find(each => each.endsWith('.jsonl'));
    await ui(async ({ page, until }, wanted) => {
      const dialog = page.locator('.quick-input-widget:visible');
      const input = dialog.locator('input[type=text]').last();
      const inside = dialog.locator('.monaco-list-row', { hasText: 'inside' });
      await dialog.getByRole('button', { name: 'Save Here' }).waitFor();
      await until('the dialog shows the folder', async () => {
        if ((await input.inputValue()) !== wanted) {
          await input.fill(wanted);
        }
        return inside.isVisible();
      });
      await dialog.getByRole('button', { name: 'Save Here' }).click();
    }, `${folder}/`);
    await eventually('the session is saved', () => saved() !== undefined, folder);
    const written = vscode.Uri.file(join(folder, saved() ?? ''));
    const text = readFileSync(written.fsPath, 'utf8');
    assert.match(text, /The clock is wrong\./);
    assert.ok(!text.includes(secret));
    await answerMessage('The session was saved', 'Open');
    await isShown(written);
    const { summary, requests } = await finalEditor(written);
    assert.equal(summary?.format, 'codex');
    assert.deepEqual([(requests ?? 0) > 0, summary.conversations, summary.problems], [true, [], []]);
    assert.equal(readFileSync(uri.fsPath, 'utf8'), session);
  },
  needsWindow,
);
