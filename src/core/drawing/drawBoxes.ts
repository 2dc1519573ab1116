import { at } from '../base/numbers';
import { type Box, boxIn, inset, narrowestRound, trace, traceOutline, traceSign } from './boxShapes';
import type { LaneContent } from './laneContent';
import { type LaneLayout, type LaneRow, notRecordedPosition } from './laneLayout';
import type { Fill, Palette } from './palette';
import { type Pen, traceTriangle } from './pen';
import type { TextFitter } from './textFit';

export const blockFont = (palette: Palette): string => `11px ${palette.fontFamily}`;

const labelPadding = 6;
const smallestLabel = 30;
const iceThickness = 3;
/** Narrower boxes have no room for the corner that marks a displaced block. */
const narrowestMark = 9;

/** What is drawn, and the means to draw it. */
export interface LaneScene {
  readonly layout: LaneLayout;
  readonly content: LaneContent;
  readonly palette: Palette;
  /** Measures in `blockFont`. */
  readonly fitter: TextFitter;
  /** A fill of diagonal lines for prune candidates, in the background's colour (the foreground's in high contrast). */
  readonly hatch: string | object | null;
  /** Device pixels of a CSS pixel. */
  readonly pixelRatio: number;
}

/** The boxes of a row and their upper edge. */
interface RowInScene extends LaneRow {
  readonly top: number;
}

const dimmed = 0.22;
/** Narrower boxes have no border, which would fill them. */
const widestBare = 3;
/** Strips over narrower neighbours cover the gaps between them. */
const narrowestApart = 6;

/**
 * Draws the boxes of some rows, each row layer by layer, so that thousands of narrow boxes cost a rectangle each. No box is
 * left out: the layout gives every block its own pixels.
 */
export function drawBoxes(pen: Pen, scene: LaneScene, [firstRow, endRow]: readonly [number, number]): void {
  const { content, palette, hatch } = scene;
  pen.font = blockFont(palette);
  for (let number = firstRow; number < endRow; number += 1) {
    const row: RowInScene = { ...scene.layout.row(number), top: at(scene.layout.rowTops, number) };
    drawGrounds(pen, scene, row);
    if (hatch !== null) {
      pen.fillStyle = hatch;
      const strength = palette.highContrast ? 0.45 : 0.55;
      drawStrips(pen, scene, row, { of: content.isCandidate, height: scene.layout.rowHeight, strength });
    }
    pen.fillStyle = palette.ice;
    drawStrips(pen, scene, row, { of: content.isFrozen, height: iceThickness, strength: 1 });
    drawBorders(pen, scene, row);
    drawLabels(pen, scene, row);
  }
  pen.globalAlpha = 1;
}

const alphaOf = (content: LaneContent, position: number): number => (content.isShown(position) ? 1 : dimmed);

/** The nearest edge of a device pixel: edges between pixels are blurred, and drawing them is several times slower. */
function snapped(x: number, ratio: number): number {
  return Math.round(x * ratio) / ratio;
}

function drawGrounds(pen: Pen, scene: LaneScene, row: RowInScene): void {
  const { layout, content, palette, pixelRatio } = scene;
  const fills = palette.fills[content.mode];
  const { positions, lefts, widths, top } = row;
  for (let box = 0; box < positions.length; box += 1) {
    const position = at(positions, box);
    const fill = position === notRecordedPosition ? undefined : fills[content.fillOf(position)];
    if (fill === undefined) {
      continue;
    }
    const left = at(lefts, box);
    const width = at(widths, box);
    pen.globalAlpha = alphaOf(content, position);
    pen.fillStyle = width > widestBare ? fill.ground : (fill.stroke ?? fill.ground);
    if (width < narrowestRound) {
      const start = snapped(left, pixelRatio);
      pen.fillRect(
        start,
        top,
        Math.max(1 / pixelRatio, snapped(left + width, pixelRatio) - start),
        layout.rowHeight,
      );
    } else {
      trace(pen, boxIn(row, box, top, layout.rowHeight));
      pen.fill();
    }
  }
}

interface Strip {
  readonly of: (position: number) => boolean;
  /** From the bottom of the row, in CSS pixels. */
  readonly height: number;
  readonly strength: number;
}

/** Fills the lower part of the boxes with a property; narrow neighbours share one strip. */
function drawStrips(
  pen: Pen,
  { layout, content }: LaneScene,
  { positions, lefts, widths, top: rowTop }: RowInScene,
  { of, height, strength }: Strip,
): void {
  const top = rowTop + layout.rowHeight - height;
  let left = 0;
  let right = 0;
  let alpha = 0;
  let joins = false;
  const finish = (): void => {
    if (right > left) {
      pen.globalAlpha = alpha * strength;
      pen.fillRect(left, top, right - left, height);
    }
    right = left;
  };
  for (let box = 0; box < positions.length; box += 1) {
    const position = at(positions, box);
    const isNarrow = at(widths, box) < narrowestApart;
    if (position === notRecordedPosition || !of(position)) {
      finish();
      continue;
    }
    const ownAlpha = alphaOf(content, position);
    if (right === left || !joins || !isNarrow || ownAlpha !== alpha) {
      finish();
      left = at(lefts, box);
      alpha = ownAlpha;
    }
    joins = isNarrow;
    right = at(lefts, box) + at(widths, box);
  }
  finish();
}

