import { at } from '../base/numbers';
import type { PositionRange } from '../view/requestView';
import { blockFont, drawBoxes, drawOutline, drawSelection } from './drawBoxes';
import { drawBoundaries, drawBoundaryWords, drawEdges, drawSheet } from './drawIce';
import { laneWords } from './drawingWords';
import { drawBreak } from './drawLabels';
import { drawRange } from './drawRange';
import { drawSpread } from './drawSpread';
import { rowsWithin } from './laneLayout';
import type { Spread } from './laneRuns';
import type { LaneScene } from './laneScene';
import { historyLane } from './laneStyle';
import type { Pen } from './pen';

/** The part of the drawing to be shown, and the positions to be outlined. Pixels. */
export interface LaneView {
  readonly width: number;
  readonly height: number;
  /** Of the drawing above the window. */
  readonly scroll: number;
  readonly selected?: number | undefined;
  /** The call of a selected result, or the result of a selected call. */
  readonly paired?: number | undefined;
  readonly hovered?: number | undefined;
  /** True if the drawing has the keyboard focus. */
  readonly focused?: boolean;
  readonly spread?: Spread | undefined;
  /** The selected range of positions, both ends included. */
  readonly range?: PositionRange | undefined;
}

/** Draws the part of the lanes in the visible window. The pen's origin is the top left of the whole drawing. */
export function drawLanes(pen: Pen, scene: LaneScene, view: LaneView): void {
  const { layout, palette } = scene;
  pen.fillStyle = palette.background;
  pen.fillRect(0, view.scroll, view.width, view.height);
  const rows = rowsWithin(layout, view.scroll, view.scroll + view.height);
  drawCaptions(pen, scene, rows);
  drawSheet(pen, scene);
  if (scene.motion !== undefined) {
    drawBoxes(pen, { ...scene, ...scene.motion.leaving }, scene.motion.leavingRows);
  }
  drawBoxes(pen, scene, rows);
  for (const lane of layout.lanes) {
    if (lane.hidden > 0) {
      drawBreak(pen, scene, lane, laneWords.more(lane.hidden));
    }
  }
  drawEdges(pen, scene);
  pen.font = blockFont(palette);
  drawBoundaries(pen, scene);
  drawBoundaryWords(pen, scene, view.spread);
  if (view.range !== undefined) {
    drawRange(pen, scene, view.range, rows);
  }
  drawOutline(pen, layout, view.hovered, { colour: palette.foreground, thickness: 1, gap: 0 });
  drawOutline(pen, layout, view.paired, {
    colour: palette.foreground,
    thickness: 1.5,
    gap: 0,
    dash: [3, 2],
  });
  const { selected, hovered, focused = false, spread } = view;
  if (selected === undefined || spread?.positions.includes(selected) !== true) {
    drawSelection(pen, scene, selected, focused);
  }
  if (spread !== undefined) {
    drawSpread(pen, scene, spread, { selected, hovered, isFocused: focused });
  }
}

/** Names and figures of the lanes, and next to each row of the history the request in which it begins. */
function drawCaptions(pen: Pen, scene: LaneScene, [firstRow, endRow]: readonly [number, number]): void {
  const { layout, content, palette } = scene;
  const { style } = layout;
  const nameFont = `600 12px ${palette.fontFamily}`;
  const smallFont = blockFont(palette);
  layout.lanes.forEach((lane, index) => {
    const texts = content.laneTexts[index];
    if (texts === undefined || lane.width === 0) {
      return;
    }
    const left = lane.left - style.left + captionLeft;
    const rows = lane.endRow - lane.firstRow;
    const middle = lane.top + (rows === 0 ? style.emptyLane : layout.rowHeight) / 2;
    pen.fillStyle = rows === 0 ? palette.muted : palette.foreground;
    pen.font = nameFont;
    pen.fillText(texts.name, left, middle);
    const nameWidth = pen.measureText(texts.name).width;
    pen.font = smallFont;
    pen.fillStyle = palette.muted;
    if (rows === 0) {
      pen.fillText(laneWords.empty, lane.left, middle);
      return;
    }
    const hasSecondLine = rows > 1 || index === historyLane;
    const both = `${texts.share} · ${texts.tokens}`;
    if (hasSecondLine) {
      pen.fillText(both, left, middle + 16);
    } else {
      const room = lane.left - 8 - left - nameWidth;
      const shareWidth = pen.measureText(texts.share).width;
      if (shareWidth + 6 <= room) {
        pen.fillText(texts.share, lane.left - 8 - shareWidth, middle);
      }
    }
    if (index === historyLane && rows > 2 && style.hasTwoLines) {
      pen.fillText(texts.detail, left, middle + 31);
    }
  });
  const history = layout.lanes[historyLane];
  if (!style.hasTwoLines || history === undefined) {
    return;
  }
  pen.font = smallFont;
  pen.fillStyle = palette.muted;
  for (let row = Math.max(firstRow, history.firstRow); row < Math.min(endRow, history.endRow); row += 1) {
    const { positions, continues } = layout.row(row);
    const since = content.sinceOf(at(positions, continues && positions.length > 1 ? 1 : 0));
    if (since !== '') {
      const width = pen.measureText(since).width;
      pen.fillText(since, style.left - 8 - width, at(layout.rowTops, row) + layout.rowHeight / 2);
    }
  }
}

const captionLeft = 12;
