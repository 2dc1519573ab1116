import {
  hatchOf,
  inset,
  narrowestRound,
  partOf,
  rectangleOf,
  trace,
  traceOutline,
  traceSign,
  type Part,
  type Rectangle,
} from './boxShapes';
import type { LaneContent } from './laneContent';
import { notRecordedPosition, type LaneLayout, type LaneRow } from '../../src/core/drawing/laneLayout';
import { at } from '../../src/core/base/numbers';
import type { Fill, Palette } from '../../src/core/drawing/palette';
import type { TextFitter } from './textFit';

export const blockFont = (palette: Palette): string => `11px ${palette.fontFamily}`;

const labelPadding = 6;
const smallestLabel = 30;
const iceThickness = 3;
/** The corner that tells of another place on the wire needs so much room. */
const narrowestMark = 9;

/** What is drawn, and with what. */
export interface LaneScene {
  readonly layout: LaneLayout;
  readonly content: LaneContent;
  readonly palette: Palette;
  readonly fitter: TextFitter;
  /** Device pixels of a CSS pixel. */
  readonly pixelRatio: number;
}

/** The boxes of a row and their upper edge. */
interface RowInScene extends LaneRow {
  readonly top: number;
}

const dimmed = 0.22;
/** Boxes up to this width have no border: it would leave nothing inside. */
const widestBare = 3;
/** Strips over neighbours below this width run through the gaps between them. */
const narrowestApart = 6;

/**
 * Draws the boxes of some rows, a row at a time and layer upon layer, so that thousands of narrow boxes cost a rectangle
 * each. No box is left out: the layout gives every block its own pixels.
 */
export function drawBoxes(
  context: CanvasRenderingContext2D,
  scene: LaneScene,
  [firstRow, endRow]: readonly [number, number],
): void {
  const { content, palette } = scene;
  const hatch = hatchOf(context, palette);
  context.font = blockFont(palette);
  for (let number = firstRow; number < endRow; number += 1) {
    const row: RowInScene = { ...scene.layout.row(number), top: at(scene.layout.rowTops, number) };
    drawGrounds(context, scene, row);
    if (hatch !== null) {
      context.fillStyle = hatch;
      const strength = palette.highContrast ? 0.45 : 0.55;
      drawStrips(context, scene, row, { of: content.isCandidate, height: scene.layout.rowHeight, strength });
    }
    context.fillStyle = palette.ice;
    drawStrips(context, scene, row, { of: content.isFrozen, height: iceThickness, strength: 1 });
    drawBorders(context, scene, row);
    drawLabels(context, scene, row);
  }
  context.globalAlpha = 1;
}

const alphaOf = (content: LaneContent, position: number): number => (content.isShown(position) ? 1 : dimmed);

/** The nearest edge of a device pixel: what lies between pixels is blurred, and drawn several times slower. */
function snapped(x: number, ratio: number): number {
  return Math.round(x * ratio) / ratio;
}

function drawGrounds(context: CanvasRenderingContext2D, scene: LaneScene, row: RowInScene): void {
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
    context.globalAlpha = alphaOf(content, position);
    context.fillStyle = width > widestBare ? fill.ground : (fill.stroke ?? fill.ground);
    if (width < narrowestRound) {
      const start = snapped(left, pixelRatio);
      context.fillRect(
        start,
        top,
        Math.max(1 / pixelRatio, snapped(left + width, pixelRatio) - start),
        layout.rowHeight,
      );
    } else {
      trace(context, rectangleOf(row, box, top, layout.rowHeight), partOf(row, box));
      context.fill();
    }
  }
}

interface Strip {
  readonly of: (position: number) => boolean;
  /** From the bottom of the row, in CSS pixels. */
  readonly height: number;
  readonly strength: number;
}

/** Fills the lower part of the boxes that a property holds for; neighbours that are narrow get one strip together. */
function drawStrips(
  context: CanvasRenderingContext2D,
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
      context.globalAlpha = alpha * strength;
      context.fillRect(left, top, right - left, height);
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

function drawBorders(context: CanvasRenderingContext2D, scene: LaneScene, row: RowInScene): void {
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
      context.globalAlpha = alphaOf(content, position);
      context.strokeStyle = stroke;
      context.lineWidth = content.sensitivityOf(position) === 2 ? 2 : 1;
      traceOutline(context, inset(rectangleOf(row, box, top, layout.rowHeight), 0.5), partOf(row, box));
      context.stroke();
    }
  }
}

