import assert from 'node:assert/strict';
import type * as vscode from 'vscode';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { ui, windowMissing } from './driver';
import { test } from './index';
import { finalEditor, openAlone, temporaryFile } from './inspector';

const needsWindow = { skip: windowMissing };

/** One red pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

/** Mail addresses and one password, so that two rules find something. */
const findings = [
  ...Array.from({ length: 30 }, (_, index) => `${index} ada${index}@quillworks.io wrote`),
  ['DATABASE_PASSWORD', 'hVq7Lr2mXw9s'].join('='),
  ...Array.from({ length: 30 }, (_, index) => `${index} otto${index}@quillworks.io wrote`),
].join('\n');

const shelves = Array.from({ length: 900 }, (_, index) => `shelf ${index}`);
shelves[700] = 'the lost atlas stands here';

async function openSession(name: string): Promise<void> {
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } };
  const text = new ClaudeCodeSession()
    .prompt('Where is it?')
    .reply({ tool: 'Bash', id: 'toolu_1', input: { command: 'cat shelves.txt' } })
    .result('toolu_1', shelves.join('\n'))
    .reply({ tool: 'Read', id: 'toolu_2', input: { file_path: '/home/ada/bookshop/mails.txt' } })
    .result('toolu_2', findings)
    .reply({ text: 'On shelf 700.' })
    .prompt('PICTURE')
    .reply({ text: 'I see one pixel.' })
    .toString()
    .replace('"PICTURE"', JSON.stringify([picture]));
  const uri: vscode.Uri = temporaryFile(name, text);
  await openAlone(uri);
  await finalEditor(uri);
}

test(
  'finds a phrase that only the middle of a tool result holds, and leads to it with Enter',
  async () => {
    await openSession('find.jsonl');
    const seen = await ui(async ({ page, webview }) => {
      await webview.getByRole('radio', { name: 'Table' }).check();
      await webview.getByTestId('block-table').focus();
      await page.keyboard.press('Control+f');
      await page.keyboard.type('Lost  ATLAS');
      const find = webview.getByTestId('find');
      await find.getByRole('status').getByText('1 hit').waitFor();
      await page.keyboard.press('Enter');
      await find.getByRole('status').getByText('1 of 1').waitFor();
      const mark = webview.getByTestId('block-text').locator('mark.hit--current');
      await mark.waitFor();
      const [shown, box] = [await mark.boundingBox(), await webview.getByTestId('block-text').boundingBox()];
      const isInView =
        shown !== null && box !== null && shown.y >= box.y && shown.y + shown.height <= box.y + box.height;
      const rows = await webview.getByTestId('block-table').getAttribute('aria-rowcount');
      const around = await webview.getByTestId('block-table').locator('mark').first().innerText();
      const widgets = await page.locator('.simple-find-part.visible, .find-widget.visible').count();
      const name = await webview.getByTestId('block-details').getByRole('heading').first().innerText();
      const marked = await mark.innerText();
      await page.keyboard.press('Escape');
      await find.waitFor({ state: 'detached' });
      const focused = await webview.locator(':focus').getAttribute('data-testid');
      return { name, marked, isInView, rows, around, widgets, focused };
    });
    assert.deepStrictEqual(seen, {
      name: 'Bash cat shelves.txt',
      marked: 'lost atlas',
      isInView: true,
      rows: '2',
      around: 'lost atlas',
      widgets: 0,
      focused: 'block-table',
    });
  },
  needsWindow,
);

test(
  'gives up an expression that would run for ever, and finds the next one',
  async () => {
    await openSession('hostile-find.jsonl');
    await ui(async ({ page, webview }) => {
      await page.keyboard.press('Escape');
      await webview.getByRole('button', { name: 'Find', exact: true }).click();
      await webview.getByRole('button', { name: 'Regular expression' }).click();
      const field = webview.getByRole('textbox', { name: 'Find in texts and names' });
      await field.fill('^(\\w+\\s?)+$(?!x)(?<=!)');
      await webview.getByText('takes too long').waitFor();
      await field.fill('shelf 7\\d\\d');
      await webview
        .getByTestId('find')
        .getByText(/^(100|99) hits$/)
        .waitFor();
    });
  },
  needsWindow,
);

test(
  'counts findings by rule, steps through them with F8 while they are masked, and reveals them',
  async () => {
    await openSession('findings.jsonl');
    const seen = await ui(async ({ page, webview }) => {
      await webview.getByRole('radio', { name: 'Table' }).check();
      const row = webview.getByTestId('block-table').getByRole('row').filter({ hasText: 'mails.txt' }).last();
      await row.click();
      const text = webview.getByTestId('block-text');
      await text.getByText('0 ', { exact: false }).first().waitFor();
      const groups = webview.getByTestId('findings').getByRole('button', { name: /: go to next$/ });
      // The text is read again once it is scanned.
      await groups.filter({ hasText: '60' }).waitFor();
      const rules = await groups.allInnerTexts();
      await text.focus();
      await page.keyboard.press('F8');
      await page.keyboard.press('F8');
      const status = webview.getByTestId('findings').getByRole('status');
      await status.getByText('2 of').waitFor();
      const place = await status.innerText();
      const masked = await webview.getByTestId('block-details').innerText();
      await webview.getByRole('button', { name: 'Reveal' }).click();
      await text.locator('mark.revealed--restricted').waitFor();
      return { rules: rules.map(rule => rule.replace(/\s+/g, ' ').trim()), place, masked };
    });
    assert.ok(typeof seen === 'object' && seen !== null);
    const { rules, place, masked } = { rules: [''], place: '', masked: '', ...seen };
    assert.equal(rules.length, 2);
    assert.match(rules[0] ?? '', / ?1$/);
    assert.match(rules[1] ?? '', /Email address ?60$/);
    assert.match(place, /^2 of 61/);
    assert.ok(!masked.includes('quillworks') && !masked.includes('hVq7'));
  },
  needsWindow,
);

test(
  'shows a picture that is in the transcript',
  async () => {
    await openSession('picture.jsonl');
    const width = await ui(async ({ webview }) => {
      await webview.getByRole('radio', { name: 'Table' }).check();
      await webview.getByTestId('block-table').getByRole('row').filter({ hasText: /image/ }).last().click();
      const image = webview.getByTestId('block-image').getByRole('img');
      await image.waitFor();
      return image.evaluate(async (picture: { decode(): Promise<void>; readonly naturalWidth: number }) => {
        await picture.decode();
        return picture.naturalWidth;
      });
    });
    assert.equal(width, 1);
  },
  needsWindow,
);
