import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { finalEditor, isActiveAsText, openAlone, temporaryFile } from './inspector';

const needsWindow = { skip: windowMissing };

const thirdReading = 'toolu_5';

/** A session that reads one long file three times, with other files in between. */
function madeSession(): ClaudeCodeSession {
  const made = new ClaudeCodeSession().prompt('Why is the total wrong?');
  const read = (id: string, name: string, size: number): void => {
    const text = Array.from({ length: size }, (_, line) => `${name} line ${line} of ${id}`).join('\n');
    made.reply({ tool: 'Read', id, input: { file_path: `/home/ada/bookshop/src/${name}` } }).result(id, text);
  };
  read('toolu_1', 'cart/total.ts', 900);
  read('toolu_2', 'cart/tax.ts', 80);
  read('toolu_3', 'cart/total.ts', 900);
  read('toolu_4', 'orders/list.ts', 120);
  read(thirdReading, 'cart/total.ts', 900);
  return made.reply({ text: 'The tax is rounded twice.' }).prompt('Repair it.').reply({ text: 'Done.' });
}

/** Opens the session; returns its file and the line of the third reading, counted from 1. */
async function openSession(name: string): Promise<readonly [vscode.Uri, number]> {
  const made = madeSession();
  const uri = temporaryFile(name, made.toString());
  await openAlone(uri);
  await finalEditor(uri);
  const line = made.lines.findIndex(text => text.includes('tool_result') && text.includes(thirdReading)) + 1;
  assert.ok(line > 0);
  return [uri, line];
}

async function standsAt(uri: vscode.Uri, line: number): Promise<void> {
  await waitUntil('the transcript is open at the line', () => {
    const editor = vscode.window.activeTextEditor;
    return isActiveAsText(uri) && editor?.selection.active.line === line - 1;
  });
}

test(
  "leads by mouse from the breakdown to a file's third reading and to its line in the transcript",
  async () => {
    const [uri, line] = await openSession('breakdown-mouse.jsonl');
    const seen = await ui(async ({ webview }) => {
      await webview.getByRole('radio', { name: 'Breakdown' }).check();
      const map = webview.getByTestId('breakdown-map');
      await map.waitFor();
      const crumbs = webview.getByRole('navigation', { name: 'Path' }).getByRole('listitem');
      // Twice into the largest part, by its header at the top left.
      await map.dblclick({ position: { x: 60, y: 10 } });
      const group = await crumbs.last().innerText();
      await map.dblclick({ position: { x: 60, y: 10 } });
      const folder = await crumbs.allInnerTexts();
      await map.click({ position: { x: 60, y: 40 } });
      const footer = webview.getByTestId('breakdown-footer');
      const times = footer.getByRole('button', { name: /^\d+: request/ });
      const name = await footer.locator('strong').first().innerText();
      const count = await times.count();
      await times.nth(2).click();
      await webview.getByTestId('block-text').getByText('toolu_5', { exact: false }).first().waitFor();
      const request = await webview.getByRole('slider', { name: 'Request' }).getAttribute('aria-valuenow');
      return { group, folder, name, count, request };
    });
    assert.deepEqual(seen, {
      group: 'Files',
      folder: ['All', 'Files', 'cart'],
      name: 'cart/total.ts',
      count: 3,
      request: '6',
    });
    await ui(
      ({ webview }, name) =>
        webview.getByTestId('breakdown-footer').getByRole('button', { name, exact: true }).click(),
      `Line ${line}`,
    );
    await standsAt(uri, line);
  },
  needsWindow,
);

