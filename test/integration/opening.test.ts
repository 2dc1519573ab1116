import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds } from '../../src/host/manifest';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { fromMenu, ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import {
  closeEverything,
  finalEditor,
  inspectorApi,
  isActiveAsText,
  isActiveInInspector,
  openAlone,
  temporaryFile,
  workspaceFile,
} from './inspector';

/**
 * A prompt, three calls with a result each (two blocks and one), and a last word: 1 + 3 · 3 + 1 blocks in 4 replies.
 */
const session = addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 3, 2000).toString();

test('registers every command that it declares', async () => {
  await inspectorApi();
  const registered = new Set(await vscode.commands.getCommands(true));
  assert.deepStrictEqual(
    Object.values(commandIds).filter(id => !registered.has(id)),
    [],
  );
});

test('opens the file that is active as text, by command', async () => {
  const uri = temporaryFile('by-command.jsonl', session);
  await closeEverything();
  await vscode.window.showTextDocument(uri);
  await vscode.commands.executeCommand(commandIds.open);
  const { blocks, requests, summary } = await finalEditor(uri);
  assert.deepStrictEqual(
    {
      active: isActiveInInspector(uri),
      blocks,
      requests,
      model: summary?.model,
      problems: summary?.problems,
    },
    { active: true, blocks: 11, requests: 4, model: 'claude-sonnet-4-5-20250929', problems: [] },
  );
});

test('opens the file that a menu passes, and shows it as text again', async () => {
  const uri = workspaceFile('by-menu.jsonl', session);
  await closeEverything();
  await vscode.commands.executeCommand(commandIds.open, uri, [uri]);
  await finalEditor(uri);
  assert.ok(isActiveInInspector(uri));
  await vscode.commands.executeCommand(commandIds.openAsText);
  await waitUntil('the file is shown as text', () => isActiveAsText(uri));
});

test('leaves a plain click on a transcript to the text editor', async () => {
  const uri = workspaceFile('by-click.jsonl', session);
  await closeEverything();
  await vscode.commands.executeCommand('vscode.open', uri);
  await waitUntil('the file is shown as text', () => isActiveAsText(uri));
});

test(
  'opens from the menu of the explorer',
  async () => {
    const uri = workspaceFile('by-explorer.jsonl', session);
    await closeEverything();
    await vscode.commands.executeCommand('revealInExplorer', uri);
    await fromMenu(
      () =>
        ui(({ page }) =>
          page.getByRole('treeitem', { name: 'by-explorer.jsonl' }).click({ button: 'right' }),
        ),
      'Open in Context Inspector',
    );
    await finalEditor(uri);
    assert.ok(isActiveInInspector(uri));
  },
  { skip: windowMissing },
);

test(
  'opens from the button in the title of a text editor',
  async () => {
    const uri = workspaceFile('by-button.jsonl', session);
    await closeEverything();
    await vscode.window.showTextDocument(uri);
    await ui(({ page }) => page.getByRole('button', { name: 'Open in Context Inspector' }).click());
    await finalEditor(uri);
    assert.ok(isActiveInInspector(uri));
  },
  { skip: windowMissing },
);

test(
  'opens by "Reopen Editor With"',
  async () => {
    const uri = workspaceFile('by-reopening.jsonl', session);
    await closeEverything();
    await vscode.window.showTextDocument(uri);
    const reopened = vscode.commands.executeCommand('workbench.action.reopenWithEditor');
    await ui(({ page }) => page.getByRole('option', { name: 'Context Inspector' }).click());
    await reopened;
    await finalEditor(uri);
    assert.ok(isActiveInInspector(uri));
  },
  { skip: windowMissing },
);

test('shows one file in several editors, and reads it once', async () => {
  const uri = temporaryFile('split.jsonl', session);
  await openAlone(uri);
  await finalEditor(uri);
  await vscode.commands.executeCommand('workbench.action.splitEditor');
  const { openEditors } = await inspectorApi();
  await waitUntil('two editors show the file', () => openEditors().length === 2);
  assert.deepStrictEqual(
    openEditors().map(editor => [editor.uri, editor.state, editor.blocks]),
    [
      [uri.toString(), 'shown', 11],
      [uri.toString(), 'shown', 11],
    ],
  );
});
