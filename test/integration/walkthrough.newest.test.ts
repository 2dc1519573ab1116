import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { fromPalette } from './inventory/workbench';

const needsWindow = { skip: windowMissing, timeoutMilliseconds: 180_000 };

/** Presses Tab until what has the focus in the window of VS Code has a text that the pattern fits. */
async function tabTo(pattern: RegExp): Promise<void> {
  await ui(async ({ page }, wanted) => {
    const focused = async (): Promise<string> =>
      String(await page.evaluate('document.activeElement?.textContent ?? ""')).trim();
    for (let presses = 0; presses < 150; presses += 1) {
      if (new RegExp(wanted).test(await focused())) {
        return;
      }
      await page.keyboard.press('Tab');
    }
    throw new Error(`Tab does not lead to "${wanted}", but to ${await focused()}.`);
  }, pattern.source);
}

/** Presses Tab until a part of the page has the focus. */
async function tabInPage(selector: string): Promise<void> {
  await ui(async ({ page, webview }, wanted) => {
    await webview.locator('#root[data-ready="true"]').waitFor({ state: 'attached' });
    const target = webview.locator(wanted).and(webview.locator(':focus'));
    for (let presses = 0; presses < 60 && (await target.count()) === 0; presses += 1) {
      await page.keyboard.press('Tab');
    }
    await target.waitFor({ timeout: 1000 });
  }, selector);
}

const press = (key: string): Promise<unknown> => ui(({ page }, wanted) => page.keyboard.press(wanted), key);

/** Opens a step of the walkthrough and presses its button. */
async function follow(step: string, button: string): Promise<void> {
  await fromPalette('Context Inspector: Get Started');
  await ui(({ page }) => page.locator('.getting-started-step').first().waitFor());
  await tabTo(new RegExp(`^${step}`));
  await press('Enter');
  await tabTo(new RegExp(`^${button}$`));
  await press('Enter');
}

const stepsDone = async (): Promise<number> =>
  Number(await ui(({ page }) => page.locator('[data-done-step-id][aria-checked="true"]').count()));

test(
  'leads by keyboard alone from an empty profile through every step of the walkthrough',
  async () => {
    await follow('Open the example', 'Open Example Session');
    await waitUntil(
      'the example is shown',
      () => vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputCustom,
    );
    await follow('Find your own sessions', 'Show Sessions');
    await ui(({ view }) => view.getByRole('button').first().waitFor());
    await follow('Select a block', 'Go to the Example');
    await tabInPage('[role=listbox]');
    await press('End');
    await follow('Move a slider', 'Open the Tab Prune');
    await tabInPage('[role=slider][aria-label="Keep newest"]');
    await press('ArrowRight');
    await follow('See why the cache broke', 'Show the Break');
    await ui(({ webview }) => webview.getByTestId('cache-break').waitFor());
    await fromPalette('Context Inspector: Get Started');
    await waitUntil('every step is done', async () => (await stepsDone()) === 5);
    assert.equal(await ui(({ page }) => page.locator('[data-done-step-id]').count()), 5);
  },
  needsWindow,
);
