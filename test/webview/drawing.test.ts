/// <reference types="node" />
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { boundariesOf } from '../../src/core/drawing/boundaries';
import { laneBlocks } from '../../src/core/drawing/laneContent';
import { fitScale, LaneLayout, laneStyleFor } from '../../src/core/drawing/laneLayout';
import type { Session } from '../../src/core/model/columns';
import { buildRequestView } from '../../src/core/view/requestView';
import { closeBrowser, openInspector, type OpenInspector } from './harness';
import { sampleSession } from './sampleSession';
import { makeColumns, makeSummary } from './sessionBuilder';

after(closeBrowser);

/** The middle of a block on the page, from the same layout functions that the webview draws with. */
async function middleOf({ page }: OpenInspector, session: Session, request: number, position: number) {
  const frame = await page.getByTestId('slot-layout').evaluate(element => {
    const { left, top } = element.getBoundingClientRect();
    return { left, top, width: element.clientWidth, height: element.clientHeight, scroll: element.scrollTop };
  });
  const view = buildRequestView(session.columns, request);
  const blocks = laneBlocks(session.columns, view, boundariesOf(session.columns, view));
  const style = laneStyleFor(frame.width);
  const layout = new LaneLayout(blocks, style, fitScale(blocks, style, frame.height));
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

  it('paints by the colour mode and underlines what is frozen', async () => {
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
    await inspector.page.waitForTimeout(100);
    const [prompt, secret, last] = await Promise.all(
      [0, 1, 2].map(position => middleOf(inspector, session, 0, position)),
    );
    assert.ok(prompt && secret && last);
    const right = { x: 30, y: 0 };
    const beside = (point: { readonly x: number; readonly y: number }, dy = 0) => ({
      x: point.x + right.x,
      y: point.y + dy,
    });
    const publicColour = await colourAt(inspector, beside(prompt));
    const secretColour = await colourAt(inspector, beside(secret));
    assert.ok((secretColour[0] ?? 0) > (secretColour[1] ?? 0) * 2, 'restricted is red');
    assert.deepEqual(await colourAt(inspector, beside(last)), publicColour);
    // The underline is 3 of 26 pixels: #29b8db under the first two blocks, none under the third.
    assert.deepEqual(await colourAt(inspector, beside(secret, 12)), [41, 184, 219, 255]);
    assert.notDeepEqual(await colourAt(inspector, beside(last, 12)), [41, 184, 219, 255]);
    await inspector.page.getByRole('radio', { name: 'Role' }).check();
    await inspector.page.waitForTimeout(100);
    assert.notDeepEqual(await colourAt(inspector, beside(prompt)), await colourAt(inspector, beside(last)));
    await inspector.close();
  });

  it('names the three boundaries with their figures', async () => {
    const session: Session = {
      summary: makeSummary(),
      columns: makeColumns(
        [
          { kind: 'prompt', label: 'a', tokens: 1000 },
          { kind: 'assistant', label: 'b', tokens: 1000 },
          { kind: 'prompt', label: 'c', tokens: 1000 },
        ],
        [[0, 1, 2]],
        [
          {
            length: 3,
            usage: { input: 0, cacheRead: 2950, cacheWrite: 1050 },
            predictedBlocks: 1,
            predictionReason: 'contentChanged',
            frozenPrefixLen: 1,
          },
        ],
        [{ request: 0, positions: [2] }],
      ),
    };
    const inspector = await openInspector();
    await inspector.show(session);
    const strip = inspector.page.getByRole('region', { name: 'Cached part' });
    // 4,000 recorded, 3,000 visible: 1,000 are not recorded. 2,950 is nearest to the end of block 2 at 3,000.
    await strip.getByText('2,950 exact · ends after block 2').waitFor();
    await strip.getByText('2,000 · ends after block 1').waitFor();
    await strip.getByText('a block differs from the previous request').waitFor();
    await strip.getByText('1 turn, 1 breakpoint').waitFor();
    await strip.getByText('950 tokens more read than expected').waitFor();
    await inspector.close();
  });

  it('zooms by key and wheel and fits again', async () => {
    const inspector = await openInspector();
    await inspector.show(sampleSession());
    const layout = inspector.page.getByTestId('slot-layout');
    const scale = async (): Promise<number> => Number(await layout.getAttribute('data-scale'));
    const fitting = await scale();
    await layout.focus();
    await inspector.page.keyboard.press('+');
    assert.ok(Math.abs((await scale()) / fitting - 1.3) < 1e-6);
    await inspector.page.keyboard.press('-');
    await layout.hover();
    await inspector.page.keyboard.down('Control');
    await inspector.page.mouse.wheel(0, -100);
    await inspector.page.keyboard.up('Control');
    await inspector.page.waitForTimeout(50);
    assert.ok(Math.abs((await scale()) / fitting - 1.12) < 1e-6);
    await inspector.page.getByRole('button', { name: 'Fit all blocks into the window' }).click();
    assert.equal(await scale(), fitting);
    await inspector.close();
  });

  it('draws again when the theme changes', async () => {
    const inspector = await openInspector();
    await inspector.show(sampleSession());
    const corner = await inspector.page.getByTestId('slot-layout').evaluate(element => {
      const { left, bottom } = element.getBoundingClientRect();
      return { x: left + 4, y: bottom - 4 };
    });
    await inspector.page.waitForTimeout(100);
    assert.deepEqual(await colourAt(inspector, corner), [31, 31, 31, 255]);
    await inspector.page.evaluate(() => window.fakeHost.applyTheme('light'));
    await inspector.page.waitForTimeout(100);
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
