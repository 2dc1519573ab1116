/// <reference types="node" />
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { formatNumber } from '../../src/core/base/format';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { expectNoViolations, expectNoViolationsInThemes } from './axe';
import { type DoorOptions, exampleFile, isFinal, type OpenDoor, openThroughDoor } from './door';
import { untilStill } from './still';

interface Opened extends OpenDoor {
  readonly map: Locator;
}

/** Shows the breakdown, of the example unless a test has its own transcript. */
async function openBreakdown(options: DoorOptions = { file: exampleFile }): Promise<Opened> {
  const inspector = await openThroughDoor(options);
  const { page } = inspector;
  await page.getByRole('radio', { name: 'Breakdown' }).check();
  const map = page.getByTestId('breakdown-map');
  await map.waitFor();
  return { ...inspector, map };
}

/** The input tokens of each request, as the transcript's lines say. The parts of one reply repeat them. */
const recordedInputs = (): readonly number[] => [
  ...new Map(
    readFileSync(exampleFile, 'utf8')
      .split('\n')
      .flatMap(line => {
        const [, id] = /"id":"(msg_[^"]+)"/.exec(line) ?? [];
        const counts = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'].map(name =>
          Number(new RegExp(`"${name}":(\\d+)`).exec(line)?.[1]),
        );
        return id === undefined ? [] : [[id, counts.reduce((sum, count) => sum + count, 0)] as const];
      }),
  ).values(),
];

/** The screen reader text of the part that the keys are at. */
const active = (page: Page): Promise<string> => page.locator('#breakdown-active').innerText();
const crumbs = (page: Page): Promise<readonly string[]> =>
  page.getByRole('navigation', { name: 'Path' }).getByRole('listitem').allInnerTexts();
const focusedMap = (page: Page): Locator => page.locator('[data-testid=breakdown-map]:focus');
const footer = (page: Page): Locator => page.getByTestId('breakdown-footer');
const picture = (page: Page): Promise<string> =>
  page
    .locator('.breakdown__canvas')
    .evaluate(canvas => (canvas instanceof HTMLCanvasElement ? canvas.toDataURL() : ''));

/** Goes from the whole to the files, by keys only. */
async function goToFiles({ page, map }: Opened): Promise<void> {
  await map.focus();
  await page.keyboard.press('Home');
  for (let tries = 0; tries < 12 && !(await active(page)).startsWith('Files'); tries += 1) {
    await page.keyboard.press(tries % 2 === 0 ? 'ArrowRight' : 'ArrowDown');
  }
  assert.match(await active(page), /^Files: [\d,]+ tokens, [\d.]+ %, \d+ blocks/);
}

