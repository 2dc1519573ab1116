/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { type OpenDoor, openThroughDoor } from './door';
import { untilStill } from './still';

/** A compaction took the first prompt out of the newest request, which has three blocks: summary, call and result. */
const text = new ClaudeCodeSession()
  .prompt('HARBOUR dues')
  .reply({ text: 'Paid.' })
  .compact('The harbour opens at nine.')
  .reply({ tool: 'Bash', id: 'toolu_1', input: { command: 'cat list.txt' } })
  .result('toolu_1', 'Ships wait. Ships leave the harbour of ada@quillworks.io.')
  .reply({ text: 'Nothing here.' })
  .toString();
const open = (): Promise<OpenDoor> => openThroughDoor({ text });

const count = (page: Page) => page.getByTestId('find').getByRole('status');

describe('the search', () => {
  it('is opened by keyboard, counts while typing, and leads from hit to hit with the text marked', async () => {
    const inspector = await open();
    const { page } = inspector;
    // VS Code listens at the window, and must not see keys that the page has used.
    await page.evaluate(() => {
      window.addEventListener('keydown', ({ key }) => {
        document.body.dataset['seen'] = `${document.body.dataset['seen'] ?? ''} ${key}`;
      });
    });
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('harbour');
    await count(page).getByText('2 hits').waitFor();
    await count(page).getByText('1 more in the session').waitFor();
    await page.keyboard.press('Enter');
    await count(page).getByText('1 of 2').waitFor();
    const marks = page.getByTestId('block-text').locator('mark.hit--current');
    await marks.getByText('harbour', { exact: true }).waitFor();
    await page
      .getByTestId('block-details')
      .getByText(/^Block 1 ·/u)
      .waitFor();
    await page.keyboard.press('F3');
    await count(page).getByText('2 of 2').waitFor();
    await page.getByRole('heading', { name: 'Bash cat list.txt' }).waitFor();
    await marks.waitFor();
    await page.keyboard.press('F3');
    await count(page).getByText('1 of 2').waitFor();
    await page.keyboard.press('Shift+Enter');
    await count(page).getByText('2 of 2').waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('find').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-testid') === 'slot-layout');
    assert.equal(await page.locator('mark').count(), 0);
    const seen = (await page.evaluate(() => document.body.dataset['seen'])) ?? '';
    assert.ok(!/ f\b| F3| Escape/.test(seen), seen);
    await inspector.close();
  });

  it('takes what is typed right after the key that opens it', async () => {
    const inspector = await open();
    await inspector.page.getByTestId('slot-layout').waitFor();
    const focused = await inspector.page.evaluate(async () => {
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'f', ctrlKey: true, bubbles: true, cancelable: true }),
      );
      await Promise.resolve();
      return document.activeElement?.tagName;
    });
    assert.equal(focused, 'INPUT');
    await inspector.close();
  });

  it('goes to another request where the whole session is searched', async () => {
    const inspector = await open();
    const { page } = inspector;
    await page.getByText('Request 3 of 3').waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('dues');
    await count(page).getByText('No hits').waitFor();
    await page.getByRole('button', { name: 'Find in the whole session' }).click();
    await count(page).getByText('1 hit').waitFor();
    await page.getByRole('textbox', { name: 'Find in texts and names' }).press('Enter');
    await page.getByText('Request 1 of 3').waitFor();
    await page.getByTestId('block-text').locator('mark.hit--current', { hasText: 'dues' }).waitFor();
    await inspector.close();
  });

  it('takes case, regular expressions, and Enter before anything is found', async () => {
    const inspector = await open();
    const { page } = inspector;
    await page.keyboard.press('Control+f');
    const field = page.getByRole('textbox', { name: 'Find in texts and names' });
    await field.fill('ships');
    await field.press('Enter');
    await page.getByTestId('block-text').locator('mark.hit--current', { hasText: 'Ships' }).waitFor();
    await count(page).getByText('1 of 2').waitFor();
    await page.getByRole('button', { name: 'Match case' }).click();
    await count(page).getByText('No hits').waitFor();
    await page.getByRole('button', { name: 'Regular expression' }).click();
    await field.fill('S.ips (wait|leave)');
    await count(page).getByText('2 hits').waitFor();
    await field.fill('(');
    await count(page).getByText('This is not a regular expression.').waitFor();
    await inspector.close();
  });

  it('lists what is found in the table, with the text around it masked as it is, and lights it in the drawing', async () => {
    const inspector = await open();
    const { page } = inspector;
    const pixels = () =>
      page
        .locator('.slot-layout__canvas')
        .evaluate(canvas => (canvas instanceof HTMLCanvasElement ? canvas.toDataURL() : ''));
    await page.keyboard.press('Control+f');
    const before = await pixels();
    await page.keyboard.type('harbour');
    await count(page).getByText('2 hits').waitFor();
    await untilStill(page);
    assert.notEqual(await pixels(), before);
    await page.keyboard.press('Escape');
    await untilStill(page);
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.keyboard.press('Control+f');
    await count(page).getByText('2 hits').waitFor();
    const grid = page.getByTestId('block-table');
    await page.locator('.block-table__area[aria-busy=false]').waitFor();
    await grid.getByRole('row').nth(2).waitFor();
    assert.equal(await grid.getAttribute('aria-rowcount'), '3');
    await grid.getByRole('columnheader', { name: 'Found' }).waitFor();
    await grid.locator('.masked').first().waitFor();
    assert.doesNotMatch(await page.content(), /quillworks/);
    await inspector.close();
  });
});

