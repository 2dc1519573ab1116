import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { commandIds } from '../../src/host/manifest';
import { addToolTurns, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import {
  closeEverything,
  finalEditor,
  inspectorApi,
  isActiveAsText,
  isActiveInInspector,
  openAlone,
  temporaryFile,
  workspaceFile,
} from './inspector';
import { walkthroughSteps } from './inventory/walkthrough';
import {
  answerMessage,
  follow,
  fromPalette,
  linkTo,
  messageIsShown,
  packagedExample,
} from './inventory/workbench';

const needsWindow = { skip: windowMissing };
const session = addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 3, 2000).toString();

/**
 * By keyboard only: goes to the editor that was just opened. VS Code does not always focus it: a walkthrough that is
 * opened again loses the focus, and so does a page that is slow to appear. Then a user presses the key for it.
 */
async function goToEditor(editor: 'walkthrough' | 'inspector'): Promise<void> {
  await ui(async ({ page, webview, until }, wanted) => {
    const walkthrough = page.locator('.gettingStartedContainer:focus, .gettingStartedContainer :focus');
    await until(`the ${wanted} has the focus`, async () => {
      const isThere =
        wanted === 'walkthrough'
          ? (await walkthrough.count()) > 0
          : (await webview.locator('body').evaluate('document.hasFocus()')) === true;
      if (!isThere) {
        await page.keyboard.press('Control+1');
      }
      return isThere;
    });
  }, editor);
}

/** By keyboard only: opens the walkthrough, then a step of it, and presses the link in the step. */
async function takeStep(
  step: string,
  link: string,
  isTaken: () => boolean | Promise<boolean>,
): Promise<void> {
  await fromPalette('Context Inspector: Get Started');
  await goToEditor('walkthrough');
  await ui(
    async ({ page, until }, wanted) => {
      const step = `.getting-started-step[data-step-id$="#${wanted.step}"]`;
      // The element that gets a key: its step and its text.
      await page.evaluate(`
        window.heard ??= (document.addEventListener('keydown', ({ target }) => {
          window.heard = target.closest('.getting-started-step')?.dataset.stepId + ' ' + target.textContent.trim();
        }, { capture: true }), '');
      `);
      // VS Code draws the walkthrough again whenever a step is ticked off, and a key at that moment is lost.
      const press = (selector: string, heard: string): Promise<void> =>
        until(`${wanted.step}: ${wanted.link} hears the key`, async () => {
          for (let tabs = 0; tabs < 80 && (await page.locator(selector).count()) === 0; tabs += 1) {
            await page.keyboard.press('Tab');
          }
          await page.keyboard.press('Enter');
          return String(await page.evaluate('window.heard')).includes(heard);
        });
      if ((await page.locator(`${step}.expanded`).count()) === 0) {
        await press(`${step}:focus`, `#${wanted.step} `);
        await page.locator(`${step}.expanded`).waitFor();
      }
      await press(`${step} :focus:has-text("${wanted.link}")`, `#${wanted.step} ${wanted.link}`);
    },
    { step, link },
  );
  await waitUntil(`the step ${step} is taken`, isTaken);
}

const showsExample = (): boolean => isActiveInInspector(packagedExample());

const isTickedOff = (step: string) => async (): Promise<boolean> =>
  (await walkthroughSteps()).some(each => each.step === step && each.isDone);

