import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import { commandIds, examplePath, sessionsViewId } from '../../src/host/manifest';
import { noteUse, withSettings } from './contributions';
import { eventually, extensionId, ui, type VscodeWindow } from './driver';
import {
  closeEverything,
  editorThat,
  finalEditor,
  isActiveInInspector,
  isAtRest,
  openAlone,
  workspaceFolder,
} from './inspector';

/** The bundled example, in the open folder. */
export const exampleFile = (): vscode.Uri => vscode.Uri.joinPath(workspaceFolder(), 'session.jsonl');

/** Waits until the page of the one visible editor is drawn. */
export const pageIsDrawn = (): Promise<unknown> =>
  ui(({ webview }) => webview.locator('#root[data-ready="true"]').waitFor({ state: 'attached' }));

/** Waits until the list of findings has opened by itself. It does so once; otherwise it might open over a later test. */
export const findingsAreShown = (): Promise<unknown> =>
  ui(({ webview }) => webview.getByTestId('look-list').waitFor());

/** Opens the example and waits until its page is drawn. */
export async function openTheExample(): Promise<vscode.Uri> {
  const uri = exampleFile();
  await openAlone(uri);
  await finalEditor(uri);
  await pageIsDrawn();
  return uri;
}

/** Shows the list of sessions as it is now, and no editor. */
export async function showSessions(): Promise<void> {
  await closeEverything();
  await vscode.commands.executeCommand(`${sessionsViewId}.focus`);
  await vscode.commands.executeCommand(commandIds.sessionsRefresh);
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

/** Starts an action that opens a prompt, and answers it. Prompts stay open when they lose the focus. */
export async function answered<Argument>(
  begin: () => Thenable<unknown>,
  answer: (window: VscodeWindow, argument: Argument) => unknown,
  argument?: Argument,
): Promise<void> {
  await closeQuestion();
  const asked = begin();
  await ui(answer, argument);
  await asked;
}

/**
 * Chooses a row of the open list, or of the one that comes next. For `ui` and `answered`. With the keyboard, because a
 * click is lost where the list draws its rows again between the press and the release.
 */
export async function chooseRow({ page, until }: VscodeWindow, text: string): Promise<void> {
  // A list that closes stays in view for a moment, but is inert.
  const widget = page.locator('.quick-input-widget:not([inert])').filter({ visible: true });
  const input = widget.locator('input[type=text]').first();
  const reached = widget.locator('.monaco-list-row.focused').filter({ hasText: text });
  await until(`${text} is reached`, async () => {
    if ((await reached.count()) === 0 && (await input.inputValue()) !== text) {
      await input.fill(text);
    }
    return (await reached.count()) > 0;
  });
  await input.press('Enter');
  // Otherwise the next list might be taken for this one.
  await reached.waitFor({ state: 'hidden' });
}

/** Starts an action that opens a prompt, waits for the prompt's title or placeholder, and closes it. */
export async function isAsked(begin: () => Thenable<unknown>, text: string): Promise<void> {
  await closeQuestion();
  const asked = begin();
  await ui(async ({ page }, wanted) => {
    const widget = page.locator('.quick-input-widget');
    await widget.getByText(wanted).or(widget.getByPlaceholder(wanted)).first().waitFor();
  }, text);
  await closeQuestion();
  await asked;
}

/** Waits for a message of VS Code in its list, where it stays. Newer versions show nothing but the list in a test. */
export const messageIsShown = (text: string): Promise<unknown> =>
  ui(async ({ page, until }, wanted) => {
    const message = page.locator('.notification-list-item').filter({ hasText: wanted, visible: true });
    await until(`the message "${wanted}" is shown`, async () => {
      if ((await message.count()) > 0) {
        return true;
      }
      if (!(await page.locator('.notifications-center').isVisible())) {
        await page.locator('[id="status.notifications"]').click();
        // Its tooltip would cover the list.
        await page.mouse.move(0, 0);
      }
      return false;
    });
  }, text);

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

/** Opens an address in VS Code like a link that someone clicks in the system. */
export async function follow(address: string): Promise<void> {
  noteUse('activationEvents onUri');
  // A VS Code under test shows no dialogs, so its own question is answered in advance.
  const settings = vscode.workspace.getConfiguration('extensions');
  await settings.update('confirmedUriHandlerExtensionIds', [extensionId], vscode.ConfigurationTarget.Global);
  await vscode.commands.executeCommand('vscode.open', vscode.Uri.parse(address, true));
}

export const linkTo = (query: string): string => `${vscode.env.uriScheme}://${extensionId}/open?${query}`;

/** The bundled example in the package, which is read-only. */
export function packagedExample(): vscode.Uri {
  const extension = vscode.extensions.getExtension(extensionId);
  assert.ok(extension !== undefined);
  return vscode.Uri.joinPath(extension.extensionUri, ...examplePath);
}

/** Waits until the inspector shows a file, or an error, and has nothing more to read in it. */
export async function isShown(uri: vscode.Uri): Promise<void> {
  await eventually(`${uri.path} is shown`, () => isActiveInInspector(uri));
  await editorThat(uri, `${uri.path} is read`, isAtRest);
}

/** The list of export levels, and VS Code's dialog for the place of a file. */
export const shareLevels = '.quick-input-widget >> text=Redacted';
export const fileDialog = '.quick-input-widget >> role=button[name="OK"]';

/**
 * Saves at `path` in the dialog that is about to appear, by its button with this name, and returns what was written.
 * The dialog reads the folder of the typed path, and may meanwhile overwrite the text with a name of its own.
 */
export async function saveAt(path: string): Promise<string> {
  mkdirSync(dirname(path), { recursive: true });
  await ui(async ({ page, until }, wanted) => {
    // A row of the dialog's list under the mouse would become the answer.
    await page.mouse.move(0, 0);
    const dialog = page.locator('.quick-input-widget:not([inert]):visible');
    const input = dialog.locator('input[type=text]').last();
    await dialog.getByRole('button', { name: 'OK' }).waitFor();
    await until('the path is accepted', async () => {
      // A dialog that closes meanwhile has taken the path.
      const value = await input.inputValue({ timeout: 5000 }).catch(() => undefined);
      const isReading = (await dialog.locator('.monaco-progress-container.active').count()) > 0;
      if (value !== undefined && value !== wanted) {
        await input.fill(wanted);
      } else if (value !== undefined && !isReading) {
        // The key counts only once the dialog has read the folder.
        await input.press('Enter', { timeout: 5000 }).catch(() => undefined);
      }
      return (await dialog.count()) === 0;
    });
  }, path);
  const text = (): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
  await eventually(`${path} is saved`, () => text() !== '', dirname(path));
  return text();
}

/** Turns the entry of the live session off and on for a while, so that it looks for the newest session at once. */
export const withLiveEntry = (body: () => Promise<unknown>): Promise<void> =>
  withSettings({ 'contextInspector.live.statusBar': 'never' }, () => Promise.resolve()).then(() =>
    withSettings({ 'contextInspector.live.statusBar': 'always' }, body),
  );

/** Waits until the page shows two sessions side by side. */
export async function isComparisonShown(): Promise<void> {
  await ui(({ webview }) => webview.getByRole('heading', { name: 'Facts' }).waitFor());
}

/** Waits until the page with the usage of all sessions is shown. */
export async function isUsageShown(): Promise<void> {
  await ui(({ webview }) => webview.getByRole('heading', { name: 'Usage', exact: true }).waitFor());
}
