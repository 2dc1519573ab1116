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

const id = 'context-inspector.context-inspector';
const needsWindow = { skip: windowMissing, timeoutMilliseconds: 180_000 };
const session = addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 3, 2000).toString();

function example(): vscode.Uri {
  const extension = vscode.extensions.getExtension(id);
  assert.ok(extension !== undefined);
  return vscode.Uri.joinPath(extension.extensionUri, 'media', 'example', 'session.jsonl');
}

test('opens the example from its package, and leaves it as it is', async () => {
  await closeEverything();
  const before = readFileSync(example().fsPath);
  await vscode.commands.executeCommand(commandIds.openExample);
  const { requests, summary } = await finalEditor(example());
  assert.ok(isActiveInInspector(example()));
  assert.deepEqual([requests, summary?.format, summary?.problems], [59, 'claude-code', []]);
  await vscode.commands.executeCommand(commandIds.openAsText);
  await waitUntil('the example is shown as text', () => isActiveAsText(example()));
  await vscode.commands.executeCommand('type', { text: 'x' });
  await vscode.commands.executeCommand('workbench.action.files.save');
  assert.equal(vscode.window.activeTextEditor?.document.isDirty, false);
  assert.deepEqual(readFileSync(example().fsPath), before);
});

/** By keyboard alone: runs a command from the palette. */
async function runCommand(name: string): Promise<void> {
  await ui(async ({ page }, wanted) => {
    const input = page.locator('.quick-input-widget input').first();
    // While a page is being loaded, the focus is in no part that takes keys.
    for (let press = 0; press < 10 && !(await input.isVisible()); press += 1) {
      await page.keyboard.press('F1');
      await page.waitForTimeout(1000);
    }
    await input.waitFor();
    await page.keyboard.type(wanted);
    await page
      .locator('.quick-input-list .monaco-list-row')
      .filter({ hasText: wanted, visible: true })
      .first()
      .waitFor();
    await page.keyboard.press('Enter');
  }, name);
}

/** By keyboard alone: opens the walkthrough, a step of it, and presses the link in the step. */
async function takeStep(step: string, link: string): Promise<void> {
  await runCommand('Context Inspector: Get Started');
  await ui(
    async ({ page }, wanted) => {
      const focused = async (): Promise<string> => {
        const element = page.locator(':focus').first();
        if ((await element.count()) === 0) {
          return '';
        }
        const step = (await element.getAttribute('data-step-id')) ?? '';
        const isExpanded = (await element.getAttribute('aria-expanded')) ?? '';
        return `${step} ${isExpanded} ${(await element.textContent()) ?? ''}`;
      };
      const tabTo = async (isThere: (text: string) => boolean): Promise<string> => {
        for (let press = 0; press < 80; press += 1) {
          const text = await focused();
          if (isThere(text)) {
            return text;
          }
          await page.keyboard.press('Tab');
        }
        throw new Error(`Tab does not lead to ${wanted.step}: ${wanted.link}.`);
      };
      await page.locator('.getting-started-step.expanded').first().waitFor();
      const text = await tabTo(shown => shown.includes(`#${wanted.step} `));
      if (text.includes(' false ')) {
        await page.keyboard.press('Enter');
      }
      await page.waitForTimeout(400);
      await tabTo(shown => shown.trim() === wanted.link);
      await page.keyboard.press('Enter');
    },
    { step, link },
  );
}

