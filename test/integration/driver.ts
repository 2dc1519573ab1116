import { watch } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FrameLocator, Page } from 'playwright-core';
import * as vscode from 'vscode';
import type { InspectorApi } from '../../src/host/api';

export const extensionId = 'context-inspector.context-inspector';

const bridge = process.env['CONTEXT_INSPECTOR_BRIDGE'];

/**
 * The reason why tests cannot act on the window here, for the `skip` of a test that needs `ui`; undefined if they can.
 * A desktop VS Code gives no access to its window; the one that scripts/vscode-server-launcher.mjs starts does.
 */
export const windowMissing =
  bridge === undefined ? 'only the VS Code in a browser can be clicked' : undefined;

/** The VS Code window that the tests run in. */
export interface VscodeWindow {
  readonly page: Page;
  /** The document of the one visible editor; with several visible, go through `page`. */
  readonly webview: FrameLocator;
  /** The document of the list of sessions. */
  readonly view: FrameLocator;
  /** The errors in the browser's console so far. */
  readonly errors: readonly string[];
  /** The folder of all logs of VS Code. */
  readonly logs: string;
  /** Waits until `holds` is true. Rejects with a message that names `what` where that takes too long. */
  readonly until: (what: string, holds: () => Promise<boolean>) => Promise<void>;
}

/**
 * Acts on the VS Code window as a person would:
 * `await ui(({ webview }) => webview.getByRole('button', { name: 'Prune' }).click())`.
 *
 * `action` runs in the process that controls the browser. It is sent as source text, so it sees only its two
 * parameters: no imports and no variables of the test. Pass input through `argument`; the result is returned. Both are
 * sent as JSON. Rejects with the action's own error.
 */
export async function ui<Argument>(
  action: (window: VscodeWindow, argument: Argument) => unknown,
  argument?: Argument,
): Promise<unknown> {
  if (bridge === undefined) {
    throw new Error(windowMissing);
  }
  const body = JSON.stringify({ action: action.toString(), argument });
  const answer: unknown = await (await fetch(bridge, { method: 'POST', body })).json();
  if (typeof answer !== 'object' || answer === null) {
    throw new Error('The window gave no answer.');
  }
  if ('error' in answer) {
    throw new Error(String(answer.error));
  }
  return 'result' in answer ? answer.result : undefined;
}

/** Far longer than anything that a test waits for, in milliseconds. */
const inVain = 60_000;

/** Events of VS Code after which a test may find what it waits for. */
const changes: readonly vscode.Event<unknown>[] = [
  vscode.window.tabGroups.onDidChangeTabs,
  vscode.window.tabGroups.onDidChangeTabGroups,
  vscode.window.onDidChangeActiveTextEditor,
  vscode.window.onDidChangeTextEditorSelection,
  vscode.workspace.onDidOpenTextDocument,
  vscode.workspace.onDidChangeConfiguration,
  vscode.lm.onDidChangeChatModels,
];

/**
 * Waits until `condition` holds. It is checked at once, and after each event of VS Code, of the extension's editors and
 * in a folder. Rejects with a message that names `what` if it never does.
 */
export async function eventually(
  what: string,
  condition: () => boolean | Promise<boolean>,
  folder?: string,
): Promise<void> {
  let wake = (): void => undefined;
  const hear = (): void => wake();
  const editors = await vscode.extensions.getExtension<InspectorApi>(extensionId)?.activate();
  const events = [...changes, ...(editors === undefined ? [] : [editors.onDidChange])];
  const subscriptions = events.map(event => event(hear));
  const watcher = folder === undefined ? undefined : watch(folder, hear);
  const late = AbortSignal.timeout(inVain);
  late.addEventListener('abort', hear);
  try {
    for (;;) {
      // Before the check, so that no event is missed.
      const changed = new Promise<void>(resolve => {
        wake = resolve;
      });
      if (await condition()) {
        return;
      }
      if (late.aborted) {
        throw new Error(`Waited ${inVain} ms in vain: ${what}.`);
      }
      await changed;
    }
  } finally {
    watcher?.close();
    vscode.Disposable.from(...subscriptions).dispose();
  }
}

