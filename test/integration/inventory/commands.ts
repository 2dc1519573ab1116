import { rmSync, statSync, utimesSync } from 'node:fs';
import * as vscode from 'vscode';
import { textScheme } from '../../../src/host/manifest';
import { ui, waitUntil } from '../driver';
import { closeEverything, isActiveAsText, workspaceFolder } from '../inspector';
import { chooseSession, isComparisonShown } from './comparePlaces';
import { searchHasFocus } from './searchPlaces';
import { showSessions, writeSession } from './sessionPlaces';
import { isUsageShown, isWhatIfShown } from './usagePlaces';
import {
  answered,
  answerMessage,
  chooseRow,
  exampleFile,
  exportTo,
  fromPalette,
  isAsked,
  isShown,
  openTheExample,
  packagedExample,
  searchQuestion,
} from './workbench';

/** Uses a command of the palette and checks its effect. The command's full title is passed. */
export type CommandUse = (title: string) => Promise<void>;

async function withExample(title: string): Promise<vscode.Uri> {
  const uri = await openTheExample();
  await fromPalette(title);
  return uri;
}

const exportOf =
  (name: string): CommandUse =>
  async title => {
    await openTheExample();
    await exportTo(name, () => fromPalette(title));
  };

/**
 * Replaces a session of the garden with another one of the same length and age. The list does not notice this by
 * itself.
 */
export function swapUnnoticed({ fsPath }: vscode.Uri, prompt: string): void {
  const { atime, mtime } = statSync(fsPath);
  rmSync(fsPath);
  utimesSync(writeSession('garden', prompt).fsPath, atime, mtime);
}

/** Every command that the palette can show. The others are in the menus. */
export const commandUses: Readonly<Record<string, CommandUse>> = {
  'contextInspector.open': async title => {
    const uri = exampleFile();
    await vscode.window.showTextDocument(uri);
    await fromPalette(title);
    await isShown(uri);
  },
  'contextInspector.openExample': async title => {
    await fromPalette(title);
    await isShown(packagedExample());
  },
  'contextInspector.getStarted': async title => {
    await fromPalette(title);
    await ui(({ page }) => page.locator('[data-done-step-id$="#openExample"]').waitFor());
  },
  'contextInspector.openAsText': async title => {
    const uri = await withExample(title);
    await waitUntil('the transcript is shown as text', () => isActiveAsText(uri));
  },
  'contextInspector.find': async title => {
    await withExample(title);
    await ui(({ webview }) => webview.getByTestId('find').locator('input:focus').waitFor());
  },
  'contextInspector.searchAllSessions': async title => {
    await fromPalette(title);
    await searchHasFocus();
  },
  'contextInspector.copyLink': async title => {
    await vscode.env.clipboard.writeText('');
    const uri = await withExample(title);
    await waitUntil('the link is copied', async () => {
      const text = await vscode.env.clipboard.readText();
      return text.includes('://context-inspector.context-inspector/open?file=') && text.includes(uri.path);
    });
  },
  'contextInspector.showKeys': async title => {
    await withExample(title);
    await ui(({ webview }) => webview.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor());
  },
  'contextInspector.exportPrunedCopy': exportOf('session.pruned.jsonl'),
  'contextInspector.exportTwin': exportOf('session.twin.jsonl'),
  'contextInspector.exportReport': exportOf('session.report.html'),
  'contextInspector.exportDrawing': exportOf('session.drawing.svg'),
  'contextInspector.exportContext': exportOf('session.context.json'),
  'contextInspector.handOff': async title => {
    await openTheExample();
    await answered(() => fromPalette(title), chooseRow, 'pi');
    await ui(chooseRow, 'Everything');
    await ui(chooseRow, 'Redacted');
    await waitUntil('the manifest is shown', () =>
      vscode.workspace.textDocuments.some(({ uri }) => uri.scheme === textScheme),
    );
    await answerMessage('Nothing is written yet.');
    await closeEverything();
  },
  'contextInspector.setApiKey': title =>
    answered(
      () => fromPalette(title),
      async ({ page }) => {
        const widget = page.locator('.quick-input-widget');
        await widget.locator('.monaco-list-row', { hasText: 'Anthropic' }).click();
        const key = widget.locator('input[type=password]');
        await key.fill('invented-key');
        await key.press('Enter');
        await widget.waitFor({ state: 'hidden' });
      },
    ),
  // After the previous command, which it undoes.
  'contextInspector.removeApiKey': async title => {
    await answered(
      () => fromPalette(title),
      async ({ page }) => {
        const rows = page.locator('.quick-input-widget .monaco-list-row').filter({ visible: true });
        await rows.filter({ hasText: 'Anthropic' }).waitFor();
        if ((await rows.count()) > 1) {
          throw new Error('Keys that were never stored can be removed.');
        }
        await rows.click();
      },
    );
    await answerMessage('The API key for Anthropic was removed.');
  },
  'contextInspector.openLive': async title => {
    const uri = writeSession('shelves', 'Dust the shelves', workspaceFolder().fsPath);
    await closeEverything();
    await fromPalette(title);
    await isShown(uri);
  },
  'contextInspector.openReplays': title => isAsked(() => fromPalette(title), 'Open a Replay'),
  'contextInspector.usage': async title => {
    await closeEverything();
    await fromPalette(title);
    await isUsageShown();
  },
  'contextInspector.whatIf': async title => {
    await closeEverything();
    await fromPalette(title);
    await ui(isWhatIfShown);
  },
  'contextInspector.deleteIndex': async title => {
    await fromPalette(title);
    await answerMessage('The session index was deleted.');
  },
  'contextInspector.compare': async title => {
    writeSession('garden', 'Cut the hedge');
    await openTheExample();
    await answered(() => fromPalette(title), chooseSession, 'Cut the hedge');
    await isComparisonShown();
  },
  'contextInspector.sessions.refresh': async title => {
    const uri = writeSession('garden', 'Sweep the path');
    await showSessions();
    await ui(({ view }) => view.getByRole('treeitem', { name: /^Sweep the path/ }).waitFor());
    swapUnnoticed(uri, 'Sweep the yard');
    await fromPalette(title);
    await ui(({ view }) => view.getByRole('treeitem', { name: /^Sweep the yard/ }).waitFor());
  },
  'contextInspector.sessions.search': title => isAsked(() => fromPalette(title), searchQuestion),
};
