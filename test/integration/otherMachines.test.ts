import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds, sessionsViewId } from '../../src/host/manifest';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import {
  closeEverything,
  finalEditor,
  isActiveInInspector,
  temporaryFile,
  temporaryPath,
  workspaceFile,
  workspaceFolder,
} from './inspector';

const lines = Array.from({ length: 40 }, (_, index) => `till ${index + 1}`);
/** Lines 21 to 30 of a file as Claude Code shows them. */
const shown = lines
  .slice(20, 30)
  .map((line, index) => `    ${index + 21}→${line}`)
  .join('\n');

/** A session of another machine, whose agent worked below the project and read a file next to that folder. */
const session = (folder: string, separator: string, prompt: string): string =>
  new ClaudeCodeSession(undefined, [folder, 'web'].join(separator))
    .prompt(prompt)
    .reply({
      tool: 'Read',
      id: 'toolu_a',
      input: { file_path: [folder, 'counter', 'till.txt'].join(separator), offset: 21, limit: 10 },
    })
    .result('toolu_a', shown)
    .reply({ text: 'Done.' })
    .toString();

/** The titles in a group of the list, from its heading to the next. */
const titlesIn = async (group: string): Promise<readonly string[]> => {
  const rows = await ui(({ view }) =>
    view
      .getByRole('tree', { name: 'Sessions' })
      .getByRole('treeitem')
      .evaluateAll(all => all.map(row => String(Reflect.get(row, 'textContent')))),
  );
  const texts = Array.isArray(rows) ? rows.map(String) : [];
  const begin = texts.findIndex(text => text.startsWith(group));
  const after = texts.slice(begin + 1);
  const end = after.findIndex(text => text.startsWith('Elsewhere on this machine'));
  return begin < 0 ? [] : after.slice(0, end < 0 ? undefined : end);
};

async function isHere(title: string): Promise<boolean> {
  return (await titlesIn('This workspace')).some(text => text.startsWith(title));
}

const set = (value: unknown): Thenable<void> =>
  vscode.workspace
    .getConfiguration()
    .update('contextInspector.sessions.folders', value, vscode.ConfigurationTarget.Global);

test(
  'shows the sessions of a folder copied from elsewhere under the workspace, and opens its files at the line',
  async () => {
    const opened = temporaryFile(
      'laptop/.claude/projects/-home-other-shop-web/one.jsonl',
      session('/home/other/shop', '/', 'Count the till'),
    );
    temporaryFile(
      'laptop/.claude/projects/C--Users-other-shop-web/two.jsonl',
      session('C:\\Users\\other\\shop', '\\', 'Empty the till'),
    );
    const file = workspaceFile('counter/till.txt', lines.join('\n'));
    const folder = temporaryPath('laptop/.claude');
    const here = workspaceFolder().fsPath;
    try {
      await set([folder]);
      await closeEverything();
      await vscode.commands.executeCommand(`${sessionsViewId}.focus`);
      await vscode.commands.executeCommand(commandIds.sessionsRefresh);
      const row = (title: string): Promise<unknown> =>
        ui(
          ({ view }, text) =>
            view.getByRole('treeitem').filter({ hasText: text }).first().getAttribute('title'),
          title,
        );
      await row('Count the till');
      assert.equal(await isHere('Count the till'), false);
      await set([{ folder, paths: { '/home/other/shop': here, 'C:\\Users\\other\\shop': here } }]);
      for (const title of ['Count the till', 'Empty the till']) {
        await waitUntil(`${title} is of this workspace`, () => isHere(title));
      }
      await waitUntil('the row says why', async () =>
        String(await row('Count the till')).includes(
          `Recorded in /home/other/shop/web. In your settings, this is ${here}/web.`,
        ),
      );
      await ui(({ view }) => view.getByRole('treeitem').filter({ hasText: 'Count the till' }).click());
      await waitUntil('the session is shown', () => isActiveInInspector(opened));
      await finalEditor(opened);
      await ui(async ({ webview }) => {
        await webview.getByRole('radio', { name: 'Table', exact: true }).check();
        await webview.getByRole('row').filter({ hasText: 'till.txt' }).last().click();
        await webview.getByRole('button', { name: 'Open file' }).click();
      });
      await waitUntil('the file is open at the line', () => {
        const editor = vscode.window.activeTextEditor;
        return editor?.document.uri.fsPath === file.fsPath && editor.selection.active.line === 20;
      });
    } finally {
      await set(undefined);
      await closeEverything();
      await vscode.commands.executeCommand('workbench.view.explorer');
    }
  },
  { skip: windowMissing },
);