/** Waits until `condition` returns true, which no event announces. Rejects after `timeoutMilliseconds` with a message that names `what`. */
export async function waitUntil(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMilliseconds = 90_000,
): Promise<void> {
  const end = Date.now() + timeoutMilliseconds;
  while (!(await condition())) {
    if (Date.now() > end) {
      throw new Error(`Waited ${timeoutMilliseconds} ms in vain: ${what}.`);
    }
    await sleep(50);
  }
}

/**
 * Waits until a page has drawn everything that it knew at the time of the call: until the second frame from then on.
 */
export const nextPicture = (frame: 'webview' | 'view'): Promise<unknown> =>
  ui(
    (window, where) =>
      window[where]
        .locator('body')
        .evaluate('new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))'),
    frame,
  );

/**
 * Opens a menu of the window and chooses an entry with the keyboard. The mouse would not do: a menu ignores its release
 * for a while, and forgets its entry as soon as something else comes under the mouse.
 */
export async function fromMenu(open: () => Promise<unknown>, entry: string): Promise<void> {
  await open();
  await ui(async ({ page, until }, name) => {
    const item = page.getByRole('menuitem', { name });
    await item.waitFor();
    await page.mouse.move(0, 0);
    const reached = page.locator('.monaco-menu .action-item.focused').filter({ has: item });
    await until(`${name} is reached`, async () => {
      if (!(await reached.isVisible())) {
        await page.keyboard.press('ArrowDown');
      }
      return reached.isVisible();
    });
    await page.keyboard.press('Enter');
    await item.waitFor({ state: 'hidden' });
  }, entry);
}

/** An element, by Playwright's selector, in the window or in the list of sessions. */
interface Spot {
  readonly where: 'page' | 'view';
  readonly selector: string;
}

/** The used members of an element. The tests know no other types of pages. */
interface PageElement {
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  addEventListener(type: string, hear: () => void, options: Readonly<Record<string, boolean>>): void;
}

/** Drags the first element of a selector onto another with the mouse. VS Code's pages accept drops only with Shift. */
export const drag = (from: Spot, to: Spot, keys: readonly 'Shift'[] = []): Promise<unknown> =>
  ui(
    async (window, wanted) => {
      const { page, until } = window;
      const boxOf = async ({
        where,
        selector,
      }: Spot): Promise<{ x: number; y: number; width: number; height: number }> => {
        const element = window[where].locator(selector).filter({ visible: true }).first();
        await element.waitFor();
        const box = await element.boundingBox();
        if (box === null) {
          throw new Error(`${selector} is not there.`);
        }
        return box;
      };
      const target = window[wanted.to.where].locator(wanted.to.selector).filter({ visible: true }).first();
      await target.evaluate((element: PageElement) => {
        const note = (): void => element.setAttribute('data-dragged-over', '');
        element.addEventListener('dragover', note, { capture: true, once: true });
      });
      // On a busy machine the beginning of a drag can be missed by the page or by Playwright, and it goes on as if nothing were held.
      await until('it is dragged over the target', async () => {
        const [start, area] = [await boxOf(wanted.from), await boxOf(wanted.to)];
        const [left, top] = [start.x + Math.min(60, start.width / 2), start.y + start.height / 2];
        const [x, y] = [area.x + area.width / 2, area.y + area.height / 2];
        await page.mouse.move(left, top);
        await page.mouse.down();
        for (const key of wanted.keys) {
          await page.keyboard.down(key);
        }
        await page.mouse.move(left + 20, top + 4, { steps: 4 });
        await page.mouse.move(x, y, { steps: 10 });
        // If the target is covered until VS Code notices the drag, the next move reaches it.
        for (let moves = 1; moves <= 20; moves += 1) {
          if ((await target.getAttribute('data-dragged-over')) !== null) {
            return true;
          }
          await page.mouse.move(x + (moves % 2) * 5, y + (moves % 2) * 5);
        }
        await page.mouse.up();
        return false;
      });
      await target.evaluate((element: PageElement) => element.removeAttribute('data-dragged-over'));
      await page.mouse.up();
      for (const key of wanted.keys) {
        await page.keyboard.up(key);
      }
    },
    { from, to, keys },
  );
