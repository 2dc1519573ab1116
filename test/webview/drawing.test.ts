/// <reference types="node" />
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { formatNumber } from '../../src/core/base/format';
import { laneBlocks } from '../../src/core/drawing/laneContent';
import { LaneLayout, tokenAt } from '../../src/core/drawing/laneLayout';
import { positionInSpread, spreadAround, spreadStep } from '../../src/core/drawing/laneRuns';
import { laneStyleFor } from '../../src/core/drawing/laneStyle';
import type { SessionColumns } from '../../src/core/model/columns';
import { openTranscript } from '../../src/core/session/openTranscript';
import { buildRequestView } from '../../src/core/view/requestView';
import { ClaudeCodeSession, sourceText } from '../fixtures/claudeCodeSession';
import { PlantedSession } from '../fixtures/planted/plantedSession';
import { plantedCapture } from '../fixtures/planted/plantedWriters';
import { sourceOf } from '../fixtures/transcriptBytes';
import { until } from '../fixtures/until';
import { expectNoViolations, showTheme } from './axe';
import { doorOf, exampleFile, isFinal, type OpenDoor, openThroughDoor } from './door';
import { untilStill } from './still';

/** Chooses the colour mode of the drawing. */
async function chooseColours(page: Page, mode: string): Promise<void> {
  await page.getByRole('button', { name: /^Colour: / }).click();
  await page.getByRole('radio', { name: mode, exact: true }).check();
  await page.keyboard.press('Escape');
}

/** The columns of a transcript, in this process. Only places in the drawing are computed from them. */
async function columnsOf(content: string | Uint8Array): Promise<SessionColumns> {
  const opened = await openTranscript(sourceOf(Buffer.from(content)), {
    fileName: 'session.jsonl',
    scanner: { scan: () => Promise.resolve([]) },
  });
  assert.ok(opened.ok);
  await opened.session.countTokens();
  return opened.session.toSession().columns;
}

const exampleText = readFileSync(exampleFile);
let known: Promise<SessionColumns> | undefined;
const exampleColumns = (): Promise<SessionColumns> => (known ??= columnsOf(exampleText));
/** The index of the newest request of the example. */
const newest = 58;

/** The page's layout of a request, and its place, once all parts of the page have measured their sizes. */
async function layoutOf({ page }: OpenDoor, columns: SessionColumns, request: number) {
  await page.locator('[data-testid=slot-layout][data-scale-kept=true]').waitFor();
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
  const view = buildRequestView(columns, request);
  const blocks = laneBlocks(columns, view);
  const { scaleWidth, scaleHeight, hasOneLine } = frame;
  const style = laneStyleFor(frame.width, Math.min(frame.height, scaleHeight), scaleWidth, hasOneLine);
  return { frame, layout: new LaneLayout(blocks, style, frame.rowTokens) };
}

