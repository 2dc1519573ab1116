/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatNumber } from '../../src/core/base/format';
import { laneBlocks } from '../../src/core/drawing/laneContent';
import { LaneLayout, tokenAt } from '../../src/core/drawing/laneLayout';
import { positionInSpread, spreadAround, spreadStep } from '../../src/core/drawing/laneRuns';
import { laneStyleFor } from '../../src/core/drawing/laneStyle';
import type { Session } from '../../src/core/model/columns';
import { buildRequestView } from '../../src/core/view/requestView';
import { expectNoViolations } from './axe';
import { chooseColours, openInspector, type OpenInspector } from './harness';
import { sampleSession } from './sampleSession';
import { makeColumns, makeSummary } from './sessionBuilder';
import { untilStill } from './still';

/** The page's layout of a request, and its place. */
async function layoutOf({ page }: OpenInspector, session: Session, request: number) {
  const frame = await page.getByTestId('slot-layout').evaluate(element => {
    const { left, top } = element.getBoundingClientRect();
    const rowTokens = Number(element.getAttribute('data-row-tokens'));
    const [scaleWidth = 0, scaleHeight = 0] = (element.getAttribute('data-scale-size') ?? '')
      .split(' ')
      .map(Number);
    const hasOneLine = element.getAttribute('data-one-line') === 'true';
    return {
      scaleWidth,
      scaleHeight,
      hasOneLine,
      left,
      top,
      width: element.clientWidth,
      height: element.clientHeight,
      scroll: element.scrollTop,
      scrollHeight: element.scrollHeight,
      rowTokens,
    };
  });
  const view = buildRequestView(session.columns, request);
  const blocks = laneBlocks(session.columns, view);
  const { scaleWidth, scaleHeight, hasOneLine } = frame;
  const style = laneStyleFor(frame.width, Math.min(frame.height, scaleHeight), scaleWidth, hasOneLine);
  return { frame, layout: new LaneLayout(blocks, style, frame.rowTokens) };
}

/** The middle of a block on the page, from the same layout functions that the webview draws with. */
async function middleOf(inspector: OpenInspector, session: Session, request: number, position: number) {
  const { frame, layout } = await layoutOf(inspector, session, request);
  const box = layout.boxOf(position);
  assert.ok(box !== undefined);
  const { lefts, widths } = layout.row(box.row);
  return {
    x: frame.left + (lefts[box.index] ?? 0) + (widths[box.index] ?? 0) / 2,
    y: frame.top - frame.scroll + (layout.rowTops[box.row] ?? 0) + layout.rowHeight / 2,
  };
}

/** The colour of the canvas at a point of the page. */
function colourAt(
  { page }: OpenInspector,
  { x, y }: { readonly x: number; readonly y: number },
): Promise<readonly number[]> {
  return page.locator('.slot-layout__canvas').evaluate(
    (element, point) => {
      if (!(element instanceof HTMLCanvasElement)) {
        return [];
      }
      const { left, top } = element.getBoundingClientRect();
      const ratio = window.devicePixelRatio;
      const pixel = element
        .getContext('2d')
        ?.getImageData((point.x - left) * ratio, (point.y - top) * ratio, 1, 1);
      return [...(pixel?.data ?? [])];
    },
    { x, y },
  );
}

