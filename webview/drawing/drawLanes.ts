import { boxOf, notRecordedPosition, placeInBox, rowsWithin, type LaneLayout } from './laneLayout';
import type { Boundary, BoundaryKind } from './boundaries';
import { at, clamp } from './numbers';
import type { ColourMode, Fill, Palette } from './palette';
import type { TextFitter } from './textFit';

/** A boundary with the words of its flag. */
export interface LabelledBoundary extends Boundary {
  readonly label: string;
}

/** What a block is painted as; functions of the position on the wire. */
export interface LaneContent {
  readonly mode: ColourMode;
  /** Index into the fills of the colour mode. */
  readonly fillOf: (position: number) => number;
  /** Index into sensitivityLabels: private and restricted get a sign in every mode. */
  readonly sensitivityOf: (position: number) => number;
  readonly labelOf: (position: number) => string;
  readonly isFrozen: (position: number) => boolean;
  readonly isCandidate: (position: number) => boolean;
  /** Whether the search shows it; the others are dimmed. */
  readonly isShown: (position: number) => boolean;
  readonly lanes: Uint8Array;
  /** Blocks that stand between others of another lane on the wire, each with the position before it. */
  readonly displaced: readonly { readonly position: number; readonly after: number }[];
  readonly isDisplaced: (position: number) => boolean;
  readonly notRecordedLabel: string;
  /** Stands in the rows after the first, where there are any. */
  readonly notRecordedRest: string;
  readonly boundaries: readonly LabelledBoundary[];
  readonly laneTexts: readonly { readonly name: string; readonly figure: string; readonly detail: string }[];
  readonly emptyLane: string;
}

export interface LaneView {
  readonly width: number;
  readonly height: number;
  readonly scroll: number;
  readonly selected: number | undefined;
  readonly paired: number | undefined;
  readonly hovered: number | undefined;
  readonly focused: boolean;
}

export const blockFont = (palette: Palette): string => `11px ${palette.fontFamily}`;
const flagFont = (palette: Palette): string => `600 10.5px ${palette.fontFamily}`;
const laneFont = (palette: Palette): string => `600 12.5px ${palette.fontFamily}`;
const detailFont = (palette: Palette): string => `11px ${palette.fontFamily}`;

const labelPadding = 6;
const smallestLabel = 30;
const corner = 2;
const iceThickness = 3;
const dashes: Readonly<Record<BoundaryKind, readonly number[]>> = {
  recorded: [],
  predicted: [5, 3],
  frozenPrefix: [1.5, 2.5],
  breakpoint: [1.5, 2.5],
};

/** Diagonal lines; the pattern repeats seamlessly. */
function createHatch(context: CanvasRenderingContext2D, colour: string): CanvasPattern | null {
  const size = 8;
  const tile = document.createElement('canvas');
  tile.width = size;
  tile.height = size;
  const pen = tile.getContext('2d');
  if (pen === null) {
    return null;
  }
  pen.strokeStyle = colour;
  pen.lineWidth = 1.4;
  pen.beginPath();
  for (const shift of [-size, 0, size]) {
    pen.moveTo(shift - 1, size + 1);
    pen.lineTo(shift + size + 1, -1);
  }
  pen.stroke();
  return context.createPattern(tile, 'repeat');
}

/** A diamond for private, a triangle for restricted: signs that do not rest on colour. Drawn around a centre. */
export function traceSign(
  context: CanvasRenderingContext2D,
  sensitivity: number,
  x: number,
  y: number,
  radius: number,
): void {
  context.beginPath();
  if (sensitivity === 2) {
    context.moveTo(x, y - radius);
    context.lineTo(x + radius, y + radius * 0.8);
    context.lineTo(x - radius, y + radius * 0.8);
  } else {
    context.moveTo(x, y - radius);
    context.lineTo(x + radius, y);
    context.lineTo(x, y + radius);
    context.lineTo(x - radius, y);
  }
  context.closePath();
}

