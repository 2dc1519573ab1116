import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { commandIds } from '../../../src/host/manifest';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { run, withSettings } from '../contributions';
import { ui, windowMissing } from '../driver';
import { test } from '../index';
import {
  closeEverything,
  finalEditor,
  openAlone,
  temporaryFile,
  workspaceFolder,
  writeSession,
} from '../inspector';
import { messageSeen, messagesSeen, watchMessages } from '../messages';
import { type HeldThreads, holdThreads } from '../threads';
import {
  answered,
  chooseRow,
  closeQuestion,
  isComparisonShown,
  messageIsShown,
  pageIsDrawn,
  showSessions,
  withLiveEntry,
} from '../workbench';

const needsWindow = { skip: windowMissing };

const commandOfLink = 'inspectorTest.ofLink';
const link = `[Restore](command:${commandOfLink})`;
let runs = 0;
vscode.commands.registerCommand(commandOfLink, () => (runs += 1));

/** Presses every link of the notification with these words, then closes all, and returns its text. */
async function pressLinks(words: string): Promise<string> {
  await messageIsShown(words);
  const text = await ui(async ({ page }, wanted) => {
    const message = page
      .locator('.notification-list-item-message')
      .filter({ hasText: wanted, visible: true })
      .first();
    for (const each of await message.locator('a').all()) {
      await each.click();
    }
    return message.textContent();
  }, words);
  await vscode.commands.executeCommand('notifications.clearAll');
  // The joiner in it has no width.
  return String(text).replaceAll('\u2060', '');
}

test(
  'shows names of files, settings, calls and subagents as text in notifications and in progress',
  async () => {
    // VS Code makes links of such texts, and runs their commands.
    vscode.window.showInformationMessage(`${link} was not made plain.`);
    assert.equal(await pressLinks('was not made plain'), 'Restore was not made plain.');
    assert.equal(runs, 1);
    runs = 0;

    const uri = temporaryFile(
      `${link} $(zap).jsonl`,
      new ClaudeCodeSession()
        .prompt('Go')
        .reply({ tool: 'Task', id: 'toolu_b', input: { description: 'hostile', prompt: 'Go.' } })
        .result('toolu_b', 'Done.', { status: 'completed', agentId: link, totalTokens: 900 })
        .reply({ tool: 'Read', id: 'toolu_a', input: { file_path: `${link} hostile` } })
        .result('toolu_a', 'Nothing.')
        .reply({ text: 'Done.' })
        .toString(),
    );
    await closeEverything();
    await withSettings({ 'contextInspector.models': { [link]: 1 } }, async () => {
      const invalid = await pressLinks('A Context Inspector setting is invalid');
      assert.ok(invalid.includes(`The model "${link}" must be an object.`), invalid);
    });
    await watchMessages();
    /** Acts while no message of a thread arrives, until it is told that something is done with the file. */
    const told = async (
      held: HeldThreads,
      act: () => Thenable<unknown>,
      isTold: () => Promise<unknown>,
    ): Promise<void> => {
      try {
        await act();
        await isTold();
      } finally {
        held.release();
      }
      await finalEditor(uri);
    };
    await told(
      holdThreads(),
      () => openAlone(uri),
      () => messageIsShown('Reading ['),
    );
    await told(
      holdThreads(['type', 'update']),
      () => openAlone(uri),
      () => messageSeen(`Counting tokens and scanning for sensitive data in ${link} $(zap).jsonl`),
    );
    const target = vscode.Uri.joinPath(uri, '..', 'hostile-name.report.html');
    await pageIsDrawn();
    await told(
      holdThreads(['type', 'answer']),
      () => run(commandIds.exportReport, uri, target),
      () => messageIsShown('Exporting ['),
    );
    await pressLinks('The export was saved');
    const press = (button: string, label: string): Promise<unknown> =>
      ui(
        async ({ webview }, wanted) => {
          await webview.getByRole('radio', { name: 'Table' }).check();
          const rows = webview.getByTestId('block-table').getByRole('row');
          await rows.filter({ hasText: wanted.label }).first().click();
          await webview.getByTestId('block-details').getByRole('button', { name: wanted.button }).click();
        },
        { button, label },
      );
    await press('Open file', 'Read');
    assert.equal(
      await pressLinks('was not found on this machine'),
      `${link} hostile was not found on this machine.`,
    );
    await press('Open subagent', 'Task');
    assert.equal(
      await pressLinks('The transcript of subagent'),
      `The transcript of subagent ${link} was not found next to ${link} $(zap).jsonl.`,
    );
    assert.deepEqual(
      (await messagesSeen()).filter(({ markup }) => markup > 0),
      [],
    );
    assert.equal(runs, 0);
  },
  needsWindow,
);

/** Everything that a screen may take for more than text. */
const hostile = [
  'Thorny',
  `[press](command:${commandOfLink})`,
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
  'shows hostile titles as text in the list, its search, a comparison, the status bar and their tooltips',
  async () => {
    const uri = writeSession('thorns', 'thorns', workspaceFolder().fsPath);
    const session = addToolTurns(
      new ClaudeCodeSession(undefined, workspaceFolder().fsPath),
      `${hostile} ${'x'.repeat(100_000)}`,
      2,
      2000,
    );
    writeFileSync(
      uri.fsPath,
      session.toString().replaceAll('"gitBranch":"main"', `"gitBranch":${JSON.stringify(hostile)}`),
    );
    writeSession('meadow', 'Mow the meadow');
    await withLiveEntry(async () => {
      await showSessions();
      await ui(({ view }) => view.getByRole('treeitem').filter({ hasText: 'Thorny' }).first().hover());
      assert.deepEqual(await faultsIn('view', '[role=treeitem], [role=tooltip]'), []);

      const asked = run(commandIds.sessionsSearch);
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

      await answered(() => run(commandIds.compare, uri), chooseRow, 'Mow the meadow');
      await isComparisonShown();
      assert.deepEqual(await faultsIn('webview', 'body header, body h1, body h2'), []);
      assert.deepEqual(await faultsIn('page', '.tabs-container .tab'), []);
      assert.equal(runs, 0);
    });
    rmSync(uri.fsPath);
  },
  needsWindow,
);
