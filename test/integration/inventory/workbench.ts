import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
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
  temporaryPath,
  workspaceFolder,
} from '../inspector';

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

/** By keyboard alone: runs a command as a person does who knows its name. */
export async function fromPalette(title: string): Promise<void> {
  await ui(async ({ page }, text) => {
    const widget = page.locator('.quick-input-widget');
    const input = widget.locator('input[type=text]').first();
    const typed = async (): Promise<string> =>
      (await input.isVisible()) ? input.inputValue({ timeout: 1000 }).catch(() => '') : '';
    const focused = widget.locator('.monaco-list-row.focused').filter({ hasText: text, visible: true });
    const end = Date.now() + 60_000;
    const waitFor = async (holds: () => Promise<boolean>, milliseconds: number): Promise<boolean> => {
      for (const last = Date.now() + milliseconds; Date.now() < last;) {
        if (await holds()) {
          return true;
        }
        await page.waitForTimeout(50);
      }
      return holds();
    };
    for (;;) {
      if (Date.now() > end) {
        throw new Error(`The palette does not offer ${text}.`);
      }
      // While a page is being loaded, the focus is in no part that takes keys; and another question may still be closing.
      if (!(await typed()).startsWith('>')) {
        await page.keyboard.press('F1');
        await waitFor(async () => (await typed()).startsWith('>'), 2000);
        continue;
      }
      if ((await typed()) !== `>${text}`) {
        await page.keyboard.press('Control+A');
        await page.keyboard.insertText(`>${text}`);
      }
      // Until what was typed is looked up, the list shows what it showed before, and Enter would run that.
      const isFound = async (): Promise<boolean> =>
        (await typed()) === `>${text}` && (await focused.count()) > 0;
      if (await waitFor(isFound, 5000)) {
        break;
      }
    }
    await page.keyboard.press('Enter');
    await waitFor(async () => (await typed()) !== `>${text}`, 20_000);
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
    // The first key goes to the end of what is in view, and shows nothing new.
    for (let same = 0; same < 3;) {
      const before = found.size;
      for (const label of await rows.evaluateAll(all =>
        all.map(each => ('ariaLabel' in each ? String(each.ariaLabel) : '')),
      )) {
        found.add(label);
      }
      same = found.size === before ? same + 1 : 0;
      await page.keyboard.press('PageDown');
      await page.waitForTimeout(50);
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

/** Closes the palette, or another question of VS Code, if one is open. */
export async function closeQuestion(): Promise<void> {
  await ui(async ({ page }) => {
    const widget = page.locator('.quick-input-widget');
    for (let press = 0; press < 40 && (await widget.isVisible()); press += 1) {
      await page.keyboard.press('Escape');
      await page.waitForTimeout(250);
    }
    await widget.waitFor({ state: 'hidden' });
  });
}

/** Does something that can be undone by what went on before it, at most three times. */
export async function again(body: () => Promise<unknown>): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      await body();
      return;
    } catch (error) {
      if (attempts === 3) {
        throw error;
      }
    }
  }
}

/**
 * Begins something that asks, and answers. Both are done again if the question went away unanswered: what closes gives
 * the focus back a moment later, and most questions of VS Code close when they lose it.
 */
export async function answered<Argument>(
  begin: () => Promise<unknown>,
  answer: (window: VscodeWindow, argument: Argument) => unknown,
  argument?: Argument,
): Promise<void> {
  await again(async () => {
    await closeQuestion();
    await begin();
    await ui(answer, argument);
  });
}

/** Begins something that asks, waits for the title or the placeholder of the question, and closes it. */
export async function isAsked(begin: () => Promise<unknown>, text: string): Promise<void> {
  await answered(
    begin,
    async ({ page }, wanted) => {
      const widget = page.locator('.quick-input-widget');
      await widget.getByText(wanted).or(widget.getByPlaceholder(wanted)).first().waitFor({ timeout: 20_000 });
    },
    text,
  );
  await closeQuestion();
}

/** The placeholder of the search in all sessions. */
export const searchQuestion = 'Title, agent, project or branch';

/** Answers the questions of an export: the first level, and the place of the file. */
async function answerExport({ page }: VscodeWindow, target: string): Promise<void> {
  const widget = page.locator('.quick-input-widget');
  const ok = widget.getByRole('button', { name: 'OK' });
  const level = widget.locator('.monaco-list-row', { hasText: 'Redacted' });
  const input = widget.locator('input[type=text]').filter({ visible: true }).last();
  let isAccepted = false;
  let same = 0;
  for (let gone = 0, end = Date.now() + 60_000; gone < 100 && Date.now() < end; gone += 1) {
    await page.waitForTimeout(100);
    if (await ok.isVisible()) {
      gone = 0;
      const name = await input.inputValue({ timeout: 1000 }).catch(() => '');
      // The dialog writes a name of its own when it has read the folder, also over another one.
      same = name === target ? same + 1 : 0;
      if (same === 0 && name.includes('/')) {
        await input.fill(target, { timeout: 1000 }).catch(() => undefined);
      } else if (same % 20 === 10) {
        isAccepted = await ok.click({ timeout: 5000 }).then(
          () => true,
          () => false,
        );
      }
    } else if (isAccepted) {
      return;
    } else if (await level.isVisible()) {
      gone = 0;
      await level.click({ timeout: 1000 }).catch(() => undefined);
    }
  }
  throw new Error('The questions of the export went away unanswered.');
}

/** Exports to a file of a name, and waits until it is there and a message says so. */
export async function exportTo(name: string, begin: () => Promise<unknown>): Promise<void> {
  const path = temporaryPath(name);
  mkdirSync(dirname(path), { recursive: true });
  await answered(begin, answerExport, path);
  await waitUntil(`${name} is written`, () => existsSync(path));
  await answerMessage('saved');
}

/** Waits for a message of VS Code in its list, where it stays, presses a button of it, and clears the list. */
export async function answerMessage(text: string, button?: string): Promise<void> {
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

export const extensionId = 'context-inspector.context-inspector';

/** Has VS Code open an address, as the system does with a link that someone follows. */
export async function follow(address: string): Promise<void> {
  // A VS Code under test shows no dialogs, so what its own question allows is allowed before.
  const settings = vscode.workspace.getConfiguration('extensions');
  await settings.update('confirmedUriHandlerExtensionIds', [extensionId], vscode.ConfigurationTarget.Global);
  await fromPalette('Developer: Open URL');
  await ui(async ({ page }, wanted) => {
    // The palette, which closes meanwhile, uses the same field.
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

/** Drags the first element of a selector onto another with the mouse. VS Code's pages take what is dropped with Shift alone. */
export const drag = (from: Spot, to: Spot, keys: readonly 'Shift'[] = []): Promise<unknown> =>
  ui(
    async (window, wanted) => {
      const { page } = window;
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
      await page.waitForTimeout(500);
      await page.mouse.move(x + 5, y + 5, { steps: 3 });
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

/** Waits until the inspector shows a file, or says why it cannot, and has nothing more to read in it. */
export async function isShown(uri: vscode.Uri): Promise<void> {
  await waitUntil(`${uri.path} is shown`, () => isActiveInInspector(uri));
  await editorThat(uri, `${uri.path} is read`, isAtRest);
}

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

/** Saves at `path` in the dialog that is about to appear, which proposes a name that ends in `proposed`, and waits for the file. */
export async function saveAt(path: string, proposed: string): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  await ui(async ({ page }, wanted) => {
    const input = page.locator('.quick-input-widget input[type=text]').last();
    while (!(await input.inputValue()).endsWith(wanted)) {
      await page.waitForTimeout(50);
    }
  }, proposed);
  await waitUntil(`${path} is saved`, async () => {
    await ui(async ({ page }, wanted) => {
      const dialog = page.locator('.quick-input-widget:visible');
      const input = dialog.locator('input[type=text]').last();
      const [button] = await dialog.getByRole('button', { name: 'OK' }).all();
      if (button === undefined) {
        return;
      }
      // It may close at any moment. Once it has read the folder, it may write its own name over what was typed.
      const timeout = 5000;
      const holds = (): Promise<boolean> =>
        input.inputValue({ timeout }).then(
          value => value === wanted,
          () => false,
        );
      if (!(await holds())) {
        await input.fill(wanted, { timeout }).catch(() => undefined);
        await page.waitForTimeout(300);
      }
      // While it looks at what was typed, it does not hear the button.
      if (await holds()) {
        await button.click({ timeout }).catch(() => undefined);
      }
    }, path);
    return existsSync(path) && readFileSync(path).length > 0;
  });
}