/** Draws the part of the lanes that the window shows. The context's unit is the CSS pixel. */
export function drawLanes(
  context: CanvasRenderingContext2D,
  layout: LaneLayout,
  content: LaneContent,
  view: LaneView,
  palette: Palette,
  fitter: TextFitter,
): void {
  context.fillStyle = palette.background;
  context.fillRect(0, 0, view.width, view.height);
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  const [firstRow, endRow] = rowsWithin(layout, view.scroll, view.scroll + view.height);
  context.save();
  context.translate(0, -view.scroll);
  drawLaneLabels(context, layout, content, view, palette, fitter);
  const hatch = createHatch(context, palette.highContrast ? palette.foreground : palette.background);
  const softHatch = createHatch(context, palette.foreground);
  for (let row = firstRow; row < endRow; row += 1) {
    const top = at(layout.rowTops, row);
    for (let box = at(layout.rowStarts, row); box < at(layout.rowStarts, row + 1); box += 1) {
      drawBox(context, layout, content, palette, fitter, box, top, { hatch, softHatch });
    }
  }
  drawDisplacedMarks(context, layout, content, palette, [firstRow, endRow]);
  drawBoundaries(context, layout, content, palette, view);
  drawOutline(context, layout, view.hovered, palette.foreground, 1, []);
  drawOutline(context, layout, view.paired, palette.foreground, 1.5, [3, 2]);
  drawOutline(context, layout, view.selected, view.focused ? palette.focus : palette.foreground, 2, []);
  context.restore();
}

interface Hatches {
  readonly hatch: CanvasPattern | null;
  readonly softHatch: CanvasPattern | null;
}

function drawBox(
  context: CanvasRenderingContext2D,
  layout: LaneLayout,
  content: LaneContent,
  palette: Palette,
  fitter: TextFitter,
  box: number,
  top: number,
  { hatch, softHatch }: Hatches,
): void {
  const position = at(layout.positions, box);
  const left = at(layout.lefts, box);
  const width = at(layout.widths, box);
  const height = layout.rowHeight;
  const rectangle = { left, top, width, height };
  const part = partOf(layout, box);
  if (position === notRecordedPosition) {
    drawNotRecorded(context, content, palette, fitter, rectangle, part);
    return;
  }
  const sensitivity = content.sensitivityOf(position);
  const fill = palette.fills[content.mode][content.fillOf(position)];
  if (fill === undefined) {
    return;
  }
  context.globalAlpha = content.isShown(position) ? 1 : 0.22;
  // Too narrow for a border to leave anything inside.
  context.fillStyle = width > 3 ? fill.ground : (fill.stroke ?? fill.ground);
  trace(context, rectangle, part);
  context.fill();
  if (content.isCandidate(position)) {
    const pattern = palette.highContrast ? softHatch : hatch;
    if (pattern !== null) {
      const alpha = context.globalAlpha;
      context.globalAlpha = alpha * (palette.highContrast ? 0.45 : 0.55);
      context.fillStyle = pattern;
      context.fill();
      context.globalAlpha = alpha;
    }
  }
  if (content.isFrozen(position)) {
    context.fillStyle = palette.ice;
    context.fillRect(left, top + height - iceThickness, width, iceThickness);
  }
  if (fill.stroke !== undefined && width > 3) {
    context.strokeStyle = fill.stroke;
    context.lineWidth = sensitivity === 2 ? 2 : 1;
    traceOutline(context, inset(rectangle, 0.5), part);
    context.stroke();
  }
  drawLabel(context, content, palette, fitter, position, { sensitivity, fill, part }, rectangle);
  context.globalAlpha = 1;
}

