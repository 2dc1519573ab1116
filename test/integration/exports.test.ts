import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { clearedNotice } from '../../src/core/content/pruneNotices';
import type { OpenEditor } from '../../src/host/api';
import { commandIds } from '../../src/host/manifest';
import { ClaudeCodeSession, sourceText } from '../fixtures/claudeCodeSession';
import { PlantedSecrets, plantedFile } from '../fixtures/plantedSecrets';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, finalEditor, openAlone, temporaryFile, workspaceFolder } from './inspector';
import { saveAt } from './inventory/workbench';

/** Two results of about 66,000 tokens each before the two newest prompts: one is protected, and one is pruned. */
const session = new ClaudeCodeSession()
  .prompt('Why?')
  .reply({ tool: 'Bash', id: 'toolu_a', input: { command: 'cat a' } })
  .result('toolu_a', sourceText(1, 160_000))
  .reply({ tool: 'Bash', id: 'toolu_b', input: { command: 'cat b' } })
  .result('toolu_b', sourceText(2, 60_000))
  .prompt('Fix it')
  .reply({ text: 'Fixed.' })
  .prompt('Thanks')
  .reply({ text: 'Welcome.' })
  .toString();

test('exports a pruned copy and a report of the open transcript, and leaves the transcript as it is', async () => {
  const uri = temporaryFile('export-me.jsonl', session);
  await openAlone(uri);
  await finalEditor(uri);
  const copy = vscode.Uri.joinPath(uri, '..', 'export-me.pruned.jsonl');
  const report = vscode.Uri.joinPath(uri, '..', 'export-me.report.html');
  await waitUntil('the page is asked for the copy', async () =>
    vscode.commands.executeCommand<boolean>(commandIds.exportPrunedCopy, uri, copy),
  );
  await waitUntil('the pruned copy is written', () => existsSync(copy.fsPath));
  assert.ok(readFileSync(copy.fsPath, 'utf8').includes(clearedNotice));
  assert.equal(readFileSync(uri.fsPath, 'utf8'), session);
  await vscode.commands.executeCommand(commandIds.exportReport, uri, report);
  await waitUntil('the report is written', () => existsSync(report.fsPath));
  assert.match(readFileSync(report.fsPath, 'utf8'), /<svg/);
  await closeEverything();
});

test(
  'shows what a report would hold at each level, and writes figures alone when they are chosen',
  async () => {
    const words = 'Zanzibar';
    const uri = temporaryFile(
      'share-me.jsonl',
      new ClaudeCodeSession().prompt(`${words} DB_PASSWORD=Xk29vTq81LmZ`).reply({ text: words }).toString(),
    );
    await openAlone(uri);
    await finalEditor(uri);
    const levels = await ui(async ({ page, webview }) => {
      await webview.getByRole('button', { name: 'Exports' }).click();
      await webview.getByRole('button', { name: 'Export report…' }).click();
      const widget = page.locator('.quick-input-widget');
      const rows = widget.locator('.monaco-list-row');
      await rows.filter({ hasText: 'Figures only' }).waitFor();
      const texts = await rows.allTextContents();
      // The list may not have the focus yet. Its field takes it.
      const input = widget.locator('input[type=text]').first();
      await input.fill('Figures only');
      await widget.locator('.monaco-list-row.focused').filter({ hasText: 'Figures only' }).waitFor();
      await input.press('Enter');
      return texts;
    });
    assert.match(
      String(levels),
      /Figures only.*Contains 1 model name, sizes.*Redacted.*Contains 1 label, 1 model name.*1 text leaves.*Full.*1 label/s,
    );
    const target = vscode.Uri.joinPath(uri, '..', 'figures.html').fsPath;
    await saveAt(target);
    const text = readFileSync(target, 'utf8');
    assert.match(text, /<svg/);
    assert.doesNotMatch(text, /Zanzibar|Xk29vTq81LmZ/);
    await closeEverything();
  },
  { skip: windowMissing },
);
test('exports no credential, wherever it is planted, and says that they were redacted', async () => {
  const secrets = new PlantedSecrets();
  const planted = plantedFile(session, secrets);
  const uri = temporaryFile('planted.jsonl', planted);
  await openAlone(uri);
  await finalEditor(uri);
  const copy = vscode.Uri.joinPath(uri, '..', 'planted.pruned.jsonl');
  const report = vscode.Uri.joinPath(uri, '..', 'planted.report.html');
  await waitUntil('the page is asked for the copy', async () =>
    vscode.commands.executeCommand<boolean>(commandIds.exportPrunedCopy, uri, copy),
  );
  await waitUntil('the pruned copy is written', () => existsSync(copy.fsPath));
  await vscode.commands.executeCommand(commandIds.exportReport, uri, report);
  await waitUntil('the report is written', () => existsSync(report.fsPath));
  for (const path of [copy.fsPath, report.fsPath]) {
    const text = readFileSync(path, 'utf8');
    assert.deepEqual(secrets.leftIn(text), [], path);
  }
  assert.equal(readFileSync(copy.fsPath, 'utf8').split('\n').length, planted.split('\n').length);
  await closeEverything();
});

/** The content of an editor, without the words of the transcript. */
function shownFigures({ blocks, requests, summary }: OpenEditor) {
  assert.ok(summary !== undefined);
  const { models, messages, compactions, problems, leftOut, encoding, format } = summary;
  return {
    blocks,
    requests,
    models: models.map(({ id }) => id),
    messages,
    compactions,
    problems,
    leftOut: leftOut.map(({ line, count }) => ({ line, count })),
    encoding,
    format,
  };
}

/** The figures in the header: the tokens of the shown request and of its parts, the cached part, and the cost. */
async function headerFigures(): Promise<unknown> {
  return windowMissing !== undefined
    ? []
    : ui(async ({ webview }) => {
        await webview.getByTestId('total').waitFor();
        return [
          await webview.locator('.window__bar').getAttribute('aria-label'),
          await webview.getByTestId('total').textContent(),
          ...(await webview.locator('.timeline__figure, .header__cost').allTextContents()),
        ];
      });
}

test('exports an anonymised twin of the example, which opens with the same figures and without the texts', async () => {
  const example = vscode.Uri.joinPath(workspaceFolder(), 'session.jsonl');
  const original = readFileSync(example.fsPath, 'utf8');
  const uri = temporaryFile('confidential.jsonl', original);
  await openAlone(uri);
  const before = shownFigures(await finalEditor(uri));
  const header = await headerFigures();
  if (windowMissing === undefined) {
    assert.match(String(header), /History [\d,]+.*\d % cached.*\$\d/s);
  }
  const twin = vscode.Uri.joinPath(uri, '..', 'confidential.twin.jsonl');
  await waitUntil('the page is asked for the twin', async () =>
    vscode.commands.executeCommand<boolean>(commandIds.exportTwin, uri, twin),
  );
  await waitUntil('the twin is written', () => existsSync(twin.fsPath), 60_000);
  const prompt = /"role":"user","content":"([^"\\]{30})/.exec(original)?.[1];
  assert.ok(prompt !== undefined);
  assert.ok(!readFileSync(twin.fsPath, 'utf8').includes(prompt));
  assert.equal(readFileSync(uri.fsPath, 'utf8'), original);
  await openAlone(twin);
  assert.deepEqual(shownFigures(await finalEditor(twin)), before);
  assert.deepEqual(await headerFigures(), header);
  await closeEverything();
});
