import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { commandIds } from '../../../src/host/manifest';
import { addToolTurns, ClaudeCodeSession } from '../../fixtures/claudeCodeSession';
import { noteUse, run } from '../contributions';
import { eventually, extensionId, ui, waitUntil, windowMissing } from '../driver';
import { test } from '../index';
import {
  closeEverything,
  finalEditor,
  inspectorApi,
  isActiveAsText,
  isActiveInInspector,
  openAlone,
  temporaryFile,
  workspaceFile,
} from '../inspector';
import {
  answerMessage,
  findingsAreShown,
  follow,
  linkTo,
  messageIsShown,
  packagedExample,
  pageIsDrawn,
} from '../workbench';

// The first file of its window: nothing has been asked of the extension, and no step of the walkthrough is done.

const needsWindow = { skip: windowMissing };
const session = addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 3, 2000).toString();

async function packagedExampleIsShown(): Promise<void> {
  await finalEditor(packagedExample());
  await pageIsDrawn();
}

test('is active without being asked, and opens the example from its package, read-only', async () => {
  await waitUntil(
    'the extension is active',
    () => vscode.extensions.getExtension(extensionId)?.isActive === true,
  );
  noteUse('activationEvents onStartupFinished');
  await run(commandIds.openExample);
  const { requests, summary } = await finalEditor(packagedExample());
  assert.ok(isActiveInInspector(packagedExample()));
  assert.deepEqual([requests, summary?.format, summary?.problems], [59, 'claude-code', []]);
  if (windowMissing === undefined) {
    await findingsAreShown();
  }
  await run(commandIds.openAsText);
  await eventually('the example is shown as text', () => isActiveAsText(packagedExample()));
  if (windowMissing === undefined) {
    await ui(async ({ page }) => {
      await page.locator('.editor-instance .view-lines').first().click();
      await page.keyboard.type('x');
      await page.locator('.monaco-editor-overlaymessage', { hasText: /read-only/ }).waitFor();
    });
    noteUse('configurationDefaults files.readonlyInclude');
  }
  assert.equal(vscode.window.activeTextEditor?.document.isDirty, false);
});

/** The steps of the walkthrough with their buttons, and what a person does then. */
const steps: readonly (readonly [step: string, button: string, act: () => Promise<unknown>])[] = [
  ['openExample', 'Open Example Session', packagedExampleIsShown],
  [
    'findSessions',
    'Show Sessions',
    () => ui(({ view }) => view.getByRole('tree').or(view.locator('.welcome')).first().waitFor()),
  ],
  [
    'selectBlock',
    'Go to the Example',
    async () => {
      await packagedExampleIsShown();
      await ui(({ webview }) => webview.getByTestId('slot-layout').press('ArrowRight'));
    },
  ],
  [
    'moveSlider',
    'Open the Prune Tab',
    async () => {
      await packagedExampleIsShown();
      await ui(({ webview }) => webview.locator('input[type=range]').first().press('ArrowRight'));
    },
  ],
  [
    'seeBreak',
    'Show the Cache Loss',
    () => ui(({ webview }) => webview.getByTestId('cache-break').waitFor()),
  ],
];

test(
  'ticks off each step of the walkthrough when its task is done',
  async () => {
    await closeEverything();
    for (const [step, button, act] of steps) {
      await run(commandIds.getStarted);
      await ui(
        async ({ page }, wanted) => {
          const shown = page.locator(`.getting-started-step[data-step-id$="#${wanted.step}"]`);
          await shown.waitFor();
          const done = `[data-done-step-id$="#${wanted.step}"][aria-checked="true"]`;
          if (wanted.step !== 'openExample' && (await page.locator(done).count()) > 0) {
            throw new Error(`${wanted.step} is ticked off before it is taken.`);
          }
          if ((await shown.and(page.locator('.expanded')).count()) === 0) {
            await shown.locator('.step-title').click();
          }
          await shown.getByRole('button', { name: wanted.button }).click();
        },
        { step, button },
      );
      await act();
      await run(commandIds.getStarted);
      await ui(
        ({ page }, name) =>
          page
            .locator(`[data-done-step-id$="#${name}"][aria-checked="true"]`)
            .filter({ visible: true })
            .waitFor(),
        step,
      );
      noteUse(`walkthroughs ${step}`);
    }
    await closeEverything();
  },
  needsWindow,
);

