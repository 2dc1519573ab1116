import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawLanes } from '../../../src/core/drawing/drawLanes';
import { laneBlocks, laneContent } from '../../../src/core/drawing/laneContent';
import { LaneLayout } from '../../../src/core/drawing/laneLayout';
import { spreadAround, spreadEnd } from '../../../src/core/drawing/laneRuns';
import { laneStyleFor } from '../../../src/core/drawing/laneStyle';
import { SvgPen } from '../../../src/core/drawing/svgPen';
import { variablePalette } from '../../../src/core/drawing/svgStyle';
import { createTextFitter } from '../../../src/core/drawing/textFit';
import { buildRequestView } from '../../../src/core/view/requestView';
import { HandMade, measuresOf, toColumns } from '../session/handMade';

/** Forty narrow blocks between wide ones, and the drawing of them with the cache up to a number of tokens. */
function drawn(cacheRead: number, position: number | undefined) {
  const made = new HandMade();
  const blocks = Array.from({ length: 43 }, (_, index) => made.prompt(`block ${index}`));
  const total = 40 * 5 + 3 * 800;
  const usage = { input: total - cacheRead, cacheRead, cacheWrite: 0, output: 0 };
  made.request(made.builder.startContext(blocks), 43, { model: 'acme-1', complete: true, usage });
  const transcript = made.build();
  const columns = toColumns(
    transcript,
    measuresOf(transcript, block => ([0, 41, 42].includes(block) ? 800 : 5)),
  );
  const view = buildRequestView(columns, 0);
  const layout = new LaneLayout(laneBlocks(columns, view), laneStyleFor(900, 500), 1_000);
  const spread = spreadAround(layout, position);
  const pen = new SvgPen();
  const content = laneContent(columns, view, {
    mode: 'source',
    prune: undefined,
    boundaries: [],
    shown: undefined,
  });
  const palette = variablePalette();
  const fitter = createTextFitter(text => text.length * 6);
  const scene = { layout, content, palette, fitter, hatch: null, drawIcon: () => undefined, pixelRatio: 1 };
  drawLanes(pen, scene, { width: 900, height: 500, scroll: 0, spread });
  const [, x, y] = /<text[^>]* x="([\d.]+)" y="([\d.]+)"[^>]*>cached to here/.exec(pen.markup) ?? [];
  return { layout, spread, x: Number(x), y: Number(y), width: content.boundaryWords.length * 6 };
}

describe('words at the boundary of the cache', () => {
  it('stand behind it in its row', () => {
    const { layout, x, y } = drawn(900, undefined);
    assert.ok(Math.abs(y - (layout.rowTops[0] ?? 0) - layout.rowHeight / 2) < 1);
    assert.ok(x > layout.style.left + 0.9 * layout.style.width - 250);
  });

  it('are never under blocks that are spread there', () => {
    for (let cacheRead = 100; cacheRead <= 1_000; cacheRead += 100) {
      const { layout, spread, x, y, width } = drawn(cacheRead, 20);
      assert.ok(spread !== undefined && x > 0);
      const top = layout.rowTops[spread.row] ?? 0;
      const isInRow = y > top - 4 && y < top + layout.rowHeight + 4;
      const isBeside = x >= spreadEnd(spread) || x + width <= spread.left;
      assert.ok(!isInRow || isBeside, `${cacheRead}: ${x} to ${x + width}, spread from ${spread.left}`);
    }
  });
});
