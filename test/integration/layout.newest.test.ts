import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ui, windowMissing } from './driver';
import { test } from './index';
import { finalEditor, openAlone, workspaceFolder } from './inspector';

const needsWindow = { skip: windowMissing };

/** The explorer at the left and the chat at the right, as a new user sees VS Code. */
async function openExample(): Promise<void> {
  const uri = vscode.Uri.joinPath(workspaceFolder(), 'session.jsonl');
  await openAlone(uri);
  await finalEditor(uri);
  await vscode.commands.executeCommand('workbench.view.explorer');
  await vscode.commands.executeCommand('workbench.action.focusAuxiliaryBar');
  await vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
}

for (const [width, height] of [
  [1280, 720],
  [1440, 900],
  [1920, 1080],
] as const) {
  test(
    `shows the details of a clicked block without scrolling in a window of ${width} × ${height}`,
    async () => {
      await openExample();
      const seen = await ui(
        async ({ page, webview }, size) => {
          await page.setViewportSize(size);
          await page.locator('.part.auxiliarybar').waitFor();
          const drawing = webview.getByTestId('slot-layout');
          const details = webview.getByTestId('block-details');
          const tooltip = webview.locator('.tooltip');
          await webview.locator('body').press('Escape');
          const frame = (await drawing.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
          // From the end, which has the largest lane.
          const find = async (): Promise<void> => {
            for (let down = frame.height - 4; down > 0; down -= 20) {
              for (let right = 20; right < frame.width; right += 60) {
                await page.mouse.move(frame.x + right, frame.y + down);
                if ((await tooltip.count()) > 0) {
                  // Narrow blocks spread under the pointer, so another block may be there now.
                  await page.mouse.move(frame.x + right + 1, frame.y + down);
                  return;
                }
              }
            }
          };
          await find();
          const tip = await tooltip.innerText();
          await page.mouse.down();
          await page.mouse.up();
          await details.waitFor();
          const bottomOf = async (element: typeof drawing): Promise<number> => {
            const box = await element.boundingBox();
            return box === null ? Number.NaN : box.y + box.height;
          };
          const answer = {
            tip,
            text: await details.innerText(),
            bottom: (await bottomOf(webview.locator('html'))) + 1,
            bottoms: [
              await bottomOf(webview.getByRole('slider', { name: 'Request' })),
              await bottomOf(drawing),
              await bottomOf(webview.getByRole('complementary', { name: 'Details' })),
              await bottomOf(details.getByRole('heading').first()),
              await bottomOf(webview.locator('.session__frame')),
              await bottomOf(webview.locator('.body')),
            ],
          };
          await page.keyboard.press('Escape');
          await details.waitFor({ state: 'detached' });
          return answer;
        },
        { width, height },
      );
      assert.ok(typeof seen === 'object' && seen !== null);
      const { tip, text, bottom, bottoms } = Object.fromEntries(Object.entries(seen));
      const name = String(tip).split('\n')[0] ?? '';
      assert.ok(String(text).includes(name.slice(0, 12)), `${name} in ${String(text).slice(0, 200)}`);
      assert.ok(Array.isArray(bottoms));
      for (const each of bottoms) {
        assert.ok(Number(each) <= Number(bottom), `${String(each)} of ${String(bottom)}`);
      }
    },
    needsWindow,
  );
}

test(
  'goes into the details and back by F6, and closes them by Escape',
  async () => {
    await openExample();
    await ui(async ({ page, webview }) => {
      await webview.getByTestId('slot-layout').press('End');
      await page.keyboard.press('Enter');
      await webview.getByTestId('block-details').waitFor();
      await webview.locator('[role=listbox]:focus').waitFor();
      await page.keyboard.press('F6');
      await webview.locator('[role=tabpanel]:focus').waitFor();
      await page.keyboard.press('F6');
      await webview.locator('[role=listbox]:focus').waitFor();
      await page.keyboard.press('Escape');
      await webview.getByTestId('block-details').waitFor({ state: 'detached' });
      await webview.locator('[role=listbox]:focus').waitFor();
    });
  },
  needsWindow,
);

test(
  'leads by keyboard to the dearest loss: W, J, Enter',
  async () => {
    await openExample();
    const seen = await ui(async ({ page, webview }) => {
      const strip = webview.getByTestId('look');
      await strip.getByText('$').first().waitFor();
      await webview.getByTestId('slot-layout').press('w');
      const list = webview.getByRole('listbox', { name: 'Worth a look' });
      await list.waitFor();
      const chosen = list.getByRole('option', { selected: true });
      for (let step = 0; step < 12 && !(await chosen.innerText()).includes('Cache lost'); step += 1) {
        await page.keyboard.press('j');
      }
      const text = await chosen.innerText();
      await page.keyboard.press('Enter');
      await list.waitFor({ state: 'detached' });
      await webview.getByRole('tabpanel', { name: 'Cache' }).waitFor();
      const slider = webview.getByRole('slider', { name: 'Request', exact: true });
      return { text, request: await slider.getAttribute('aria-valuenow') };
    });
    assert.ok(typeof seen === 'object' && seen !== null);
    const { text, request } = Object.fromEntries(Object.entries(seen));
    assert.match(String(text), new RegExp(`Cache lost at request ${String(request)}\\s*\\$0\\.44`, 'u'));
  },
  needsWindow,
);

test(
  'reads the example as a conversation: a prompt, a folded result, a row and its block, a word',
  async () => {
    await openExample();
    const seen = await ui(async ({ page, webview }) => {
      await webview.getByRole('radio', { name: 'Conversation' }).check();
      const grid = webview.getByTestId('conversation');
      await grid.focus();
      await page.keyboard.press('Home');
      const prompt = grid.getByRole('row').filter({ hasText: 'CI is red about one run in five' });
      await prompt.waitFor();
      await page.keyboard.press('End');
      const call = grid.getByRole('row').filter({ hasText: 'CHANGELOG.md' }).first();
      await call.getByRole('button', { name: 'Open Read CHANGELOG.md' }).click();
      const code = call.locator('.code-line').first();
      await code.waitFor();
      const number = await code.getAttribute('data-number');
      // The languages are a script of their own, which the page's policy lets in.
      await webview.locator('.code-keyword, .code-name, .code-string').first().waitFor({ state: 'attached' });
      await call.click({ position: { x: 120, y: 12 } });
      const details = webview.getByTestId('block-details');
      await details.getByRole('heading', { name: /CHANGELOG\.md/ }).waitFor();
      await page.keyboard.press('Control+f');
      await page.keyboard.type('delimiter');
      await grid.locator('mark', { hasText: 'delimiter' }).first().waitFor();
      await page.keyboard.press('Escape');
      return { number, links: await grid.locator('a').count() };
    });
    assert.deepStrictEqual(seen, { number: '1', links: 0 });
  },
  needsWindow,
);