/**
 * The page opened next receives messages late, as on a busy machine, and answers once it receives them, after the
 * returned function was called.
 */
async function slowPage(): Promise<() => Promise<unknown>> {
  await ui(async ({ page }) => {
    const hearing = new Promise(hear => Object.assign(globalThis, { hear }));
    await page.exposeFunction('pagesHear', () => hearing);
    const content = `{
      const add = window.addEventListener.bind(window);
      const hearing = window.pagesHear();
      let acquire;
      Object.defineProperty(window, 'acquireVsCodeApi', {
        configurable: true,
        get: () => acquire,
        set: original => {
          window.addEventListener = (type, ...rest) =>
            type === 'message' ? void hearing.then(() => add(type, ...rest)) : add(type, ...rest);
          acquire = () => {
            const api = original();
            const speaking = hearing.then(() => undefined);
            return { ...api, postMessage: message => void speaking.then(() => api.postMessage(message)) };
          };
        },
      });
    }`;
    await page.addInitScript({ content });
  });
  return () =>
    ui(() => {
      const { hear } = Object.assign({ hear: () => undefined }, globalThis);
      hear();
    });
}

test(
  'shows a place of a session whose page was hidden, also where the page is slow',
  async () => {
    await run(commandIds.openExample);
    await finalEditor(packagedExample());
    await vscode.window.showTextDocument(temporaryFile('in-front.txt', 'Something else.'));
    const hear = await slowPage();
    const opened = run(commandIds.openExample, { request: 53, panel: 'cache' });
    await ui(({ webview }) => webview.locator('#root').waitFor({ state: 'attached' }));
    await hear();
    await opened;
    await ui(({ webview }) => webview.getByTestId('cache-break').waitFor());
  },
  needsWindow,
);

test(
  'copies a link to a block, and opens the block by it',
  async () => {
    const uri = workspaceFile('a link & more.jsonl', session);
    await openAlone(uri);
    await finalEditor(uri);
    await pageIsDrawn();
    await ui(async ({ page, webview }) => {
      await webview.getByTestId('slot-layout').focus();
      await page.keyboard.press('[');
      await page.keyboard.press('End');
      await page.keyboard.press('ArrowLeft');
    });
    await run(commandIds.copyLink);
    await messageIsShown('The link was copied.');
    const link = await vscode.env.clipboard.readText();
    assert.match(
      link,
      /^[\w-]+:\/\/context-inspector\.context-inspector\/open\?file=[!-~]+a%20link%20%2526%20more\.jsonl&request=2&block=5$/,
    );
    await closeEverything();
    await follow(link);
    // It is in the workspace, so VS Code asks nothing.
    await finalEditor(uri);
    await ui(async ({ webview }) => {
      await webview
        .getByTestId('block-details')
        .getByText(/Block 6\b/)
        .first()
        .waitFor();
      await webview.locator('#timeline-chart[aria-valuenow="3"]').waitFor();
    });
  },
  needsWindow,
);

test(
  'asks before a link opens a file that is not in the workspace, and says what is wrong with a bad link',
  async () => {
    const uri = temporaryFile('outside.jsonl', session);
    await closeEverything();
    const { openEditors } = await inspectorApi();
    for (const [query, sentence] of [
      ['file=/etc/passwd&request=-1', '"request" must be a whole number'],
      ['file=/nowhere/at/all.jsonl', 'The file does not exist.'],
      [`file=${encodeURI(uri.fsPath)}&request=0`, 'not in this workspace'],
    ] as const) {
      const followed = follow(linkTo(query));
      await messageIsShown(sentence);
      assert.deepEqual(
        [openEditors().length, vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs)],
        [0, []],
      );
      await answerMessage(sentence, sentence === 'not in this workspace' ? 'Open' : undefined);
      await followed;
    }
    await finalEditor(uri);
  },
  needsWindow,
);
