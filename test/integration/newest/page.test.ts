import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import * as vscode from 'vscode';
import { commandIds, textScheme } from '../../../src/host/manifest';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { noteUse, run, withSettings } from '../contributions';
import { eventually, ui, windowMissing } from '../driver';
import { test } from '../index';
import { finalEditor, isActiveAsText, isActiveInInspector, openAlone, temporaryFile } from '../inspector';
import { answerMessage, openTheExample, pageIsDrawn } from '../workbench';

const needsWindow = { skip: windowMissing };

/** A prompt, then for each call a line of text, a line of the call and a line of the result. */
const session = addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 6, 12_000).toString();

async function openSession(name: string, text = session): Promise<vscode.Uri> {
  const uri = temporaryFile(name, text);
  await openAlone(uri);
  await finalEditor(uri);
  await pageIsDrawn();
  return uri;
}

/** Selects the result of the third call in the table, and returns the name of the block. */
const selectThirdResult = (): Promise<unknown> =>
  ui(async ({ webview }) => {
    await webview.getByRole('radio', { name: 'Table' }).check();
    await webview.getByTestId('block-table').getByRole('row').filter({ hasText: 'shelf2.ts' }).last().click();
    return webview.getByTestId('block-details').getByRole('heading').first().innerText();
  });

test(
  'shows where a clicked block came from, and jumps to its line in the transcript',
  async () => {
    const uri = await openSession('jump.jsonl');
    await selectThirdResult();
    await ui(({ webview }) => webview.getByRole('button', { name: 'Go to line 10' }).click());
    await eventually(
      'the transcript is shown as text at the line',
      () => isActiveAsText(uri) && vscode.window.activeTextEditor?.selection.active.line === 9,
    );
    const editor = vscode.window.activeTextEditor;
    assert.match(editor?.document.getText(editor.selection) ?? '', /"tool_use_id":/);
  },
  needsWindow,
);

test(
  'shows the one record of a block where the transcript is too large for a text editor',
  async () => {
    const large = addToolTurns(new ClaudeCodeSession(), 'Read it all.', 60, 500_000);
    const uri = temporaryFile('large-jump.jsonl', large.toString());
    try {
      await openAlone(uri);
      await ui(async ({ webview, page }) => {
        await webview.getByRole('listbox', { name: 'Lanes' }).press('End');
        await page.keyboard.press('Enter');
        await webview.getByRole('button', { name: /^Go to line/ }).click();
      });
      await answerMessage('VS Code cannot open files over 50 MB at a line.', 'Open Record');
      await eventually(
        'the record is shown',
        () => vscode.window.activeTextEditor?.document.uri.scheme === textScheme,
      );
      // The last request saw everything except its own reply: the last result.
      assert.deepStrictEqual(
        JSON.parse(vscode.window.activeTextEditor?.document.getText() ?? ''),
        JSON.parse(large.lines.at(-2) ?? ''),
      );
    } finally {
      rmSync(uri.fsPath);
    }
  },
  needsWindow,
);

test(
  'opens the transcript of a subagent beside the session',
  async () => {
    const subagent = temporaryFile(
      'agent-b7.jsonl',
      new ClaudeCodeSession().prompt('Look for prices.').toString(),
    );
    await openSession(
      'parent.jsonl',
      new ClaudeCodeSession()
        .prompt('Where are the prices?')
        .reply({
          tool: 'Task',
          id: 'toolu_1',
          input: { description: 'Find the prices', prompt: 'Look for prices.' },
        })
        .result('toolu_1', 'In price.ts.', { status: 'completed', agentId: 'b7', totalTokens: 900 })
        .reply({ text: 'In price.ts.' })
        .toString(),
    );
    await ui(async ({ webview }) => {
      await webview.getByRole('button', { name: /not sent/ }).click();
      await webview.getByRole('button', { name: 'Open Find the prices' }).click();
    });
    await eventually('the subagent is shown', () => isActiveInInspector(subagent));
  },
  needsWindow,
);

