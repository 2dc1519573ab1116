import { at, clamp } from '../base/numbers';
import { drawBoundaries, drawDisplacedMarks, type Window } from './drawBoundaries';
import { drawBoxes, drawOutline, type LaneScene } from './drawBoxes';
import { laneWords } from './drawingWords';
import { rowsWithin } from './laneLayout';
import type { Pen } from './pen';

/** The part of the drawing to be shown, and the positions to be outlined. */
export interface LaneView extends Window {
  readonly selected?: number | undefined;
  /** The call of a selected result, or the result of a selected call. */
  readonly paired?: number | undefined;
  readonly hovered?: number | undefined;
  /** Whether the drawing has the keyboard's focus. */
  readonly focused?: boolean;
}

/** Draws the part of the lanes that the window shows. The pen's origin is the top left of the whole drawing. */
export function drawLanes(pen: Pen, scene: LaneScene, view: LaneView): void {
  const { layout, palette } = scene;
  pen.fillStyle = palette.background;
  pen.fillRect(0, view.scroll, view.width, view.height);
  drawLaneLabels(pen, scene, view);
  const rows = rowsWithin(layout, view.scroll, view.scroll + view.height);
  drawBoxes(pen, scene, rows);
  drawDisplacedMarks(pen, scene, rows);
  drawBoundaries(pen, scene, view);
  drawOutline(pen, layout, view.hovered, palette.foreground, 1, []);
  drawOutline(pen, layout, view.paired, palette.foreground, 1.5, [3, 2]);
  const selection = view.focused === true ? palette.focus : palette.foreground;
  drawOutline(pen, layout, view.selected, selection, 2, []);
}

/** The names stay in sight while their lane does. */
function drawLaneLabels(pen: Pen, { layout, content, palette, fitter }: LaneScene, window: Window): void {
  layout.lanes.forEach((lane, index) => {
    const texts = content.laneTexts[index];
    if (texts === undefined || lane.bottom < window.scroll || lane.top > window.scroll + window.height) {
      return;
    }
    const firstTop = lane.firstRow < lane.endRow ? at(layout.rowTops, lane.firstRow) : lane.top;
    const y = clamp(window.scroll + 12, firstTop, Math.max(firstTop, lane.bottom - 40));
    pen.fillStyle = palette.partitions[index] ?? palette.foreground;
    pen.fillRect(16, y + 1, 3, 37);
    pen.fillStyle = palette.foreground;
    pen.font = `600 12.5px ${palette.fontFamily}`;
    pen.fillText(texts.name, 27, y + 6);
    pen.font = `11px ${palette.fontFamily}`;
    pen.fillText(texts.figure, 27, y + 21);
    pen.fillStyle = palette.muted;
    pen.fillText(texts.detail, 27, y + 35);
    if (lane.firstRow === lane.endRow) {
      pen.fillText(fitter.fit(laneWords.empty, window.width), 148, y + 13);
    }
  });
}
