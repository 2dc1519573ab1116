import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { commandIds, sessionsViewId } from '../../../src/host/manifest';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { zstdFrame } from '../../fixtures/zstdFrame';
import { contributedCommands, contributedMenus, noteUse, run, withSettings } from '../contributions';
import { eventually, fromMenu, ui, windowMissing } from '../driver';
import { test } from '../index';
import {
  closeEverything,
  editorThat,
  finalEditor,
  isActiveAsText,
  openAlone,
  temporaryFile,
  temporaryPath,
  workspaceFile,
} from '../inspector';
import {
  answered,
  answerMessage,
  chooseRow,
  exampleFile,
  inPalette,
  isAsked,
  isShown,
  isUsageShown,
  openTheExample,
  showSessions,
} from '../workbench';

const needsWindow = { skip: windowMissing };

test(
  'offers in the palette what can be done, and nothing else',
  async () => {
    const titles = (isOpen: boolean): readonly string[] =>
      contributedCommands()
        .filter(({ when }) => when === '' || (isOpen && when !== 'false'))
        .map(({ title }) => title.replace(/^.*?: /, ''))
        .toSorted();
    // VS Code adds a command for each view.
    const offered = async (): Promise<readonly string[]> =>
      (await inPalette('Context Inspector')).filter(title => !title.startsWith('Focus on ')).toSorted();
    await closeEverything();
    assert.deepEqual(await offered(), titles(false));
    await openTheExample();
    assert.deepEqual(await offered(), titles(true));
  },
  needsWindow,
);

