import { at } from '../base/numbers';
import { type Box, boxIn, traceSign } from './boxShapes';
import { type Lane, notRecordedPosition } from './laneLayout';
import { narrowest } from './laneRuns';
import type { LaneScene, RowInScene } from './laneScene';
import type { Fill } from './palette';
import { type Pen, traceTriangle } from './pen';

const padding = 6;
const iconSize = 12;
/** Minimum width of boxes with an icon. */
const smallestIcon = 22;
/** Minimum width of boxes with a name. Narrower ones have only a centred icon. */
const smallestName = 52;
/** Minimum space between a name and the figure. */
const figureGap = 8;
/** The width of the cell with the sign of a sensitive block. */
const signCell = 18;
/** Minimum distance between two flags over blocks without space for a sign. */
const flagDistance = 8;

/** Icons, names, figures and signs of the boxes of a row. */
export function drawLabels(pen: Pen, scene: LaneScene, row: RowInScene): void {
  const { layout, content, palette } = scene;
  const fills = palette.fills[content.mode];
  const { positions, lefts, widths, top } = row;
  let flagged = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < positions.length; index += 1) {
    const position = positions[index] ?? 0;
    const width = widths[index] ?? 0;
    if (position === notRecordedPosition) {
      pen.globalAlpha = content.alphaOf(position);
      const text = {
        text: palette.muted,
        ground: palette.background,
        stroke: undefined,
        edge: palette.muted,
      };
      drawName(pen, scene, position, text, boxIn(row, index, top, layout.rowHeight));
      continue;
    }
    const sensitivity = content.sensitivityOf(position);
    if (sensitivity > 0 && width < smallestIcon) {
      const x = (lefts[index] ?? 0) + width / 2;
      if (x - flagged >= flagDistance) {
        pen.globalAlpha = content.presenceOf(position);
        drawFlag(pen, scene, sensitivity, x, top);
        flagged = x;
      }
    }
    if (width < narrowest) {
      continue;
    }
    const fill = fills[content.fillOf(position)];
    if (fill !== undefined) {
      const box = boxIn(row, index, top, layout.rowHeight);
      pen.globalAlpha = content.alphaOf(position);
      drawName(pen, scene, position, fill, sensitivity > 0 ? drawCell(pen, scene, position, box) : box);
      drawCorner(pen, scene, position, box);
    }
  }
}

/** The sign of a sensitive block over its upper edge. */
function drawFlag(pen: Pen, { palette }: LaneScene, sensitivity: number, x: number, top: number): void {
  traceSign(pen, sensitivity, x, top - 2, 4);
  pen.fillStyle = palette.marks[sensitivity]?.ground ?? palette.foreground;
  pen.fill();
  pen.strokeStyle = palette.background;
  pen.lineWidth = 1;
  pen.stroke();
}

/** Draws the cell with the sign of a sensitive block. Returns the rest of the box. */
function drawCell(pen: Pen, { content, palette }: LaneScene, position: number, box: Box): Box {
  const sensitivity = content.sensitivityOf(position);
  const mark = palette.marks[sensitivity];
  if (box.width < smallestIcon || mark === undefined || !box.isFirst) {
    return box;
  }
  const width = Math.min(signCell, box.width);
  const alpha = pen.globalAlpha;
  pen.globalAlpha = content.presenceOf(position);
  pen.fillStyle = mark.ground;
  pen.fillRect(box.left + 1, box.top + 1, width, box.height - 2);
  traceSign(pen, sensitivity, box.left + 1 + width / 2, box.top + box.height / 2, 4);
  pen.fillStyle = mark.text;
  pen.fill();
  pen.globalAlpha = alpha;
  return { ...box, left: box.left + width, width: box.width - width };
}

/** A white corner: the block was sent among the messages, although it belongs to another lane. */
function drawCorner(pen: Pen, { content, palette }: LaneScene, position: number, box: Box): void {
  const { left, top, width, isLast } = box;
  if (isLast && content.isDisplaced(position)) {
    const right = left + width - 1;
    pen.fillStyle = palette.foreground;
    traceTriangle(pen, right - 6, top + 1, right, top + 1, right, top + 7);
    pen.fill();
  }
}

function drawName(
  pen: Pen,
  { content, palette, fitter, drawIcon }: LaneScene,
  position: number,
  fill: Fill,
  { left, top, width, height, isFirst, isLast }: Box,
): void {
  if (width < smallestIcon) {
    return;
  }
  const middle = top + height / 2;
  const isNamed = width >= smallestName;
  let x = left + (isNamed ? padding : (width - iconSize) / 2) + (palette.highContrast && isNamed ? 2 : 0);
  pen.fillStyle = fill.text;
  if (isFirst) {
    if (content.isCandidate(position)) {
      drawPlate(pen, fill, x - 2, middle, iconSize + 4);
      pen.fillStyle = fill.text;
    }
    drawIcon(content.iconOf(position), fill.text, x, middle - iconSize / 2, iconSize);
    x += iconSize + 5;
  }
  if (!isNamed) {
    return;
  }
  const name = content.nameOf(position);
  const end = left + width - padding;
  const text = fitter.fit(isFirst ? name : `… ${name}`, end - x);
  if (text === '') {
    return;
  }
  const textWidth = fitter.width(text);
  if (content.isCandidate(position)) {
    drawPlate(pen, fill, x - 3, middle, textWidth + 6);
    pen.fillStyle = fill.text;
  }
  pen.fillText(text, x, middle + 0.5);
  const figure = isLast ? content.figureOf(position) : '';
  const figureWidth = fitter.width(figure);
  if (figure !== '' && x + textWidth + figureGap + figureWidth <= end) {
    pen.fillText(figure, end - figureWidth, middle + 0.5);
  }
}

/** The hatch must not run through letters. */
function drawPlate(pen: Pen, { ground }: Fill, left: number, middle: number, width: number): void {
  pen.fillStyle = ground;
  pen.fillRect(left, middle - 7, width, 14);
}

/** The label of the blocks that a lane does not show. */
export function drawBreak(pen: Pen, { layout, palette, fitter }: LaneScene, lane: Lane, words: string): void {
  const { endRow, left, width, signWidth } = lane;
  const top = at(layout.rowTops, endRow - 1);
  const start = left + width - signWidth;
  pen.fillStyle = palette.background;
  pen.fillRect(start, top - 1, signWidth + 4, layout.rowHeight + 2);
  pen.strokeStyle = palette.muted;
  pen.lineWidth = 1.2;
  pen.beginPath();
  const steps = 4;
  for (let step = 0; step <= steps; step += 1) {
    const y = top + (step * layout.rowHeight) / steps;
    const x = start + (step % 2 === 0 ? 1 : 5);
    if (step === 0) {
      pen.moveTo(x, y);
    } else {
      pen.lineTo(x, y);
    }
  }
  pen.stroke();
  pen.fillStyle = palette.muted;
  pen.fillText(fitter.fit(words, signWidth - 12), start + 11, top + layout.rowHeight / 2 + 0.5);
}