describe('the search in long texts', () => {
  /** Mail addresses and one password, so that two rules find something. */
  const findings = [
    ...Array.from({ length: 30 }, (_, index) => `${index} ada${index}@quillworks.io wrote`),
    ['DATABASE_PASSWORD', 'hVq7Lr2mXw9s'].join('='),
    ...Array.from({ length: 30 }, (_, index) => `${index} otto${index}@quillworks.io wrote`),
  ].join('\n');
  const shelves = Array.from({ length: 900 }, (_, index) => `shelf ${index}`);
  shelves[700] = 'the lost atlas stands here';
  /** One red pixel. */
  const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';
  const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } };
  const long = new ClaudeCodeSession()
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

  it('finds a phrase that only the middle of a tool result holds, and leads to it with Enter', async () => {
    const inspector = await openThroughDoor({ text: long });
    const { page } = inspector;
    await page.getByRole('radio', { name: 'Table' }).check();
    const table = page.getByTestId('block-table');
    await table.focus();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('Lost  ATLAS');
    await count(page).getByText('1 hit').waitFor();
    await page.keyboard.press('Enter');
    await count(page).getByText('1 of 1').waitFor();
    const text = page.getByTestId('block-text');
    const mark = text.locator('mark.hit--current');
    assert.equal(await mark.innerText(), 'lost atlas');
    await untilStill(page);
    const [shown, box] = [await mark.boundingBox(), await text.boundingBox()];
    assert.ok(shown && box && shown.y >= box.y && shown.y + shown.height <= box.y + box.height, 'in view');
    assert.equal(await table.getAttribute('aria-rowcount'), '2');
    assert.equal(await table.locator('mark').first().innerText(), 'lost atlas');
    await page.getByTestId('block-details').getByRole('heading', { name: 'Bash cat shelves.txt' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByTestId('find').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.activeElement?.getAttribute('data-testid') === 'block-table');
    await inspector.close();
  });

  it('gives up an expression that would run for ever, and finds the next one', async () => {
    const inspector = await openThroughDoor({ text: long });
    const { page } = inspector;
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByRole('button', { name: 'Regular expression' }).click();
    const field = page.getByRole('textbox', { name: 'Find in texts and names' });
    await field.fill('^(\\w+\\s?)+$(?!x)(?<=!)');
    await page.getByText('takes too long').waitFor();
    await field.fill('shelf 7\\d\\d');
    // 700 is the atlas; the last reply names shelf 700, but no request has it yet.
    await page
      .getByTestId('find')
      .getByText(/^(100|99) hits$/)
      .waitFor();
    await inspector.close();
  });

  it('counts findings by rule, steps through them with F8 while they are masked, and reveals them', async () => {
    const inspector = await openThroughDoor({ text: long });
    const { page } = inspector;
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.getByTestId('block-table').getByRole('row').filter({ hasText: 'mails.txt' }).last().click();
    const groups = page.getByTestId('findings').getByRole('button', { name: /: go to next$/ });
    await groups.filter({ hasText: '60' }).waitFor();
    const [password = '', mail = ''] = await groups.allInnerTexts();
    assert.match(password, /1$/);
    assert.match(mail.replace(/\s+/g, ' '), /Email address ?60$/);
    const text = page.getByTestId('block-text');
    await text.focus();
    await page.keyboard.press('F8');
    await page.keyboard.press('F8');
    await page.getByTestId('findings').getByRole('status').getByText('2 of 61').waitFor();
    assert.doesNotMatch(await page.content(), /quillworks|hVq7/);
    await page.getByRole('button', { name: 'Reveal' }).click();
    await text.locator('mark.revealed--restricted').waitFor();
    await inspector.close();
  });

  it('shows a picture from its bytes alone, within the policy of the page', async () => {
    const inspector = await openThroughDoor({ text: long });
    const { page } = inspector;
    const requested: string[] = [];
    page.on('request', request => requested.push(request.url()));
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.getByTestId('block-table').getByRole('row').filter({ hasText: /image/ }).last().click();
    await page.getByTestId('block-image').getByRole('img', { name: 'Image, 1 × 1 pixels' }).waitFor();
    await page.waitForFunction(
      () => document.querySelector<HTMLImageElement>('#root img')?.naturalWidth === 1,
    );
    assert.deepEqual(
      requested.filter(address => !address.startsWith('blob:')),
      [],
    );
    await inspector.close();
  });
});
