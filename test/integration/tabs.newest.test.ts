import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds } from '../../src/host/manifest';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, finalEditor, workspaceFile } from './inspector';

const sessionAbout = (prompt: string): string =>
  addToolTurns(new ClaudeCodeSession(), prompt, 1, 200).toString();

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
  'shows sessions of one file name, or of one title, in tabs that differ',
  async () => {
    await closeEverything();
    const price = workspaceFile('tabs/price/session.jsonl', sessionAbout('Why is the price wrong?'));
    const mail = workspaceFile('tabs/mail/session.jsonl', sessionAbout('Why is the mail late?'));
    const again = workspaceFile('tabs/mail/again.jsonl', sessionAbout('Why is the mail late?'));
    await vscode.window.showTextDocument(price, { preview: false });
    for (const uri of [price, mail]) {
      await vscode.commands.executeCommand(commandIds.open, uri);
      await finalEditor(uri);
    }
    const labels = (): readonly string[] =>
      vscode.window.tabGroups.activeTabGroup.tabs.map(({ label }) => label);
    await waitUntil('the tabs have the titles of their sessions', () =>
      labels().includes('Why is the mail late?'),
    );
    const { kind } = vscode.window.activeColorTheme;
    const icon = kind === vscode.ColorThemeKind.Light ? 'tab-light.svg' : 'tab-dark.svg';
    assert.deepEqual(await shownTabs(), [
      ['session.jsonl', ''],
      ['Why is the price wrong?', icon],
      ['Why is the mail late?', icon],
    ]);
    await vscode.commands.executeCommand(commandIds.open, again);
    await finalEditor(again);
    await waitUntil('both sessions of one title have their file in the name', () =>
      labels().includes('Why is the mail late? · session.jsonl'),
    );
    assert.equal(labels().at(-1), 'Why is the mail late? · again.jsonl');
    await vscode.commands.executeCommand(commandIds.usage);
    await waitUntil('the page of the usage has a tab', () => labels().includes('Usage'));
    const tabs = await shownTabs();
    assert.ok(Array.isArray(tabs));
    assert.deepEqual(tabs.at(-1), ['Usage', icon]);
  },
  { skip: windowMissing },
);
