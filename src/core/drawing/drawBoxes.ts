import { at } from '../base/numbers';
import { type Box, boxIn, inset, trace, traceOutline } from './boxShapes';
import { drawLabels } from './drawLabels';
import { type LaneLayout, notRecordedPosition } from './laneLayout';
import { narrowest } from './laneRuns';
import type { LaneScene, RowInScene } from './laneScene';
import type { Fill, Palette } from './palette';
import type { Pen } from './pen';

export const blockFont = (palette: Palette): string => `11px ${palette.fontFamily}`;

/** The width of the bar that shows the colour of a block in high contrast. */
const barWidth = 3;
/** Minimum width of blocks with a gap between them. */
const narrowestApart = 3;
/** The edge of a sensitive block and the gap after it. */
const markEdge = 2;
const markGap = 1;

/**
 * Draws the boxes of some rows, each row layer by layer, so that thousands of narrow blocks cost at most a rectangle for
 * each pixel of the screen.
 */
export function drawBoxes(pen: Pen, scene: LaneScene, [firstRow, endRow]: readonly [number, number]): void {
  pen.font = blockFont(scene.palette);
  for (let number = firstRow; number < endRow; number += 1) {
    const row: RowInScene = { ...scene.layout.row(number), top: at(scene.layout.rowTops, number) };
    drawRuns(pen, scene, row);
    drawWide(pen, scene, row);
    drawHatches(pen, scene, row);
    drawLabels(pen, scene, row);
  }
  pen.globalAlpha = 1;
}

/** The nearest edge of a device pixel. Edges between pixels are blurred and take several times longer to draw. */
function snapped(x: number, ratio: number): number {
  return Math.round(x * ratio) / ratio;
}

/** Narrow blocks as stripes of their true width. Blocks narrower than a pixel share it with their neighbours. */
function drawRuns(pen: Pen, { layout, content, palette, pixelRatio }: LaneScene, row: RowInScene): void {
  const fills = palette.fills[content.mode];
  const { positions, lefts, widths, top } = row;
  let left = 0;
  let right = 0;
  let colour = '';
  let alpha = 1;
  const finish = (): void => {
    if (right > left) {
      pen.globalAlpha = alpha;
      pen.fillStyle = colour;
      pen.fillRect(left, top, right - left, layout.rowHeight);
    }
    left = right;
  };
  for (let box = 0; box < positions.length; box += 1) {
    const width = widths[box] ?? 0;
    const position = positions[box] ?? 0;
    if (width >= narrowest || position === notRecordedPosition) {
      continue;
    }
    const begin = lefts[box] ?? 0;
    const next = width < narrowestApart && box + 1 < lefts.length ? (lefts[box + 1] ?? 0) : begin + width;
    const end = Math.max(snapped(next, pixelRatio), snapped(begin, pixelRatio) + 1 / pixelRatio);
    if (end <= right) {
      continue;
    }
    const fill = fills[content.fillOf(position)];
    const own = fill?.stroke ?? fill?.ground ?? '';
    const ownAlpha = content.alphaOf(position);
    const start = Math.max(right, snapped(begin, pixelRatio));
    if (own !== colour || ownAlpha !== alpha || start > right) {
      finish();
      left = start;
      colour = own;
      alpha = ownAlpha;
    }
    right = end;
  }
  finish();
}

function drawWide(pen: Pen, scene: LaneScene, row: RowInScene): void {
  const { layout, content, palette } = scene;
  const fills = palette.fills[content.mode];
  const { positions, widths, top } = row;
  pen.lineWidth = 1;
  for (let index = 0; index < positions.length; index += 1) {
    const position = positions[index] ?? 0;
    const isUnknown = position === notRecordedPosition;
    if ((widths[index] ?? 0) < narrowest && !isUnknown) {
      continue;
    }
    const box = boxIn(row, index, top, layout.rowHeight);
    const fill = isUnknown ? undefined : fills[content.fillOf(position)];
    pen.globalAlpha = content.alphaOf(position);
    if (fill === undefined) {
      drawNotRecorded(pen, scene, box);
    } else if (content.sensitivityOf(position) > 0) {
      drawMarked(pen, scene, box, fill, content.sensitivityOf(position), content.presenceOf(position));
    } else {
      drawBox(pen, scene, box, fill);
    }
  }
}

