import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { ui, waitUntil } from '../driver';
import { finalEditor, isActiveInInspector, openAlone, temporaryPath, workspaceFolder } from '../inspector';

/** The bundled example, in the folder that is open. */
export const exampleFile = (): vscode.Uri => vscode.Uri.joinPath(workspaceFolder(), 'session.jsonl');

/** Opens the example and waits until its page is drawn. */
export async function openTheExample(): Promise<vscode.Uri> {
  const uri = exampleFile();
  await openAlone(uri);
  await finalEditor(uri);
  await ui(({ webview }) => webview.locator('#root[data-ready="true"]').waitFor({ state: 'attached' }));
  return uri;
}

/** Runs a command as a person does who knows its name. */
export async function fromPalette(title: string): Promise<void> {
  await ui(async ({ page }, text) => {
    await page.keyboard.press('F1');
    const list = page.locator('.quick-input-widget');
    await list.locator('input[type=text]').first().fill(`>${text}`);
    await list.locator('.monaco-list-row', { hasText: text }).first().waitFor();
    await page.keyboard.press('Enter');
  }, title);
}

/** The titles of the extension's commands that the palette offers now. */
export async function inPalette(category: string): Promise<readonly string[]> {
  const titles = await ui(async ({ page }, text) => {
    await page.keyboard.press('F1');
    const list = page.locator('.quick-input-widget');
    await list.locator('input[type=text]').first().fill(`>${text}:`);
    const rows = list.locator('.monaco-list-row', { hasText: `${text}:` });
    await rows.first().waitFor();
    // The list is complete a moment after it appears, and draws only the rows in view.
    await page.waitForTimeout(500);
    const found = new Set<string>();
    for (let last = -1; last !== found.size;) {
      last = found.size;
      for (const label of await rows.evaluateAll(all =>
        all.map(each => ('ariaLabel' in each ? String(each.ariaLabel) : '')),
      )) {
        found.add(label);
      }
      await page.keyboard.press('PageDown');
    }
    await page.keyboard.press('Escape');
    return [...found];
  }, category);
  assert.ok(Array.isArray(titles));
  return titles.map(title =>
    String(title)
      .replace(/^.*?: /, '')
      .replace(/, .*$/, ''),
  );
}

/** Answers the questions of an export: the first level, and the place of the file. */
const answerExport = (path: string): Promise<unknown> =>
  ui(async ({ page }, target) => {
    const widget = page.locator('.quick-input-widget');
    const ok = widget.getByRole('button', { name: 'OK' });
    const level = widget.locator('.monaco-list-row', { hasText: 'Redacted' });
    await ok.or(level).filter({ visible: true }).first().waitFor();
    if (await level.isVisible()) {
      await page.keyboard.press('Enter');
      await ok.waitFor();
    }
    const input = widget.locator('input[type=text]').filter({ visible: true }).last();
    const end = Date.now() + 10_000;
    while (!(await input.inputValue({ timeout: 10_000 })).includes('session')) {
      if (Date.now() > end) {
        throw new Error('The dialog for the place of the file has no name in it.');
      }
      await page.waitForTimeout(50);
    }
    // The dialog writes a name of its own when it has read the folder, which may be after this.
    do {
      await input.fill(target, { timeout: 10_000 });
      await page.waitForTimeout(1000);
    } while ((await input.inputValue({ timeout: 10_000 })) !== target);
    await ok.click({ timeout: 10_000 });
    await ok.waitFor({ state: 'hidden', timeout: 10_000 });
  }, path);

/** Exports to a file of a name, and waits until it is there and a message says so. */
export async function exportTo(name: string, begin: () => Promise<unknown>): Promise<void> {
  const path = temporaryPath(name);
  mkdirSync(dirname(path), { recursive: true });
  // What closes, gives the focus back to the page a moment later, which can close the dialog that came in between.
  for (let attempts = 3, isAnswered = false; !isAnswered; attempts -= 1) {
    await begin();
    try {
      await answerExport(path);
      isAnswered = true;
    } catch (error) {
      if (attempts === 1) {
        throw error;
      }
    }
  }
  await waitUntil(`${name} is written`, () => existsSync(path));
  // A toast goes away by itself; the list keeps what it said.
  await vscode.commands.executeCommand('notifications.showList');
  await ui(({ page }) => page.locator('.notifications-center').getByText('saved').first().waitFor());
  await vscode.commands.executeCommand('notifications.clearAll');
}

export const isShown = async (uri: vscode.Uri): Promise<void> =>
  waitUntil(`${uri.path} is shown`, () => isActiveInInspector(uri));

/** Waits until a text is seen in the window of VS Code or in any page in it. */
export async function seenAnywhere(text: string): Promise<void> {
  await waitUntil(`"${text}" is seen`, async () => {
    const counts = await ui(
      ({ page }, wanted) =>
        Promise.all(
          page.frames().map(frame =>
            frame
              .getByText(wanted)
              .filter({ visible: true })
              .count()
              .catch(() => 0),
          ),
        ),
      text,
    );
    return Array.isArray(counts) && counts.some(count => Number(count) > 0);
  });
}

/** The list in which the user chooses how much leaves, and VS Code's dialog for the place of a file. */
export const shareLevels = '.quick-input-widget >> text=Redacted';
export const fileDialog = '.quick-input-widget >> role=button[name="OK"]';
