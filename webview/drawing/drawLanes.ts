import { drawBoundaries, drawDisplacedMarks } from './drawBoundaries';
import { drawBoxes, drawOutline } from './drawBoxes';
import type { LaneContent, LaneView } from './laneContent';
import { rowsWithin, type LaneLayout } from '../../src/core/drawing/laneLayout';
import { at, clamp } from '../../src/core/base/numbers';
import type { Palette } from '../../src/core/drawing/palette';
import type { TextFitter } from './textFit';

const laneFont = (palette: Palette): string => `600 12.5px ${palette.fontFamily}`;
const detailFont = (palette: Palette): string => `11px ${palette.fontFamily}`;

/** Draws the part of the lanes that the window shows. The context's unit is the CSS pixel. */
export function drawLanes(
  context: CanvasRenderingContext2D,
  layout: LaneLayout,
  content: LaneContent,
  view: LaneView,
  palette: Palette,
  fitter: TextFitter,
): void {
  context.fillStyle = palette.background;
  context.fillRect(0, 0, view.width, view.height);
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  const [firstRow, endRow] = rowsWithin(layout, view.scroll, view.scroll + view.height);
  context.save();
  context.translate(0, -view.scroll);
  drawLaneLabels(context, layout, content, view, palette, fitter);
  const pixelRatio = context.getTransform().a;
  drawBoxes(context, { layout, content, palette, fitter, pixelRatio }, [firstRow, endRow]);
  drawDisplacedMarks(context, layout, content, palette, [firstRow, endRow]);
  drawBoundaries(context, layout, content, palette, view);
  drawOutline(context, layout, view.hovered, palette.foreground, 1, []);
  drawOutline(context, layout, view.paired, palette.foreground, 1.5, [3, 2]);
  drawOutline(context, layout, view.selected, view.focused ? palette.focus : palette.foreground, 2, []);
  context.restore();
}

/** The names stay in sight while their lane does. */
function drawLaneLabels(
  context: CanvasRenderingContext2D,
  layout: LaneLayout,
  content: LaneContent,
  view: LaneView,
  palette: Palette,
  fitter: TextFitter,
): void {
  layout.lanes.forEach((lane, index) => {
    const texts = content.laneTexts[index];
    if (texts === undefined || lane.bottom < view.scroll || lane.top > view.scroll + view.height) {
      return;
    }
    const firstTop = lane.firstRow < lane.endRow ? at(layout.rowTops, lane.firstRow) : lane.top;
    const y = clamp(view.scroll + 12, firstTop, Math.max(firstTop, lane.bottom - 40));
    context.fillStyle = palette.partitions[index] ?? palette.foreground;
    context.fillRect(16, y + 1, 3, 37);
    context.fillStyle = palette.foreground;
    context.font = laneFont(palette);
    context.fillText(texts.name, 27, y + 6);
    context.font = detailFont(palette);
    context.fillText(texts.figure, 27, y + 21);
    context.fillStyle = palette.muted;
    context.fillText(texts.detail, 27, y + 35);
    if (lane.firstRow === lane.endRow) {
      context.fillText(fitter.fit(content.emptyLane, view.width), 148, y + 13);
    }
  });
}
