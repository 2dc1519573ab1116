import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds, sessionsViewId, viewType } from '../../../src/host/manifest';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { noteUse, run, withSettings } from '../contributions';
import { drag, eventually, ui, windowMissing } from '../driver';
import { test } from '../index';
import {
  closeEverything,
  finalEditor,
  inspectorApi,
  isActiveAsText,
  isActiveInInspector,
  workspaceFile,
  writeSession,
} from '../inspector';
import { chooseRow, isShown, showSessions } from '../workbench';

const needsWindow = { skip: windowMissing };

/** A prompt, three calls with a result each (two blocks and one), and a last word: 1 + 3 · 3 + 1 blocks in 4 replies. */
const session = addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 3, 2000).toString();

test('leaves a plain click to the text editor, and shows the active file in two editors that read it once', async () => {
  const uri = workspaceFile('by-command.jsonl', session);
  await closeEverything();
  await vscode.commands.executeCommand('vscode.open', uri);
  await eventually('the file is shown as text', () => isActiveAsText(uri));
  await run(commandIds.open);
  await finalEditor(uri);
  assert.ok(isActiveInInspector(uri));
  await vscode.commands.executeCommand('workbench.action.splitEditor');
  const { openEditors } = await inspectorApi();
  await eventually('two editors show the file', () => openEditors().length === 2);
  assert.deepStrictEqual(
    openEditors().map(editor => [editor.uri, editor.state, editor.blocks, editor.requests]),
    [
      [uri.toString(), 'shown', 11, 4],
      [uri.toString(), 'shown', 11, 4],
    ],
  );
});

/** The names of the tabs as shown, each with the file of its own icon; empty if the tab has the icon of the file. */
const shownTabs = (): Promise<unknown> =>
  ui(({ page }) =>
    page.locator('body').evaluate(`[...document.querySelectorAll('.tabs-container .tab')].map(tab => {
      const image = tab.querySelector('.monaco-icon-label-iconpath');
      const name = tab.querySelector('.monaco-icon-label-container').textContent;
      return [name, image === null ? '' : getComputedStyle(image).backgroundImage.match(/tab-[a-z]+[.]svg/)?.[0]];
    })`),
  );

test(
  'opens by "Reopen Editor With" and by a click where the user has chosen it, in a tab with its title and icon',
  async () => {
    const reopened = workspaceFile('by-reopening.jsonl', session);
    await closeEverything();
    await vscode.window.showTextDocument(reopened, { preview: false });
    const reopening = vscode.commands.executeCommand('workbench.action.reopenWithEditor');
    await ui(chooseRow, 'Context Inspector');
    await reopening;
    await isShown(reopened);
    noteUse(`customEditors ${viewType}`);
    await withSettings({ 'workbench.editorAssociations': { '*.har': viewType } }, async () => {
      const clicked = workspaceFile('clicked.har', '{"log":{"entries":[]}}');
      await vscode.commands.executeCommand('revealInExplorer', clicked);
      await ui(({ page }) => page.getByRole('treeitem', { name: 'clicked.har' }).dblclick());
      await isShown(clicked);
    });
    const icon =
      vscode.window.activeColorTheme.kind === vscode.ColorThemeKind.Light ? 'tab-light.svg' : 'tab-dark.svg';
    assert.deepEqual(await shownTabs(), [
      ['Why is the price wrong?', icon],
      ['clicked.har', icon],
    ]);
  },
  needsWindow,
);

test(
  'opens a session that is dropped on the editors, and a file that is dropped on the list of sessions',
  async () => {
    const uri = writeSession('garden', 'Stack the pots');
    await showSessions();
    const search = (text: string): Promise<unknown> =>
      ui(({ view }, wanted) => view.getByRole('textbox').fill(wanted), text);
    await search('stack the pots');
    // A row can be dragged once it has been described.
    const row = '.session[draggable="true"]:has-text("Stack the pots")';
    await drag({ where: 'view', selector: row }, { where: 'page', selector: '.part.editor' });
    await isShown(uri);
    await search('');
    await closeEverything();
    // The explorer and the list are visible together if they are in one container.
    const move = (destinationId: string): Thenable<unknown> =>
      vscode.commands.executeCommand('vscode.moveViews', {
        viewIds: ['contextInspector.sessions'],
        destinationId,
      });
    await move('workbench.view.explorer');
    try {
      await vscode.commands.executeCommand(`${sessionsViewId}.focus`);
      const file = workspaceFile('dropped.jsonl', session);
      await vscode.commands.executeCommand('revealInExplorer', file);
      await drag(
        { where: 'page', selector: 'role=treeitem[name="dropped.jsonl"]' },
        { where: 'view', selector: 'main.sessions' },
        ['Shift'],
      );
      await isShown(file);
    } finally {
      await move('workbench.view.extension.contextInspector');
    }
  },
  needsWindow,
);
