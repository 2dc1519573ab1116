import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { examplePath } from '../../../src/host/manifest';
import { ui, waitUntil } from '../driver';
import { isActiveAsText, isActiveInInspector } from '../inspector';
import { showSessions, writeSession } from './sessionPlaces';
import { exampleFile, exportTo, fromPalette, isShown, openTheExample } from './workbench';

/** Uses a command of the palette and asserts its effect. It gets the command's full title. */
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

/** Every command that the palette can show. The others stand in the menus. */
export const commandUses: Readonly<Record<string, CommandUse>> = {
  'contextInspector.open': async title => {
    const uri = exampleFile();
    await vscode.window.showTextDocument(uri);
    await fromPalette(title);
    await isShown(uri);
  },
  'contextInspector.openExample': async title => {
    await fromPalette(title);
    await waitUntil('the example of the package is shown', () => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return (
        input instanceof vscode.TabInputCustom &&
        input.uri.path.endsWith(`/${examplePath.join('/')}`) &&
        isActiveInInspector(input.uri)
      );
    });
  },
  'contextInspector.getStarted': async title => {
    await fromPalette(title);
    await ui(({ page }) => page.getByText('Get Started with Context Inspector').first().waitFor());
  },
  'contextInspector.openAsText': async title => {
    const uri = await withExample(title);
    await waitUntil('the transcript is shown as text', () => isActiveAsText(uri));
  },
  'contextInspector.find': async title => {
    await withExample(title);
    await ui(({ webview }) => webview.getByTestId('find').locator('input:focus').waitFor());
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
  'contextInspector.exportPrunedCopy': exportOf('inventory.pruned.jsonl'),
  'contextInspector.exportTwin': exportOf('inventory.twin.jsonl'),
  'contextInspector.exportReport': exportOf('inventory.report.html'),
  'contextInspector.exportDrawing': exportOf('inventory.svg'),
  'contextInspector.exportContext': exportOf('inventory.json'),
  'contextInspector.setApiKey': async title => {
    await fromPalette(title);
    await ui(async ({ page }) => {
      const widget = page.locator('.quick-input-widget');
      await widget.locator('.monaco-list-row', { hasText: 'Anthropic' }).click();
      await widget.locator('input[type=password]').fill('invented-key');
      await page.keyboard.press('Enter');
      await widget.waitFor({ state: 'hidden' });
    });
  },
  // After the one above, which it takes back.
  'contextInspector.removeApiKey': async title => {
    await fromPalette(title);
    const rest = await ui(async ({ page }) => {
      const rows = page.locator('.quick-input-widget .monaco-list-row').filter({ visible: true });
      await rows.filter({ hasText: 'Anthropic' }).waitFor();
      const texts = await rows.allTextContents();
      await page.keyboard.press('Enter');
      await page.getByText('The API key for Anthropic was removed.').first().waitFor();
      return texts.length;
    });
    assert.equal(rest, 1);
  },
  'contextInspector.openReplays': async title => {
    await fromPalette(title);
    await ui(async ({ page }) => {
      await page.locator('.quick-input-widget').getByText('Open a Replay').waitFor();
      await page.keyboard.press('Escape');
    });
  },
  'contextInspector.sessions.refresh': async title => {
    await showSessions();
    await ui(({ view }) => view.getByRole('tree').or(view.getByRole('button')).first().waitFor());
    writeSession('garden', 'Sweep the path');
    await fromPalette(title);
    await ui(({ view }) => view.getByRole('treeitem', { name: /^Sweep the path/ }).waitFor());
  },
  'contextInspector.sessions.search': async title => {
    await fromPalette(title);
    await ui(async ({ page }) => {
      await page.getByPlaceholder('Title, agent, project or branch').waitFor();
      await page.keyboard.press('Escape');
    });
  },
};
