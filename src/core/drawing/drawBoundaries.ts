import { at, lastAtMost } from '../base/numbers';
import { partitionNames } from '../model/labels';
import type { BoundaryKind, LabelledBoundary } from './boundaries';
import type { LaneScene } from './drawBoxes';
import { flagHeight, type LaneLayout } from './laneLayout';
import type { Palette } from './palette';
import { type Pen, strokeLine, traceTriangle } from './pen';

const historyLane = partitionNames.indexOf('history');
const dashes: Readonly<Record<BoundaryKind, readonly number[]>> = {
  recorded: [],
  predicted: [5, 3],
  frozenPrefix: [1.5, 2.5],
  breakpoint: [1.5, 2.5],
};

/** Small marks in the history show where blocks of other lanes stand on the wire. */
export function drawDisplacedMarks(
  pen: Pen,
  { layout, content, palette }: LaneScene,
  [firstRow, endRow]: readonly [number, number],
): void {
  const { displaced, after } = content;
  // The rows of the history are in wire order, so the marks in sight follow each other in `after`.
  const [first, end] = positionsWithin(
    layout,
    Math.max(firstRow, layout.lanes[historyLane]?.firstRow ?? 0),
    endRow,
  );
  for (let index = lastAtMost(after, after.length, first - 1) + 1; index < after.length; index += 1) {
    const before = at(after, index);
    if (before >= end) {
      break;
    }
    const last = layout.boxesOf(before).at(-1);
    if (last === undefined) {
      continue;
    }
    const { lefts, widths } = layout.row(last.row);
    const x = at(lefts, last.index) + at(widths, last.index) + 1;
    const y = at(layout.rowTops, last.row);
    traceTriangle(pen, x - 4, y - 3, x + 4, y - 3, x, y + 4);
    pen.fillStyle = palette.partitions[content.laneOf(at(displaced, index))] ?? palette.foreground;
    pen.fill();
    pen.strokeStyle = palette.background;
    pen.lineWidth = 1;
    pen.stroke();
  }
}

/** The first position in some rows of one lane, and the position after the last. */
function positionsWithin(layout: LaneLayout, firstRow: number, endRow: number): readonly [number, number] {
  if (firstRow >= endRow) {
    return [0, 0];
  }
  const last = layout.row(endRow - 1).positions.at(-1) ?? -1;
  return [at(layout.row(firstRow).positions, 0), last + 1];
}

/** Least distance of a flag's words from the edge of the drawing, in pixels. */
const edge = 4;

export interface Window {
  readonly width: number;
  readonly height: number;
  /** Pixels of the drawing above the window. */
  readonly scroll: number;
}

/** Draws a line with a flag at each boundary that the window shows. */
export function drawBoundaries(pen: Pen, { layout, content, palette }: LaneScene, window: Window): void {
  const placed = content.boundaries.flatMap(boundary => {
    const place = layout.placeOf(boundary);
    return place === undefined ? [] : [{ boundary, ...place }];
  });
  // The rightmost flag is the lowest, so that no line runs through the words of another flag.
  placed.sort((first, second) => first.row - second.row || second.x - first.x);
  let row = -1;
  let number = 0;
  for (const { boundary, x, row: ownRow } of placed) {
    number = ownRow === row ? number + 1 : 0;
    row = ownRow;
    const rowTop = at(layout.rowTops, row);
    if (rowTop + layout.rowHeight < window.scroll || rowTop - 80 > window.scroll + window.height) {
      continue;
    }
    // A line at the end of a block goes into the middle of the gap behind it.
    drawFlag(pen, palette, boundary, {
      x: Math.round(x + (boundary.fraction === 1 ? 1 : 0)),
      rowTop,
      bottom: rowTop + layout.rowHeight,
      right: window.width,
      number,
    });
  }
}

/** Where a flag stands, in pixels; `number` counts the flags below it over the same row. */
interface FlagPlace {
  readonly x: number;
  readonly rowTop: number;
  readonly bottom: number;
  /** The right edge of the drawing. */
  readonly right: number;
  readonly number: number;
}

function drawFlag(
  pen: Pen,
  palette: Palette,
  { kind, label }: LabelledBoundary,
  { x, rowTop, bottom, right, number }: FlagPlace,
): void {
  const flagTop = rowTop - (number + 1) * flagHeight;
  const isIce = kind === 'recorded' || kind === 'predicted';
  pen.font = `600 10.5px ${palette.fontFamily}`;
  const textWidth = pen.measureText(label).width;
  const beside = x + textWidth + 14 > right ? x - 6 - textWidth : x + 6;
  // Where neither side has room, the words cover the line.
  const left = beside < edge ? Math.max(edge, right - textWidth - edge) : beside;
  pen.strokeStyle = palette.background;
  pen.lineWidth = 4;
  strokeLine(pen, x, rowTop - 1, x, bottom);
  pen.strokeStyle = isIce ? palette.ice : palette.foreground;
  pen.setLineDash(dashes[kind]);
  pen.lineWidth = kind === 'recorded' ? 2.5 : 2;
  strokeLine(pen, x, flagTop + 2, x, bottom + 2);
  pen.setLineDash([]);
  pen.fillStyle = palette.background;
  pen.fillRect(left - 2, flagTop + 1, textWidth + 4, flagHeight - 3);
  pen.fillStyle = isIce ? palette.iceText : palette.muted;
  pen.fillText(label, left, flagTop + flagHeight / 2 - 1);
}
