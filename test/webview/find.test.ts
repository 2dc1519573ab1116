/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { patternOf } from '../../src/core/questions/findQuery';
import { type Answers, openInspector, plainText } from './harness';
import { makeColumns, makeSummary } from './sessionBuilder';
import { untilStill } from './still';

/** The last block is in no context of the newest request, only in the first request's context. */
const texts = [
  'The harbour opens at nine.',
  'Ships wait. Ships leave the harbour.',
  'Nothing here.',
  'HARBOUR dues',
];
const names = ['prompt', 'harbour.txt', 'other', 'dues'];

const session = {
  summary: makeSummary(),
  columns: makeColumns(
    names.map(
      (label, index) => ({ kind: index === 1 ? 'toolResult' : 'prompt', label, tokens: 400 }) as const,
    ),
    [[0, 1, 2], [3]],
    [
      { context: 1, length: 1 },
      { context: 0, length: 3 },
    ],
  ),
};

const answers: Partial<Answers> = {
  blockText: (_, { block }) => plainText(texts[block] ?? ''),
  find: (_, { query, from }) => {
    const pattern = patternOf(query);
    const text = texts[from] ?? '';
    const hits = [...text.matchAll(pattern)].length;
    const isNamed = (names[from] ?? '').search(pattern) >= 0;
    // One block per part, so that the page has to continue.
    return {
      blocks:
        hits > 0 || isNamed
          ? [{ block: from, hits, isNamed, ...(hits > 0 && { around: aroundOf(text, pattern) }) }]
          : [],
      done: from + 1,
      total: texts.length,
    };
  },
  findInBlock: (_, { query, block }) => ({
    hits: [...(texts[block] ?? '').matchAll(patternOf(query))].map(({ index, 0: { length } }) => ({
      start: index,
      end: index + length,
    })),
  }),
};

function aroundOf(text: string, pattern: RegExp) {
  const [first] = text.matchAll(pattern);
  const start = first?.index ?? 0;
  const end = start + (first?.[0].length ?? 0);
  return {
    before: [{ text: text.slice(0, start) }],
    hit: [{ masked: end - start, rule: 'invented', label: 'private' as const }],
    after: [{ text: text.slice(end) }],
  };
}

const count = (page: Page) => page.getByTestId('find').getByRole('status');

describe('the search', () => {
  it('is opened by keyboard, counts while typing, and leads from hit to hit with the text marked', async () => {
    const inspector = await openInspector({ answers });
    const { page } = inspector;
    await inspector.show(session);
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
    await page.getByRole('heading', { name: 'prompt' }).waitFor();
    await page.keyboard.press('F3');
    await count(page).getByText('2 of 2').waitFor();
    await page.getByRole('heading', { name: 'harbour.txt' }).waitFor();
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
    const inspector = await openInspector({ answers });
    await inspector.show(session);
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
    const inspector = await openInspector({ answers });
    const { page } = inspector;
    await inspector.show(session);
    await page.getByText('Request 2 of 2').waitFor();
    await page.keyboard.press('Control+f');
    await page.keyboard.type('dues');
    await count(page).getByText('No hits').waitFor();
    await page.getByRole('button', { name: 'Find in the whole session' }).click();
    await count(page).getByText('1 hit').waitFor();
    await page.getByRole('textbox', { name: 'Find in texts and names' }).press('Enter');
    await page.getByText('Request 1 of 2').waitFor();
    await page.getByTestId('block-text').locator('mark.hit--current', { hasText: 'dues' }).waitFor();
    await inspector.close();
  });

  it('takes case, regular expressions, and Enter before anything is found', async () => {
    const inspector = await openInspector({ answers });
    const { page } = inspector;
    await inspector.show(session);
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
    const inspector = await openInspector({ answers });
    const { page } = inspector;
    await inspector.show(session);
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
    await grid.locator('.hit .masked').first().waitFor();
    await inspector.close();
  });
});

describe('a picture', () => {
  /** One red pixel. */
  const data = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC';

  it('is shown from its bytes alone, within the policy of the page', async () => {
    const inspector = await openInspector({
      answers: { blockImage: () => ({ mediaType: 'image/png', data, width: 1, height: 1 }) },
    });
    const { page } = inspector;
    const requested: string[] = [];
    page.on('request', request => requested.push(request.url()));
    await inspector.show({
      summary: makeSummary(),
      columns: makeColumns([{ kind: 'image', label: 'a picture', tokens: 400 }], [[0]], [{ length: 1 }]),
    });
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.getByRole('row').last().click();
    const image = page.getByTestId('block-image').getByRole('img', { name: 'Image, 1 × 1 pixels' });
    await image.waitFor();
    await page.waitForFunction(
      () => document.querySelector<HTMLImageElement>('#root img')?.naturalWidth === 1,
    );
    assert.deepEqual(
      requested.filter(address => !address.startsWith('blob:')),
      [],
    );
    assert.deepEqual(await inspector.violations(), []);
    await inspector.close();
  });
});