function drawBorders(pen: Pen, scene: LaneScene, row: RowInScene): void {
  const { layout, content, palette } = scene;
  const fills = palette.fills[content.mode];
  if (fills.every(({ stroke }) => stroke === undefined)) {
    return;
  }
  const { positions, widths, top } = row;
  for (let box = 0; box < positions.length; box += 1) {
    const position = at(positions, box);
    const stroke = position === notRecordedPosition ? undefined : fills[content.fillOf(position)]?.stroke;
    if (stroke !== undefined && at(widths, box) > widestBare) {
      pen.globalAlpha = alphaOf(content, position);
      pen.strokeStyle = stroke;
      pen.lineWidth = content.sensitivityOf(position) === 2 ? 2 : 1;
      traceOutline(pen, inset(boxIn(row, box, top, layout.rowHeight), 0.5));
      pen.stroke();
    }
  }
}

function drawLabels(pen: Pen, scene: LaneScene, row: RowInScene): void {
  const { layout, content, palette } = scene;
  const fills = palette.fills[content.mode];
  const { positions, widths, top } = row;
  for (let box = 0; box < positions.length; box += 1) {
    const position = at(positions, box);
    if (position === notRecordedPosition) {
      pen.globalAlpha = 1;
      drawNotRecorded(pen, scene, boxIn(row, box, top, layout.rowHeight));
      continue;
    }
    const fill = fills[content.fillOf(position)];
    const hasRoom = at(widths, box) >= narrowestMark;
    if (fill !== undefined && (hasRoom || content.sensitivityOf(position) > 0)) {
      pen.globalAlpha = alphaOf(content, position);
      drawLabel(pen, scene, position, fill, boxIn(row, box, top, layout.rowHeight));
    }
  }
}

function drawLabel(
  pen: Pen,
  { content, palette, fitter }: LaneScene,
  position: number,
  fill: Fill,
  { left, top, width, height, isFirst, isLast }: Box,
): void {
  const sensitivity = content.sensitivityOf(position);
  const middle = top + (height - (content.isFrozen(position) ? iceThickness - 1 : 0)) / 2;
  let x = left + labelPadding;
  if (sensitivity > 0 && width >= 6) {
    const radius = width < smallestLabel ? Math.min(3.5, width / 2 - 1) : 4;
    const centre = width < smallestLabel ? left + width / 2 : x + radius;
    traceSign(pen, sensitivity, centre, middle, radius);
    pen.fillStyle = palette.highContrast ? palette.foreground : fill.text;
    pen.fill();
    x = centre + radius + 4;
  } else if (sensitivity > 0) {
    pen.fillStyle = fill.text;
    pen.fillRect(left, top, width, sensitivity === 2 ? 5 : 3);
  }
  const showsCorner = isLast && content.isDisplaced(position) && width >= narrowestMark;
  if (showsCorner) {
    pen.fillStyle = fill.text;
    traceTriangle(pen, left + width - 6, top, left + width, top, left + width, top + 6);
    pen.fill();
  }
  if (width < smallestLabel) {
    return;
  }
  for (const boundary of content.boundaries) {
    const line = left + boundary.fraction * width;
    if (boundary.position === position && line > x - 4 && line < x + 24) {
      x = line + 6;
    }
  }
  const label = content.labelOf(position);
  const text = fitter.fit(
    isFirst ? label : `… ${label}`,
    left + width - labelPadding - (showsCorner ? 4 : 0) - x,
  );
  if (text === '') {
    return;
  }
  if (content.isCandidate(position) && content.isShown(position)) {
    // The hatch must not run through the letters.
    pen.fillStyle = fill.ground;
    pen.fillRect(x - 3, middle - 7, fitter.width(text) + 6, 14);
  }
  pen.fillStyle = fill.text;
  pen.fillText(text, x, middle + 0.5);
}

function drawNotRecorded(pen: Pen, { content, palette, fitter }: LaneScene, box: Box): void {
  const { left, top, width, height } = box;
  pen.strokeStyle = palette.muted;
  pen.lineWidth = 1;
  pen.setLineDash([4, 3]);
  traceOutline(pen, inset(box, 0.5));
  pen.stroke();
  pen.setLineDash([]);
  if (content.isFrozen(notRecordedPosition)) {
    pen.fillStyle = palette.ice;
    pen.fillRect(left, top + height - iceThickness, width, iceThickness);
  }
  const label = box.isFirst ? content.notRecordedLabel : content.notRecordedRest;
  pen.fillStyle = palette.muted;
  pen.fillText(fitter.fit(label, width - 2 * labelPadding), left + labelPadding, top + height / 2);
}

/** Outlines every box of a position. */
export function drawOutline(
  pen: Pen,
  layout: LaneLayout,
  position: number | undefined,
  colour: string,
  thickness: number,
  dash: readonly number[],
): void {
  if (position === undefined) {
    return;
  }
  pen.strokeStyle = colour;
  pen.lineWidth = thickness;
  pen.setLineDash(dash);
  const outset = thickness / 2 + (thickness >= 2 ? 1 : 0);
  for (const { row: number, index } of layout.boxesOf(position)) {
    const box = boxIn(layout.row(number), index, at(layout.rowTops, number), layout.rowHeight);
    traceOutline(pen, inset(box, -outset));
    pen.stroke();
  }
  pen.setLineDash([]);
}
