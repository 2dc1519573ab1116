import { at } from '../base/numbers';
import type { BoundaryKind, LabelledBoundary } from './boundaries';
import { snowflake } from './icons';
import {
  type BlockPlace,
  endRowOf,
  type Lane,
  type LaneLayout,
  notRecordedPosition,
  xOfTokens,
} from './laneLayout';
import { historyLane } from './laneStyle';
import { type Spread, spreadEnd } from './laneRuns';
import type { LaneScene } from './laneScene';
import { type Pen, strokeLine } from './pen';

/** How far the sheet extends beyond its blocks, in pixels. */
const reach = 3;
const dashes: Readonly<Record<BoundaryKind, readonly number[]>> = {
  predicted: [5, 3],
  frozenPrefix: [1.5, 2.5],
  breakpoint: [1.5, 2.5],
};

/** The end of the part of a lane before a place: the number of full rows, and the end in the next row. */
interface SheetEnd {
  readonly lane: Lane;
  /** The row in which it ends, and its x there. */
  readonly row: number;
  readonly x: number;
  /** The right edge of the full rows. */
  readonly right: number;
  /** True if the place itself is in this lane, so that this end is the boundary. */
  readonly isBoundary: boolean;
}

/** @param tokensOf tokens of a lane on the sheet */
function sheetEnds(
  layout: LaneLayout,
  place: BlockPlace,
  tokensOf = (lane: number): number => layout.tokensBefore(lane, place),
): readonly SheetEnd[] {
  const own = layout.laneOf(place.position);
  return layout.lanes.flatMap((lane, number) => {
    const tokens = Math.min(tokensOf(number), lane.shown);
    if (tokens <= 0) {
      return [];
    }
    const row = lane.firstRow + endRowOf(lane, tokens);
    const isBoundary = number === own;
    return [{ lane, row, x: xOfTokens(lane, tokens), right: lane.left + lane.width, isBoundary }];
  });
}

/** The parts of the sheet under the cached blocks. Their ends move while the drawing changes. */
function cachedEnds({ layout, content, motion }: LaneScene): readonly SheetEnd[] {
  const place = content.cached?.place ?? { position: notRecordedPosition, fraction: 0 };
  return sheetEnds(layout, place, motion && (lane => at(motion.cachedTokens, lane)));
}

/** The part of a lane with rows as in a text selection. Filled as rectangles, which is much cheaper than a path. */
function drawPart(pen: Pen, layout: LaneLayout, { lane, row, x, right, isBoundary }: SheetEnd): void {
  const left = lane.left - reach;
  const top = at(layout.rowTops, lane.firstRow) - reach;
  const step = row === lane.firstRow ? top : at(layout.rowTops, row) - layout.style.rowGap / 2;
  const bottom = at(layout.rowTops, row) + layout.rowHeight + reach;
  const end = isBoundary ? x : x + reach - 2;
  const far = row === lane.firstRow ? end : right + reach;
  pen.fillRect(left, top, far - left, step - top);
  pen.fillRect(left, step, end - left, bottom - step);
  pen.beginPath();
  pen.moveTo(left, top);
  pen.lineTo(far, top);
  pen.lineTo(far, step);
  pen.lineTo(end, step);
  pen.lineTo(end, bottom);
  pen.lineTo(left, bottom);
  pen.closePath();
  pen.stroke();
}

/** The edge of the sheet where the uncached part begins. */
function traceStep(pen: Pen, layout: LaneLayout, { lane, row, x, right }: SheetEnd): void {
  const top = at(layout.rowTops, row);
  const step = row === lane.firstRow ? top - reach : top - layout.style.rowGap / 2;
  pen.beginPath();
  if (row > lane.firstRow) {
    pen.moveTo(right + reach, step);
    pen.lineTo(x, step);
  } else {
    pen.moveTo(x, step);
  }
  pen.lineTo(x, top + layout.rowHeight + reach);
}

/** The sheet under everything that was read from the cache. */
export function drawSheet(pen: Pen, scene: LaneScene): void {
  const { layout, palette } = scene;
  pen.fillStyle = palette.sheet;
  pen.strokeStyle = palette.sheetEdge;
  pen.lineWidth = palette.highContrast ? 2 : 1;
  for (const end of cachedEnds(scene)) {
    drawPart(pen, layout, end);
  }
}

