import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { commandIds } from '../../../src/host/manifest';
import { askTool, untilListed } from '../chat';
import { eventually, fromMenu, ui, windowMissing } from '../driver';
import { test } from '../index';
import { finalEditor, inspectorApi, isActiveInInspector, temporaryPath, writeSession } from '../inspector';
import { exampleFile, findingsAreShown, pageIsDrawn, showSessions } from '../workbench';

const needsWindow = { skip: windowMissing };

test('registers every command that it declares, and answers tools of the chat about the example', async () => {
  await inspectorApi();
  const registered = new Set(await vscode.commands.getCommands(true));
  assert.deepStrictEqual(
    Object.values(commandIds).filter(id => !registered.has(id)),
    [],
  );
  await vscode.commands.executeCommand(commandIds.open, exampleFile());
  await finalEditor(exampleFile());
  assert.match(await askTool('why_cache_lost', { request: 54 }), /\nRequest 54: idle too long/);
  if (windowMissing === undefined) {
    await findingsAreShown();
  }
});

test(
  'opens a transcript from the menu of the explorer, draws it, and writes a report of it',
  async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('revealInExplorer', exampleFile());
    await fromMenu(
      () =>
        ui(({ page }) => page.getByRole('treeitem', { name: 'session.jsonl' }).click({ button: 'right' })),
      'Open in Context Inspector',
    );
    await finalEditor(exampleFile());
    await pageIsDrawn();
    await ui(async ({ page, webview }) => {
      await webview.getByRole('listbox', { name: 'Lanes' }).press('End');
      await page.keyboard.press('Enter');
      await webview.getByTestId('block-text').waitFor();
      for (const view of ['Conversation', 'Table', 'Breakdown']) {
        await webview.getByRole('radio', { name: view }).check();
      }
      await webview.getByTestId('breakdown-map').waitFor();
    });
    const report = vscode.Uri.file(temporaryPath('smoke.report.html'));
    await vscode.workspace.fs.createDirectory(vscode.Uri.joinPath(report, '..'));
    assert.equal(await vscode.commands.executeCommand(commandIds.exportReport, exampleFile(), report), true);
    await eventually('the report is written', () => existsSync(report.fsPath), dirname(report.fsPath));
    assert.match(readFileSync(report.fsPath, 'utf8'), /<svg/);
  },
  needsWindow,
);

test(
  'lists a session, opens it, shows the usage, and is in the list of MCP servers',
  async () => {
    const uri = writeSession('garden', 'Water the plants');
    await showSessions();
    await ui(({ view }) => view.getByRole('treeitem', { name: /^Water the plants/ }).click());
    await eventually('the session is shown', () => isActiveInInspector(uri));
    await finalEditor(uri);
    await vscode.commands.executeCommand(commandIds.usage);
    await ui(({ webview }) => webview.getByRole('heading', { name: 'Usage', exact: true }).waitFor());
    await untilListed(true);
  },
  needsWindow,
);