/** By keyboard alone: goes to an element of the page, and presses an arrow key there. */
async function pressThere(selector: string): Promise<void> {
  await ui(async ({ page, webview }, wanted) => {
    await webview.locator('#root[data-ready="true"]').waitFor({ state: 'attached' });
    const there = webview.locator(wanted).first();
    await there.waitFor();
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

/** The steps of the walkthrough that are ticked off. */
async function stepsDone(): Promise<unknown> {
  await runCommand('Context Inspector: Get Started');
  return ui(async ({ page }) => {
    await page.locator('.getting-started-step').first().waitFor();
    await page.waitForTimeout(500);
    const done = await page.locator('.getting-started-step:has([role=checkbox][aria-checked=true])').all();
    const names = await Promise.all(done.map(step => step.getAttribute('data-step-id')));
    return names.map(name => name?.replace(/.*#/, ''));
  });
}

test(
  'completes the walkthrough by keyboard alone',
  async () => {
    await closeEverything();
    await takeStep('openExample', 'Open Example Session');
    await finalEditor(example());
    await takeStep('findSessions', 'Show Sessions');
    assert.deepEqual(await stepsDone(), ['openExample', 'findSessions']);
    await takeStep('selectBlock', 'Go to the Example');
    await pressThere('[data-testid=slot-layout]');
    await takeStep('moveSlider', 'Open the Tab Prune');
    await pressThere('input[type=range]');
    await takeStep('seeBreak', 'Show the Break');
    await ui(({ webview }) => webview.getByTestId('cache-break').waitFor());
    assert.deepEqual(await stepsDone(), [
      'openExample',
      'findSessions',
      'selectBlock',
      'moveSlider',
      'seeBreak',
    ]);
  },
  needsWindow,
);

/** Pages that begin in the next seconds hear messages late, as they do on a busy machine, and speak once they hear. */
async function slowPages(): Promise<void> {
  const script = `if (Date.now() < ${Date.now() + 10_000}) {
    const add = window.addEventListener.bind(window);
    let acquire;
    Object.defineProperty(window, 'acquireVsCodeApi', {
      configurable: true,
      get: () => acquire,
      set: original => {
        window.addEventListener = (type, ...rest) =>
          type === 'message' ? void setTimeout(() => add(type, ...rest), 1500) : add(type, ...rest);
        acquire = () => {
          const api = original();
          return { ...api, postMessage: message => void setTimeout(() => api.postMessage(message), 2000) };
        };
      },
    });
  }`;
  await ui(({ page }, content) => page.addInitScript({ content }), script);
}

test(
  'shows a place of a session whose page was hidden, also where the page is slow',
  async () => {
    await closeEverything();
    await vscode.commands.executeCommand(commandIds.openExample);
    await finalEditor(example());
    await vscode.window.showTextDocument(temporaryFile('in-front.txt', 'Something else.'));
    await slowPages();
    await vscode.commands.executeCommand(commandIds.openExample, { request: 53, panel: 'cache' });
    await ui(({ webview }) => webview.getByTestId('cache-break').waitFor());
  },
  needsWindow,
);

/** Has VS Code open an address, as the system does with a link that someone follows. */
async function follow(address: string): Promise<void> {
  // A VS Code under test shows no dialogs, so what its own question allows is allowed before.
  const settings = vscode.workspace.getConfiguration('extensions');
  await settings.update('confirmedUriHandlerExtensionIds', [id], vscode.ConfigurationTarget.Global);
  await runCommand('Developer: Open URL');
  await ui(async ({ page }, wanted) => {
    await page.waitForTimeout(300);
    await page.locator('.quick-input-widget input').first().fill(wanted);
    await page.keyboard.press('Enter');
  }, address);
}

const linkTo = (query: string): string => `${vscode.env.uriScheme}://${id}/open?${query}`;

/** Waits for a message of VS Code in its list, presses a button of it, and clears the list. */
async function answerMessage(text: string, button?: string): Promise<void> {
  await vscode.commands.executeCommand('notifications.showList');
  await ui(
    async ({ page }, wanted) => {
      const message = page
        .locator('.notification-list-item')
        .filter({ hasText: wanted.text, visible: true })
        .first();
      await message.waitFor();
      if (wanted.button !== undefined) {
        await message.getByRole('button', { name: wanted.button, exact: true }).click();
      }
    },
    { text, button },
  );
  await vscode.commands.executeCommand('notifications.clearAll');
}

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
    // It is in the workspace, so nothing is asked.
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
    await ui(({ page }) => page.waitForTimeout(1500));
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
      ['file=//server/share/a.jsonl', 'This link names no file on this machine'],
      ['file=/etc/passwd&request=-1', '"request" must be a whole number'],
      ['file=/nowhere/at/all.jsonl', 'The file does not exist.'],
      ['file=/tmp', 'This is not a file.'],
      ['', 'This link names no file on this machine'],
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
