import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds, viewType } from '../../../src/host/manifest';
import { ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { ui, waitUntil } from '../driver';
import { closeEverything, finalEditor, isActiveAsText, workspaceFile } from '../inspector';
import { settleAll } from './busy';
import { askTool, bringModel, chat, chatMissing, untilListed } from './chat';
import { showSessions, writeSession } from './sessionPlaces';
import { withSettings } from './settings';
import { walkthroughSteps } from './walkthrough';
import {
  drag,
  exampleFile,
  extensionId,
  follow,
  fromPalette,
  isShown,
  linkTo,
  openTheExample,
  packagedExample,
} from './workbench';

/** A way into the extension. The test uses it and checks its effect. */
export type EntryPoint = () => Promise<unknown>;

/** Takes a step of the walkthrough: opens it, presses its button, does its task, and sees it ticked off. */
const step =
  (name: string, button: string, act: EntryPoint): EntryPoint =>
  async () => {
    const isDone = async (): Promise<boolean | undefined> => {
      // In a new window, VS Code may show its own page until it knows the extensions' walkthroughs. That page stays
      // open.
      await waitUntil('the walkthrough is shown', async () => {
        await vscode.commands.executeCommand(commandIds.getStarted);
        const isShown = await ui(({ page }) =>
          page
            .locator('[data-done-step-id*="context-inspector"]')
            .first()
            .waitFor({ timeout: 5000 })
            .then(
              () => true,
              () => false,
            ),
        );
        if (isShown !== true) {
          await closeEverything();
        }
        return isShown === true;
      });
      return (await walkthroughSteps()).find(each => each.step === name)?.isDone;
    };
    assert.equal(await isDone(), false, 'it is ticked off before it is taken');
    await ui(
      async ({ page }, wanted) => {
        const shown = page.locator(`.getting-started-step[data-step-id$="#${wanted.name}"]`);
        if ((await shown.and(page.locator('.expanded')).count()) === 0) {
          await shown.locator('.step-title').click();
        }
        await shown.getByRole('button', { name: wanted.button }).click();
      },
      { name, button },
    );
    await act();
    await waitUntil('the step is ticked off', async () => (await isDone()) === true);
  };

async function packagedExampleIsShown(): Promise<void> {
  await finalEditor(packagedExample());
  await ui(({ webview }) => webview.locator('#root[data-ready="true"]').waitFor({ state: 'attached' }));
}

/** The list of sessions is visible, with sessions or with the text for an empty list. */
const listIsSeen = (): Promise<unknown> =>
  ui(({ view }) => view.getByRole('tree').or(view.locator('.welcome')).first().waitFor());

const isListSeen = async (): Promise<boolean> =>
  (await ui(({ view }) => view.locator('main.sessions').filter({ visible: true }).count())) === 1;

async function showsList(use: EntryPoint): Promise<void> {
  assert.equal(await isListSeen(), false);
  await use();
  await listIsSeen();
}

const session = new ClaudeCodeSession().prompt('Mind the step').reply({ text: 'Done.' }).toString();

/** A file with a name of this form is reopened with the inspector, which VS Code offers for it. */
const reopened =
  (pattern: string): EntryPoint =>
  async () => {
    const uri = workspaceFile(pattern.replace('*', 'inventory-reopened'), session);
    await vscode.commands.executeCommand('vscode.open', uri);
    await waitUntil('the text is shown', () => isActiveAsText(uri));
    await fromPalette('View: Reopen Editor With...');
    await ui(async ({ page }) => {
      const row = page.locator('.quick-input-widget .monaco-list-row', { hasText: 'Context Inspector' });
      await row.click();
    });
    await isShown(uri);
  };

/** A call of each tool of the chat about the example, and the beginning of its answer. */
const chatTools: readonly (readonly [name: string, input: object, answer: RegExp])[] = [
  ['context_status', {}, /^Session session · Claude Code/],
  ['what_fills_context', {}, /128,789/],
  ['was_seen', { file: 'src/period/period.repository.ts' }, /block \d+: lines/],
  ['what_was_dropped', {}, /^Compaction 1 of 1/],
  ['why_cache_lost', { request: 54 }, /^Request 54: idle too long/],
  ['forecast', {}, /^Next request: about/],
  ['worth_a_look', {}, /sent in 31 requests/],
  ['find_in_sessions', { words: 'quillfish' }, /Nothing found|block/],
];

const toolAnswers =
  (name: string, input: object, answer: RegExp): EntryPoint =>
  async () => {
    await openTheExample();
    assert.match(await askTool(name, input), answer);
  };

const patterns = [
  ...['*.jsonl', '*.json', '*.jsonl.zst', '*.eval', '*.traj', '*.har', '*.lhar', '*.sse', '*.db'],
  ...['*.sqlite', '*.aider.chat.history.md'],
];

/**
 * All contributions of the package except commands, menus, keys and settings. The steps come first, because later rows
 * would tick them off.
 */
export const contributionUses: Readonly<Record<string, EntryPoint>> = {
  'walkthroughs openExample': step('openExample', 'Open Example Session', packagedExampleIsShown),
  'walkthroughs findSessions': step('findSessions', 'Show Sessions', listIsSeen),
  'walkthroughs selectBlock': step('selectBlock', 'Go to the Example', async () => {
    await packagedExampleIsShown();
    await ui(({ webview }) => webview.getByTestId('slot-layout').press('ArrowRight'));
  }),
  'walkthroughs moveSlider': step('moveSlider', 'Open the Prune Tab', async () => {
    await packagedExampleIsShown();
    await ui(({ webview }) => webview.locator('input[type=range]').first().press('ArrowRight'));
  }),
  'walkthroughs seeBreak': step('seeBreak', 'Show the Cache Loss', () =>
    ui(({ webview }) => webview.getByTestId('cache-break').waitFor()),
  ),
  // In a new window, nothing has been asked of the extension, and it is active.
  'activationEvents onStartupFinished': () => {
    assert.equal(vscode.extensions.getExtension(extensionId)?.isActive, true);
    return Promise.resolve();
  },
  'activationEvents onUri': async () => {
    await follow(linkTo(`file=${encodeURI(exampleFile().fsPath)}`));
    await isShown(exampleFile());
  },
  ...Object.fromEntries(
    patterns.map(pattern => [`customEditors ${viewType} ${pattern}`, reopened(pattern)] as const),
  ),
  ...Object.fromEntries(
    chatTools.map(
      ([name, input, answer]) =>
        [`languageModelTools contextInspector_${name}`, toolAnswers(name, input, answer)] as const,
    ),
  ),
  'chatParticipants contextInspector.context': async () => {
    if (chatMissing !== undefined) {
      return;
    }
    await bringModel();
    await openTheExample();
    assert.match(
      await chat('@context what happened there?', 'chose what to ask'),
      /Request 54: idle too long/,
    );
  },
  // chat.both.test.ts starts it.
  'mcpServerDefinitionProviders contextInspector.server': () => untilListed(true),
  'viewsContainers contextInspector': () =>
    showsList(() =>
      ui(({ page }) =>
        page
          .locator('.activitybar')
          .getByRole('tab', { name: /^Context Inspector/ })
          .click(),
      ),
    ),
  'views contextInspector.sessions': () =>
    showsList(() => fromPalette('Context Inspector: Focus on Sessions View')),
  // The example is in the package, where nothing may be written.
  'configurationDefaults files.readonlyInclude': async () => {
    const { document } = await vscode.window.showTextDocument(packagedExample());
    const before = document.version;
    await ui(async ({ page }) => {
      await page.locator('.editor-instance .view-lines').first().click();
      await page.keyboard.type('x');
      await page.locator('.monaco-editor-overlaymessage', { hasText: /read-only/ }).waitFor();
    });
    assert.deepEqual([document.version, document.isDirty], [before, false]);
  },
};

/** Shows the explorer with a new file in it, and returns the element to drag. */
async function inExplorer(name: string): Promise<{ readonly uri: vscode.Uri; readonly selector: string }> {
  const uri = workspaceFile(name, session);
  await vscode.commands.executeCommand('revealInExplorer', uri);
  return { uri, selector: `role=treeitem[name="${name}"]` };
}

const opensByDefault = { 'workbench.editorAssociations': { '*.jsonl': viewType } };

const editorArea = { where: 'page', selector: '.part.editor' } as const;

/**
 * Everything that works without a command: files of a kind that the user assigned to the inspector, and all drag and
 * drop.
 */
export const otherUses: Readonly<Record<string, EntryPoint>> = {
  'a click on a file whose kind the user has associated': () =>
    withSettings(opensByDefault, async () => {
      const { uri, selector } = await inExplorer('inventory-clicked.jsonl');
      await ui(({ page }, wanted) => page.locator(wanted).click(), selector);
      await isShown(uri);
    }),
  'a file dropped on the editor area': () =>
    withSettings(opensByDefault, async () => {
      const { uri, selector } = await inExplorer('inventory-dropped.jsonl');
      await drag({ where: 'page', selector }, editorArea);
      await isShown(uri);
    }),
  'a session dropped on the editor area': async () => {
    const uri = writeSession('garden', 'Carry the pots');
    await showSessions();
    // A row can be dragged once it has been described.
    const selector = '.session[draggable="true"]:has-text("Carry the pots")';
    await drag({ where: 'view', selector }, editorArea);
    await isShown(uri);
  },
  'a file dropped with Shift on the list of sessions': async () => {
    writeSession('garden', 'Carry the pots');
    // Both are visible together if they are in one container.
    const move = (destinationId: string): Thenable<unknown> =>
      vscode.commands.executeCommand('vscode.moveViews', {
        viewIds: ['contextInspector.sessions'],
        destinationId,
      });
    await move('workbench.view.explorer');
    try {
      await showSessions();
      const { uri, selector } = await inExplorer('inventory-shift.jsonl');
      await drag({ where: 'page', selector }, { where: 'view', selector: 'role=tree' }, ['Shift']);
      await isShown(uri);
      await settleAll();
    } finally {
      await move('workbench.view.extension.contextInspector');
    }
  },
};
