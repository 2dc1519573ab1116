import { at } from '../base/numbers';
import type { BoundaryKind } from './boundaries';
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
import type { Spread } from './laneRuns';
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

const iconSize = 12;
/** Around a label, and the height of a line of labels. */
const labelGap = 14;
const lineHeight = 16;
/** The sample of a boundary's line before its label. */
const sampleWidth = 7;

/**
 * The space below the drawing for the labels of further boundaries, one line each at most, so that no label stands over
 * blocks.
 */
export const heightOfLabels = (boundaries: number): number => boundaries * lineHeight;

/**
 * The labels of all boundaries, in free space: after the last block, then below the drawing. Each begins with the sign
 * of its boundary: the cached one with the icon of the cache, the further ones with their line.
 */
export function drawBoundaryWords(pen: Pen, scene: LaneScene, spread: Spread | undefined): void {
  const { content, palette, fitter, drawIcon } = scene;
  const { left, width } = scene.layout.style;
  const end = left + width;
  const lines = freeLines(scene, spread);
  let line = 0;
  let x = lines(0).x;
  const write = (
    label: string,
    sign: number,
    colour: string,
    drawSign: (at: number, y: number) => void,
  ): void => {
    const needed = sign + Math.min(fitter.width(label), width - sign);
    while (x + needed > end && x > left) {
      line += 1;
      ({ x } = lines(line));
    }
    const { y } = lines(line);
    drawSign(x, y);
    pen.fillStyle = colour;
    pen.fillText(fitter.fit(label, width - sign), x + sign, y + 0.5);
    x += needed + labelGap;
  };
  write(content.boundaryWords, iconSize + 5, palette.iceText, (at, y) =>
    drawIcon(snowflake, palette.iceText, at, y - iconSize / 2, iconSize),
  );
  for (const { kind, label } of content.boundaries) {
    const isIce = kind === 'predicted';
    write(label, sampleWidth, isIce ? palette.iceText : palette.foreground, (at, y) => {
      strokeBoundary(pen, scene, kind, at + 1, y - 7, y + 7);
    });
  }
}

/** The lines for labels: the rest of the last row of the history, unless blocks are spread there, then those below. */
function freeLines(
  { layout }: LaneScene,
  spread: Spread | undefined,
): (line: number) => { readonly x: number; readonly y: number } {
  const { left, bottom } = layout.style;
  const history = layout.lanes[historyLane];
  const lastRow = layout.rowCount - 1;
  const { lefts, widths } = layout.row(lastRow);
  const end = lefts.length === 0 ? left : at(lefts, lefts.length - 1) + at(widths, widths.length - 1);
  const hasRest = history !== undefined && history.endRow > history.firstRow && spread?.row !== lastRow;
  return line =>
    line === 0 && hasRest
      ? { x: end + labelGap, y: at(layout.rowTops, lastRow) + layout.rowHeight / 2 }
      : { x: left, y: layout.height - bottom + 12 + (hasRest ? line - 1 : line) * lineHeight };
}

function strokeBoundary(
  pen: Pen,
  { palette }: LaneScene,
  kind: BoundaryKind,
  x: number,
  top: number,
  bottom: number,
): void {
  pen.strokeStyle = kind === 'predicted' ? palette.ice : palette.foreground;
  pen.lineWidth = 2;
  pen.setLineDash(dashes[kind]);
  strokeLine(pen, x, top, x, bottom);
  pen.setLineDash([]);
}

/** Boundaries shown on demand: a line in their row. */
export function drawBoundaries(pen: Pen, scene: LaneScene): void {
  const { layout, content } = scene;
  for (const boundary of content.boundaries) {
    const place = layout.placeOf(boundary);
    if (place !== undefined) {
      const top = at(layout.rowTops, place.row);
      strokeBoundary(pen, scene, boundary.kind, place.x, top - reach, top + layout.rowHeight + reach);
    }
  }
}