function drawLabels(context: CanvasRenderingContext2D, scene: LaneScene, row: RowInScene): void {
  const { layout, content, palette } = scene;
  const fills = palette.fills[content.mode];
  const { positions, widths, top } = row;
  for (let box = 0; box < positions.length; box += 1) {
    const position = at(positions, box);
    if (position === notRecordedPosition) {
      context.globalAlpha = 1;
      drawNotRecorded(context, scene, rectangleOf(row, box, top, layout.rowHeight), partOf(row, box));
      continue;
    }
    const sensitivity = content.sensitivityOf(position);
    const fill = fills[content.fillOf(position)];
    if (fill !== undefined && (sensitivity > 0 || at(widths, box) >= narrowestMark)) {
      context.globalAlpha = alphaOf(content, position);
      drawLabel(
        context,
        scene,
        position,
        { sensitivity, fill, part: partOf(row, box) },
        rectangleOf(row, box, top, layout.rowHeight),
      );
    }
  }
}

function drawLabel(
  context: CanvasRenderingContext2D,
  { content, palette, fitter }: LaneScene,
  position: number,
  { sensitivity, fill, part }: { readonly sensitivity: number; readonly fill: Fill; readonly part: Part },
  { left, top, width, height }: Rectangle,
): void {
  const middle = top + (height - (content.isFrozen(position) ? iceThickness - 1 : 0)) / 2;
  let x = left + labelPadding;
  if (sensitivity > 0 && width >= 6) {
    const radius = width < smallestLabel ? Math.min(3.5, width / 2 - 1) : 4;
    const centre = width < smallestLabel ? left + width / 2 : x + radius;
    traceSign(context, sensitivity, centre, middle, radius);
    context.fillStyle = palette.highContrast ? palette.foreground : fill.text;
    context.fill();
    x = centre + radius + 4;
  } else if (sensitivity > 0) {
    context.fillStyle = fill.text;
    context.fillRect(left, top, width, sensitivity === 2 ? 5 : 3);
  }
  const showsCorner = part.isLast && content.isDisplaced(position) && width >= narrowestMark;
  if (showsCorner) {
    context.fillStyle = fill.text;
    context.beginPath();
    context.moveTo(left + width - 6, top);
    context.lineTo(left + width, top);
    context.lineTo(left + width, top + 6);
    context.closePath();
    context.fill();
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
    part.isFirst ? label : `… ${label}`,
    left + width - labelPadding - (showsCorner ? 4 : 0) - x,
  );
  if (text === '') {
    return;
  }
  if (content.isCandidate(position) && content.isShown(position)) {
    // The hatch must not run through the letters.
    context.fillStyle = fill.ground;
    context.fillRect(x - 3, middle - 7, fitter.width(text) + 6, 14);
  }
  context.fillStyle = fill.text;
  context.fillText(text, x, middle + 0.5);
}

function drawNotRecorded(
  context: CanvasRenderingContext2D,
  { content, palette, fitter }: LaneScene,
  rectangle: Rectangle,
  part: Part,
): void {
  const { left, top, width, height } = rectangle;
  context.strokeStyle = palette.muted;
  context.lineWidth = 1;
  context.setLineDash([4, 3]);
  traceOutline(context, inset(rectangle, 0.5), part);
  context.stroke();
  context.setLineDash([]);
  if (content.isFrozen(notRecordedPosition)) {
    context.fillStyle = palette.ice;
    context.fillRect(left, top + height - iceThickness, width, iceThickness);
  }
  const label = part.isFirst ? content.notRecordedLabel : content.notRecordedRest;
  context.fillStyle = palette.muted;
  context.fillText(fitter.fit(label, width - 2 * labelPadding), left + labelPadding, top + height / 2);
}

export function drawOutline(
  context: CanvasRenderingContext2D,
  layout: LaneLayout,
  position: number | undefined,
  colour: string,
  thickness: number,
  dash: readonly number[],
): void {
  if (position === undefined) {
    return;
  }
  context.strokeStyle = colour;
  context.lineWidth = thickness;
  context.setLineDash([...dash]);
  const outset = thickness / 2 + (thickness >= 2 ? 1 : 0);
  for (const { row: number, index } of layout.boxesOf(position)) {
    const row = layout.row(number);
    const rectangle = rectangleOf(row, index, at(layout.rowTops, number), layout.rowHeight);
    traceOutline(context, inset(rectangle, -outset), partOf(row, index));
    context.stroke();
  }
  context.setLineDash([]);
}
