import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { lookUpModel } from '../../src/core/tokens/modelTable';
import { expectNoViolationsInThemes } from './axe';
import { type OpenInspector, type OpenOptions, openInspector } from './harness';
import { found } from './lookFindings';
import { sampleSession } from './sampleSession';
import { untilStill } from './still';

const answers = { insights: () => ({ found: [...found], unpriced: '', isComplete: true }) };

async function opened(options: OpenOptions = {}, isNew = false): Promise<OpenInspector> {
  const inspector = await openInspector({ width: 630, height: 596, answers, ...options });
  if (isNew) {
    await inspector.send({ type: 'neverLooked' });
  }
  const { summary, columns } = sampleSession();
  const row = lookUpModel(summary.model);
  assert.ok(row !== undefined);
  await inspector.show({ summary: { ...summary, models: [{ id: summary.model, row }] }, columns });
  await stripOf(inspector.page).waitFor();
  return inspector;
}

const stripOf = (page: Page): Locator => page.getByTestId('look');
const listOf = (page: Page): Locator => page.getByRole('listbox', { name: 'Worth a look' });
const activeOf = (page: Page): Locator => listOf(page).getByRole('option', { selected: true });
const requestOf = (page: Page): Promise<string | null> =>
  page.getByRole('slider', { name: 'Request', exact: true }).getAttribute('aria-valuenow');

async function isInView(page: Page, element: Locator): Promise<boolean> {
  const box = await element.boundingBox();
  const { width = 0, height = 0 } = page.viewportSize() ?? {};
  return (
    box !== null && box.x >= 0 && box.y >= 0 && box.x + box.width <= width && box.y + box.height <= height
  );
}

