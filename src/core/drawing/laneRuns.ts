import { at, clamp } from '../base/numbers';
import type { LaneLayout } from './laneLayout';

/** Neighbours narrower than this are drawn as one run, in pixels. */
export const narrowest = 7;
/** The width of each block in a spread run, with its gap. */
export const spreadStep = 16;
const mostSpread = 21;

/** A part of a run whose blocks are spread side by side, so that each can be pointed at. It covers its row. */
export interface Spread {
  readonly row: number;
  readonly left: number;
  readonly positions: Int32Array;
}

/** The right edge of a spread part. */
export const spreadEnd = ({ left, positions }: Spread): number => left + positions.length * spreadStep;

/** The spread blocks around a position; undefined if the block is wide enough or not drawn. */
export function spreadAround(layout: LaneLayout, position: number | undefined): Spread | undefined {
  const box = position === undefined ? undefined : layout.boxOf(position);
  if (box === undefined) {
    return undefined;
  }
  const { positions, lefts, widths } = layout.row(box.row);
  const isNarrow = (index: number): boolean =>
    index >= 0 && index < positions.length && at(widths, index) < narrowest;
  if (!isNarrow(box.index) || layout.boxesOf(box.position).length > 1) {
    return undefined;
  }
  const left = layout.leftOfRow(box.row);
  const right = layout.style.left + layout.style.width;
  const most = Math.min(mostSpread, Math.max(1, Math.floor((right - left) / spreadStep)));
  let first = box.index;
  let end = first + 1;
  while (end - first < most && (isNarrow(first - 1) || isNarrow(end))) {
    // Added alternately on both sides, so that the block stays in the middle.
    if (isNarrow(first - 1)) {
      first -= 1;
    }
    if (end - first < most && isNarrow(end)) {
      end += 1;
    }
  }
  const middle = (at(lefts, first) + at(lefts, end - 1) + at(widths, end - 1)) / 2;
  const width = (end - first) * spreadStep;
  return {
    row: box.row,
    left: clamp(middle - width / 2, left, Math.max(left, right - width)),
    positions: positions.slice(first, end),
  };
}

/** The position at a point of the content; undefined outside the spread. */
export function positionInSpread(
  layout: LaneLayout,
  { row, left, positions }: Spread,
  x: number,
  y: number,
): number | undefined {
  const top = at(layout.rowTops, row);
  return y >= top - 2 && y <= top + layout.rowHeight + 2 && x >= left
    ? positions[Math.floor((x - left) / spreadStep)]
    : undefined;
}
