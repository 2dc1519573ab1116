import assert from 'node:assert/strict';
import { rmSync, statSync, utimesSync } from 'node:fs';
import * as vscode from 'vscode';
import { commandIds, sessionsViewId } from '../../../src/host/manifest';
import { noteUse, run } from '../contributions';
import { eventually, fromMenu, ui, waitUntil, windowMissing } from '../driver';
import { test } from '../index';
import { isActiveAsText, isActiveInInspector, workspaceFolder, writeSession } from '../inspector';
import { chooseRow, isComparisonShown, isShown, pageIsDrawn, showSessions } from '../workbench';

const needsWindow = { skip: windowMissing };

test(
  'shows a session that an agent begins while the list is open, and opens it by click, by key and to the side',
  async () => {
    writeSession('jackets', 'Sort the jackets');
    await showSessions();
    await ui(async ({ view }) => {
      await view.getByRole('treeitem', { name: /^Sort the jackets/ }).waitFor();
      await view.getByRole('tree').focus();
    });
    const uri = writeSession('jackets', 'Zip the jackets', workspaceFolder().fsPath);
    await ui(async ({ page, view }) => {
      await view.getByRole('treeitem', { name: /^Zip the jackets/ }).waitFor();
      await view.locator('.tree:focus').waitFor();
      await page.keyboard.type('zip');
      await view.getByRole('treeitem', { selected: true }).filter({ hasText: 'Zip the jackets' }).waitFor();
      await page.keyboard.press('Enter');
    });
    await isShown(uri);
    await pageIsDrawn();
    await vscode.commands.executeCommand(`${sessionsViewId}.focus`);
    await ui(async ({ page, view, until }) => {
      const hasFocus = "document.hasFocus() && document.querySelector('.tree:focus') !== null";
      await until(
        'the list has the focus',
        async () => (await view.locator('body').evaluate(hasFocus)) === true,
      );
      await page.keyboard.press('Control+Enter');
    });
    await eventually('it is shown beside itself', () => vscode.window.tabGroups.all.length === 2);
    await showSessions();
    await ui(({ view }) => view.getByRole('treeitem', { name: /^Zip the jackets/ }).click());
    await eventually('the session is shown again', () => isActiveInInspector(uri));
  },
  needsWindow,
);

/** Chooses an entry of the menu of a session. */
async function fromSessionMenu(title: string, entry: string, contribution: string): Promise<void> {
  await fromMenu(
    () =>
      ui(
        ({ view }, name) =>
          view.getByRole('treeitem').filter({ hasText: name }).first().click({ button: 'right' }),
        title,
      ),
    entry,
  );
  noteUse(`menus webview/context ${contribution}`);
  noteUse(`commands ${contribution.split(' ')[0]}`);
}

test(
  'has a menu for each session',
  async () => {
    const uri = writeSession('drawers', 'Label the drawers');
    writeSession('drawers', 'Count the drawers');
    const isText = (): boolean => isActiveAsText(uri);
    const isInspector = (): boolean => isActiveInInspector(uri);
    for (const [entry, contribution, isDone] of [
      ['Open as Text', `${commandIds.sessionsOpenAsText} 1_open@3`, isText],
      ['Open in Context Inspector', `${commandIds.sessionsOpen} 1_open@1`, isInspector],
      ['Open to the Side', `${commandIds.sessionsOpenToSide} 1_open@2`, isInspector],
    ] as const) {
      await showSessions();
      await fromSessionMenu('Label the drawers', entry, contribution);
      await eventually(entry, isDone);
    }
    await showSessions();
    await fromSessionMenu('Label the drawers', 'Copy Path', `${commandIds.sessionsCopyPath} 2_file@2`);
    await waitUntil('the path is copied', async () => (await vscode.env.clipboard.readText()) === uri.fsPath);
    await fromSessionMenu('Label the drawers', 'Compare With…', `${commandIds.compare} 1_open@4`);
    await ui(chooseRow, 'Count the drawers');
    await isComparisonShown();
    // A server in a browser has no file manager, so this entry must not be there.
    await showSessions();
    await ui(async ({ page, view }) => {
      await view
        .getByRole('treeitem')
        .filter({ hasText: 'Label the drawers' })
        .first()
        .click({ button: 'right' });
      await page.getByRole('menuitem', { name: 'Copy Path' }).waitFor();
      if ((await page.getByRole('menuitem', { name: 'Reveal' }).count()) > 0) {
        throw new Error('The entry Reveal is there.');
      }
      await page.keyboard.press('Escape');
    });
    noteUse(`menus webview/context ${commandIds.sessionsReveal} 2_file@1`);
    noteUse(`commands ${commandIds.sessionsReveal}`);
  },
  needsWindow,
);

test(
  'remembers how it is grouped when it was hidden, finds a session by its title, and reads again when it is told to',
  async () => {
    const uri = writeSession('garden', 'Sweep the path');
    await showSessions();
    await ui(async ({ view }) => {
      await view.getByRole('radio', { name: 'Project' }).check();
      await view.getByRole('treeitem', { name: /^garden/ }).waitFor();
    });
    await vscode.commands.executeCommand('workbench.view.explorer');
    await showSessions();
    await ui(async ({ view }) => {
      await view.getByRole('treeitem', { name: /^garden/ }).waitFor();
      await view.getByRole('radio', { name: 'Recent' }).check();
      await view.getByRole('treeitem', { name: /^Sweep the path/ }).waitFor();
    });
    const searching = run(commandIds.sessionsSearch);
    await ui(async ({ page }) => {
      const input = page.getByPlaceholder('Title, agent, project or branch');
      await input.fill('sweep path');
      await page.getByRole('option', { name: /Sweep the path/ }).waitFor();
      await input.press('Enter');
    });
    await searching;
    await eventually('the session is shown', () => isActiveInInspector(uri));
    // Another session of the same length and age, which the list does not notice by itself.
    await showSessions();
    const { atime, mtime } = statSync(uri.fsPath);
    rmSync(uri.fsPath);
    utimesSync(writeSession('garden', 'Sweep the yard').fsPath, atime, mtime);
    await run(commandIds.sessionsRefresh);
    await ui(({ view }) => view.getByRole('treeitem', { name: /^Sweep the yard/ }).waitFor());
    assert.equal(await ui(({ view }) => view.getByRole('treeitem', { name: /^Sweep the path/ }).count()), 0);
    await vscode.commands.executeCommand('workbench.view.explorer');
  },
  needsWindow,
);
