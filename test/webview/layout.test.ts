/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { addToolTurns, ClaudeCodeSession, sourceText } from '../fixtures/claudeCodeSession';
import { PlantedSession } from '../fixtures/planted/plantedSession';
import { plantedCapture } from '../fixtures/planted/plantedWriters';
import { wastePlants } from '../fixtures/planted/wastePlants';
import { someOf } from '../fixtures/variants';
import { expectNoViolations } from './axe';
import { exampleFile, isFinal, type OpenDoor, openThroughDoor } from './door';

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The page in VS Code 1.139 with explorer and chat, in windows of 1280 × 720, 1440 × 900 and 1920 × 1080; then the limits of the classes. */
const sizes = [
  [628, 596],
  [750, 776],
  [1230, 956],
  [480, 596],
  [559, 596],
  [560, 596],
  [899, 776],
  [900, 776],
  [1199, 776],
  [1200, 776],
  [1799, 956],
  [1800, 956],
  [2560, 1316],
] as const;

const drawingOf = (page: Page): Locator => page.getByTestId('slot-layout');
/** If they cover the drawing, they are the main part of the page. */
const detailsOf = (page: Page): Locator =>
  page.getByRole('complementary', { name: 'Details' }).or(page.getByRole('main', { name: 'Details' }));
const splitterOf = (page: Page): Locator => page.getByRole('separator', { name: 'Resize: Details' });
const hasFocus = (element: Locator): Promise<boolean> =>
  element.evaluate(node => node.contains(document.activeElement));

async function boxOf(element: Locator): Promise<Box> {
  const box = await element.boundingBox();
  assert.ok(box !== null, 'it is shown');
  return box;
}

const openAt = (width: number, height: number): Promise<OpenDoor> =>
  openThroughDoor({ file: exampleFile, width, height });

/** The request after 22 calls and the reply to them. */
const eventful = 24;
/** A pause ends the cache's life, and a compaction comes with it. The summary alone has about 85,000 tokens. */
const events = addToolTurns(
  addToolTurns(new ClaudeCodeSession(), 'Why is the price wrong?', 22, 12_000)
    .compact(sourceText(99, 340_000))
    .pause(3600),
  'And the shipping?',
  30,
  400,
).toString();
/** With the replies to 30 further calls, and the last one. */
const eventsCaption = (request: number): string => `Request ${request} of 54`;

/** Opens the session with a loss, its price and a compaction at one request, and goes there. */
async function openAtEvents(width: number, height: number): Promise<OpenDoor> {
  const inspector = await openThroughDoor({ text: events, width, height });
  const { page } = inspector;
  await page.getByRole('slider', { name: 'Request', exact: true }).press('Home');
  for (let request = 1; request < eventful; request += 1) {
    await page.keyboard.press('ArrowRight');
  }
  await page.getByText(eventsCaption(eventful)).waitFor();
  return inspector;
}

/** The mark of the loss with its price. */
const lossOf = (page: Page): Locator =>
  page.locator('.timeline__caption').getByRole('button', { name: /^cache lost · \$[\d.]+ · idle too long/ });

const heightOf = async (element: Locator): Promise<number> => (await boxOf(element)).height;

/** Points at places of the drawing, the lowest first, until the tooltip of a block with the wanted words is shown. */
async function pointAtBlock(page: Page, wanted: RegExp): Promise<boolean> {
  const { x, y, width, height } = await boxOf(drawingOf(page));
  const tooltip = page.locator('.tooltip');
  for (let down = height - 4; down > 0; down -= 9) {
    for (let right = width - 12; right > 0; right -= 40) {
      await page.mouse.move(x + right, y + down);
      if ((await tooltip.count()) > 0 && wanted.test(await tooltip.innerText())) {
        return true;
      }
    }
  }
  return false;
}

/** Clicks the first block of the drawing, trying points from its upper left corner on. */
async function clickBlock(page: Page): Promise<void> {
  const { x, y, width, height } = await boxOf(drawingOf(page));
  const tooltip = page.locator('.tooltip');
  const isMet = async (): Promise<boolean> => {
    for (let down = 4; down < height; down += 9) {
      for (let right = 12; right < width / 2; right += 40) {
        await page.mouse.move(x + right, y + down);
        if ((await tooltip.count()) > 0) {
          return true;
        }
      }
    }
    return false;
  };
  assert.ok(await isMet(), 'a block is in view');
  await page.mouse.down();
  await page.mouse.up();
  await page.getByTestId('block-details').waitFor();
}

