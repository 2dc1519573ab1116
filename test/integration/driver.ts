import { setTimeout as sleep } from 'node:timers/promises';
import type { FrameLocator, Page } from 'playwright-core';

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

/** Waits until `condition` returns true. Rejects after `timeoutMilliseconds` with a message that names `what`. */
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
 * Opens a menu of the window and chooses an entry with the keyboard, because for a while a menu ignores the release of
 * the mouse, so that the click that opened it chooses nothing.
 */
export async function fromMenu(open: () => Promise<unknown>, entry: string): Promise<void> {
  await open();
  await ui(async ({ page }, name) => {
    const item = page.getByRole('menuitem', { name });
    await item.hover();
    await page.keyboard.press('Enter');
    // Otherwise the mouse would point into the next dialog.
    await page.mouse.move(0, 0);
    await item.waitFor({ state: 'hidden' });
  }, entry);
}
