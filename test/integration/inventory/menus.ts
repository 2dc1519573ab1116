import * as vscode from 'vscode';
import { ui, waitUntil } from '../driver';
import { isActiveAsText, workspaceFile } from '../inspector';
import { exampleFile, isShown, openTheExample, saveAs } from './workbench';

/** A name of its own for each file, so that no earlier tab answers for it. */
let files = 0;
function anotherFile(ending: string): vscode.Uri {
  files += 1;
  const record = { type: 'user', message: { role: 'user', content: 'Hi' } };
  return workspaceFile(`inventory-menu-${files}.${ending}`, `${JSON.stringify(record)}\n`);
}

/** A menu ignores a release of the mouse in its first 100 ms, so that the click that opened it does not choose an entry. */
const choose = (name: string): Promise<unknown> =>
  ui(({ page }, wanted) => page.getByRole('menuitem', { name: wanted }).click({ delay: 200 }), name);

const editorButton = (name: string): Promise<unknown> =>
  ui(
    ({ page }, wanted) =>
      page
        .locator('.editor-actions')
        .getByRole('button', { name: new RegExp(`^${wanted}`) })
        .click(),
    name,
  );

const exportFromMenu = (entry: string, file: string) => async (): Promise<void> => {
  await openTheExample();
  await editorButton('More Actions');
  await choose(entry);
  await saveAs(file);
};

async function openByButton(): Promise<void> {
  const uri = anotherFile('jsonl');
  await vscode.window.showTextDocument(uri);
  await editorButton('Open in Context Inspector');
  await isShown(uri);
}

/** Every entry of every menu but the palette, whose entries are compared with what it shows. */
export const menuUses: Readonly<Record<string, () => Promise<void>>> = {
  'explorer/context contextInspector.open navigation@25': async () => {
    const uri = anotherFile('jsonl');
    await vscode.commands.executeCommand('revealInExplorer', uri);
    await ui(
      ({ page }, name) => page.getByRole('treeitem', { name }).click({ button: 'right' }),
      uri.path.slice(uri.path.lastIndexOf('/') + 1),
    );
    await choose('Open in Context Inspector');
    await isShown(uri);
  },
  'editor/title/context contextInspector.open 3_open@5': async () => {
    const uri = anotherFile('jsonl');
    await vscode.window.showTextDocument(uri, { preview: false });
    await ui(
      ({ page }, name) => page.getByRole('tab', { name }).click({ button: 'right' }),
      uri.path.slice(uri.path.lastIndexOf('/') + 1),
    );
    await choose('Open in Context Inspector');
    await isShown(uri);
  },
  'editor/title contextInspector.open navigation': openByButton,
  'editor/title contextInspector.open 3_open@5': async () => {
    const uri = anotherFile('json');
    await vscode.window.showTextDocument(uri);
    await editorButton('More Actions');
    await choose('Open in Context Inspector');
    await isShown(uri);
  },
  'editor/title contextInspector.openAsText navigation': async () => {
    await openTheExample();
    await editorButton('Open as Text');
    await waitUntil('the transcript is shown as text', () => isActiveAsText(exampleFile()));
  },
  'editor/title contextInspector.exportPrunedCopy 5_export@1': exportFromMenu(
    'Export Pruned Copy…',
    'menu.pruned.jsonl',
  ),
  'editor/title contextInspector.exportReport 5_export@2': exportFromMenu(
    'Export Report…',
    'menu.report.html',
  ),
  'editor/title contextInspector.exportDrawing 5_export@3': exportFromMenu(
    'Export Drawing as SVG…',
    'menu.svg',
  ),
  'editor/title contextInspector.exportContext 5_export@4': exportFromMenu(
    'Export Prompt IR and Rendered Context…',
    'menu.json',
  ),
  'editor/title contextInspector.exportTwin 5_export@5': exportFromMenu(
    'Export Anonymised Twin…',
    'menu.twin.jsonl',
  ),
};

/** Every key that the extension binds, as `key command`. */
export const keyUses: Readonly<Record<string, () => Promise<void>>> = {
  'ctrl+shift+v contextInspector.open': async () => {
    const uri = anotherFile('jsonl');
    await vscode.window.showTextDocument(uri);
    await ui(({ page }) => page.keyboard.press('Control+Shift+V'));
    await isShown(uri);
  },
  'ctrl+shift+v contextInspector.openAsText': async () => {
    await openTheExample();
    await ui(async ({ page, webview }) => {
      await webview.getByRole('listbox').focus();
      await page.keyboard.press('Control+Shift+V');
    });
    await waitUntil('the transcript is shown as text', () => isActiveAsText(exampleFile()));
  },
  'ctrl+f contextInspector.find': async () => {
    await openTheExample();
    await ui(async ({ page, webview }) => {
      await webview.getByRole('listbox').focus();
      await page.keyboard.press('Control+F');
      await webview.getByRole('textbox', { name: 'Find' }).and(webview.locator(':focus')).waitFor();
    });
  },
};