/** Makes the page another size, and waits until all its parts are in the same places in four frames. */
async function resize(page: Page, width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate(async () => {
    const nextFrame = (): Promise<number> => new Promise(resolve => requestAnimationFrame(resolve));
    const places = (): string =>
      [...document.querySelectorAll('body *')]
        .map(each => each.getBoundingClientRect())
        .map(({ x, y, width: wide, height: high }) => `${x} ${y} ${wide} ${high}`)
        .join();
    let last = '';
    for (let same = 0; same < 4;) {
      await nextFrame();
      const now = places();
      same = now === last ? same + 1 : 0;
      last = now;
    }
  });
}

/** Checks that a part of the page is inside the window. Half a pixel beyond it is not seen. */
async function assertInView(page: Page, element: Locator, what: string): Promise<void> {
  const box = await boxOf(element);
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 };
  const isIn =
    box.x >= -0.5 && box.y >= -0.5 && box.x + box.width <= width + 0.5 && box.y + box.height <= height + 0.5;
  assert.ok(isIn && box.width > 0 && box.height > 0, `${what} at ${JSON.stringify(box)}`);
}

async function assertNoScrolling(page: Page): Promise<void> {
  const beyond = await page.evaluate(() =>
    [document.documentElement, document.body, ...document.querySelectorAll('.session, .body')].flatMap(
      ({ scrollWidth, clientWidth, scrollHeight, clientHeight, className }) =>
        scrollWidth > clientWidth || scrollHeight > clientHeight
          ? [`${className}: ${scrollWidth} × ${scrollHeight} in ${clientWidth} × ${clientHeight}`]
          : [],
    ),
  );
  assert.deepEqual(beyond, [], 'the page scrolls');
}

