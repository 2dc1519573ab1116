import type { BoundaryKind } from '../../src/core/drawing/boundaries';
import type { LabelledBoundary, LaneContent, LaneView } from './laneContent';
import type { LaneLayout } from '../../src/core/drawing/laneLayout';
import { at, lastAtMost } from '../../src/core/base/numbers';
import { partitionNames } from '../../src/core/model/labels';
import type { Palette } from '../../src/core/drawing/palette';

const historyLane = partitionNames.indexOf('history');
const flagFont = (palette: Palette): string => `600 10.5px ${palette.fontFamily}`;
const dashes: Readonly<Record<BoundaryKind, readonly number[]>> = {
  recorded: [],
  predicted: [5, 3],
  frozenPrefix: [1.5, 2.5],
  breakpoint: [1.5, 2.5],
};

/** In the lane where the wire runs, a small mark shows where a block of another lane stands. */
export function drawDisplacedMarks(
  context: CanvasRenderingContext2D,
  layout: LaneLayout,
  content: LaneContent,
  palette: Palette,
  [firstRow, endRow]: readonly [number, number],
): void {
  const { displaced, after } = content;
  // They follow the history, whose rows are in wire order: those that are in sight stand in a row of their own.
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
    context.beginPath();
    context.moveTo(x - 4, y - 3);
    context.lineTo(x + 4, y - 3);
    context.lineTo(x, y + 4);
    context.closePath();
    context.fillStyle = palette.partitions[content.laneOf(at(displaced, index))] ?? palette.foreground;
    context.fill();
    context.strokeStyle = palette.background;
    context.lineWidth = 1;
    context.stroke();
  }
}

/** The positions of some rows of one lane: from the first up to, not including, the second. */
function positionsWithin(layout: LaneLayout, firstRow: number, endRow: number): readonly [number, number] {
  if (firstRow >= endRow) {
    return [0, 0];
  }
  const last = layout.row(endRow - 1).positions.at(-1) ?? -1;
  return [at(layout.row(firstRow).positions, 0), last + 1];
}

const flagHeight = 17;
/** Between a flag and the edge of the drawing, in pixels. */
const edge = 4;

export function drawBoundaries(
  context: CanvasRenderingContext2D,
  layout: LaneLayout,
  content: LaneContent,
  palette: Palette,
  view: LaneView,
): void {
  const placed = content.boundaries.flatMap(boundary => {
    const place = layout.placeOf(boundary);
    return place === undefined ? [] : [{ boundary, ...place }];
  });
  // The flag furthest to the right stands lowest, so that no line runs through another's words.
  placed.sort((first, second) => first.row - second.row || second.x - first.x);
  let row = -1;
  let number = 0;
  for (const { boundary, x, row: ownRow } of placed) {
    number = ownRow === row ? number + 1 : 0;
    row = ownRow;
    const rowTop = at(layout.rowTops, row);
    if (rowTop + layout.rowHeight < view.scroll || rowTop - 80 > view.scroll + view.height) {
      continue;
    }
    // Half a gap further, so that the line stands between the blocks where it falls on an edge.
    drawFlag(context, boundary, Math.round(x + (boundary.fraction === 1 ? 1 : 0)), rowTop, number, {
      bottom: rowTop + layout.rowHeight,
      right: view.width,
      palette,
    });
  }
}

function drawFlag(
  context: CanvasRenderingContext2D,
  { kind, label }: LabelledBoundary,
  x: number,
  rowTop: number,
  number: number,
  { bottom, right, palette }: { readonly bottom: number; readonly right: number; readonly palette: Palette },
): void {
  const flagTop = rowTop - (number + 1) * flagHeight;
  const isIce = kind === 'recorded' || kind === 'predicted';
  context.font = flagFont(palette);
  const textWidth = context.measureText(label).width;
  const beside = x + textWidth + 14 > right ? x - 6 - textWidth : x + 6;
  // Where there is room on neither side, words that can be read stand over the line.
  const left = beside < edge ? Math.max(edge, right - textWidth - edge) : beside;
  context.strokeStyle = palette.background;
  context.lineWidth = 4;
  strokeLine(context, x, rowTop - 1, bottom);
  context.strokeStyle = isIce ? palette.ice : palette.foreground;
  context.setLineDash([...dashes[kind]]);
  context.lineWidth = kind === 'recorded' ? 2.5 : 2;
  strokeLine(context, x, flagTop + 2, bottom + 2);
  context.setLineDash([]);
  context.fillStyle = palette.background;
  context.fillRect(left - 2, flagTop + 1, textWidth + 4, flagHeight - 3);
  context.fillStyle = isIce ? palette.iceText : palette.muted;
  context.fillText(label, left, flagTop + flagHeight / 2 - 1);
}

function strokeLine(context: CanvasRenderingContext2D, x: number, top: number, bottom: number): void {
  context.beginPath();
  context.moveTo(x, top);
  context.lineTo(x, bottom);
  context.stroke();
}
