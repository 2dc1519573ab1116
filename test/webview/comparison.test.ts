/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { expectNoViolations } from './axe';
import { type OpenDoor, openThroughDoor } from './door';
import { proofText } from './proofSession';
import { untilStill } from './still';

const openAt = (width: number): Promise<OpenDoor> =>
  openThroughDoor({ width, height: 900, text: proofText() });

const comparisonOf = (page: Page): Locator =>
  page.getByRole('region', { name: 'Request 1 and request 2 side by side' });

/** The tokens of each band in a column, and those of its request. */
const figuresOf = async (page: Page, side: 'before' | 'after'): Promise<readonly number[]> =>
  (await page.locator(`.band__side--${side} .band__figure`).allInnerTexts()).map(text =>
    Number(text.replaceAll(',', '').replace('nothing', '0')),
  );

describe('two requests side by side', () => {
  it('prove a cache loss: the same before and after the first difference, which is marked', async () => {
    const inspector = await openAt(1260);
    const { page } = inspector;
    await page.getByRole('tab', { name: 'Cache' }).click();
    await page.getByTestId('cache-break').getByRole('button', { name: 'Side by side' }).click();
    const comparison = comparisonOf(page);
    const difference = comparison.getByTestId('text-difference');
    await difference.locator('mark').first().waitFor();
    assert.deepEqual(await difference.locator('mark').allInnerTexts(), ['1841', '1846']);
    assert.match(await difference.innerText(), /line 4 · 1 of 48 lines/);
    assert.ok(!(await page.content()).includes('Zq8Lr2Vn'), 'secrets stay masked');
    assert.equal(await difference.locator('.masked').count(), 2);
    const [before, later] = [await figuresOf(page, 'before'), await figuresOf(page, 'after')];
    assert.equal(
      later.reduce((sum, tokens) => sum + tokens, 0),
      9_003,
    );
    assert.equal(
      before.reduce((sum, tokens) => sum + tokens, 0),
      6_003,
    );
    assert.match(
      await comparison.innerText(),
      /2,000 from the cache[\s\S]*but [\d,]+ paid for again, \$0\.012 more/,
    );
    assert.match(
      await comparison.getByRole('region', { name: 'Recorded by the provider' }).innerText(),
      /2,000 of 6,000 cached tokens were read/,
    );
    assert.match(
      await comparison.getByRole('region', { name: 'Inferred from the transcript' }).innerText(),
      /system text changed/,
    );
    const prices = await comparison.locator('.band__price').allInnerTexts();
    const sum = await comparison.getByTestId('band-sum').innerText();
    const dollars = [...prices, ...sum.split('\n')]
      .flatMap(text => /^\$([\d.]+)$/u.exec(text)?.[1] ?? [])
      .map(Number);
    const [whole = 0, ...parts] = dollars.toReversed();
    assert.equal(prices.length, later.length);
    assert.ok(Math.abs(parts.reduce((total, price) => total + price, 0) - whole) < 0.001, dollars.join(' '));
    assert.equal(`$${whole}`, await page.getByTestId('request-cost').innerText());
    assert.equal(
      await comparison.getByRole('region', { name: 'Remedy' }).innerText(),
      'Remedy\nwould have saved $0.012 here\n\nChange memory files and the system prompt between sessions, not during one.',
    );
    const [left, right] = await Promise.all(
      ['before', 'after'].map(side => page.locator(`.band--difference .band__side--${side}`).boundingBox()),
    );
    assert.ok(left?.y === right?.y && (left?.x ?? 0) < (right?.x ?? 0), 'two columns');
    await expectNoViolations(page, '[data-testid=comparison]');
    await inspector.close();
  });

  it('are one column with − and + on narrow pages', async () => {
    const inspector = await openAt(500);
    const { page } = inspector;
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('c');
    const lines = comparisonOf(page).getByTestId('text-difference').locator('.code-line:visible');
    await lines.first().waitFor();
    assert.deepEqual(
      (await lines.allInnerTexts()).slice(2, 5).map(text => text.replaceAll(/\s+/gu, ' ').trim()),
      [
        '3 Run `npm test -- reminders` before each commit.',
        '4 removed: −Deployed: build 1841, at the usual place',
        '4 added: +Deployed: build 1846, at the usual place',
      ],
    );
    await inspector.close();
  });

  it('have their names, the choice and their tokens in one line', async () => {
    const inspector = await openAt(598);
    const { page } = inspector;
    await page.getByTestId('slot-layout').focus();
    await page.keyboard.press('c');
    await comparisonOf(page).waitFor();
    for (const width of [598, 750, 1260]) {
      await page.setViewportSize({ width, height: 900 });
      await untilStill(page);
      const heights = await page
        .locator('.comparison__head')
        .evaluateAll(heads => heads.map(head => head.getBoundingClientRect().height));
      assert.deepEqual(
        heights.map(height => height < 34),
        [true, true],
        `${width}: ${heights.join(', ')}`,
      );
    }
    await inspector.close();
  });

  it('are the request in view and any other one: by key, by the line of what changed, by choice', async () => {
    const inspector = await openAt(1260);
    const { page } = inspector;
    await page.getByTestId('since').click();
    await comparisonOf(page).waitFor();
    await page.keyboard.press('c');
    await page.getByTestId('slot-layout').waitFor();
    await page.keyboard.press('[');
    await page.keyboard.press('c');
    await page.getByText('This is the first request of its conversation').waitFor();
    await page.getByRole('combobox', { name: 'Compare with…' }).click();
    await page.getByRole('option', { name: /^Request 2/ }).click();
    const comparison = comparisonOf(page);
    assert.equal(await comparison.getByRole('heading', { level: 3 }).first().innerText(), 'Request 1');
    // A block of the other request leads there, and the comparison stays.
    await comparison.getByRole('button', { name: /april/ }).click();
    assert.match(await page.locator('.timeline').innerText(), /Request 2 of 2/);
    await comparison.waitFor();
    await inspector.close();
  });
});
