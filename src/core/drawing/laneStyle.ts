import { partitionNames } from '../model/labels';

/** The lane without a limit of rows. It is the largest in most requests. */
export const historyLane = partitionNames.indexOf('history');

/** Width of the sign at the end of a lane that does not show all of its blocks, with and without text. In pixels. */
export const breakWidth = 76;
export const smallBreakWidth = 10;

/** All lengths in CSS pixels. */
export interface LaneStyle {
  /** The left edge of the rows, and their width. All lanes have the same scale. */
  readonly left: number;
  readonly width: number;
  readonly top: number;
  readonly rowHeight: number;
  readonly rowGap: number;
  readonly laneGap: number;
  /** Height of a lane without blocks. */
  readonly emptyLane: number;
  /** Space below the last lane, for the label of the boundary if it does not fit next to the blocks. */
  readonly bottom: number;
  readonly blockGap: number;
  /** Maximum rows of a lane other than the history. It ends with a sign if it has more. */
  readonly mostRows: number;
  /** True if the lanes other than the history share a line, because the window is very low. */
  readonly hasOneLine: boolean;
  /** True if the lanes' figures are below their names instead of next to them. */
  readonly hasTwoLines: boolean;
}

/** Minimum window height for one line per lane. In a lower window, the history would have less than three rows. */
const lowest = 180;
/** Minimum window height at which the lanes have one line each, even if the scale could otherwise be larger. */
export const lowestForLines = 300;

/**
 * The style of the drawing in a window of a size.
 *
 * @param leastWidth of the window while the details are open, so that they change no row
 * @param hasOneLine false if the small lanes have one line each where that is possible
 */
export function laneStyleFor(
  width: number,
  height: number,
  leastWidth = width,
  hasOneLine = false,
): LaneStyle {
  const widthClass = Math.min(width, leastWidth);
  const left = widthClass < 480 ? 84 : widthClass < 900 ? 106 : 128;
  const isLow = height < 240;
  const [rowHeight, rowGap] = widthClass < 480 || isLow ? [19, 4] : widthClass < 900 ? [21, 5] : [25, 6];
  return {
    left,
    width: Math.max(40, width - left - 16),
    top: isLow ? 5 : 8,
    rowHeight,
    rowGap,
    laneGap: rowGap + (isLow ? 4 : 7),
    emptyLane: 20,
    bottom: 22,
    blockGap: 2,
    mostRows: height < lowestForLines ? 1 : 2,
    hasOneLine: hasOneLine || height < lowest,
    hasTwoLines: widthClass >= 900,
  };
}