describe('the breakdown', () => {
  it('shows what the request holds, to the token', async () => {
    const inspector = await openBreakdown();
    const { page } = inspector;
    const inputs = recordedInputs();
    const shown = page.getByTestId('breakdown-total');
    assert.equal(await shown.innerText(), `${formatNumber(inputs.at(-1) ?? 0)} tokens`);
    assert.ok(Number(await inspector.map.getAttribute('data-boxes')) > 20);
    await page.getByRole('slider', { name: 'Request' }).press('Home');
    assert.equal(await shown.innerText(), `${formatNumber(inputs[0] ?? 0)} tokens`);
    await inspector.close();
  });

  it('measures what was sent of it and what that cost, of a request or of all', async () => {
    const inspector = await openBreakdown();
    const { page } = inspector;
    const shown = page.getByTestId('breakdown-total');
    await page.getByRole('combobox', { name: 'Scope' }).selectOption('All 59 requests');
    await page.getByRole('radio', { name: 'Total sent' }).check();
    assert.match(await shown.innerText(), /^[\d.]+M tokens sent in total · [\d.]+ % from the cache$/);
    await page.getByRole('radio', { name: 'Cost' }).check();
    assert.match(await shown.innerText(), /^\$[\d.]+ input \+ \$[\d.]+ written by the model = \$[\d.]+$/);
    const session = await shown.innerText();
    const whole = await page.getByRole('banner').innerText();
    assert.ok(whole.includes(session.split('= ')[1] ?? '?'), 'the header has the same sum');
    await page.getByRole('combobox', { name: 'Scope' }).selectOption('This request');
    assert.ok((await shown.innerText()).endsWith(`= ${await page.getByTestId('request-cost').innerText()}`));
    await inspector.close();
  });

  it('has no measure of money without a price', async () => {
    const text = new ClaudeCodeSession().prompt('Why?').reply({ text: 'So.' }).toString();
    const inspector = await openBreakdown({ text: text.replaceAll('claude-sonnet-4-5', 'own-model') });
    const { page } = inspector;
    assert.equal(await page.getByRole('radio', { name: 'Total sent' }).count(), 1);
    assert.equal(await page.getByRole('radio', { name: 'Cost' }).count(), 0);
    await inspector.close();
  });

  it('is walked through by keys, into a file and out again', async () => {
    const inspector = await openBreakdown();
    const { page, map } = inspector;
    await goToFiles(inspector);
    await page.keyboard.press('Enter');
    assert.deepEqual((await crumbs(page)).slice(0, 2), ['All', 'Files']);
    const before = await active(page);
    await page.keyboard.press('ArrowRight');
    assert.notEqual(await active(page), before);
    // Down to the block, which opens its details.
    for (let level = 0; level < 5 && (await page.getByTestId('block-text').count()) === 0; level += 1) {
      await page.keyboard.press('Enter');
    }
    await page.getByTestId('block-text').waitFor();
    assert.ok((await crumbs(page)).length >= 3);
    for (let level = 0; level < 5 && (await crumbs(page))[1] !== undefined; level += 1) {
      await page.keyboard.press(level % 2 === 0 ? 'Backspace' : 'Escape');
      assert.equal(await map.evaluate(element => element === document.activeElement), true);
      if ((await active(page)).startsWith('Files')) {
        break;
      }
    }
    assert.match(await active(page), /^Files/);
    assert.deepEqual(await crumbs(page), ['All', 'Files']);
    await inspector.close();
  });

  it('selects by a click, goes in by two, and out by the path', async () => {
    const inspector = await openBreakdown();
    const { page, map } = inspector;
    const before = await picture(page);
    // The header of the largest group.
    await map.click({ position: { x: 60, y: 9 } });
    const [, group = ''] = await crumbs(page);
    assert.notEqual(group, '');
    assert.notEqual(await picture(page), before, 'the selection is drawn');
    await map.dblclick({ position: { x: 60, y: 9 } });
    assert.deepEqual(await crumbs(page), ['All', group]);
    await map.dblclick({ position: { x: 60, y: 9 } });
    assert.ok((await crumbs(page)).length > 2);
    await page.getByRole('navigation', { name: 'Path' }).getByRole('button', { name: 'All' }).click();
    assert.deepEqual(await crumbs(page), ['All']);
    await inspector.close();
  });

  it('says when a part came in, and leads to each time and to its line in the transcript', async () => {
    const made = new ClaudeCodeSession().prompt('Why is the total wrong?');
    const read = (id: string, name: string, size: number): void => {
      const lines = Array.from({ length: size }, (_, line) => `${name} line ${line} of ${id}`);
      made
        .reply({ tool: 'Read', id, input: { file_path: `/home/ada/bookshop/src/${name}` } })
        .result(id, lines.join('\n'));
    };
    read('toolu_1', 'cart/total.ts', 900);
    read('toolu_2', 'cart/tax.ts', 80);
    read('toolu_3', 'cart/total.ts', 900);
    read('toolu_4', 'orders/list.ts', 120);
    read('toolu_5', 'cart/total.ts', 900);
    made.reply({ text: 'The tax is rounded twice.' });
    const line = made.lines.findIndex(text => text.includes('tool_result') && text.includes('toolu_5')) + 1;
    const inspector = await openBreakdown({ text: made.toString() });
    const { page, map } = inspector;
    // Twice into the largest part, by its header at the top left.
    await map.dblclick({ position: { x: 60, y: 10 } });
    await map.dblclick({ position: { x: 60, y: 10 } });
    assert.deepEqual(await crumbs(page), ['All', 'Files', 'cart']);
    await map.click({ position: { x: 60, y: 40 } });
    await footer(page).getByText('read in').waitFor();
    const times = footer(page).getByRole('button', { name: /^\d+: request \d+, / });
    assert.equal(await times.count(), 3);
    const third = times.nth(2);
    await third.click();
    assert.equal(await page.getByRole('slider', { name: 'Request' }).getAttribute('aria-valuenow'), '6');
    assert.equal(await third.getAttribute('aria-pressed'), 'true');
    await page.getByTestId('block-text').getByText('toolu_5').first().waitFor();
    assert.match(await footer(page).innerText(), /total\.ts\s+read in/, 'the file stays selected');
    await footer(page)
      .getByRole('button', { name: `Line ${line}`, exact: true })
      .click();
    assert.deepEqual((await inspector.deed('openSource')).details, [inspector.file, line]);
    await inspector.close();
  });

  it('lights what is selected in the lanes and in the table, and follows it in the timeline', async () => {
    const inspector = await openBreakdown();
    const { page } = inspector;
    const timeline = (): Promise<string> =>
      page
        .locator('.timeline__canvas')
        .first()
        .evaluate(canvas => (canvas instanceof HTMLCanvasElement ? canvas.toDataURL() : ''));
    const bySource = await timeline();
    await goToFiles(inspector);
    await untilStill(page);
    assert.notEqual(await timeline(), bySource);
    await footer(page).getByRole('button', { name: 'Lanes' }).click();
    await page.getByTestId('slot-layout').waitFor();
    const matches = page.getByText(/^\d+ of \d+ blocks$/);
    const count = Number((await matches.innerText()).split(' ')[0]);
    assert.ok(count > 3);
    await page.getByRole('radio', { name: 'Table' }).check();
    const table = page.getByTestId('block-table');
    assert.equal(Number(await table.getAttribute('aria-rowcount')), count + 1);
    // Selecting a block of the part keeps the highlight; another block ends it.
    await table.focus();
    await page.keyboard.press('Home');
    assert.equal(await matches.count(), 1);
    await page.getByRole('radio', { name: 'Breakdown' }).check();
    assert.match(await footer(page).innerText(), /^Files/);
    await page.getByRole('radio', { name: 'Lanes' }).check();
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('Home');
    await matches.waitFor({ state: 'detached' });
    await inspector.close();
  });

  it('is let go of in the lanes by its filter', async () => {
    const inspector = await openBreakdown();
    const { page } = inspector;
    await goToFiles(inspector);
    await page.getByRole('radio', { name: 'Lanes' }).check();
    await page.getByRole('button', { name: 'Remove filter: Files' }).click();
    assert.equal(await page.getByText(/^\d+ of \d+ blocks$/).count(), 0);
    await inspector.close();
  });

  it('selects what is selected in the lanes', async () => {
    const inspector = await openBreakdown();
    const { page } = inspector;
    await page.getByRole('radio', { name: 'Lanes' }).check();
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('End');
    const name = await page.getByTestId('block-details').getByRole('heading').first().innerText();
    await page.getByRole('radio', { name: 'Breakdown' }).check();
    await inspector.map.waitFor();
    const way = await crumbs(page);
    assert.ok(way.length > 2, way.join(' › '));
    assert.ok((await footer(page).innerText()).length > 0 && name.length > 0);
    await page.getByTestId('slot-layout').waitFor({ state: 'detached' });
    await inspector.close();
  });

  it('keeps its choices when the page is loaded again', async () => {
    const inspector = await openBreakdown();
    const { page } = inspector;
    await page.getByRole('combobox', { name: 'Scope' }).selectOption('All 59 requests');
    await page.getByRole('radio', { name: 'Cost' }).check();
    await goToFilesByMoney(inspector);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Show as a table' }).click();
    const way = (await crumbs(page)).slice(0, 2);
    await page.reload();
    await isFinal(page);
    await page.getByTestId('breakdown-table').waitFor();
    assert.deepEqual((await crumbs(page)).slice(0, 2), way);
    assert.equal(await page.getByRole('radio', { name: 'Cost' }).isChecked(), true);
    assert.equal(await page.getByRole('combobox', { name: 'Scope' }).inputValue(), 'session');
    await inspector.close();
  });

  it('says that a request carried nothing of a part', async () => {
    const text = new ClaudeCodeSession()
      .prompt('Run the tests.')
      .reply({ tool: 'Bash', id: 'toolu_1', input: { command: 'npm test' } })
      .result('toolu_1', 'They pass.')
      .reply({ text: 'Good.' })
      .toString();
    const inspector = await openBreakdown({ text });
    const { page } = inspector;
    await page.getByRole('combobox', { name: 'Find a tool' }).click();
    await page.keyboard.type('npm test');
    await page.keyboard.press('Enter');
    await footer(page).getByText('added in').waitFor();
    // The focus leaves the search a frame later; until then the key would be typed there.
    await focusedMap(page).waitFor();
    // The keyboard position stays the same.
    await page.keyboard.press('[');
    await page.getByText('Nothing of this in request 1.').waitFor();
    await focusedMap(page).waitFor();
    await page.keyboard.press(']');
    await inspector.close();
  });
});