test(
  'is where it was after being hidden, and after moving to another group',
  async () => {
    const uri = await openSession('hidden.jsonl');
    const block = await selectThirdResult();
    const isSelected = (): Promise<unknown> =>
      ui(
        ({ webview }, name) =>
          webview.getByTestId('block-details').getByRole('heading', { name, exact: true }).first().waitFor(),
        String(block),
      );
    await vscode.window.showTextDocument(temporaryFile('other.txt', 'Something else.'));
    await vscode.commands.executeCommand('workbench.action.previousEditor');
    await eventually('the inspector is active again', () => isActiveInInspector(uri));
    await isSelected();
    await vscode.commands.executeCommand('workbench.action.moveEditorToNextGroup');
    await isSelected();
  },
  needsWindow,
);

/** A setting of pruning with another value than its default, the settings that it needs, and where the panel shows it. */
const pruneSettings: readonly (readonly [
  name: string,
  value: unknown,
  selector: string,
  others?: Readonly<Record<string, unknown>>,
])[] = [
  ['ruleSet', 'katu', 'select[aria-label="Rule set"]:has(option:checked[value="katu"])'],
  ['minimumTokens', 1234, '[aria-label="Minimum tokens, value"][value="1234"]'],
  ['protectedTools', ['Bash'], 'role=button[name="Stop protecting Bash"]'],
  ['replacement', 'truncate', 'select[aria-label="Replace with"]:has(option:checked[value="truncate"])'],
  [
    'toolOutputMaxChars',
    4321,
    '[aria-label="Keep characters, value"][value="4321"]',
    { 'contextInspector.prune.replacement': 'truncate' },
  ],
  ['measure', 'tokens', 'select[aria-label="Measure in"]:has(option:checked[value="tokens"])'],
  [
    'cacheWarmSuffixTokens',
    5000,
    '[aria-label="Max. rewritten, value"][value="5000"]',
    { 'contextInspector.prune.ruleSet': 'oh-my-pi' },
  ],
  ['enabled', false, 'role=checkbox[name="Prune old results"][checked=false]'],
  ['protectTokens', 7000, '[aria-label="Protect newest, value"][value="7000"]'],
];

test(
  'takes the settings of pruning into an open editor, and saves a slider to the settings',
  async () => {
    await openTheExample();
    await ui(({ webview }) => webview.getByRole('tab', { name: 'Prune' }).click());
    for (const [name, value, selector, others = {}] of pruneSettings) {
      await withSettings({ ...others, [`contextInspector.prune.${name}`]: value }, async () => {
        await ui(({ webview }, wanted) => webview.locator(wanted).first().waitFor(), selector);
        if (name === 'protectTokens') {
          await ui(async ({ webview }) => {
            await webview.getByRole('slider', { name: 'Protect newest' }).press('ArrowRight');
            await webview.getByRole('button', { name: 'Save to settings' }).click();
          });
          await eventually(
            'the setting is saved',
            () => vscode.workspace.getConfiguration('contextInspector.prune').get(name) === 8000,
          );
        }
      });
    }
  },
  needsWindow,
);

test(
  'finds with the key of VS Code and by command, shows its keys, and opens a text with the key for it',
  async () => {
    const uri = await openSession('keys.jsonl');
    await ui(async ({ page, webview }) => {
      const find = webview.locator('#find');
      await webview.getByTestId('slot-layout').focus();
      await page.keyboard.press('Control+F');
      await find.locator('input:focus').waitFor();
      await page.keyboard.press('Escape');
      await find.locator('input').waitFor({ state: 'hidden' });
    });
    noteUse(`keybindings ctrl+f ${commandIds.find}`);
    await run(commandIds.find);
    await ui(({ webview }) => webview.locator('#find input:focus').waitFor());
    await run(commandIds.showKeys);
    await ui(({ webview }) => webview.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor());
    await run(commandIds.openAsText);
    await eventually('the text is active', () => isActiveAsText(uri));
    await ui(async ({ page }) => {
      await page.locator('.editor-instance .monaco-editor.focused').waitFor();
      await page.keyboard.press('Control+Shift+V');
    });
    await eventually('the inspector shows it', () => isActiveInInspector(uri));
    noteUse(`keybindings ctrl+shift+v ${commandIds.open}`);
  },
  needsWindow,
);
