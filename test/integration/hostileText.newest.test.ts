import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { commandIds } from '../../src/host/manifest';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, workspaceFolder } from './inspector';
import { chooseSession, isComparisonShown } from './inventory/comparePlaces';
import { showSessions, writeSession } from './inventory/sessionPlaces';
import { answered, closeQuestion } from './inventory/workbench';

const needsWindow = { skip: windowMissing };

let runs = 0;
vscode.commands.registerCommand('inspectorTest.ofText', () => (runs += 1));

/** Everything that a screen may take for more than text. */
const hostile = [
  'Thorny',
  '[press](command:inspectorTest.ofText)',
  '$(zap)',
  '<img src=x onerror=alert(1)><b>bold</b>',
  '\u202Ereversed\u202C\u2066\u200B',
  '\u001B[31mred\u0007\u0000',
  'one\ntwo\r\nthree',
].join(' ');

/** More than any line of a list needs, in UTF-16 units. */
const longest = 2000;

/** The faults of what is shown in some elements: markup, links, icons of the text, controls, and endless texts. */
const faultsIn = (where: 'page' | 'view' | 'webview', selector: string): Promise<unknown> =>
  ui(
    async (window, wanted) => {
      const top =
        wanted.where === 'page' ? window.page.locator('body') : window[wanted.where].locator('body');
      return top.evaluate(`[...document.querySelectorAll(${JSON.stringify(wanted.selector)})].flatMap(top => {
        const faults = [];
        for (const each of [top, ...top.querySelectorAll('*')]) {
          if (each.matches('img, b, script, iframe, .codicon-zap, a[href^="command"], a[data-href^="command"]')) {
            faults.push(each.outerHTML.slice(0, 200));
          }
          for (const name of ['title', 'aria-label', 'alt', 'placeholder', 'href']) {
            const text = each.getAttribute(name) ?? '';
            if (/(?![\\t\\n\\r\\u200c\\u200d\\u2060])[\\p{Cc}\\p{Cf}]/u.test(text) || text.length > ${wanted.most}) {
              faults.push(name + ': ' + text.slice(0, 300));
            }
          }
        }
        const text = top.textContent;
        const control = /(?![\\t\\n\\r\\u200c\\u200d\\u2060\\u200e\\u200f])[\\p{Cc}\\p{Cf}]/u.exec(text);
        if (control !== null) {
          faults.push('U+' + control[0].codePointAt(0).toString(16) + ' in ' + text.slice(0, 300));
        }
        if (text.length > ${wanted.most}) {
          faults.push(text.length + ' characters');
        }
        return faults;
      })`);
    },
    { where, selector, most: longest },
  );

test(
  'shows hostile names as text in the list, its search, a comparison, the status bar and their tooltips',
  async () => {
    const folder = join(process.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects', '-thorns');
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'thorns.jsonl');
    const session = addToolTurns(
      new ClaudeCodeSession(undefined, workspaceFolder().fsPath),
      `${hostile} ${'x'.repeat(100_000)}`,
      2,
      2000,
    );
    writeFileSync(
      path,
      session.toString().replaceAll('"gitBranch":"main"', `"gitBranch":${JSON.stringify(hostile)}`),
    );
    writeSession('meadow', 'Mow the meadow');
    const live = vscode.workspace.getConfiguration('contextInspector.live');
    try {
      await live.update('statusBar', 'always', vscode.ConfigurationTarget.Global);
      await showSessions();
      await ui(({ view }) => view.getByRole('treeitem').filter({ hasText: 'Thorny' }).first().hover());
      assert.deepEqual(await faultsIn('view', '[role=treeitem], [role=tooltip]'), []);

      const asked = vscode.commands.executeCommand(commandIds.sessionsSearch);
      await ui(async ({ page }) => {
        const widget = page.locator('.quick-input-widget');
        await widget.locator('input[type=text]').first().fill('Thorny');
        await widget.locator('.monaco-list-row', { hasText: 'Thorny' }).first().hover();
      });
      assert.deepEqual(await faultsIn('page', '.quick-input-widget .monaco-list-row'), []);
      await closeQuestion();
      await asked;

      const entry = '[id$=".live"]';
      await ui(({ page }) => page.locator('[id$=".live"] a:visible').first().hover());
      assert.deepEqual(await faultsIn('page', entry), []);
      await ui(({ page }) => page.locator('.monaco-hover', { hasText: 'Thorny' }).first().waitFor());
      assert.deepEqual(await faultsIn('page', '.monaco-hover'), []);

      await answered(
        async () => {
          vscode.commands
            .executeCommand(commandIds.compare, vscode.Uri.file(path))
            .then(undefined, () => undefined);
          return Promise.resolve();
        },
        chooseSession,
        'Mow the meadow',
      );
      await isComparisonShown();
      assert.deepEqual(await faultsIn('webview', 'body header, body h1, body h2'), []);
      assert.deepEqual(await faultsIn('page', '.tabs-container .tab'), []);
      assert.equal(runs, 0);
    } finally {
      await live.update('statusBar', undefined, vscode.ConfigurationTarget.Global);
      await closeEverything();
      rmSync(folder, { recursive: true, force: true });
    }
  },
  needsWindow,
);
