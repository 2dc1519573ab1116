import type { LaneRow } from '../../src/core/drawing/laneLayout';
import { at } from '../../src/core/base/numbers';
import type { Palette } from '../../src/core/drawing/palette';

const corner = 2;
/** Narrower boxes have straight corners: nobody sees two pixels of a curve there, and rectangles are drawn far faster. */
export const narrowestRound = 12;

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Whether a box is the first and the last of its block's: one that is wider than a row goes on in the next. */
export interface Part {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export function partOf({ positions, continues, goesOn }: LaneRow, box: number): Part {
  return { isFirst: box > 0 || !continues, isLast: box < positions.length - 1 || !goesOn };
}

export function rectangleOf({ lefts, widths }: LaneRow, box: number, top: number, height: number): Rectangle {
  return { left: at(lefts, box), top, width: at(widths, box), height };
}

export function inset({ left, top, width, height }: Rectangle, by: number): Rectangle {
  return { left: left + by, top: top + by, width: Math.max(1, width - 2 * by), height: height - 2 * by };
}

/** The area of a box; only the ends of a block are round. */
export function trace(
  context: CanvasRenderingContext2D,
  { left, top, width, height }: Rectangle,
  part: Part,
): void {
  const start = part.isFirst && width >= narrowestRound ? corner : 0;
  const end = part.isLast && width >= narrowestRound ? corner : 0;
  context.beginPath();
  context.roundRect(left, top, width, height, [start, end, end, start]);
}

/** The border of a box; it is open where the block goes on in another row. */
export function traceOutline(context: CanvasRenderingContext2D, rectangle: Rectangle, part: Part): void {
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

interface Hatches {
  /** In the colour of the background, in high contrast of the foreground. */
  readonly pattern: CanvasPattern | null;
}
const hatches = new WeakMap<Palette, Hatches>();

/** Diagonal lines; made once a palette, as a canvas and a pattern cost more than what is drawn with them. */
export function hatchOf(context: CanvasRenderingContext2D, palette: Palette): CanvasPattern | null {
  const known = hatches.get(palette);
  if (known !== undefined) {
    return known.pattern;
  }
  const pattern = createHatch(context, palette.highContrast ? palette.foreground : palette.background);
  hatches.set(palette, { pattern });
  return pattern;
}

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