/** The export commands, each with the name of its file and the beginning or a part of the content. */
const written: readonly (readonly [command: string, name: string, content: RegExp])[] = [
  [commandIds.exportPrunedCopy, 'example.pruned.jsonl', /^\{/],
  [commandIds.exportTwin, 'example.twin.jsonl', /^\{/],
  [commandIds.exportReport, 'example.report.html', /<svg/],
  [commandIds.exportDrawing, 'example.drawing.svg', /<svg/],
  [commandIds.exportContext, 'example.context.json', /^\{/],
];

test(
  'exports into the files that commands are given, lists replays, and forgets the index and a key',
  async () => {
    const before = readFileSync(exampleFile().fsPath);
    await openTheExample();
    for (const [command, name, content] of written) {
      const target = temporaryFile(name, '').fsPath;
      rmSync(target);
      assert.equal(await run(command, exampleFile(), vscode.Uri.file(target)), true);
      await eventually(`${name} is written`, () => existsSync(target), dirname(target));
      assert.match(readFileSync(target, 'utf8'), content);
      assert.equal(statSync(target).mode & 0o777, 0o600);
    }
    assert.deepEqual(readFileSync(exampleFile().fsPath), before);
    await isAsked(() => run(commandIds.openReplays), 'Open a Replay');
    await run(commandIds.deleteIndex);
    await answerMessage('The session index was deleted.');
    const isEntered = run(commandIds.setApiKey);
    await ui(chooseRow, 'Anthropic');
    await ui(async ({ page }) => {
      const key = page.locator('.quick-input-widget input[type=password]');
      await key.fill('invented-key');
      await key.press('Enter');
    });
    await isEntered;
    await answered(() => run(commandIds.removeApiKey), chooseRow, 'Anthropic');
    await answerMessage('The API key for Anthropic was removed.');
  },
  needsWindow,
);

/** Opens a menu, which must have some of the package's entries for it and no others of them, and chooses one. */
async function chooseIn(open: () => Promise<unknown>, entries: RegExp, choice: string): Promise<void> {
  const wanted = contributedMenus().filter(({ name }) => entries.test(name));
  const menu = wanted[0]?.name.split(' ')[0] ?? assert.fail();
  const own = contributedMenus().flatMap(({ name, title }) => (name.startsWith(`${menu} `) ? [title] : []));
  await fromMenu(async () => {
    await open();
    const texts = await ui(async ({ page }, name) => {
      await page.getByRole('menuitem', { name }).waitFor();
      return page.getByRole('menuitem').locator('.action-label').allInnerTexts();
    }, choice);
    assert.ok(Array.isArray(texts));
    assert.deepEqual(
      new Set(texts.map(String).filter(text => own.includes(text))),
      new Set(wanted.map(({ title }) => title)),
    );
  }, choice);
  wanted.forEach(({ name }) => noteUse(`menus ${name}`));
}

const rightClick = (role: 'tab' | 'treeitem', name: string) => (): Promise<unknown> =>
  ui(({ page }, wanted) => page.getByRole(wanted.role, { name: wanted.name }).click({ button: 'right' }), {
    role,
    name,
  });

const moreActions = (): Promise<unknown> =>
  ui(({ page }) => page.locator('.editor-actions .codicon-toolbar-more').click());

/** Presses a button in the title of the editor or of the list of sessions. */
async function pressTitleButton(name: string, entry: string): Promise<void> {
  await ui(
    ({ page }, wanted) =>
      page
        .locator('.editor-actions, .pane-header, .composite.title')
        .getByRole('button', { name: new RegExp(`^${wanted}`) })
        .filter({ visible: true })
        .first()
        .click(),
    name,
  );
  noteUse(`menus ${entry}`);
}

test(
  'opens a file from the menus of the explorer, the tab and the title, and has its entries in the title of an editor',
  async () => {
    const open = 'Open in Context Inspector';
    const record = new ClaudeCodeSession().prompt('Hi').reply({ text: 'Hi' }).toString();
    const uri = workspaceFile('by-menu.jsonl', record);
    const showText = async (file: vscode.Uri): Promise<void> => {
      await closeEverything();
      await vscode.window.showTextDocument(file, { preview: false });
    };
    await closeEverything();
    await vscode.commands.executeCommand('revealInExplorer', uri);
    await chooseIn(rightClick('treeitem', 'by-menu.jsonl'), /^explorer\/context /, open);
    await isShown(uri);
    await showText(uri);
    await chooseIn(rightClick('tab', 'by-menu.jsonl'), /^editor\/title\/context /, open);
    await isShown(uri);
    await showText(uri);
    await pressTitleButton(open, 'editor/title contextInspector.open navigation');
    await isShown(uri);
    const json = workspaceFile('by-menu.json', record);
    await showText(json);
    await chooseIn(moreActions, /^editor\/title contextInspector\.open 3/, open);
    await isShown(json);
    await openTheExample();
    const choice = 'Export Report…';
    await isAsked(
      () => chooseIn(moreActions, /^editor\/title (?!contextInspector\.open )\S+ [345]/, choice),
      'Redacted',
    );
    await pressTitleButton('Open as Text', 'editor/title contextInspector.openAsText navigation');
    await eventually('the transcript is shown as text', () => isActiveAsText(exampleFile()));
  },
  needsWindow,
);

test(
  'shows its list in the activity bar, with buttons for the search, the usage and the newest sessions',
  async () => {
    await closeEverything();
    await vscode.commands.executeCommand('workbench.view.explorer');
    await ui(async ({ page, view }) => {
      await page
        .locator('.activitybar')
        .getByRole('tab', { name: /^Context Inspector/ })
        .click();
      await view.getByRole('tree').or(view.locator('.welcome')).first().waitFor();
    });
    noteUse('viewsContainers contextInspector');
    noteUse(`views ${sessionsViewId}`);
    await showSessions();
    const entry = (command: string, place: number): string => `view/title ${command} navigation@${place}`;
    await pressTitleButton('Search in All Sessions', entry(commandIds.searchAllSessions, 0));
    const hasFocus = (): Promise<unknown> =>
      ui(({ webview }) => webview.locator('[role=combobox]:focus').waitFor());
    await hasFocus();
    await pressTitleButton('Show Usage', entry(commandIds.usage, 2));
    await isUsageShown();
    await run(commandIds.searchAllSessions);
    await hasFocus();
    await run(commandIds.usage);
    await isUsageShown();
    await run(commandIds.whatIf);
    await ui(({ webview }) => webview.getByRole('heading', { name: 'What if', level: 1 }).waitFor());
    await closeEverything();
    await isAsked(
      () => pressTitleButton('Find Session by Title', entry(commandIds.sessionsSearch, 1)),
      'Title, agent, project or branch',
    );
    await pressTitleButton('Refresh Sessions', entry(commandIds.sessionsRefresh, 3));
    await run(commandIds.sessionsRefresh);
  },
  needsWindow,
);

/** A transcript of 100 KB that unpacks to 33 MB: more than is always allowed, and less than the default limit. */
function packedSession(): vscode.Uri {
  const text = addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 1, 10).toString();
  const end = text.lastIndexOf('}');
  const spaces = Array.from({ length: 331 }, () => ({ byte: 0x20, times: 100_000 }));
  const uri = temporaryFile('packed.jsonl.zst', '');
  writeFileSync(
    uri.fsPath,
    zstdFrame([Buffer.from(text.slice(0, end)), ...spaces, Buffer.from(text.slice(end))]),
  );
  return uri;
}

test('refuses a packed transcript that is larger than the settings allow, and opens it without them', async () => {
  const uri = packedSession();
  for (const [name, sentence] of [
    ['ratio', /more than 1 times its size/],
    ['megabytes', /more than 1 MB/],
  ] as const) {
    await withSettings({ [`contextInspector.unpacking.${name}`]: 1 }, async () => {
      await openAlone(uri);
      const failed = await editorThat(uri, 'the file is refused', ({ state }) => state === 'failed');
      assert.match(failed.sentence ?? '', sentence);
    });
  }
  await openAlone(uri);
  await finalEditor(uri);
});

/** A setting with another value than its default, and what the tab of the example then shows. */
const shownSettings: readonly (readonly [name: string, value: unknown, tab: string, text: string])[] = [
  [
    'asking.providers',
    { anthropic: { baseUrl: 'http://127.0.0.1:9' } },
    'Model',
    'http://127.0.0.1:9 on this machine',
  ],
  ['asking.maximumTokens', 321, 'Model', 'but the setting allows only 321'],
  ['asking.maximumOutput', 765, 'Model', 'at most 765'],
  ['hiddenWaste', ['noisyOutput'], 'Waste', '1 kind hidden'],
  ['models', { 'claude-sonnet-4-5': { contextWindow: 1_234_000 } }, 'Prune', '1,234,000'],
];

test(
  'takes the settings of models and of waste into an open editor',
  async () => {
    await openTheExample();
    for (const [name, value, tab, text] of shownSettings) {
      await withSettings({ [`contextInspector.${name}`]: value }, () =>
        ui(
          async ({ webview }, wanted) => {
            await webview.getByRole('tab', { name: wanted.tab, exact: true }).click();
            if (wanted.tab === 'Model') {
              const again = webview.getByRole('button', { name: 'Do not send' });
              if (await again.isVisible()) {
                await again.click();
              }
              await webview.getByRole('button', { name: 'Preview' }).click();
            }
            await webview.getByText(wanted.text).first().waitFor({ state: 'attached' });
          },
          { tab, text },
        ),
      );
    }
    await withSettings({ 'contextInspector.asking.maximumCalls': 1 }, () =>
      ui(async ({ webview }) => {
        await webview.getByRole('tab', { name: 'Model', exact: true }).click();
        const panel = webview.getByTestId('model-panel');
        await panel.getByRole('combobox', { name: 'Action' }).selectOption('Compare full and pruned');
        await panel.getByRole('button', { name: 'Preview' }).click();
        await panel.getByText('but the setting allows only 1.').waitFor();
      }),
    );
    await withSettings({ 'contextInspector.asking.enabled': false }, async () => {
      await openTheExample();
      await ui(async ({ webview }) => {
        await webview.getByRole('tab', { name: 'Model', exact: true }).click();
        await webview.getByText('Asking models is turned off in the settings.').waitFor();
      });
    });
  },
  needsWindow,
);

test(
  'takes the settings for personal data, the index and the folders of sessions',
  async () => {
    const address = 'otto@quillworks.io';
    const prompt = new ClaudeCodeSession()
      .prompt(`Please write to ${address} about it.`)
      .reply({ text: 'Done.' });
    const masked = async (name: string, isMasked: boolean): Promise<void> => {
      const uri = temporaryFile(name, prompt.toString());
      await openAlone(uri);
      await finalEditor(uri);
      const text = await ui(
        async ({ webview }, wanted) => {
          await webview.getByRole('radio', { name: 'Table' }).check();
          const rows = webview.getByTestId('block-table').getByRole('row');
          await rows.filter({ hasText: 'Please write' }).last().click();
          const shown = webview.getByTestId('block-text').filter({ hasText: wanted });
          await shown.waitFor();
          return shown.textContent();
        },
        isMasked ? 'about it.' : address,
      );
      assert.equal(String(text).includes(address), !isMasked);
    };
    await masked('masked.jsonl', true);
    await withSettings({ 'contextInspector.sensitivity.personalData': false }, () =>
      masked('address.jsonl', false),
    );
    await withSettings({ 'contextInspector.index.enabled': false }, async () => {
      await closeEverything();
      await run(commandIds.usage);
      await ui(({ webview }) => webview.getByText('turned off in the settings').waitFor());
    });
    temporaryFile(
      'captures/one.jsonl',
      new ClaudeCodeSession(undefined, '/home/ada/elsewhere').prompt('Fold the inventory').toString(),
    );
    await withSettings({ 'contextInspector.sessions.folders': [temporaryPath('captures')] }, async () => {
      await showSessions();
      await ui(({ view }) => view.getByRole('treeitem', { name: /^Fold the inventory/ }).waitFor());
    });
  },
  needsWindow,
);
