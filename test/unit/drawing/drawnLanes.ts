import type { LabelledBoundary } from '../../../src/core/drawing/boundaries';
import { heightOfLabels } from '../../../src/core/drawing/drawIce';
import { drawLanes } from '../../../src/core/drawing/drawLanes';
import { laneBlocks, laneContent } from '../../../src/core/drawing/laneContent';
import { LaneLayout } from '../../../src/core/drawing/laneLayout';
import { spreadAround } from '../../../src/core/drawing/laneRuns';
import { laneStyleFor } from '../../../src/core/drawing/laneStyle';
import { SvgPen } from '../../../src/core/drawing/svgPen';
import { variablePalette } from '../../../src/core/drawing/svgStyle';
import { createTextFitter } from '../../../src/core/drawing/textFit';
import { buildRequestView } from '../../../src/core/view/requestView';
import { HandMade, measuresOf, toColumns } from '../session/handMade';

interface Drawn {
  readonly width?: number;
  readonly selected?: number;
  readonly focused?: boolean;
  readonly boundaries?: readonly LabelledBoundary[];
}

/** Forty narrow blocks between wide ones, drawn with the cache up to a number of tokens. */
export function drawnLanes(
  cacheRead: number,
  spreadPosition: number | undefined,
  { width = 900, boundaries = [], ...marks }: Drawn = {},
) {
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
  const style = laneStyleFor(width, 500);
  const layout = new LaneLayout(
    laneBlocks(columns, view),
    { ...style, bottom: style.bottom + heightOfLabels(boundaries.length) },
    1_000,
  );
  const spread = spreadAround(layout, spreadPosition);
  const pen = new SvgPen();
  const content = laneContent(columns, view, {
    mode: 'source',
    prune: undefined,
    boundaries,
    shown: undefined,
  });
  const palette = variablePalette();
  const fitter = createTextFitter(text => text.length * 6);
  const scene = { layout, content, palette, fitter, hatch: null, drawIcon: () => undefined, pixelRatio: 1 };
  drawLanes(pen, scene, { width, height: 500, scroll: 0, spread, ...marks });
  return { layout, spread, markup: pen.markup };
}