test(
  "leads by keyboard alone from the breakdown to a file's third reading and to its line in the transcript",
  async () => {
    const [uri, line] = await openSession('breakdown-keys.jsonl');
    const seen = await ui(async ({ page, webview }, wanted) => {
      // Only here, a script sets the focus: into the page, as opening it by a command does.
      await webview.getByTestId('slot-layout').focus();
      const focused = webview.locator(':focus');
      const go = async (key: string, isThere: () => Promise<boolean>): Promise<void> => {
        for (let presses = 0; presses < 40; presses += 1) {
          if (await isThere()) {
            return;
          }
          await page.keyboard.press(key);
        }
        throw new Error(`${key} leads to ${String(await focused.getAttribute('class'))}`);
      };
      const has = (selector: string) => async (): Promise<boolean> =>
        (await webview.locator(`:focus${selector}`).count()) > 0;
      await go('Shift+Tab', has('[type=radio]'));
      await go('ArrowRight', async () => (await webview.getByTestId('breakdown').count()) > 0);
      await webview.getByTestId('breakdown-map').waitFor();
      await go('Tab', has('[data-testid=breakdown-map]'));
      const active = webview.locator('#breakdown-active');
      const says = (pattern: RegExp) => async (): Promise<boolean> => pattern.test(await active.innerText());
      await page.keyboard.press('Home');
      await go('ArrowRight', says(/^Files/));
      await page.keyboard.press('Enter');
      await go('ArrowRight', says(/^cart/));
      await page.keyboard.press('Enter');
      await go('ArrowRight', says(/^cart\/total\.ts/));
      await page.keyboard.press('Enter');
      await page.keyboard.press('Home');
      await go('ArrowRight', says(/request 6/));
      const said = await active.innerText();
      await page.keyboard.press('Enter');
      await webview.getByTestId('block-text').getByText('toolu_5', { exact: false }).first().waitFor();
      await go('Tab', async () => (await focused.innerText()).startsWith('Line'));
      await focused.filter({ hasText: wanted }).waitFor();
      await page.keyboard.press('Enter');
      return said;
    }, `Line ${line}`);
    assert.match(String(seen), /^cart\/total\.ts, request 6: [\d,]+ tokens, [\d.]+ %/);
    await standsAt(uri, line);
  },
  needsWindow,
);

test(
  'groups results by tool on request, so that the tokens of Bash are one part',
  async () => {
    const output = Array.from({ length: 900 }, (_, line) => `test ${line} of the shop passed`).join('\n');
    const made = madeSession()
      .prompt('Run the tests.')
      .reply({ tool: 'Bash', id: 'toolu_6', input: { command: 'npm test' } })
      .result('toolu_6', output)
      .reply({ text: 'They pass.' })
      .prompt('Thanks.')
      .reply({ text: 'Welcome.' });
    const uri = temporaryFile('breakdown-tools.jsonl', made.toString());
    await openAlone(uri);
    await finalEditor(uri);
    const seen = await ui(async ({ page, webview }) => {
      await webview.getByRole('radio', { name: 'Breakdown' }).check();
      await webview.getByTestId('breakdown-map').waitFor();
      const total = webview.getByTestId('breakdown-total');
      const footer = webview.getByTestId('breakdown-footer');
      const before = await total.innerText();
      const figures: string[] = [];
      for (const grouping of ['By content', 'By tool']) {
        await webview.getByRole('combobox', { name: 'Grouping' }).selectOption(grouping);
        await webview.getByTestId('breakdown-map').focus();
        await page.keyboard.press('Home');
        await webview.getByRole('combobox', { name: 'Find a tool, server, file, skill' }).fill('bash');
        await webview.getByRole('option', { name: /^Bash/ }).first().click();
        await footer.getByText(/^Bash$/).waitFor();
        figures.push(await footer.innerText());
        await webview.getByRole('button', { name: 'Up one level: All' }).click();
      }
      if (before !== (await total.innerText())) {
        throw new Error('The groupings have different totals.');
      }
      return figures.join('\n\n\n');
    });
    const [byContent = 0, byTool = 0] = String(seen)
      .split('\n\n\n')
      .map(text => Number((/([\d,]+) tokens/.exec(text)?.[1] ?? '0').replaceAll(',', '')));
    assert.ok(byContent > 0 && byContent < 100, `only the call: ${byContent}`);
    assert.ok(byTool > 6_000, `the call and its output: ${byTool}`);
  },
  needsWindow,
);
