import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { examplePath } from '../../../src/host/manifest';
import { ui, type VscodeWindow, waitUntil } from '../driver';
import {
  editorThat,
  finalEditor,
  isActiveInInspector,
  isAtRest,
  openAlone,
  workspaceFolder,
} from '../inspector';

/** The bundled example, in the open folder. */
export const exampleFile = (): vscode.Uri => vscode.Uri.joinPath(workspaceFolder(), 'session.jsonl');

/** Opens the example and waits until its page is drawn. */
export async function openTheExample(): Promise<vscode.Uri> {
  const uri = exampleFile();
  await openAlone(uri);
  await finalEditor(uri);
  await ui(({ webview }) => webview.locator('#root[data-ready="true"]').waitFor({ state: 'attached' }));
  return uri;
}

/** By keyboard only: runs a command like a user who knows its name. */
export async function fromPalette(title: string): Promise<void> {
  await closeQuestion();
  await ui(async ({ page, until }, text) => {
    const widget = page.locator('.quick-input-widget');
    const input = widget.locator('input[type=text]').first();
    const typed = async (): Promise<string> =>
      (await input.isVisible()) ? input.inputValue({ timeout: 1000 }).catch(() => '') : '';
    // While a page is being loaded, no part that accepts keys has the focus.
    await until('the palette is open', async () => {
      const isOpen = (await typed()).startsWith('>');
      if (!isOpen) {
        await page.keyboard.press('F1');
      }
      return isOpen;
    });
    await input.fill(`>${text}`);
    // Until the typed text is looked up, the list shows its earlier content, and Enter would run that.
    await widget.locator('.monaco-list-row.focused').filter({ hasText: text, visible: true }).waitFor();
    await page.keyboard.press('Enter');
    await until('the palette has closed', async () => (await typed()) !== `>${text}`);
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
    const found = new Set<string>();
    // Only the visible rows are drawn. The key moves by this many rows, and stays at the last one.
    let last: string | undefined;
    for (let focused: string | undefined = ''; focused !== last;) {
      last = focused;
      await page.keyboard.press('PageDown');
      (
        await rows.evaluateAll(all => all.map(each => ('ariaLabel' in each ? String(each.ariaLabel) : '')))
      ).forEach(label => found.add(label));
      focused = await list
        .locator('.monaco-list-row.focused')
        .evaluate(each => ('ariaLabel' in each ? String(each.ariaLabel) : ''));
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

/** Closes the palette, or another prompt of VS Code, if one is open. */
export async function closeQuestion(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  await ui(({ page }) => page.locator('.quick-input-widget').waitFor({ state: 'hidden' }));
}

/**
 * Starts an action that opens a prompt, and answers it. Prompts stay open when they lose the focus, by the settings of
 * the test windows.
 */
export async function answered<Argument>(
  begin: () => Promise<unknown>,
  answer: (window: VscodeWindow, argument: Argument) => unknown,
  argument?: Argument,
): Promise<void> {
  await closeQuestion();
  await begin();
  await ui(answer, argument);
}

/** Presses a row of the open list. For `ui` and `answered`. */
export const chooseRow = ({ page }: VscodeWindow, text: string): Promise<void> =>
  page
    .locator('.quick-input-widget .monaco-list-row')
    .filter({ hasText: text, visible: true })
    .first()
    .click();

/** Starts an action that opens a prompt, waits for the prompt's title or placeholder, and closes it. */
export async function isAsked(begin: () => Promise<unknown>, text: string): Promise<void> {
  await answered(
    begin,
    async ({ page }, wanted) => {
      const widget = page.locator('.quick-input-widget');
      await widget.getByText(wanted).or(widget.getByPlaceholder(wanted)).first().waitFor();
    },
    text,
  );
  await closeQuestion();
}

/** The placeholder of the search in all sessions. */
export const searchQuestion = 'Title, agent, project or branch';

/**
 * Exports to the place next to the example that VS Code's dialog offers, and waits for the file and a message about it.
 */
export async function exportTo(name: string, begin: () => Promise<unknown>): Promise<void> {
  const { fsPath } = vscode.Uri.joinPath(exampleFile(), '..', name);
  await ui(({ page }) => page.mouse.move(0, 0));
  await answered(
    begin,
    async ({ page, until }, offered) => {
      const widget = page.locator('.quick-input-widget');
      // A twin has only one level, so only the place is asked. The list may still show the rows of the previous prompt.
      const ok = widget.getByRole('button', { name: 'OK' });
      const level = widget.locator('.monaco-list-row', { hasText: 'Redacted' }).first();
      await level.or(ok).filter({ visible: true }).first().waitFor();
      const input = widget.locator('input[type=text]').first();
      if (!(await ok.isVisible())) {
        await input.fill('Redacted');
        await widget
          .locator('.monaco-list-row.focused')
          .filter({ hasText: 'Redacted', visible: true })
          .waitFor();
        await page.keyboard.press('Enter');
      }
      await ok.waitFor();
      await until(`${offered} is offered`, async () => (await input.inputValue()) === offered);
      await input.press('Enter');
    },
    fsPath,
  );
  await waitUntil(`${name} is saved`, () => existsSync(fsPath) && statSync(fsPath).size > 0);
  rmSync(fsPath);
  await answerMessage('saved');
}

/** Waits for a message of VS Code in its list, where it stays. */
export async function messageIsShown(text: string): Promise<void> {
  await vscode.commands.executeCommand('notifications.showList');
  await ui(
    ({ page }, wanted) =>
      page.locator('.notification-list-item').filter({ hasText: wanted, visible: true }).first().waitFor(),
    text,
  );
}

/** Waits for a message, presses a button of it, and clears the list. */
export async function answerMessage(text: string, button?: string): Promise<void> {
  await messageIsShown(text);
  if (button !== undefined) {
    await ui(
      ({ page }, wanted) =>
        page
          .locator('.notification-list-item')
          .filter({ hasText: wanted.text, visible: true })
          .first()
          .getByRole('button', { name: wanted.button, exact: true })
          .click(),
      { text, button },
    );
  }
  await vscode.commands.executeCommand('notifications.clearAll');
}

export const extensionId = 'context-inspector.context-inspector';

/** Opens an address in VS Code like a link that someone clicks in the system. */
export async function follow(address: string): Promise<void> {
  // A VS Code under test shows no dialogs, so its own question is answered in advance.
  const settings = vscode.workspace.getConfiguration('extensions');
  await settings.update('confirmedUriHandlerExtensionIds', [extensionId], vscode.ConfigurationTarget.Global);
  await fromPalette('Developer: Open URL');
  await ui(async ({ page }, wanted) => {
    // The palette, which is closing at this time, uses the same field.
    const asking = page.locator('.quick-input-widget', { hasText: 'URL to open' });
    await asking.locator('input').first().fill(wanted);
    await page.keyboard.press('Enter');
    await asking.waitFor({ state: 'hidden' });
  }, address);
}

export const linkTo = (query: string): string => `${vscode.env.uriScheme}://${extensionId}/open?${query}`;

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

/** The bundled example in the package, which is read-only. */
export function packagedExample(): vscode.Uri {
  const extension = vscode.extensions.getExtension(extensionId);
  assert.ok(extension !== undefined);
  return vscode.Uri.joinPath(extension.extensionUri, ...examplePath);
}

/** Waits until the inspector shows a file, or an error, and has nothing more to read in it. */
export async function isShown(uri: vscode.Uri): Promise<void> {
  await waitUntil(`${uri.path} is shown`, () => isActiveInInspector(uri));
  await editorThat(uri, `${uri.path} is read`, isAtRest);
}

/** Waits until a text is visible in the window of VS Code or in any page in it. */
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

/** The list of export levels, and VS Code's dialog for the place of a file. */
export const shareLevels = '.quick-input-widget >> text=Redacted';
export const fileDialog = '.quick-input-widget >> role=button[name="OK"]';

/**
 * Saves at `path` in the dialog that is about to appear, and waits for the file. The dialog reads the folder of the
 * typed path, may meanwhile overwrite the text with a name of its own, and then needs Enter once more. The mouse must
 * be elsewhere: a row of its list under the mouse becomes the answer, whatever is typed.
 */
export async function saveAt(path: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  const isSaved = (): boolean => existsSync(path) && readFileSync(path).length > 0;
  // The dialog is drawn again while it reads a folder, so its absence proves nothing; the file does.
  const answerDialog = (): Promise<unknown> =>
    ui(async ({ page }, wanted) => {
      const dialog = page.locator('.quick-input-widget:visible');
      const ok = dialog.getByRole('button', { name: 'OK' });
      const input = dialog.locator('input[type=text]').last();
      const isReading = (await dialog.locator('.monaco-progress-container.active').count()) > 0;
      if ((await ok.isVisible()) && !isReading) {
        const timeout = 1000;
        const value = await input.inputValue({ timeout }).catch(() => undefined);
        await (value === wanted ? input.press('Enter', { timeout }) : input.fill(wanted, { timeout })).catch(
          () => undefined,
        );
      }
    }, path);
  await waitUntil(`${path} is saved`, async () => {
    if (!isSaved()) {
      await answerDialog();
    }
    return isSaved();
  });
}