/** The boundary itself, over the blocks. Dashed if it is the boundary after a prune. */
export function drawEdges(pen: Pen, scene: LaneScene): void {
  const { layout, content, palette } = scene;
  pen.strokeStyle = palette.ice;
  pen.lineWidth = 2;
  const draw = (ends: readonly SheetEnd[]): void => {
    for (const end of ends) {
      if (end.isBoundary) {
        traceStep(pen, layout, end);
        pen.stroke();
      }
    }
  };
  if (content.cached !== undefined) {
    draw(cachedEnds(scene));
  }
  if (content.cachedAfter !== undefined) {
    pen.setLineDash([5, 3]);
    draw(sheetEnds(layout, content.cachedAfter.place));
    pen.setLineDash([]);
  }
}

/**
 * The label at the boundary: next to the last block if there is space, otherwise below it or over the blocks after it.
 * Spread blocks hide it.
 */
export function drawBoundaryWords(pen: Pen, scene: LaneScene, spread: Spread | undefined): void {
  const { layout, content, palette, fitter, drawIcon } = scene;
  const { left, width } = layout.style;
  const history = layout.lanes[historyLane];
  const label = content.boundaryWords;
  const iconSize = 12;
  const textWidth = fitter.width(label) + iconSize + 5;
  const place = (content.cachedAfter ?? content.cached)?.place;
  const boundary = place === undefined ? undefined : layout.placeOf(place);
  const lastRow = layout.rowCount - 1;
  const { lefts, widths } = layout.row(lastRow);
  const end = lefts.length === 0 ? left : at(lefts, lefts.length - 1) + at(widths, widths.length - 1);
  const write = (x: number, y: number): void => {
    drawIcon(snowflake, palette.iceText, x, y - iconSize / 2, iconSize);
    pen.fillStyle = palette.iceText;
    pen.fillText(label, x + iconSize + 5, y + 0.5);
  };
  const isInside = boundary !== undefined && boundary.row < lastRow;
  if (isInside) {
    const own = textWidth + 12;
    const isBesideSpread = spread?.row === boundary.row;
    const from = isBesideSpread ? Math.min(boundary.x, spread.left) : boundary.x;
    const to = isBesideSpread ? Math.max(boundary.x, spreadEnd(spread)) : boundary.x;
    const beside = [to + 6, from - own - 6].find(x => x >= left && x + own <= left + width);
    const x = beside ?? (isBesideSpread ? undefined : left);
    if (x !== undefined) {
      const top = at(layout.rowTops, boundary.row);
      drawTag(pen, scene, x, top + 1, own, layout.rowHeight - 2);
      write(x + 6, top + layout.rowHeight / 2);
      return;
    }
  }
  const hasRoom =
    !isInside &&
    end + 14 + textWidth <= left + width &&
    history !== undefined &&
    history.endRow > history.firstRow &&
    spread?.row !== lastRow;
  const bottom = layout.height - layout.style.bottom + 12;
  const middle = hasRoom ? at(layout.rowTops, lastRow) + layout.rowHeight / 2 : bottom;
  write(hasRoom ? end + 14 : Math.max(4, left + width - textWidth), middle);
}

function drawTag(
  pen: Pen,
  { palette }: LaneScene,
  left: number,
  top: number,
  width: number,
  height: number,
): void {
  pen.beginPath();
  pen.roundRect(left, top, width, height, [3, 3, 3, 3]);
  pen.fillStyle = palette.background;
  pen.fill();
  pen.strokeStyle = palette.ice;
  pen.lineWidth = 1;
  pen.stroke();
}

/** Boundaries shown on demand: a line in their row, with their label after it. */
export function drawBoundaries(pen: Pen, scene: LaneScene): void {
  const { layout, content, palette, fitter } = scene;
  let before = -1;
  let number = 0;
  for (const boundary of content.boundaries) {
    const place = layout.placeOf(boundary);
    if (place === undefined) {
      continue;
    }
    number = place.row === before ? number + 1 : 0;
    before = place.row;
    drawBoundary(pen, scene, boundary, place.x, at(layout.rowTops, place.row), number);
  }
  function drawBoundary(
    own: Pen,
    { layout: { rowHeight, style } }: LaneScene,
    { kind, label }: LabelledBoundary,
    x: number,
    top: number,
    above: number,
  ): void {
    own.strokeStyle = kind === 'predicted' ? palette.ice : palette.foreground;
    own.lineWidth = 2;
    own.setLineDash(dashes[kind]);
    strokeLine(own, x, top - reach, x, top + rowHeight + reach);
    own.setLineDash([]);
    const width = fitter.width(label) + 12;
    const left = x + 4 + width > style.left + style.width ? Math.max(4, x - 4 - width) : x + 4;
    drawTag(own, scene, left, top + 1 + above * (rowHeight - 2), width, rowHeight - 2);
    own.fillStyle = kind === 'predicted' ? palette.iceText : palette.foreground;
    own.fillText(label, left + 6, top + rowHeight / 2 + above * (rowHeight - 2) + 0.5);
  }
}