/** Whether a box is the first and the last of its block's: one that is wider than a row goes on in the next. */
interface Part {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

function partOf({ positions, boxCount }: LaneLayout, box: number): Part {
  return {
    isFirst: box === 0 || positions[box - 1] !== positions[box],
    isLast: box + 1 >= boxCount || positions[box + 1] !== positions[box],
  };
}

interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

function drawLabel(
  context: CanvasRenderingContext2D,
  content: LaneContent,
  palette: Palette,
  fitter: TextFitter,
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
  const showsCorner = part.isLast && content.isDisplaced(position) && width >= 9;
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
  context.font = blockFont(palette);
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
  content: LaneContent,
  palette: Palette,
  fitter: TextFitter,
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
  context.font = blockFont(palette);
  context.fillStyle = palette.muted;
  context.fillText(fitter.fit(label, width - 2 * labelPadding), left + labelPadding, top + height / 2);
}

function inset({ left, top, width, height }: Rectangle, by: number): Rectangle {
  return { left: left + by, top: top + by, width: Math.max(1, width - 2 * by), height: height - 2 * by };
}

/** The area of a box; only the ends of a block are round. */
function trace(context: CanvasRenderingContext2D, { left, top, width, height }: Rectangle, part: Part): void {
  const start = part.isFirst && width >= 6 ? corner : 0;
  const end = part.isLast && width >= 6 ? corner : 0;
  context.beginPath();
  context.roundRect(left, top, width, height, [start, end, end, start]);
}

/** The border of a box; it is open where the block goes on in another row. */
function traceOutline(context: CanvasRenderingContext2D, rectangle: Rectangle, part: Part): void {
  if (part.isFirst && part.isLast) {
    trace(context, rectangle, part);
    return;
  }
  const { left, top, width, height } = rectangle;
  const right = left + width;
  const bottom = top + height;
  context.beginPath();
  context.moveTo(right, top);
  context.lineTo(left, top);
  if (part.isFirst) {
    context.lineTo(left, bottom);
  } else {
    context.moveTo(left, bottom);
  }
  context.lineTo(right, bottom);
  if (part.isLast) {
    context.lineTo(right, top);
  }
}

/** The names stay in sight while their lane does. */
function drawLaneLabels(
  context: CanvasRenderingContext2D,
  layout: LaneLayout,
  content: LaneContent,
  view: LaneView,
  palette: Palette,
  fitter: TextFitter,
): void {
  layout.lanes.forEach((lane, index) => {
    const texts = content.laneTexts[index];
    if (texts === undefined || lane.bottom < view.scroll || lane.top > view.scroll + view.height) {
      return;
    }
    const firstTop = lane.firstRow < lane.endRow ? at(layout.rowTops, lane.firstRow) : lane.top;
    const y = clamp(view.scroll + 12, firstTop, Math.max(firstTop, lane.bottom - 40));
    context.fillStyle = palette.partitions[index] ?? palette.foreground;
    context.fillRect(16, y + 1, 3, 37);
    context.fillStyle = palette.foreground;
    context.font = laneFont(palette);
    context.fillText(texts.name, 27, y + 6);
    context.font = detailFont(palette);
    context.fillText(texts.figure, 27, y + 21);
    context.fillStyle = palette.muted;
    context.fillText(texts.detail, 27, y + 35);
    if (lane.firstRow === lane.endRow) {
      context.fillText(fitter.fit(content.emptyLane, view.width), 148, y + 13);
    }
  });
}

/** In the lane where the wire runs, a small mark shows where a block of another lane stands. */
function drawDisplacedMarks(
  context: CanvasRenderingContext2D,
  layout: LaneLayout,
  content: LaneContent,
  palette: Palette,
  [firstRow, endRow]: readonly [number, number],
): void {
  for (const { position, after } of content.displaced) {
    const box = boxOf(layout, after);
    if (box === undefined) {
      continue;
    }
    const last = lastBoxOf(layout, box);
    const row = at(layout.rows, last);
    if (row < firstRow || row >= endRow) {
      continue;
    }
    const x = at(layout.lefts, last) + at(layout.widths, last) + 1;
    const y = at(layout.rowTops, row);
    context.beginPath();
    context.moveTo(x - 4, y - 3);
    context.lineTo(x + 4, y - 3);
    context.lineTo(x, y + 4);
    context.closePath();
    context.fillStyle = palette.partitions[at(content.lanes, position)] ?? palette.foreground;
    context.fill();
    context.strokeStyle = palette.background;
    context.lineWidth = 1;
    context.stroke();
  }
}

function lastBoxOf(layout: LaneLayout, first: number): number {
  let box = first;
  while (box + 1 < layout.boxCount && layout.positions[box + 1] === layout.positions[first]) {
    box += 1;
  }
  return box;
}

const flagHeight = 17;

function drawBoundaries(
  context: CanvasRenderingContext2D,
  layout: LaneLayout,
  content: LaneContent,
  palette: Palette,
  view: LaneView,
): void {
  const placed = content.boundaries.flatMap(boundary => {
    const place = placeInBox(layout, boundary);
    return place === undefined ? [] : [{ boundary, x: place.x, row: at(layout.rows, place.box) }];
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
  const left = x + textWidth + 14 > right ? x - 6 - textWidth : x + 6;
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

function drawOutline(
  context: CanvasRenderingContext2D,
  layout: LaneLayout,
  position: number | undefined,
  colour: string,
  thickness: number,
  dash: readonly number[],
): void {
  const first = position === undefined ? undefined : boxOf(layout, position);
  if (first === undefined) {
    return;
  }
  context.strokeStyle = colour;
  context.lineWidth = thickness;
  context.setLineDash([...dash]);
  const outset = thickness / 2 + (thickness >= 2 ? 1 : 0);
  for (let box = first; box <= lastBoxOf(layout, first); box += 1) {
    const rectangle = {
      left: at(layout.lefts, box),
      top: at(layout.rowTops, at(layout.rows, box)),
      width: at(layout.widths, box),
      height: layout.rowHeight,
    };
    traceOutline(context, inset(rectangle, -outset), partOf(layout, box));
    context.stroke();
  }
  context.setLineDash([]);
}