describe('drawing', () => {
  it('selects the block that is clicked', async () => {
    const inspector = await openInspector();
    const session = sampleSession();
    await inspector.show(session);
    for (const position of [3, 32, 101]) {
      const { x, y } = await middleOf(inspector, session, 59, position);
      await inspector.page.mouse.click(x, y);
      await inspector.page
        .getByTestId('block-details')
        .getByText(new RegExp(`^Block ${position + 1} ·`, 'u'))
        .waitFor();
    }
    await inspector.close();
  });

  it('shows a tooltip under the pointer and explains what is not recorded', async () => {
    const inspector = await openInspector();
    const session = sampleSession();
    await inspector.show(session);
    const { x, y } = await middleOf(inspector, session, 59, -1);
    await inspector.page.mouse.move(x, y);
    await inspector.page.locator('.tooltip').getByText('Not recorded', { exact: true }).waitFor();
    await inspector.page.mouse.click(x, y);
    await inspector.page
      .getByTestId('block-details')
      .getByText('The transcript does not contain this part')
      .waitFor();
    await inspector.close();
  });

  it('paints by the colour mode, marks what is sensitive in each, and lays a sheet under what is cached', async () => {
    const session: Session = {
      summary: makeSummary(),
      columns: makeColumns(
        [
          { kind: 'prompt', label: '', tokens: 400 },
          { kind: 'toolResult', label: '', tokens: 400, sensitivity: 'restricted' },
          { kind: 'toolResult', label: '', tokens: 400 },
        ],
        [[0, 1, 2]],
        [{ length: 3, usage: { input: 400, cacheRead: 800, cacheWrite: 0 }, complete: true }],
      ),
    };
    const inspector = await openInspector();
    await inspector.show(session);
    await untilStill(inspector.page);
    const { frame, layout } = await layoutOf(inspector, session, 0);
    /** A colour this many pixels after the left edge of a block, and below the middle of the row. */
    const inBlock = (position: number, x: number, y = 0): Promise<readonly number[]> => {
      const box = layout.boxOf(position);
      const row = layout.row(box?.row ?? 0);
      const left = row.lefts[box?.index ?? 0] ?? 0;
      const middle = (layout.rowTops[box?.row ?? 0] ?? 0) + layout.rowHeight / 2;
      return colourAt(inspector, { x: frame.left + left + x, y: frame.top + middle + y });
    };
    const red = [241, 76, 76, 255];
    const isRed = (colour: readonly number[]): boolean => (colour[0] ?? 0) > 2 * (colour[1] ?? 0);
    const [fill, edge] = await Promise.all([inBlock(1, 40, 8), inBlock(1, 40, -layout.rowHeight / 2)]);
    // Both are results of other tools; the sensitive one has a red edge around the same fill.
    assert.deepEqual(fill, await inBlock(2, 300, 8));
    assert.deepEqual(edge, red);
    assert.ok(isRed(await inBlock(1, 4, 8)), 'the cell of the sign');
    assert.notDeepEqual(fill, await inBlock(0, 40, 8));
    // The sheet extends 3 pixels beyond its blocks.
    const below = layout.rowHeight / 2 + 2;
    const ground = [31, 31, 31, 255];
    assert.notDeepEqual(await inBlock(1, 40, below), ground);
    assert.deepEqual(await inBlock(2, 300, below), ground);
    await chooseColours(inspector.page, 'Role');
    await untilStill(inspector.page);
    assert.deepEqual(await inBlock(1, 40, -layout.rowHeight / 2), red);
    await inspector.page.keyboard.press('s');
    await untilStill(inspector.page);
    assert.ok(isRed(await inBlock(1, 40, 8)));
    assert.deepEqual(await inBlock(0, 40, 8), await inBlock(2, 300, 8), 'public is one grey');
    await inspector.page.keyboard.press('s');
    await untilStill(inspector.page);
    assert.ok(!isRed(await inBlock(1, 40, 8)), 'back to the roles');
    await inspector.close();
  });

  it('spreads narrow neighbours under the pointer, and selects the one that is pressed', async () => {
    const session: Session = {
      summary: makeSummary(),
      columns: makeColumns(
        Array.from({ length: 40 }, () => ({ kind: 'prompt' as const, label: '', tokens: 20 })),
        [Array.from({ length: 40 }, (_, block) => block)],
        [{ length: 40, usage: { input: 10_000, cacheRead: 0, cacheWrite: 0 } }],
      ),
    };
    const inspector = await openInspector();
    await inspector.show(session);
    const { page } = inspector;
    const lanes = page.getByTestId('slot-layout');
    await lanes.focus();
    for (const key of ['-', '-', '-']) {
      await page.keyboard.press(key);
    }
    const { frame, layout } = await layoutOf(inspector, session, 0);
    const spread = spreadAround(layout, 20);
    const box = layout.boxOf(20);
    assert.ok(spread !== undefined && box !== undefined);
    const y = frame.top + (layout.rowTops[box.row] ?? 0) + 5;
    const row = layout.row(box.row);
    await page.mouse.move(frame.left + (row.lefts[box.index] ?? 0) + (row.widths[box.index] ?? 0) / 2, y);
    // Three further steps of the spread, where the drawing without it has another block.
    const x = spread.left + (spread.positions.indexOf(20) + 3.5) * spreadStep;
    await page.mouse.move(frame.left + x, y);
    await page.mouse.down();
    await page.mouse.up();
    const meant = positionInSpread(layout, spread, x, (layout.rowTops[box.row] ?? 0) + 5);
    assert.equal(meant, 23);
    await page
      .getByTestId('block-details')
      .getByText(/^Block 24 ·/u)
      .waitFor();
    await inspector.close();
  });

  it('opens a lane for a block that it does not show', async () => {
    const session: Session = {
      summary: makeSummary(),
      columns: makeColumns(
        [
          { kind: 'systemPrompt', label: 'rules', tokens: 400_000, partition: 'system' },
          { kind: 'toolSchema', label: 'tool', tokens: 90_000, partition: 'system' },
          { kind: 'prompt', label: 'a', tokens: 1000 },
        ],
        [[0, 1, 2]],
        [{ length: 3, usage: { input: 491_000, cacheRead: 0, cacheWrite: 0 }, complete: true }],
      ),
    };
    const inspector = await openInspector();
    await inspector.show(session);
    const { frame, layout } = await layoutOf(inspector, session, 0);
    assert.equal(layout.boxOf(1), undefined);
    const { endRow = 0 } = layout.lanes[0] ?? {};
    await inspector.page.mouse.click(
      frame.left + layout.style.left + layout.style.width - 20,
      frame.top + (layout.rowTops[endRow - 1] ?? 0) + 5,
    );
    await inspector.page
      .getByTestId('block-details')
      .getByText(/^Block 2 ·/u)
      .waitFor();
    await inspector.close();
  });

  it('zooms in round numbers by key, wheel and toolbar, and fits again', async () => {
    const inspector = await openInspector();
    await inspector.show(sampleSession());
    const { page } = inspector;
    const lanes = page.getByTestId('slot-layout');
    const shown = async (): Promise<number> => Number(await lanes.getAttribute('data-row-tokens'));
    const fitting = await shown();
    assert.match(String(fitting), /^[125]0*$/);
    await lanes.focus();
    await page.keyboard.press('+');
    const closer = await shown();
    assert.ok(closer === fitting / 2 || closer === fitting / 2.5);
    await page.keyboard.press('-');
    assert.equal(await shown(), fitting);
    await lanes.hover();
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -100);
    await page.keyboard.up('Control');
    await untilStill(page);
    assert.equal(await shown(), closer);
    await page.getByRole('button', { name: 'Zoom out' }).click();
    assert.equal(await shown(), fitting);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    await page.getByRole('button', { name: /^1 row = / }).click();
    assert.equal(await shown(), fitting);
    await inspector.close();
  });

  it('zooms at the pointer: the token under it keeps its height while the drawing reaches beyond the window', async () => {
    const inspector = await openInspector({ height: 640 });
    const { page } = inspector;
    const session = sampleSession();
    await inspector.show(session);
    const lanes = page.getByTestId('slot-layout');
    await page.locator('[data-testid=slot-layout][data-scale-kept=true]').waitFor();
    // A selected block elsewhere does not draw the window to itself.
    await lanes.press('Home');
    const { x, y } = await middleOf(inspector, session, 59, 101);
    await page.mouse.move(x, y);
    const tokensAtPointer = async () => {
      await untilStill(page);
      const { frame, layout } = await layoutOf(inspector, session, 59);
      const inRow = (right: number) => tokenAt(layout, right, y - frame.top + frame.scroll)?.tokens ?? -1;
      const { scroll } = frame;
      const isAtEnd = scroll <= 0 || scroll + frame.height >= frame.scrollHeight - 1;
      return { here: inRow(x - frame.left), row: [inRow(0), inRow(frame.width)], scroll, isAtEnd };
    };
    const { here } = await tokensAtPointer();
    const wheel = async (by: number): Promise<void> => {
      await page.keyboard.down('Control');
      await page.mouse.wheel(0, by);
      await page.keyboard.up('Control');
    };
    let held = 0;
    for (const by of [-100, -100, -100, -100, -100, 100, 100, -100, -100]) {
      await wheel(by);
      const { row, isAtEnd } = await tokensAtPointer();
      const [first = 0, last = 0] = row;
      const isHeld = here >= first - 1 && here <= last + 1;
      assert.ok(isHeld || isAtEnd, `${here} is in ${first} to ${last}`);
      held += isHeld && !isAtEnd ? 1 : 0;
    }
    assert.ok(held >= 5);
    const { scroll } = await tokensAtPointer();
    // The wheel alone scrolls.
    const rowTokens = await lanes.getAttribute('data-row-tokens');
    await page.mouse.wheel(0, 60);
    await page.waitForFunction(
      before => document.querySelector('[data-testid=slot-layout]')?.scrollTop === before + 60,
      scroll,
    );
    assert.equal(await lanes.getAttribute('data-row-tokens'), rowTokens);
    await inspector.close();
  });

  it('sums the range that is dragged over, in either direction, and lets go of it by Escape', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    const session = sampleSession();
    await inspector.show(session);
    const view = buildRequestView(session.columns, 59);
    const sum = page.locator('.range-sum');
    const tokensOf = (first: number, last: number): string =>
      formatNumber((view.offsets[last + 1] ?? 0) - (first < 0 ? 0 : (view.offsets[first] ?? 0)));
    const drag = async (from: number, to: number): Promise<void> => {
      const start = await middleOf(inspector, session, 59, from);
      const end = await middleOf(inspector, session, 59, to);
      await page.mouse.move(start.x, start.y);
      await page.mouse.down();
      await page.mouse.move(end.x, end.y, { steps: 4 });
      await page.mouse.up();
    };
    const lanes = page.getByTestId('slot-layout');
    const before = await lanes.getAttribute('data-row-tokens');
    for (const [from, to] of [
      [32, 101],
      [101, 32],
    ] as const) {
      await drag(from, to);
      await sum.getByText('70 blocks').waitFor();
      await sum.getByText(`${tokensOf(32, 101)} tokens`).waitFor();
      assert.match(await sum.innerText(), /of the request/u);
    }
    assert.equal(await lanes.getAttribute('data-row-tokens'), before);
    await expectNoViolations(page, 'range');
    // It can be made larger and smaller by keyboard, and Escape ends it before anything else.
    await page.keyboard.press('Shift+ArrowRight');
    await sum.getByText(`${tokensOf(33, 101)} tokens`).waitFor();
    await page.keyboard.press('Escape');
    await sum.waitFor({ state: 'detached' });
    await page.getByTestId('block-details').waitFor();
    // What is not recorded belongs to the request too.
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await sum.getByText('Not recorded + 136 blocks').waitFor();
    await sum.getByText(`${tokensOf(-1, 135)} tokens`).waitFor();
    await sum.getByText('100 % of the request').waitFor();
    // A plain selection ends it.
    await page.keyboard.press('ArrowLeft');
    await sum.waitFor({ state: 'detached' });
    const { x, y } = await middleOf(inspector, session, 59, 101);
    await page.keyboard.down('Shift');
    await page.mouse.click(x, y);
    await page.keyboard.up('Shift');
    await sum.getByText('34 blocks').waitFor();
    assert.deepEqual(inspector.errors, []);
    await inspector.close();
  });

  for (const [width, height] of [
    [630, 596],
    [750, 776],
    [1260, 900],
  ] as const) {
    it(`keeps its scale in every request and while the details are open, ${width} wide`, async () => {
      const inspector = await openInspector({ width, height });
      const { page } = inspector;
      await inspector.show(sampleSession());
      await untilStill(page);
      const lanes = page.getByTestId('slot-layout');
      const scale = await lanes.getAttribute('data-row-tokens');
      const { x, y } = (await lanes.boundingBox()) ?? { x: 0, y: 0 };
      // The sign of the first lane; it moves if lanes are laid out anew.
      const place = { x: x + (width < 900 ? 116 : 138), y: y + 14 };
      const before = await colourAt(inspector, place);
      await lanes.focus();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.getByTestId('block-details').waitFor();
      assert.equal(await lanes.getAttribute('data-row-tokens'), scale);
      await untilStill(page);
      assert.ok(await lanes.evaluate(element => element.scrollHeight <= element.clientHeight));
      assert.deepEqual(await colourAt(inspector, place), before);
      const slider = page.getByRole('slider', { name: 'Request', exact: true });
      await slider.focus();
      for (const key of ['Home', 'ArrowRight', 'PageUp', 'End', 'PageDown']) {
        await page.keyboard.press(key);
        assert.equal(await lanes.getAttribute('data-row-tokens'), scale, key);
      }
      await inspector.close();
    });
  }

  it('says so if the session has outgrown its scale', async () => {
    const sized = (count: number): Session => ({
      summary: makeSummary(),
      columns: makeColumns(
        Array.from({ length: count }, () => ({ kind: 'prompt' as const, label: '', tokens: 1000 })),
        [Array.from({ length: count }, (_, block) => block)],
        [{ length: count, complete: true }],
      ),
    });
    const inspector = await openInspector({ width: 800, height: 800 });
    const { page } = inspector;
    await inspector.show(sized(40));
    const scale = page.getByRole('button', { name: /^1 row = / });
    await page.locator('[data-testid=slot-layout][data-scale-kept=true]').waitFor();
    const before = await scale.innerText();
    await inspector.show(sized(20));
    assert.equal(await scale.innerText(), before);
    const note = page
      .locator('.toolbar')
      .getByRole('status')
      .getByText(`was ${before.slice('1 row = '.length)}`);
    assert.equal(await note.count(), 0);
    await inspector.show(sized(400));
    await note.waitFor();
    assert.notEqual(await scale.innerText(), before);
    await scale.click();
    await note.waitFor({ state: 'detached' });
    await inspector.close();
  });

  it('remembers the colours that are chosen, and begins with those that the host remembers', async () => {
    const inspector = await openInspector();
    await inspector.show(sampleSession());
    await chooseColours(inspector.page, 'Provenance');
    const acts = (await inspector.sent()).flatMap(message => (message.type === 'act' ? [message.act] : []));
    assert.deepEqual(acts, [{ kind: 'chooseColours', mode: 'provenance' }]);
    const { page } = inspector;
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await inspector.send({ type: 'colours', mode: 'cache' });
    await inspector.show(sampleSession());
    await page.getByRole('button', { name: 'Colour: Cache' }).waitFor();
    // A restored page keeps its own colours.
    await chooseColours(page, 'Role');
    await page.reload();
    await inspector.send({ type: 'colours', mode: 'cache' });
    await inspector.show(sampleSession());
    await page.getByRole('button', { name: 'Colour: Role' }).waitFor();
    await inspector.close();
  });

  it('has one menu for view and colours on a narrow page', async () => {
    const inspector = await openInspector({ width: 520 });
    await inspector.show(sampleSession());
    const { page } = inspector;
    await page.getByRole('button', { name: 'View and colours' }).click();
    await page.getByRole('radio', { name: 'Cache', exact: true }).check();
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('table').or(page.getByRole('grid')).first().waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    await inspector.close();
  });

  it('draws again when the theme changes', async () => {
    const inspector = await openInspector();
    await inspector.show(sampleSession());
    const corner = await inspector.page.getByTestId('slot-layout').evaluate(element => {
      const { left, bottom } = element.getBoundingClientRect();
      return { x: left + 4, y: bottom - 4 };
    });
    await untilStill(inspector.page);
    assert.deepEqual(await colourAt(inspector, corner), [31, 31, 31, 255]);
    await inspector.page.evaluate(() => window.fakeHost.applyTheme('light'));
    await untilStill(inspector.page);
    assert.deepEqual(await colourAt(inspector, corner), [255, 255, 255, 255]);
    await inspector.close();
  });

  it('never makes a narrow page scroll sideways', async () => {
    const inspector = await openInspector({ width: 520 });
    const { columns, summary } = sampleSession();
    await inspector.show({ columns, summary: { ...summary, model: 'a-model-with-a-long-name-'.repeat(8) } });
    const width = await inspector.page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(width, 520);
    await inspector.close();
  });
});
