import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commandIds, sessionsFoldersSetting, sessionsViewId } from '../../src/host/manifest';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, isActiveInInspector, temporaryFile, workspaceFile } from './inspector';

const needsWindow = { skip: windowMissing };

function workspaceFolder(): string {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
}

/** Writes a session into the folder where Claude Code keeps those of a project. */
function claudeSession(project: string, name: string, directory: string, prompt: string): vscode.Uri {
  const folder = join(process.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects', project);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.jsonl`);
  writeFileSync(
    path,
    new ClaudeCodeSession(undefined, directory).prompt(prompt).reply({ text: 'Done.' }).toString(),
  );
  return vscode.Uri.file(path);
}

const showSessions = (): Thenable<unknown> => vscode.commands.executeCommand(`${sessionsViewId}.focus`);

/** The text of the row that shows a session or a group; waits until it is there. */
const rowText = (title: string): Promise<unknown> =>
  ui(({ page }, text) => page.getByRole('treeitem').filter({ hasText: text }).first().innerText(), title);

test(
  'lists the sessions of the workspace first, and opens one when it is clicked',
  async () => {
    await closeEverything();
    const uri = claudeSession('-here', 'here', workspaceFolder(), 'Sort the shelves');
    claudeSession('-elsewhere', 'there', '/home/ada/elsewhere', 'Water the plants');
    await showSessions();
    assert.match(String(await rowText('This Workspace')), /This Workspace/);
    assert.match(String(await rowText('Sort the shelves')), /Claude Code · .* · 1 request · [\d.]+ KB · 9 %/);
    const first = await ui(({ page }) =>
      page
        .getByRole('tree', { name: /Sessions/ })
        .getByRole('treeitem')
        .first()
        .innerText(),
    );
    assert.match(String(first), /This Workspace/);
    await ui(({ page }) => page.getByRole('treeitem').filter({ hasText: 'Sort the shelves' }).click());
    await waitUntil('the session is shown', () => isActiveInInspector(uri));
  },
  needsWindow,
);

test(
  'shows no password in a title, in what is read aloud, or in the search',
  async () => {
    await closeEverything();
    const password = 'Tr0ub4dorAnd3X';
    claudeSession(
      '-here',
      'secret',
      workspaceFolder(),
      `Mend postgres://app:${password}@db.acme.io/prod at once`,
    );
    const long = 'Tidy up the whole of the cellar, with the key ';
    claudeSession(
      '-here',
      'cut',
      workspaceFolder(),
      `${long}${['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_')}`,
    );
    await showSessions();
    // A joiner in the address keeps it from becoming a link.
    assert.match(
      String(await rowText('Mend postgres:')).replaceAll('\u2060', ''),
      /:\/\/app:\S*@db\.acme\.io/,
    );
    assert.match(String(await rowText('Tidy up the whole')), /with the key \[redacted/);
    const markup = await ui(({ page }) => page.getByRole('tree', { name: /Sessions/ }).innerHTML());
    assert.ok(!String(markup).includes(password) && !String(markup).includes('ghp_'));
    const searching = vscode.commands.executeCommand(commandIds.sessionsSearch);
    const option = await ui(async ({ page }) => {
      await page.getByPlaceholder('Title, agent or project').fill('Mend postgres');
      const found = page.getByRole('option', { name: /Mend postgres/ });
      await found.waitFor();
      const markupOfOption = await found.innerHTML();
      await page.keyboard.press('Escape');
      return markupOfOption;
    });
    await searching;
    assert.ok(!String(option).includes(password));
  },
  needsWindow,
);

test(
  'shows a session that an agent begins while the view is open',
  async () => {
    await showSessions();
    claudeSession('-here', 'later', workspaceFolder(), 'Count the chairs');
    assert.match(String(await rowText('Count the chairs')), /1 request/);
  },
  needsWindow,
);

test(
  'searches all sessions by their titles',
  async () => {
    await closeEverything();
    const title = 'Water the plants $(trash) [now](command:a.b)';
    const uri = claudeSession('-elsewhere', 'there', '/home/ada/elsewhere', title);
    const searching = vscode.commands.executeCommand(commandIds.sessionsSearch);
    const shown = await ui(async ({ page }) => {
      await page.getByPlaceholder('Title, agent or project').fill('water plants');
      const option = page.getByRole('option', { name: /Water the plants/ });
      await option.waitFor();
      const text = String(await option.textContent()).replaceAll('\u2060', '');
      const markup = await option.locator('.codicon-trash, a[href]').count();
      await page.keyboard.press('Enter');
      return { text, markup };
    });
    // The title is text, whatever it holds.
    assert.ok(JSON.stringify(shown).startsWith(`{"text":"${title}`), JSON.stringify(shown));
    assert.ok(JSON.stringify(shown).endsWith('"markup":0}'), JSON.stringify(shown));
    await searching;
    await waitUntil('the session is shown', () => isActiveInInspector(uri));
  },
  needsWindow,
);

test(
  'adds the transcripts of the folders that the user names',
  async () => {
    const captured = temporaryFile(
      'captured.jsonl',
      new ClaudeCodeSession(undefined, '/home/ada/captured').prompt('Fold the maps').toString(),
    );
    const settings = vscode.workspace.getConfiguration();
    const folder = join(captured.fsPath, '..');
    await settings.update(sessionsFoldersSetting, [folder], vscode.ConfigurationTarget.Global);
    try {
      await showSessions();
      await ui(async ({ page }) => {
        // The groups get their names a moment after the list appears.
        for (const [group, child] of [
          [/^Other/, /^captured/],
          [/^captured/, /^Fold the maps/],
        ] as const) {
          const row = page.getByRole('treeitem', { name: child });
          for (let tries = 0; tries < 5 && !(await row.isVisible()); tries += 1) {
            await page.getByRole('treeitem', { name: group }).click();
            await row.waitFor({ timeout: 3000 }).catch(() => undefined);
          }
        }
        await page.getByRole('treeitem').filter({ hasText: 'Fold the maps' }).click();
      });
      await waitUntil('the capture is shown', () => isActiveInInspector(captured));
    } finally {
      await settings.update(sessionsFoldersSetting, undefined, vscode.ConfigurationTarget.Global);
    }
  },
  needsWindow,
);

test(
  'opens a file that is dropped on it',
  async () => {
    await closeEverything();
    const uri = workspaceFile('dropped.jsonl', new ClaudeCodeSession().prompt('Mind the step').toString());
    await showSessions();
    // Both trees are visible at once if they are in one container.
    const move = (destinationId: string): Thenable<unknown> =>
      vscode.commands.executeCommand('vscode.moveViews', { viewIds: [sessionsViewId], destinationId });
    await move('workbench.view.explorer');
    try {
      await showSessions();
      await vscode.commands.executeCommand('revealInExplorer', uri);
      await ui(async ({ page }) => {
        const file = page.getByRole('treeitem', { name: 'dropped.jsonl' });
        await file.waitFor();
        await file.dragTo(page.getByRole('treeitem').filter({ hasText: 'This Workspace' }));
      });
      await waitUntil('the dropped file is shown', () => isActiveInInspector(uri));
      // Closing a page while it loads can keep the next pages waiting.
      await ui(({ webview }) => webview.locator('#root[data-ready="true"]').waitFor({ state: 'attached' }));
    } finally {
      await move('workbench.view.extension.contextInspector');
    }
  },
  needsWindow,
);