describe('worth a look', () => {
  it('is one line under the timeline: secrets first, then what costs most', async () => {
    const inspector = await opened({ width: 1600, height: 900 });
    const text = await stripOf(inspector.page).innerText();
    assert.match(
      text.replace(/\s+/gu, ' '),
      /^Worth a look 1 secret sent Cache lost at request 31 \$0\.72 .*All 10 W$/u,
    );
    assert.equal(await stripOf(inspector.page).getAttribute('aria-expanded'), 'false');
    assert.equal(await listOf(inspector.page).count(), 0);
    await inspector.close();
  });

  it('names findings whole, as many as have room', async () => {
    const inspector = await opened({ width: 1600, height: 900 });
    const { page } = inspector;
    const named: number[] = [];
    for (const width of [1600, 1230, 1000, 900, 750, 630, 560]) {
      await page.setViewportSize({ width, height: 900 });
      await untilStill(page);
      const shown = await stripOf(page)
        .locator('.look__named')
        .evaluate(strip => {
          const outer = strip.getBoundingClientRect();
          return [...strip.querySelectorAll('.look__item')]
            .filter(item => item.getBoundingClientRect().top < outer.bottom)
            .map(item => ({
              isWhole: item.getBoundingClientRect().right <= outer.right + 1,
              isCut: [...item.children].some(each => each.scrollWidth > each.clientWidth + 1),
            }));
        });
      assert.ok(
        shown.every(({ isWhole, isCut }) => isWhole && !isCut),
        `${width}: ${JSON.stringify(shown)}`,
      );
      named.push(shown.length);
    }
    assert.ok(
      named.every((count, place) => count > 0 && count <= (named[place - 1] ?? count)),
      named.join(),
    );
    assert.ok((named[0] ?? 0) > 2, named.join());
    await inspector.close();
  });

  it('opens by W, steps by J and K, goes there by Enter, and lights the place meanwhile', async () => {
    const inspector = await opened({ width: 1230, height: 900 });
    const { page } = inspector;
    await page.keyboard.press('w');
    await listOf(page).waitFor();
    assert.match(await activeOf(page).innerText(), /Password in a command/u);
    const frame = page.locator('.timeline__canvas--frame');
    const before = await frame.screenshot();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    assert.match(await activeOf(page).innerText(), /Cache lost at request 31\s*\$0\.72/u);
    await untilStill(page);
    assert.notDeepEqual(await frame.screenshot(), before, 'a dashed frame shows the place');
    await page.keyboard.press('k');
    assert.match(await activeOf(page).innerText(), /Email address/u);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await listOf(page).waitFor({ state: 'detached' });
    assert.equal(await requestOf(page), '31');
    await page.getByRole('tabpanel', { name: 'Cache' }).waitFor();
    // J goes on from there.
    await page.keyboard.press('j');
    assert.match(await activeOf(page).innerText(), /18 old results/u);
    await page.keyboard.press('Enter');
    assert.equal(await requestOf(page), '32');
    await page.getByRole('tabpanel', { name: 'Prune' }).waitFor();
    assert.deepEqual(inspector.errors, []);
    await inspector.close();
  });

  it('lights the blocks of a finding in the drawing', async () => {
    const { contexts, requests } = sampleSession().columns;
    const newest = requests.thread.lastIndexOf(0);
    const blocks = contexts[requests.context[newest] ?? 0]?.slice(0, 2) ?? [];
    const lit = found.map(each => (each.detail === 'noisyOutput' ? { ...each, blocks: [...blocks] } : each));
    const inspector = await opened({
      width: 1230,
      height: 900,
      answers: { insights: () => ({ found: lit, unpriced: '', isComplete: true }) },
    });
    const { page } = inspector;
    const drawn = (): Promise<string> =>
      page
        .getByTestId('slot-layout')
        .locator('canvas')
        .first()
        .evaluate(canvas => (canvas instanceof HTMLCanvasElement ? canvas.toDataURL() : ''));
    await page.keyboard.press('w');
    await untilStill(page);
    const before = await drawn();
    const option = listOf(page).getByRole('option', { name: /vitest/u });
    await option.hover();
    await untilStill(page);
    assert.notEqual(await drawn(), before, 'the other blocks are dimmed');
    await page.keyboard.press('Escape');
    await untilStill(page);
    assert.equal(await drawn(), before);
    await inspector.close();
  });

  it('closes by Escape and gives the focus back', async () => {
    const inspector = await opened();
    const { page } = inspector;
    await page.getByRole('slider', { name: 'Request', exact: true }).focus();
    await page.keyboard.press('w');
    await page.locator('[role=listbox][aria-label="Worth a look"]:focus').waitFor();
    await page.keyboard.press('Escape');
    await listOf(page).waitFor({ state: 'detached' });
    await page.locator('#timeline-chart:focus').waitFor();
    await stripOf(page).click();
    await listOf(page).waitFor();
    await page.getByTestId('total').click();
    assert.equal(await listOf(page).count(), 1, 'the timeline stays usable');
    await inspector.close();
  });

  it('hides a kind: waste everywhere, the rest in this file, secrets never', async () => {
    const inspector = await opened({ width: 1600, height: 956 });
    const { page } = inspector;
    await page.keyboard.press('w');
    await page.keyboard.press('h');
    assert.equal(await page.getByTestId('look-secret').count(), 1);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('h');
    await page.getByTestId('look-loss').first().waitFor({ state: 'detached' });
    await listOf(page)
      .getByRole('option', { name: /vitest/u })
      .hover();
    await page.keyboard.press('h');
    const acts = (await inspector.sent()).flatMap(message => (message.type === 'act' ? [message.act] : []));
    assert.deepEqual(acts.at(-1), { kind: 'hideWaste', kinds: ['noisyOutput'] });
    await page.getByText('1 kind hidden').waitFor();
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await page.getByTestId('look-loss').first().waitFor();
    await inspector.close();
  });

  it('shows names as text', async () => {
    const inspector = await opened({ width: 1600, height: 956 });
    const { page } = inspector;
    await page.keyboard.press('w');
    const hostile = listOf(page).getByRole('option', { name: /onerror/u });
    assert.match(await hostile.innerText(), /<img src=x onerror="document\.title=1">\[U\+202E\]/u);
    assert.equal(await page.locator('.look-list img').count(), 0);
    assert.deepEqual(await inspector.violations(), []);
    await inspector.close();
  });

  it('is open once, the first time a session is worth it, until the user has chosen something', async () => {
    const inspector = await opened({}, true);
    const { page } = inspector;
    await listOf(page).waitFor();
    assert.equal(await page.locator(':focus').count(), 0, 'it takes no focus');
    const acts = (await inspector.sent()).flatMap(message => (message.type === 'act' ? [message.act] : []));
    assert.equal(acts.filter(({ kind }) => kind === 'looked').length, 1);
    await page.keyboard.press('Escape');
    assert.equal(await listOf(page).count(), 0);
    await inspector.close();
    const later = await opened();
    await untilStill(later.page);
    assert.equal(await listOf(later.page).count(), 0);
    await later.close();
  });

  it('has its findings, more and its keys in view at every size', async () => {
    const inspector = await opened({ width: 630, height: 520 });
    const { page } = inspector;
    for (const [width, height, ranked] of [
      [630, 520, 6],
      [630, 596, 6],
      [750, 776, 6],
      [1230, 956, 6],
      [1600, 900, 6],
    ] as const) {
      await page.setViewportSize({ width, height });
      await untilStill(page);
      await page.keyboard.press('w');
      await listOf(page).waitFor();
      const options = listOf(page).getByRole('option');
      const shown = (await options.count()) - 2;
      assert.ok(shown >= 3 && shown <= ranked, `${shown} findings with a price`);
      assert.ok(await isInView(page, stripOf(page)), 'the strip');
      assert.ok(await isInView(page, page.getByText(/^\d+ more findings?$/u)), 'the way to all');
      await page.getByText(/^\d+ more findings?$/u).click();
      assert.equal(await options.count(), found.length);
      const scrolls = await page.evaluate(() => {
        const session = document.querySelector('.session');
        return (session?.scrollWidth ?? 0) > (session?.clientWidth ?? 0);
      });
      assert.ok(!scrolls, 'the page does not scroll');
      await page.keyboard.press('Escape');
      await listOf(page).waitFor({ state: 'detached' });
    }
    await inspector.close();
  });

  it('has no violations of accessibility rules in any theme', async () => {
    const inspector = await opened({ width: 750, height: 776 });
    const { page } = inspector;
    await expectNoViolationsInThemes(page, 'strip');
    await page.keyboard.press('w');
    await listOf(page).waitFor();
    await page.keyboard.press('j');
    await expectNoViolationsInThemes(page, 'list');
    await inspector.close();
  });
});