/**
 * A box with an edge and corners cut by a pixel. Rectangles on whole device pixels are drawn many times faster than
 * curves and lines.
 */
function drawBox(
  pen: Pen,
  { palette, pixelRatio }: LaneScene,
  box: Box,
  { ground, stroke, edge }: Fill,
): void {
  const { top, height, isFirst, isLast } = box;
  const left = snapped(box.left, pixelRatio);
  const width = snapped(box.left + box.width, pixelRatio) - left;
  const cutStart = isFirst ? 1 : 0;
  const cutEnd = isLast ? 1 : 0;
  pen.fillStyle = stroke === undefined ? edge : palette.contrast;
  pen.fillRect(left + cutStart, top, width - cutStart - cutEnd, height);
  pen.fillRect(left, top + 1, width, height - 2);
  pen.fillStyle = ground;
  pen.fillRect(left + cutStart, top + 1, width - cutStart - cutEnd, height - 2);
  if (stroke !== undefined) {
    pen.fillStyle = stroke;
    pen.fillRect(left, top, barWidth, height);
  }
}

/** A sensitive block: its edge is never dimmed. */
function drawMarked(
  pen: Pen,
  { palette }: LaneScene,
  box: Box,
  fill: Fill,
  sensitivity: number,
  presence: number,
): void {
  pen.fillStyle = fill.ground;
  trace(pen, inset(box, markEdge + markGap));
  pen.fill();
  pen.globalAlpha = presence;
  pen.strokeStyle = palette.marks[sensitivity]?.ground ?? palette.foreground;
  pen.lineWidth = markEdge;
  traceOutline(pen, inset(box, markEdge / 2));
  pen.stroke();
  pen.lineWidth = 1;
}

function drawNotRecorded(pen: Pen, { palette }: LaneScene, box: Box): void {
  pen.strokeStyle = palette.muted;
  pen.setLineDash([3, 3]);
  traceOutline(pen, inset(box, 0.5));
  pen.stroke();
  pen.setLineDash([]);
}

function drawHatches(pen: Pen, { layout, content, palette, hatch }: LaneScene, row: RowInScene): void {
  if (hatch === null || !content.hasCandidates) {
    return;
  }
  const { positions, lefts, widths, top } = row;
  pen.fillStyle = hatch;
  pen.globalAlpha = palette.highContrast ? 0.5 : 0.6;
  for (let box = 0; box < positions.length; box += 1) {
    const width = widths[box] ?? 0;
    const hatched = width >= 1 ? width * content.hatchOf(positions[box] ?? 0) : 0;
    if (hatched > 0) {
      pen.fillRect((lefts[box] ?? 0) + width - hatched, top, hatched, layout.rowHeight);
    }
  }
  pen.globalAlpha = 1;
}

/** A line around each box of a block. Lengths in pixels. */
interface Outline {
  readonly colour: string;
  readonly thickness: number;
  /** Between the box and the line. */
  readonly gap: number;
  readonly dash?: readonly number[];
}

/** Outlines every box of a position. */
export function drawOutline(
  pen: Pen,
  layout: LaneLayout,
  position: number | undefined,
  { colour, thickness, gap, dash = [] }: Outline,
): void {
  if (position === undefined) {
    return;
  }
  pen.strokeStyle = colour;
  pen.lineWidth = thickness;
  pen.setLineDash(dash);
  for (const { row: number, index } of layout.boxesOf(position)) {
    const box = boxIn(layout.row(number), index, at(layout.rowTops, number), layout.rowHeight);
    traceOutline(pen, inset(box, -gap - thickness / 2));
    pen.stroke();
  }
  pen.setLineDash([]);
}

/**
 * The frame of the selected block, always the same. It lies on the background's colour, so that it stands out from any
 * fill and from the edge of what is cached. The keyboard focus adds a ring around it.
 */
export function drawSelection(
  pen: Pen,
  { layout, palette }: LaneScene,
  position: number | undefined,
  isFocused: boolean,
): void {
  drawOutline(pen, layout, position, { colour: palette.background, thickness: isFocused ? 6 : 4, gap: 0 });
  if (isFocused) {
    drawOutline(pen, layout, position, { colour: palette.focus, thickness: 2, gap: 3 });
  }
  drawOutline(pen, layout, position, { colour: palette.selection, thickness: 2, gap: 1 });
}