describe('layout', () => {
  it('keeps everything in view at every size', async () => {
    const inspector = await openAt(...sizes[0]);
    const { page } = inspector;
    for (const [width, height] of someOf(sizes, 7)) {
      await resize(page, width, height);
      await assertNoScrolling(page);
      await clickBlock(page);
      await assertNoScrolling(page);
      await assertInView(page, page.getByRole('heading', { level: 1 }), 'the title');
      await assertInView(page, page.getByTestId('total'), 'the fill of the window');
      await assertInView(page, page.getByRole('slider', { name: 'Request' }), 'the timeline');
      await assertInView(page, detailsOf(page), 'the details');
      await assertInView(page, page.getByTestId('block-details').getByRole('heading').first(), 'the block');
      assert.ok((await boxOf(detailsOf(page))).height >= 140);
      for (const tab of ['Block', 'Cache', 'Prune', 'Request', 'Model']) {
        await assertInView(page, page.getByRole('tab', { name: tab }), tab);
      }
      if (width < 560) {
        assert.ok(await hasFocus(detailsOf(page)), 'what covers the drawing has the focus');
      } else {
        assert.ok(await hasFocus(drawingOf(page)), 'the focus stays in the drawing');
        await assertInView(page, drawingOf(page), 'the drawing');
        const drawing = await boxOf(drawingOf(page));
        const details = await boxOf(detailsOf(page));
        assert.ok(
          width < 900
            ? details.y >= drawing.y + drawing.height
            : details.x >= drawing.x + drawing.width && drawing.width >= 420,
        );
      }
      await page.keyboard.press('Escape');
      await page.getByTestId('block-details').waitFor({ state: 'detached' });
      await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'listbox');
      await assertNoScrolling(page);
      await assertInView(page, drawingOf(page), 'the drawing');
      await assertInView(page, page.getByRole('tab', { name: 'Prune' }), 'the way to the prune');
    }
    await inspector.close();
  });

  it('keeps the figures and arrows of a request with two events at every width', async () => {
    const widths = [480, 500, 520, 540, 559, 560, 600, 630, 680, 750];
    const inspector = await openAtEvents(480, 596);
    const { page } = inspector;
    const caption = page.locator('.timeline__caption');
    for (const width of someOf(widths, 5)) {
      await resize(page, width, 596);
      await lossOf(page).waitFor();
      const parts = [
        caption.getByText(eventsCaption(eventful)),
        lossOf(page),
        caption.getByRole('button', { name: 'Compacted here' }),
        caption.getByTestId('total'),
        caption.getByText(/^[\d.]+ % cached$/u),
        caption.getByTestId('request-cost'),
        caption.getByRole('button', { name: 'Previous request' }),
        caption.getByRole('button', { name: 'Next request' }),
      ];
      let end = 0;
      for (const part of parts) {
        const { x, width: own } = await boxOf(part);
        assert.ok(
          x >= end - 0.5,
          `${await part.innerText()} begins at ${x}, the part before it ends at ${end}`,
        );
        assert.ok(own >= 12, `${await part.innerText()} is ${own} wide`);
        end = x + own;
      }
      assert.ok(end <= width - 8, `the arrows end at ${end}`);
      await caption.getByRole('button', { name: 'Next request' }).click();
      await caption.getByText(eventsCaption(eventful + 1)).waitFor();
      await caption.getByRole('button', { name: 'Previous request' }).click();
      await caption.getByText(eventsCaption(eventful)).waitFor();
    }
    await inspector.close();
  });

  it('cuts neither the number of a request nor a word beside it', async () => {
    // 140 calls, the reply to them, and one after a pause. The model had 100,000 tokens to write again.
    const requests = 142;
    const session = addToolTurns(new ClaudeCodeSession(), sourceText(1, 340_000), requests - 2, 100)
      .pause(3600)
      .prompt('Go on.')
      .reply({ text: 'I go on with the next shelf now.' });
    const agent = new ClaudeCodeSession()
      .prompt('Find the callers of the parser')
      .reply({ text: 'There are none.' })
      .toString()
      .replaceAll('"isSidechain":false', '"isSidechain":true')
      .replaceAll('-8000-', '-9000-');
    // Claude Code 2.1.30 records only the first output tokens of a reply.
    const text = `${session.toString()}${agent}`
      .replaceAll('"version":"2.1.62"', '"version":"2.1.30"')
      .replace(/"output_tokens":\d+/g, '"output_tokens":2');
    const inspector = await openThroughDoor({ text, width: 600, height: 596 });
    const { page } = inspector;
    const caption = page.locator('.timeline__caption');
    const name = caption.getByText(`Request ${requests} of ${requests}`);
    await caption.getByTestId('doubtful-output').waitFor();
    const cut = async (): Promise<readonly string[]> => [
      ...(await name.evaluate(({ scrollWidth, clientWidth, textContent }) =>
        scrollWidth > clientWidth ? [textContent] : [],
      )),
      ...(await caption
        .locator('.timeline__event-text')
        .evaluateAll(words =>
          words
            .filter(({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth)
            .map(({ textContent }) => textContent),
        )),
    ];
    await lossOf(page).waitFor();
    for (const width of [600, 628, 680, 750]) {
      await resize(page, width, 596);
      assert.deepEqual(await cut(), [], `${width}`);
      await assertInView(page, caption.locator('.timeline__event-figure'), 'the price of the loss');
      await assertInView(page, caption.getByRole('combobox', { name: 'Conversation' }), 'the conversations');
      await assertInView(page, caption.getByRole('button', { name: 'Next request' }), 'the arrows');
    }
    await inspector.close();
  });

  it('scrolls the details of a block as a whole, and cuts off none of its facts', async () => {
    const inspector = await openAt(628, 596);
    const { page } = inspector;
    await drawingOf(page).press('End');
    await drawingOf(page).press('Enter');
    await splitterOf(page).press('Home');
    const facts = page.locator('.block-facts');
    const cut = await facts.evaluate(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight);
    assert.ok(cut <= 1, `${cut} pixels of the facts are cut off`);
    await facts.getByText('Technical', { exact: true }).scrollIntoViewIfNeeded();
    await assertInView(page, facts.getByText('Technical', { exact: true }), 'the last fact');
    const { y, height } = await boxOf(page.locator('.text-view__box'));
    const pane = await boxOf(page.getByTestId('block-details'));
    assert.ok(y < pane.y + pane.height && y + height > pane.y, 'the text is beside the facts');
    assert.ok(height < 400, `the text is ${height} high`);
    await inspector.close();
  });

  it('scrolls the chosen block above the details', async () => {
    const inspector = await openAt(628, 596);
    const { page } = inspector;
    // The large result of line 322, in one of the last rows.
    await page.getByRole('button', { name: 'Open details' }).click();
    await page.getByRole('button', { name: /^177 Bash npm test/u }).click();
    await page.getByTestId('block-details').waitFor();
    assert.ok(await pointAtBlock(page, /^Bash npm test .*npm run check/mu), 'it is in view');
    await inspector.close();
  });

  it('resizes the details by keyboard and mouse, and keeps a size for each class of width', async () => {
    const inspector = await openAt(628, 776);
    const { page } = inspector;
    await page.getByRole('button', { name: 'Open details' }).click();
    const splitter = splitterOf(page);
    const size = async (): Promise<number> => Number(await splitter.getAttribute('aria-valuenow'));
    const [minimum, maximum] = [
      Number(await splitter.getAttribute('aria-valuemin')),
      Number(await splitter.getAttribute('aria-valuemax')),
    ];
    const initial = await size();
    assert.equal((await boxOf(detailsOf(page))).height, initial);
    await splitter.press('ArrowUp');
    assert.equal(await size(), initial + 16);
    assert.equal((await boxOf(detailsOf(page))).height, initial + 16);
    await splitter.press('ArrowDown');
    await splitter.press('ArrowDown');
    assert.equal(await size(), initial - 16);
    await splitter.press('End');
    assert.equal(await size(), maximum);
    await assertInView(page, drawingOf(page), 'the drawing');
    await splitter.press('Home');
    assert.equal(await size(), minimum);
    assert.equal(minimum, 140);

    // It can be grabbed 3 pixels next to its line.
    const { x, y, width, height } = await boxOf(splitter);
    assert.equal(height, 8);
    await page.mouse.move(x + width / 2, y + 1);
    await page.mouse.down();
    await page.mouse.move(x + width / 2, y + 1 - 50, { steps: 4 });
    await page.mouse.up();
    assert.equal(await size(), minimum + 50);
    await page.mouse.move(x + width / 2, y - 200);
    assert.equal(await size(), minimum + 50, 'it is let go');

    await page.setViewportSize({ width: 1000, height: 776 });
    await page.waitForFunction(() => document.querySelector('[role=separator][aria-orientation=vertical]'));
    assert.equal(await size(), 340);
    await splitter.press('ArrowLeft');
    assert.equal((await boxOf(detailsOf(page))).width, 356);
    await page.reload();
    await isFinal(page);
    assert.equal(await size(), 356);
    await page.setViewportSize({ width: 628, height: 776 });
    await page.waitForFunction(() => document.querySelector('[role=separator][aria-orientation=horizontal]'));
    assert.equal(await size(), minimum + 50);
    await splitter.dblclick();
    assert.equal(await size(), initial);
    await inspector.close();
  });

  it('goes into the details and back by F6, with the focus where it was', async () => {
    const inspector = await openAt(750, 776);
    const { page } = inspector;
    await page.getByRole('slider', { name: 'Request' }).focus();
    await page.keyboard.press('F6');
    assert.ok(await hasFocus(page.getByRole('slider', { name: 'Request' })), 'closed details take no focus');
    await drawingOf(page).press('End');
    await page.keyboard.press('Enter');
    assert.ok(await hasFocus(drawingOf(page)));
    await page.keyboard.press('F6');
    await page.locator('[role=tabpanel]:focus').waitFor();
    await page.keyboard.press('F6');
    assert.ok(await hasFocus(drawingOf(page)));
    await page.keyboard.press('F6');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'listbox');
    const selected = drawingOf(page).getByRole('option', { selected: true });
    assert.equal(await selected.count(), 1, 'the block is still selected');
    await page.keyboard.press('Escape');
    assert.equal(await selected.count(), 0);
    await inspector.close();
  });

  it('moves through the tabs by keyboard, and opens a closed pane only when a tab is pressed', async () => {
    const inspector = await openAt(750, 776);
    const { page } = inspector;
    const tab = (name: string): Locator => page.getByRole('tab', { name });
    await tab('Block').focus();
    await page.keyboard.press('ArrowRight');
    assert.ok(await hasFocus(tab('Cache')));
    assert.equal(await page.getByRole('tabpanel').count(), 0);
    await page.keyboard.press('Enter');
    assert.equal(await tab('Cache').getAttribute('aria-selected'), 'true');
    await page.keyboard.press('End');
    await page.getByRole('tabpanel', { name: 'Model' }).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('tabpanel', { name: 'Block' }).waitFor();
    assert.ok(await hasFocus(tab('Block')));
    await page.getByRole('button', { name: /^Close details/u }).click();
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'listbox');
    await inspector.close();
  });

  it('shows the cache or the prune in a second column of a wide page', async () => {
    const inspector = await openAt(1800, 956);
    const { page } = inspector;
    const column = page.getByRole('complementary', { name: 'Cache and prune' });
    await column.getByRole('tabpanel', { name: 'Prune' }).waitFor();
    await detailsOf(page).getByRole('tab', { name: 'Model' }).click();
    await column.getByRole('tab', { name: 'Cache' }).click();
    await column.getByRole('tabpanel', { name: 'Cache' }).waitFor();
    await detailsOf(page).getByRole('tabpanel', { name: 'Model' }).waitFor();
    await clickBlock(page);
    await column.getByRole('tabpanel', { name: 'Cache' }).waitFor();
    for (const pane of [detailsOf(page), column, drawingOf(page)]) {
      await page.keyboard.press('F6');
      assert.ok(await hasFocus(pane));
    }
    await page.getByRole('separator', { name: 'Resize: Cache and prune' }).press('End');
    assert.equal((await boxOf(drawingOf(page))).width, 420);
    await expectNoViolations(page, 'two columns');
    await page.setViewportSize({ width: 1300, height: 956 });
    await column.waitFor({ state: 'detached' });
    await inspector.close();
  });

  it('remembers that the details are closed and that the timeline is folded', async () => {
    const inspector = await openAt(1200, 776);
    const { page } = inspector;
    const slider = page.getByRole('slider', { name: 'Request' });
    const height = async (): Promise<number> => (await boxOf(slider)).height;
    const [open, before] = [await height(), (await boxOf(drawingOf(page))).height];
    await page.getByRole('button', { name: 'Requests over time', expanded: true }).press('Enter');
    assert.equal(await height(), 24, 'a strip is left of it');
    assert.ok((await boxOf(drawingOf(page))).height >= before + 40, 'the drawing gets the room');
    await page.getByRole('button', { name: /^Close details/u }).click();
    await page.reload();
    await isFinal(page);
    assert.equal(await height(), 24);
    assert.equal(await page.getByRole('tabpanel').count(), 0);
    await page.getByRole('button', { name: 'Requests over time', expanded: false }).press('Enter');
    assert.equal(await height(), open);
    await inspector.close();
  });

  it('keeps the focus in the lane when the selected block goes', async () => {
    const inspector = await openAt(750, 776);
    const { page } = inspector;
    await drawingOf(page).press('End');
    await drawingOf(page).press('Enter');
    await page.keyboard.press('[');
    await page.getByText('Request 58 of 59').waitFor();
    const option = drawingOf(page).getByRole('option');
    assert.ok(await hasFocus(drawingOf(page)));
    assert.equal(await option.getAttribute('aria-selected'), 'false');
    assert.match(await option.innerText(), /, History, /u);
    const place = Number(await option.getAttribute('aria-posinset'));
    await page.keyboard.press('ArrowLeft');
    assert.equal(Number(await option.getAttribute('aria-posinset')), place - 1);
    await inspector.close();
  });

  // The page of a 628 × 596 window at 200 % and 400 %, and the smallest supported window.
  it('cuts nothing off in the smallest windows', async () => {
    const inspector = await openAt(314, 298);
    const { page } = inspector;
    for (const [width, height] of [
      [314, 298],
      [157, 149],
      [320, 256],
    ] as const) {
      await resize(page, width, height);
      await drawingOf(page).press('End');
      await drawingOf(page).press('Enter');
      await page.getByTestId('block-details').waitFor();
      assert.ok(await hasFocus(detailsOf(page)));
      for (const element of [
        page.getByRole('tab', { name: 'Model' }),
        page.getByRole('button', { name: /^Close details/u }),
        page.getByRole('slider', { name: 'Request' }),
        page.getByRole('heading', { level: 1 }),
      ]) {
        await element.scrollIntoViewIfNeeded();
        const { x, width: wide } = await boxOf(element);
        assert.ok(x < width && x + wide > 0);
      }
      if (width >= 280) {
        assert.equal(await page.evaluate(() => document.querySelector('.session')?.scrollLeft), 0);
        assert.equal(
          await page.evaluate(() => document.querySelector('.session')?.scrollWidth),
          await page.evaluate(() => document.querySelector('.session')?.clientWidth),
        );
      }
      await page.keyboard.press('Escape');
      await page.getByTestId('block-details').waitFor({ state: 'detached' });
      await expectNoViolations(page, 'zoomed');
    }
    await inspector.close();
  });

  it('follows the system’s forced colours and reduced motion', async () => {
    const inspector = await openAt(750, 776);
    const { page } = inspector;
    const ground = (name: string): Promise<string> =>
      page
        .locator('.toolbar .segments__label')
        .filter({ hasText: name })
        .evaluate(label => getComputedStyle(label).backgroundColor);
    await page.emulateMedia({ forcedColors: 'active' });
    assert.notEqual(await ground('Lanes'), await ground('Table'), 'the view that is chosen can be seen');
    await page.emulateMedia({ forcedColors: 'none' });
    const duration = (): Promise<string> =>
      page.getByRole('tabpanel').evaluate(element => getComputedStyle(element).animationDuration);
    await page.getByRole('button', { name: 'Open details' }).click();
    assert.equal(await duration(), '0.15s');
    await page.emulateMedia({ reducedMotion: 'reduce' });
    assert.equal(await duration(), '0s');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.evaluate(() => document.body.classList.add('vscode-reduce-motion'));
    assert.equal(await duration(), '0s');
    await inspector.close();
  });

  it('has the tools of the drawing and the table in one line in the default layout of a small screen', async () => {
    const inspector = await openAt(628, 596);
    const { page } = inspector;
    const toolbar = page.locator('.toolbar');
    await assertInView(page, page.getByRole('button', { name: 'Find', exact: true }), 'the search');
    for (const width of [628, 700, 750, 800, 880, 960, 1040, 1230]) {
      await resize(page, width, 596);
      assert.ok((await heightOf(toolbar)) < 44, `${width}`);
      await page
        .locator('.window__bar')
        .getByRole('button', { name: /^Files \d/u })
        .press('Enter');
      await page.getByRole('button', { name: 'Remove filter: Files' }).waitFor();
      assert.ok((await heightOf(toolbar)) < 44, `${width} with a filter`);
      await page.getByRole('radio', { name: 'Table' }).check();
      await page.getByRole('grid').waitFor();
      assert.ok((await heightOf(toolbar)) < 44, `the table at ${width} with a filter`);
      const filters = page.getByRole('button', { name: 'Filters' });
      if ((await filters.count()) > 0) {
        await filters.click();
      }
      await page.getByRole('combobox', { name: 'Kind' }).selectOption('tool result');
      await page.getByRole('button', { name: 'Clear filter' }).waitFor();
      assert.ok((await heightOf(toolbar)) < 44, `the table at ${width} with two filters`);
      await page.getByRole('button', { name: 'Clear filter' }).click();
      await page.getByRole('radio', { name: 'Lanes' }).check();
    }
    await inspector.close();
  });

  it('shows the price of a loss beside the chart, whatever gives way', async () => {
    const inspector = await openAtEvents(1260, 956);
    const { page } = inspector;
    const figure = page.locator('.timeline__event-figure');
    assert.match(await figure.innerText(), /^· \$0\.\d+$/);
    const chip = await boxOf(lossOf(page));
    const { x, width } = await boxOf(figure);
    assert.ok(x + width <= chip.x + chip.width, 'not cut');
    await inspector.close();
  });

  it('has a long remedy beside its arrow, not below it', async () => {
    const session = new PlantedSession();
    session.system('You help in a bookshop.');
    wastePlants.find(({ kind }) => kind === 'unusedServer')?.plant(session, 'alder');
    session.talk(10);
    const inspector = await openThroughDoor({ text: plantedCapture(session), width: 320, height: 596 });
    const { page } = inspector;
    await page.getByRole('tab', { name: 'Waste' }).click();
    const advice = page.getByTestId('waste-unusedServer').locator('.waste__advice');
    const arrow = await boxOf(advice.locator('.remedy-arrow'));
    const text = await boxOf(advice.locator('span').nth(1));
    assert.ok(text.height > 1.5 * arrow.height, 'the remedy has two lines');
    assert.ok(Math.abs(text.y - arrow.y) < arrow.height / 2, `${text.y} beside ${arrow.y}`);
    await inspector.close();
  });
});
