/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { Session } from '../../src/core/model/columns';
import { lookUpModel } from '../../src/core/tokens/modelTable';
import { expectNoViolations, expectNoViolationsInThemes } from './axe';
import { type OpenInspector, openInspector, type OpenOptions } from './harness';
import { sampleSession } from './sampleSession';
import { untilStill } from './still';

const model = 'claude-sonnet-4-5';

function pricedSession(): Session {
  const session = sampleSession();
  const row = lookUpModel(model);
  return {
    ...session,
    summary: { ...session.summary, models: row === undefined ? [] : [{ id: model, row }] },
  };
}

interface Opened extends OpenInspector {
  readonly map: Locator;
}

async function openBreakdown(options: OpenOptions = {}, session = pricedSession()): Promise<Opened> {
  const inspector = await openInspector(options);
  const { page } = inspector;
  await inspector.show(session);
  const view = page.getByRole('radio', { name: 'Breakdown' });
  if ((await view.count()) === 0) {
    await page.getByRole('button', { name: /^View and colours/ }).click();
  }
  await view.check();
  const map = page.getByTestId('breakdown-map');
  await map.waitFor();
  return { ...inspector, map };
}

/** The screen reader text of the part that the keys are at. */
const active = (page: Page): Promise<string> => page.locator('#breakdown-active').innerText();
const crumbs = (page: Page): Promise<readonly string[]> =>
  page.getByRole('navigation', { name: 'Path' }).getByRole('listitem').allInnerTexts();
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
    const total = await page.getByTestId('total').innerText();
    assert.equal(await page.getByTestId('breakdown-total').innerText(), `${total} tokens`);
    assert.ok(Number(await inspector.map.getAttribute('data-boxes')) > 20);
    await page.getByRole('slider', { name: 'Request' }).press('Home');
    const first = await page.getByTestId('total').innerText();
    assert.notEqual(first, total);
    assert.equal(await page.getByTestId('breakdown-total').innerText(), `${first} tokens`);
    await inspector.close();
  });

  it('measures what was sent of it and what that cost, of a request or of all', async () => {
    const inspector = await openBreakdown();
    const { page } = inspector;
    const shown = page.getByTestId('breakdown-total');
    await page.getByRole('combobox', { name: 'Scope' }).selectOption('All 60 requests');
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
    const inspector = await openBreakdown({}, sampleSession());
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

  it('says when a part came in, and leads to each time', async () => {
    const inspector = await openBreakdown();
    const { page } = inspector;
    await page.getByRole('combobox', { name: 'Scope' }).selectOption('All 60 requests');
    const search = page.getByRole('combobox', { name: 'Find a tool' });
    await search.click();
    await page.keyboard.type('.ts');
    await page.keyboard.press('Enter');
    await footer(page).getByText('read in').waitFor();
    const times = footer(page).getByRole('button', { name: /^\d+: request \d+, / });
    assert.ok((await times.count()) > 2);
    const third = times.nth(2);
    const number = /request (\d+)/.exec((await third.getAttribute('aria-label')) ?? '')?.[1] ?? '';
    await third.click();
    assert.equal(await page.getByRole('slider', { name: 'Request' }).getAttribute('aria-valuenow'), number);
    assert.equal(await third.getAttribute('aria-pressed'), 'true');
    await page.getByTestId('block-text').waitFor();
    assert.match(await footer(page).innerText(), /\.ts\s+read in/, 'the file stays selected');
    await footer(page)
      .getByRole('button', { name: /^Line \d/ })
      .click();
    const acts = (await inspector.sent()).flatMap(message =>
      message.type === 'act' && message.act.kind === 'revealSource' ? [message.act.block] : [],
    );
    assert.equal(acts.length, 1);
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
    const matches = page.getByText(/^\d+ of 136 blocks$/);
    const count = Number((await matches.innerText()).split(' ')[0]);
    assert.ok(count > 3 && count < 136);
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
    assert.equal(await page.getByText(/^\d+ of 136 blocks$/).count(), 0);
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
    await page.getByRole('combobox', { name: 'Scope' }).selectOption('All 60 requests');
    await page.getByRole('radio', { name: 'Cost' }).check();
    await goToFilesByMoney(inspector);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Show as a table' }).click();
    const way = (await crumbs(page)).slice(0, 2);
    await page.reload();
    await inspector.show(pricedSession());
    await page.getByTestId('breakdown-table').waitFor();
    assert.deepEqual((await crumbs(page)).slice(0, 2), way);
    assert.equal(await page.getByRole('radio', { name: 'Cost' }).isChecked(), true);
    assert.equal(await page.getByRole('combobox', { name: 'Scope' }).inputValue(), 'session');
    await inspector.close();
  });

  it('says that a request carried nothing of a part', async () => {
    const inspector = await openBreakdown();
    const { page } = inspector;
    await page.getByRole('combobox', { name: 'Find a tool' }).click();
    await page.keyboard.type('npm test');
    await page.keyboard.press('Enter');
    await footer(page).getByText('added in').waitFor();
    // The keyboard position stays the same.
    for (let request = 60; request > 1; request -= 1) {
      await page.keyboard.press('[');
    }
    await page.getByText('Nothing of this in request 1.').waitFor();
    assert.equal(await inspector.map.evaluate(element => element === document.activeElement), true);
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
    assert.deepEqual(await inspector.violations(), [], 'content security policy');
    assert.deepEqual(inspector.errors, []);
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
