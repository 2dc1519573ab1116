import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { fromMenu, ui, waitUntil } from '../driver';
import { closeEverything, isActiveAsText, workspaceFile } from '../inspector';
import { chooseSession, compareFromMenu, isComparisonShown } from './comparePlaces';
import { swapUnnoticed } from './commands';
import { searchHasFocus } from './searchPlaces';
import { isOpened, showSessions, writeSession } from './sessionPlaces';
import { isUsageShown } from './usagePlaces';
import {
  answered,
  exampleFile,
  exportTo,
  isAsked,
  isShown,
  openTheExample,
  searchQuestion,
} from './workbench';

/** A unique name for each file, so that no earlier tab matches. */
let files = 0;
function anotherFile(ending: string): vscode.Uri {
  files += 1;
  const record = { type: 'user', message: { role: 'user', content: 'Hi' } };
  return workspaceFile(`inventory-menu-${files}.${ending}`, `${JSON.stringify(record)}\n`);
}

const rightClick = (role: 'tab' | 'treeitem', uri: vscode.Uri): Promise<unknown> =>
  ui(({ page }, wanted) => page.getByRole(wanted.role, { name: wanted.name }).click({ button: 'right' }), {
    role,
    name: uri.path.slice(uri.path.lastIndexOf('/') + 1),
  });

const editorButton = (name: string): Promise<unknown> =>
  ui(
    ({ page }, wanted) =>
      page
        .locator('.editor-actions')
        .getByRole('button', { name: new RegExp(`^${wanted}`) })
        .click(),
    name,
  );

const openEditorMenu = (): Promise<unknown> =>
  ui(({ page }) => page.locator('.editor-actions .codicon-toolbar-more').click());

const viewButton = (name: string): Promise<unknown> =>
  ui(({ page }, wanted) => page.getByRole('button', { name: wanted }).click(), name);

const openSessionMenu = (): Promise<unknown> =>
  ui(({ page, view, until }) =>
    // A list that is rebuilt at that moment ignores clicks.
    until('the menu is open', async () => {
      await view.getByRole('treeitem', { name: /^Cut the hedge/ }).click({ button: 'right' });
      const menu = page.locator('.monaco-menu').waitFor({ timeout: 5000 });
      return menu.then(
        () => true,
        () => false,
      );
    }),
  );

async function showHedge(): Promise<vscode.Uri> {
  const uri = writeSession('garden', 'Cut the hedge');
  await showSessions();
  return uri;
}

async function sessionMenu(entry: string): Promise<void> {
  await showHedge();
  await fromMenu(openSessionMenu, entry);
}

const exportFromMenu = (entry: string, file: string) => async (): Promise<void> => {
  await openTheExample();
  await exportTo(file, () => fromMenu(openEditorMenu, entry));
};

async function openByButton(): Promise<void> {
  const uri = anotherFile('jsonl');
  await vscode.window.showTextDocument(uri);
  await editorButton('Open in Context Inspector');
  await isShown(uri);
}

