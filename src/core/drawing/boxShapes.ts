import { at } from '../base/numbers';
import type { LaneRow } from './laneLayout';
import { type Pen, traceDiamond, traceTriangle } from './pen';

const corner = 2;
/**
 * Minimum width of boxes with round corners, in pixels. In narrower boxes, curves would be invisible, and rectangles
 * are drawn much faster.
 */
export const narrowestRound = 12;

/** One box of a block. A block that is wider than a row has one box in each of several rows. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
  /** True if the block begins (or ends) with this box. */
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

export function boxIn(
  { positions, lefts, widths, continues, goesOn }: LaneRow,
  index: number,
  top: number,
  height: number,
): Box {
  return {
    left: at(lefts, index),
    top,
    width: at(widths, index),
    height,
    isFirst: index > 0 || !continues,
    isLast: index < positions.length - 1 || !goesOn,
  };
}

export function inset({ left, top, width, height, isFirst, isLast }: Box, by: number): Box {
  return {
    left: left + by,
    top: top + by,
    width: Math.max(1, width - 2 * by),
    height: height - 2 * by,
    isFirst,
    isLast,
  };
}

/** The area of a box. Only the ends of a block have round corners. */
export function trace(pen: Pen, { left, top, width, height, isFirst, isLast }: Box): void {
  const start = isFirst && width >= narrowestRound ? corner : 0;
  const end = isLast && width >= narrowestRound ? corner : 0;
  pen.beginPath();
  pen.roundRect(left, top, width, height, [start, end, end, start]);
}

/** The border of a box. It is open at a side where the block continues in another row. */
export function traceOutline(pen: Pen, box: Box): void {
  const { left, top, width, height, isFirst, isLast } = box;
  if (isFirst && isLast) {
    trace(pen, box);
    return;
  }
  const right = left + width;
  const bottom = top + height;
  pen.beginPath();
  pen.moveTo(right, top);
  pen.lineTo(left, top);
  if (isFirst) {
    pen.lineTo(left, bottom);
  } else {
    pen.moveTo(left, bottom);
  }
  pen.lineTo(right, bottom);
  if (isLast) {
    pen.lineTo(right, top);
  }
}

/** A diamond for private, a triangle for restricted, around a centre. These signs do not depend on colour. */
export function traceSign(pen: Pen, sensitivity: number, x: number, y: number, radius: number): void {
  if (sensitivity === 2) {
    const foot = y + radius * 0.8;
    traceTriangle(pen, x, y - radius, x + radius, foot, x - radius, foot);
  } else {
    traceDiamond(pen, x, y, radius);
  }
}
