import { at } from '../base/numbers';
import type { LaneRow } from './laneLayout';
import { traceDiamond, traceTriangle, type Pen } from './pen';

const corner = 2;
/** Narrower boxes have straight corners: the curves would not be seen, and rectangles are drawn much faster. In pixels. */
export const narrowestRound = 12;

export interface Rectangle {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Whether a box is the first and the last of its block. A block that is wider than a row has a box in each of several rows. */
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

/** The area of a box; only the ends of a block have round corners. */
export function trace(pen: Pen, { left, top, width, height }: Rectangle, part: Part): void {
  const start = part.isFirst && width >= narrowestRound ? corner : 0;
  const end = part.isLast && width >= narrowestRound ? corner : 0;
  pen.beginPath();
  pen.roundRect(left, top, width, height, [start, end, end, start]);
}

/** The border of a box; it is open where the block continues in another row. */
export function traceOutline(pen: Pen, rectangle: Rectangle, part: Part): void {
  if (part.isFirst && part.isLast) {
    trace(pen, rectangle, part);
    return;
  }
  const { left, top, width, height } = rectangle;
  const right = left + width;
  const bottom = top + height;
  pen.beginPath();
  pen.moveTo(right, top);
  pen.lineTo(left, top);
  if (part.isFirst) {
    pen.lineTo(left, bottom);
  } else {
    pen.moveTo(left, bottom);
  }
  pen.lineTo(right, bottom);
  if (part.isLast) {
    pen.lineTo(right, top);
  }
}

/** A diamond for private, a triangle for restricted, around a centre: signs that do not depend on colour. */
export function traceSign(pen: Pen, sensitivity: number, x: number, y: number, radius: number): void {
  if (sensitivity === 2) {
    const foot = y + radius * 0.8;
    traceTriangle(pen, x, y - radius, x + radius, foot, x - radius, foot);
  } else {
    traceDiamond(pen, x, y, radius);
  }
}