async function goToFilesByMoney({ page, map }: Opened): Promise<void> {
  await map.focus();
  await page.keyboard.press('Home');
  for (let tries = 0; tries < 12 && !(await active(page)).startsWith('Files'); tries += 1) {
    await page.keyboard.press(tries % 2 === 0 ? 'ArrowRight' : 'ArrowDown');
  }
}

describe('the table of the breakdown', () => {
  it('has all measures, and works as a treegrid', async () => {
    const inspector = await openBreakdown();
    const { page } = inspector;
    await page.getByRole('button', { name: 'Show as a table' }).click();
    const grid = page.getByRole('treegrid', { name: 'Parts of the breakdown' });
    assert.deepEqual(await grid.getByRole('columnheader').allInnerTexts(), [
      'Part',
      'Share',
      'Tokens',
      'Total sent',
      'From the cache',
      'Cost',
      'Blocks',
    ]);
    const rows = (): Promise<number> => grid.getByRole('row').count();
    const current = grid.locator('[aria-selected=true]');
    await grid.focus();
    await page.keyboard.press('Home');
    assert.equal(await current.getAttribute('aria-level'), '1');
    const closed = await rows();
    await page.keyboard.press('ArrowRight');
    assert.equal(await current.getAttribute('aria-expanded'), 'true');
    assert.ok((await rows()) > closed);
    await page.keyboard.press('ArrowRight');
    assert.equal(await current.getAttribute('aria-level'), '2');
    await page.keyboard.press('ArrowDown');
    assert.equal(await current.getAttribute('aria-posinset'), '2');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await current.getAttribute('aria-level'), '1');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await rows(), closed);
    await page.keyboard.press('Enter');
    assert.equal((await crumbs(page)).length, 2);
    await page.keyboard.press('Backspace');
    assert.equal((await crumbs(page))[0], 'All');
    await inspector.close();
  });

  it('adds up to the request', async () => {
    const inspector = await openBreakdown();
    const { page } = inspector;
    await page.getByRole('button', { name: 'Show as a table' }).click();
    const tokens = await page
      .getByRole('treegrid')
      .locator('[role=row] [role=gridcell]:nth-child(3)')
      .allInnerTexts();
    const sum = tokens.reduce((all, count) => all + Number(count.replaceAll(',', '')), 0);
    assert.equal(sum, Number((await page.getByTestId('total').innerText()).replaceAll(',', '')));
    await inspector.close();
  });

  it('has the same selection as the treemap', async () => {
    const inspector = await openBreakdown();
    const { page } = inspector;
    await goToFiles(inspector);
    const name = await footer(page).getByRole('strong').first().innerText();
    await page.getByRole('button', { name: 'Show as a table' }).click();
    const selected = page.getByRole('treegrid').locator('[aria-selected=true]');
    assert.match(await selected.innerText(), new RegExp(`^${name}`));
    await inspector.close();
  });
});