/** By keyboard only: goes to an element of the page, and presses an arrow key there. */
async function pressThere(selector: string): Promise<void> {
  await ui(async ({ webview }, wanted) => {
    await webview.locator('#root[data-ready="true"]').waitFor({ state: 'attached' });
    await webview.locator(wanted).first().waitFor();
  }, selector);
  await goToEditor('inspector');
  await ui(async ({ page, webview }, wanted) => {
    for (let press = 0; press < 60; press += 1) {
      if ((await webview.locator(`${wanted}:focus`).count()) > 0) {
        await page.keyboard.press('ArrowRight');
        return;
      }
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to ${wanted}.`);
  }, selector);
}

/** Opens the walkthrough, and waits until these of its five steps are ticked off and no others. */
async function untilDone(done: readonly string[]): Promise<void> {
  await fromPalette('Context Inspector: Get Started');
  await waitUntil(`done are ${done.join(', ')}`, async () => {
    const steps = await walkthroughSteps();
    return steps.length === 5 && steps.every(({ step, isDone }) => isDone === done.includes(step));
  });
}

// The first of all tests in its window, so that the profile is empty.
test(
  'completes the walkthrough by keyboard alone',
  async () => {
    await closeEverything();
    await takeStep('openExample', 'Open Example Session', showsExample);
    await finalEditor(packagedExample());
    await takeStep('findSessions', 'Show Sessions', isTickedOff('findSessions'));
    await untilDone(['openExample', 'findSessions']);
    await takeStep('selectBlock', 'Go to the Example', showsExample);
    await pressThere('[data-testid=slot-layout]');
    await takeStep('moveSlider', 'Open the Prune Tab', showsExample);
    await pressThere('input[type=range]');
    await takeStep('seeBreak', 'Show the Cache Loss', showsExample);
    await ui(({ webview }) => webview.getByTestId('cache-break').waitFor());
    await untilDone(['openExample', 'findSessions', 'selectBlock', 'moveSlider', 'seeBreak']);
  },
  needsWindow,
);

test('opens the example from its package, and leaves it as it is', async () => {
  await closeEverything();
  const before = readFileSync(packagedExample().fsPath);
  await vscode.commands.executeCommand(commandIds.openExample);
  const { requests, summary } = await finalEditor(packagedExample());
  assert.ok(isActiveInInspector(packagedExample()));
  assert.deepEqual([requests, summary?.format, summary?.problems], [59, 'claude-code', []]);
  await vscode.commands.executeCommand(commandIds.openAsText);
  await waitUntil('the example is shown as text', () => isActiveAsText(packagedExample()));
  await vscode.commands.executeCommand('type', { text: 'x' });
  await vscode.commands.executeCommand('workbench.action.files.save');
  assert.equal(vscode.window.activeTextEditor?.document.isDirty, false);
  assert.deepEqual(readFileSync(packagedExample().fsPath), before);
});

/**
 * Pages opened from now on receive messages late, as on a busy machine, and answer once they receive them, after `hear`
 * was called.
 */
async function slowPages(): Promise<() => Promise<unknown>> {
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
    await closeEverything();
    await vscode.commands.executeCommand(commandIds.openExample);
    await finalEditor(packagedExample());
    await vscode.window.showTextDocument(temporaryFile('in-front.txt', 'Something else.'));
    const hear = await slowPages();
    const opened = vscode.commands.executeCommand(commandIds.openExample, { request: 53, panel: 'cache' });
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
    await ui(async ({ page, webview }) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await webview.locator('#root[data-ready="true"]').waitFor({ state: 'attached' });
      await webview.getByTestId('slot-layout').focus();
      await page.keyboard.press('[');
      await page.keyboard.press('End');
      await page.keyboard.press('ArrowLeft');
    });
    await vscode.commands.executeCommand(commandIds.copyLink);
    let link = '';
    await waitUntil('the link is copied', async () => {
      link = await vscode.env.clipboard.readText();
      return link.includes('/open?file=');
    });
    assert.match(
      link,
      /^[\w-]+:\/\/context-inspector\.context-inspector\/open\?file=[!-~]+a%20link%20%2526%20more\.jsonl&request=2&block=5$/,
    );
    await closeEverything();
    await follow(link);
    // It is in the workspace, so VS Code asks nothing.
    await finalEditor(uri);
    const shown = await ui(async ({ webview }) => {
      await webview.locator('#root[data-ready="true"]').waitFor({ state: 'attached' });
      const details = webview.getByTestId('block-details');
      await details
        .getByText(/Block 6\b/)
        .first()
        .waitFor();
      return webview.getByRole('slider', { name: 'Request' }).getAttribute('aria-valuenow');
    });
    assert.equal(shown, '3');
  },
  needsWindow,
);

test(
  'asks before a link opens a file that is not in the workspace',
  async () => {
    const uri = temporaryFile('outside.jsonl', session);
    await closeEverything();
    await follow(linkTo(`file=${encodeURI(uri.fsPath)}&request=0`));
    const { openEditors } = await inspectorApi();
    await messageIsShown('not in this workspace');
    assert.equal(openEditors().length, 0);
    await answerMessage('not in this workspace', 'Open');
    await finalEditor(uri);
  },
  needsWindow,
);

test(
  'says what is wrong with a bad link, and does nothing',
  async () => {
    await closeEverything();
    const { openEditors } = await inspectorApi();
    const tabs = (): number => vscode.window.tabGroups.all.flatMap(group => group.tabs).length;
    for (const [query, sentence] of [
      ['file=//server/share/a.jsonl', 'This link does not name a file on this machine'],
      ['file=/etc/passwd&request=-1', '"request" must be a whole number'],
      ['file=/nowhere/at/all.jsonl', 'The file does not exist.'],
      ['file=/tmp', 'This is not a file.'],
      ['', 'This link does not name a file on this machine'],
    ] as const) {
      await follow(linkTo(query));
      await answerMessage(sentence);
      assert.deepEqual([openEditors().length, tabs()], [0, 0], query);
    }
  },
  needsWindow,
);

test(
  'shows its keys, and finds by the key of VS Code',
  async () => {
    const uri = workspaceFile('keys.jsonl', session);
    await openAlone(uri);
    await finalEditor(uri);
    await ui(async ({ page, webview }) => {
      await webview.locator('#root[data-ready="true"]').waitFor({ state: 'attached' });
      const layout = webview.getByTestId('slot-layout');
      await layout.focus();
      await page.keyboard.press('?');
      const dialog = webview.getByRole('dialog', { name: 'Keyboard shortcuts' });
      await dialog.waitFor();
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
      await page.keyboard.press('Control+F');
      await webview.locator('#find :focus').first().waitFor();
      await page.keyboard.type('zzz');
      await webview.locator('#find').getByRole('textbox').first().waitFor();
    });
    await waitUntil(
      'what was typed is in the field',
      async () => (await ui(({ webview }) => webview.locator('#find input').first().inputValue())) === 'zzz',
    );
    await vscode.commands.executeCommand(commandIds.showKeys);
    await ui(({ webview }) => webview.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor());
    await closeEverything();
    await vscode.window.showTextDocument(uri);
    await ui(({ page }) => page.keyboard.press('Control+Shift+V'));
    await waitUntil('the inspector shows it', () => isActiveInInspector(uri));
  },
  needsWindow,
);