/** Every entry of every menu except the palette, whose entries are compared with what it shows. */
export const menuUses: Readonly<Record<string, () => Promise<void>>> = {
  'explorer/context contextInspector.open navigation@25': async () => {
    const uri = anotherFile('jsonl');
    await vscode.commands.executeCommand('revealInExplorer', uri);
    await fromMenu(() => rightClick('treeitem', uri), 'Open in Context Inspector');
    await isShown(uri);
  },
  'editor/title/context contextInspector.open 3_open@5': async () => {
    const uri = anotherFile('jsonl');
    await vscode.window.showTextDocument(uri, { preview: false });
    await fromMenu(() => rightClick('tab', uri), 'Open in Context Inspector');
    await isShown(uri);
  },
  'editor/title contextInspector.open navigation': openByButton,
  'editor/title contextInspector.open 3_open@5': async () => {
    const uri = anotherFile('json');
    await vscode.window.showTextDocument(uri);
    await fromMenu(openEditorMenu, 'Open in Context Inspector');
    await isShown(uri);
  },
  'editor/title contextInspector.openAsText navigation': async () => {
    await openTheExample();
    await editorButton('Open as Text');
    await waitUntil('the transcript is shown as text', () => isActiveAsText(exampleFile()));
  },
  'editor/title contextInspector.exportPrunedCopy 5_export@1': exportFromMenu(
    'Export Pruned Copy…',
    'session.pruned.jsonl',
  ),
  'editor/title contextInspector.exportReport 5_export@2': exportFromMenu(
    'Export Report…',
    'session.report.html',
  ),
  'editor/title contextInspector.exportDrawing 5_export@3': exportFromMenu(
    'Export Drawing as SVG…',
    'session.drawing.svg',
  ),
  'editor/title contextInspector.exportContext 5_export@4': exportFromMenu(
    'Export Prompt IR and Rendered Context…',
    'session.context.json',
  ),
  'editor/title contextInspector.exportTwin 5_export@5': exportFromMenu(
    'Export Anonymised Twin…',
    'session.twin.jsonl',
  ),
  'editor/title contextInspector.handOff 5_export@6': async () => {
    await openTheExample();
    await isAsked(() => fromMenu(openEditorMenu, 'Hand Off to…'), 'The agent that continues');
  },
  'view/title contextInspector.searchAllSessions navigation@0': async () => {
    await closeEverything();
    await showSessions();
    await viewButton('Search in All Sessions');
    await searchHasFocus();
  },
  'editor/title contextInspector.compare 4_compare@1': async () => {
    writeSession('garden', 'Cut the hedge');
    await openTheExample();
    await answered(() => fromMenu(openEditorMenu, 'Compare With…'), chooseSession, 'Cut the hedge');
    await isComparisonShown();
  },
  'view/title contextInspector.sessions.search navigation@1': async () => {
    await showSessions();
    await isAsked(() => viewButton('Find Session by Title'), searchQuestion);
  },
  'view/title contextInspector.usage navigation@2': async () => {
    await closeEverything();
    await showSessions();
    await viewButton('Show Usage');
    await isUsageShown();
  },
  'view/title contextInspector.sessions.refresh navigation@3': async () => {
    const uri = await showHedge();
    await ui(({ view }) => view.getByRole('treeitem', { name: /^Cut the hedge/ }).waitFor());
    swapUnnoticed(uri, 'Cut the grass');
    await viewButton('Refresh Sessions');
    await ui(({ view }) => view.getByRole('treeitem', { name: /^Cut the grass/ }).waitFor());
  },
  'webview/context contextInspector.sessions.openSession 1_open@1': async () => {
    await sessionMenu('Open in Context Inspector');
    await waitUntil('the session is shown', isOpened);
  },
  'webview/context contextInspector.sessions.openToSide 1_open@2': async () => {
    await vscode.window.showTextDocument(anotherFile('txt'));
    await sessionMenu('Open to the Side');
    await waitUntil('it is shown beside', () => vscode.window.tabGroups.all.length === 2 && isOpened());
  },
  'webview/context contextInspector.sessions.openAsText 1_open@3': async () => {
    await sessionMenu('Open as Text');
    await waitUntil(
      'it is shown as text',
      () => vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputText,
    );
  },
  'webview/context contextInspector.compare 1_open@4': async () => {
    writeSession('garden', 'Water the plants');
    await showHedge();
    await compareFromMenu('Cut the hedge', 'Water the plants');
    await isComparisonShown();
  },
  // A server in a browser has no file manager, so this entry must not be there.
  'webview/context contextInspector.sessions.reveal 2_file@1': async () => {
    await showHedge();
    await openSessionMenu();
    const count = await ui(async ({ page }) => {
      const shown = await page.getByRole('menuitem', { name: 'Reveal' }).count();
      await page.keyboard.press('Escape');
      return shown;
    });
    assert.equal(count, 0);
  },
  'webview/context contextInspector.sessions.copyPath 2_file@2': async () => {
    await vscode.env.clipboard.writeText('');
    await sessionMenu('Copy Path');
    await waitUntil('the path is copied', async () =>
      (await vscode.env.clipboard.readText()).endsWith('Cut-the-hedge.jsonl'),
    );
  },
};

/** Every key that the extension binds, as `key command`. */
export const keyUses: Readonly<Record<string, () => Promise<void>>> = {
  'ctrl+shift+v contextInspector.open': async () => {
    const uri = anotherFile('jsonl');
    await vscode.window.showTextDocument(uri);
    await ui(async ({ page }) => {
      // The key is bound in a text that has the focus.
      await page.locator('.editor-instance .monaco-editor.focused').waitFor();
      await page.keyboard.press('Control+Shift+V');
    });
    await isShown(uri);
  },
  'ctrl+f contextInspector.find': async () => {
    await openTheExample();
    await ui(async ({ page, webview }) => {
      await webview.getByRole('listbox').focus();
      await page.keyboard.press('Control+F');
      await webview.getByTestId('find').locator('input:focus').waitFor();
    });
  },
};