describe('the breakdown in every look', () => {
  it('has no violations in any theme', async () => {
    const inspector = await openBreakdown();
    const { page } = inspector;
    await expectNoViolationsInThemes(page, 'treemap');
    await goToFiles(inspector);
    await expectNoViolations(page, 'treemap with a selection');
    await page.keyboard.press('Enter');
    await expectNoViolations(page, 'files');
    await page.getByRole('combobox', { name: 'Find a tool' }).click();
    await page.keyboard.type('e');
    await expectNoViolations(page, 'search');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Show as a table' }).click();
    await page.getByRole('treegrid').waitFor();
    await expectNoViolationsInThemes(page, 'table');
    await inspector.close();
  });

  it('fits into pages of every size', async () => {
    const inspector = await openBreakdown();
    const { page, map } = inspector;
    for (const [width, height] of [
      [480, 640],
      [630, 596],
      [630, 380],
      [1260, 700],
      [2560, 1300],
    ] as const) {
      await page.setViewportSize({ width, height });
      await untilStill(page);
      const size = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement;
        const session = document.querySelector('.session');
        return [scrollWidth, scrollHeight, session?.scrollHeight, session?.clientHeight];
      });
      assert.deepEqual(size, [width, height, size[3], size[3]]);
      const box = await map.boundingBox();
      assert.ok(box !== null && box.width > 0.3 * width && box.height >= 60, JSON.stringify(box));
      await expectNoViolations(page, `${width} × ${height}`);
    }
    await inspector.close();
  });
});