/** The middle of a block on the page, from the same layout functions that the webview draws with. */
async function middleOf(inspector: OpenDoor, columns: SessionColumns, request: number, position: number) {
  const { frame, layout } = await layoutOf(inspector, columns, request);
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
  { page }: OpenDoor,
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

const openExample = (size: { readonly width?: number; readonly height?: number } = {}): Promise<OpenDoor> =>
  openThroughDoor({ file: exampleFile, ...size });

describe('drawing', () => {
  it('selects what is clicked, and has a tooltip under the pointer', async () => {
    const inspector = await openExample();
    const { page } = inspector;
    const columns = await exampleColumns();
    // Lines 147, 289 and 309 of the transcript: the file of the compaction, a result of Read and one of Bash.
    for (const [position, name] of [
      [2, /^Result of calling the Read tool/],
      [142, /^Read nordlys-2026-03\.csv/],
      [162, /^Bash npx tsx scripts\/dry-run-import/],
    ] as const) {
      const { x, y } = await middleOf(inspector, columns, newest, position);
      await page.mouse.click(x, y);
      const details = page.getByTestId('block-details');
      await details.getByText(new RegExp(`^Block ${position + 1} ·`, 'u')).waitFor();
      await details.getByRole('heading', { name }).waitFor();
    }
    // A figure that is not recorded has a tooltip, and an explanation.
    const { x, y } = await middleOf(inspector, columns, newest, -1);
    await page.mouse.move(x, y);
    await page.locator('.tooltip').getByText('Not recorded', { exact: true }).waitFor();
    await page.mouse.click(x, y);
    await page.getByTestId('block-details').getByText('The transcript does not contain this part').waitFor();
    await inspector.close();
  });

  it('paints by the colour mode, marks what is sensitive in each, and lays a sheet under what is cached', async () => {
    // Blocks 1 to 5: prompt, call, result with a password, call, result. The last request read the first three from the
    // cache, which the request before it had sent.
    const bash = (id: string) => ({ tool: 'Bash', id, input: { command: `cat ${id}` } });
    const text = new ClaudeCodeSession()
      .prompt(sourceText(1, 1600))
      .reply(bash('toolu_1'))
      .result('toolu_1', [['DATABASE_PASSWORD', 'hVq7Lr2mXw9s'].join('='), sourceText(2, 1600)].join('\n'))
      .reply(bash('toolu_2'))
      .result('toolu_2', sourceText(3, 1600))
      .reply({ text: 'Done.' })
      .toString();
    const [prompt, secret, fresh] = [0, 2, 4];
    const inspector = await openThroughDoor({ text });
    const { page } = inspector;
    await untilStill(page);
    const { frame, layout } = await layoutOf(inspector, await columnsOf(text), 2);
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
    const [fill, edge] = await Promise.all([
      inBlock(secret, 40, 8),
      inBlock(secret, 40, -layout.rowHeight / 2),
    ]);
    // Both are results of other tools; the sensitive one has a red edge around the same fill.
    assert.deepEqual(fill, await inBlock(fresh, 150, 8));
    assert.deepEqual(edge, red);
    assert.ok(isRed(await inBlock(secret, 4, 8)), 'the cell of the sign');
    assert.notDeepEqual(fill, await inBlock(prompt, 40, 8));
    // The sheet extends 3 pixels beyond its blocks.
    const below = layout.rowHeight / 2 + 2;
    const ground = [31, 31, 31, 255];
    assert.notDeepEqual(await inBlock(secret, 40, below), ground);
    assert.deepEqual(await inBlock(fresh, 150, below), ground);
    await chooseColours(page, 'Role');
    await untilStill(page);
    assert.deepEqual(await inBlock(secret, 40, -layout.rowHeight / 2), red);
    await page.keyboard.press('s');
    await untilStill(page);
    assert.ok(isRed(await inBlock(secret, 40, 8)));
    assert.deepEqual(await inBlock(prompt, 40, 8), await inBlock(fresh, 150, 8), 'public is one grey');
    await page.keyboard.press('s');
    await untilStill(page);
    assert.ok(!isRed(await inBlock(secret, 40, 8)), 'back to the roles');
    // The drawing follows the theme.
    await showTheme(page, 'light');
    await untilStill(page);
    assert.deepEqual(await inBlock(fresh, 150, below), [255, 255, 255, 255]);
    await inspector.close();
  });

  it('spreads narrow neighbours under the pointer, and selects the one that is pressed', async () => {
    const session = new ClaudeCodeSession();
    for (let prompt = 0; prompt < 40; prompt += 1) {
      session.prompt(`Where does shelf ${prompt} stand in the hall, and who fills it?`);
    }
    const text = session.reply({ text: 'Behind the door.' }).toString();
    const inspector = await openThroughDoor({ text });
    const { page } = inspector;
    const lanes = page.getByTestId('slot-layout');
    await lanes.focus();
    for (const key of ['-', '-', '-']) {
      await page.keyboard.press(key);
    }
    const { frame, layout } = await layoutOf(inspector, await columnsOf(text), 0);
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
    // The tools come first: a large one, and one for which the lane has no room.
    const session = new PlantedSession();
    session.tool('catalogue', sourceText(1, 160_000));
    session.tool('shelf', sourceText(2, 36_000));
    session.prompt('Where is it?');
    session.reply('Behind the door.');
    const text = plantedCapture(session);
    const inspector = await openThroughDoor({ text });
    const { page } = inspector;
    const { frame, layout } = await layoutOf(inspector, await columnsOf(text), 0);
    assert.equal(layout.boxOf(1), undefined);
    const { endRow = 0 } = layout.lanes[0] ?? {};
    await page.mouse.click(
      frame.left + layout.style.left + layout.style.width - 20,
      frame.top + (layout.rowTops[endRow - 1] ?? 0) + 5,
    );
    await page
      .getByTestId('block-details')
      .getByText(/^Block 2 ·/u)
      .waitFor();
    await inspector.close();
  });

  it('zooms in round numbers by key and toolbar, and at the pointer by the wheel', async () => {
    const inspector = await openExample({ height: 640 });
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
    // The token under the pointer keeps its height while the drawing reaches beyond the window.
    const columns = await exampleColumns();
    // A selected block elsewhere does not draw the window to itself.
    await lanes.press('Home');
    const { x, y } = await middleOf(inspector, columns, newest, 101);
    await page.mouse.move(x, y);
    const tokensAtPointer = async () => {
      await untilStill(page);
      const { frame, layout } = await layoutOf(inspector, columns, newest);
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
    const inspector = await openExample();
    const { page } = inspector;
    const columns = await exampleColumns();
    const sum = page.locator('.range-sum');
    const drag = async (from: number, to: number): Promise<void> => {
      const start = await middleOf(inspector, columns, newest, from);
      const end = await middleOf(inspector, columns, newest, to);
      await page.mouse.move(start.x, start.y);
      await page.mouse.down();
      await page.mouse.move(end.x, end.y, { steps: 4 });
      await page.mouse.up();
    };
    const lanes = page.getByTestId('slot-layout');
    const before = await lanes.getAttribute('data-row-tokens');
    // Blocks 143 to 146, two results and what is between them. Each says its tokens where it is active.
    const first = 142;
    const { x, y } = await middleOf(inspector, columns, newest, first);
    await page.mouse.click(x, y);
    const tokens: number[] = [];
    for (let block = 0; block < 4; block += 1) {
      const [, shown = ''] = /([\d,]+) tokens/.exec(await lanes.getByRole('option').innerText()) ?? [];
      tokens.push(Number(shown.replaceAll(',', '')));
      await lanes.press('ArrowRight');
    }
    const sumOf = (from: number): string =>
      formatNumber(tokens.slice(from).reduce((all, one) => all + one, 0));
    for (const [from, to] of [
      [first, first + 3],
      [first + 3, first],
    ] as const) {
      await drag(from, to);
      await sum.getByText('4 blocks').waitFor();
      await sum.getByText(`${sumOf(0)} tokens`).waitFor();
      assert.match(await sum.innerText(), /of the request/u);
    }
    assert.equal(await lanes.getAttribute('data-row-tokens'), before);
    await expectNoViolations(page, 'range');
    // It can be made larger and smaller by keyboard, and Escape ends it before anything else.
    await page.keyboard.press('Shift+ArrowRight');
    await sum.getByText(`${sumOf(1)} tokens`).waitFor();
    await page.keyboard.press('Escape');
    await sum.waitFor({ state: 'detached' });
    await page.getByTestId('block-details').waitFor();
    // What is not recorded belongs to the request too.
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+End');
    await sum.getByText('Not recorded + 199 blocks').waitFor();
    // The usage of the newest request: 7 + 128,639 + 143.
    await sum.getByText('128,789 tokens').waitFor();
    await sum.getByText('100 % of the request').waitFor();
    // A plain selection ends it.
    await page.keyboard.press('ArrowLeft');
    await sum.waitFor({ state: 'detached' });
    await page.keyboard.down('Shift');
    await page.mouse.click(x, y);
    await page.keyboard.up('Shift');
    // Blocks 143 to 198.
    await sum.getByText('56 blocks').waitFor();
    await inspector.close();
  });

  it('keeps its scale in every request and while the details are open, at every width', async () => {
    for (const [width, height] of [
      [630, 596],
      [1260, 900],
    ] as const) {
      const inspector = await openExample({ width, height });
      const { page } = inspector;
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
      assert.equal(await lanes.getAttribute('data-row-tokens'), scale, `${width}`);
      await untilStill(page);
      assert.ok(await lanes.evaluate(element => element.scrollHeight <= element.clientHeight), `${width}`);
      assert.deepEqual(await colourAt(inspector, place), before, `${width}`);
      const slider = page.getByRole('slider', { name: 'Request', exact: true });
      await slider.focus();
      for (const key of ['Home', 'ArrowRight', 'PageUp', 'End', 'PageDown']) {
        await page.keyboard.press(key);
        assert.equal(await lanes.getAttribute('data-row-tokens'), scale, `${width}, ${key}`);
      }
      await inspector.close();
    }
  });

  it('says so if the session has outgrown its scale', async () => {
    /** Prompts of about 1,000 tokens. */
    const sized = (count: number): string => {
      const session = new ClaudeCodeSession();
      for (let prompt = 0; prompt < count; prompt += 1) {
        session.prompt(sourceText(prompt, 4000));
      }
      return session.reply({ text: 'Done.' }).toString();
    };
    /** 18,000 hidden tokens and one for each four characters. */
    const isShown = (count: number): Promise<void> =>
      page
        .getByTestId('total')
        .getByText(formatNumber(18_000 + 1000 * count))
        .waitFor();
    const inspector = await openThroughDoor({ text: sized(10), width: 800, height: 800 });
    const { page, file } = inspector;
    const scale = page.getByRole('button', { name: /^1 row = / });
    await page.locator('[data-testid=slot-layout][data-scale-kept=true]').waitFor();
    await isShown(10);
    const before = await scale.innerText();
    writeFileSync(file, sized(5));
    await isShown(5);
    assert.equal(await scale.innerText(), before);
    const note = page
      .locator('.toolbar')
      .getByRole('status')
      .getByText(`was ${before.slice('1 row = '.length)}`);
    assert.equal(await note.count(), 0);
    writeFileSync(file, sized(100));
    await isShown(100);
    await note.waitFor();
    assert.notEqual(await scale.innerText(), before);
    await scale.click();
    await note.waitFor({ state: 'detached' });
    await inspector.close();
  });

  it('remembers the colours that are chosen, and begins with those that are remembered', async () => {
    const inspector = await openExample();
    const { page } = inspector;
    const { home } = await doorOf();
    const memory = join(dirname(home.settings), 'memory.json');
    const choose = async (name: string, mode: string): Promise<void> => {
      await chooseColours(page, name);
      await until(`${mode} is remembered`, () =>
        readFileSync(memory, 'utf8').includes(`"colours": "${mode}"`),
      );
      // Other colours are chosen in another page.
      writeFileSync(memory, JSON.stringify({ colours: 'cache' }));
    };
    await choose('Provenance', 'provenance');
    // The page forgets its view, like one that was never open.
    await page.evaluate(() => sessionStorage.clear());
    await page.reload();
    await isFinal(page);
    await page.getByRole('button', { name: 'Colour: Cache' }).waitFor();
    // A restored page keeps its own colours.
    await choose('Role', 'role');
    await page.reload();
    await isFinal(page);
    await page.getByRole('button', { name: 'Colour: Role' }).waitFor();
    await inspector.close();
  });

  it('has one menu for view and colours on a narrow page, which never scrolls sideways', async () => {
    const text = new ClaudeCodeSession()
      .prompt('Where is it?')
      .reply({ text: 'Behind the door.' })
      .toString()
      .replaceAll('claude-sonnet-4-5-20250929', 'a-model-with-a-long-name-'.repeat(8));
    const inspector = await openThroughDoor({ text, width: 520 });
    const { page } = inspector;
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 520);
    await page.getByRole('button', { name: 'View and colours' }).click();
    await page.getByRole('radio', { name: 'Cache', exact: true }).check();
    await page.getByRole('radio', { name: 'Table' }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('grid').waitFor();
    assert.equal(await page.getByRole('dialog').count(), 0);
    await inspector.close();
  });
});
