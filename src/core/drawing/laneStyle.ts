import { partitionNames } from '../model/labels';

/** The lane that has no limit to its rows: the largest of most requests. */
export const historyLane = partitionNames.indexOf('history');

/** Width of the sign at the end of a lane that does not show all of its blocks, with and without words. In pixels. */
export const breakWidth = 76;
export const smallBreakWidth = 10;

/** All lengths in CSS pixels. */
export interface LaneStyle {
  /** The left edge of the rows, and their width: all lanes have the same scale. */
  readonly left: number;
  readonly width: number;
  readonly top: number;
  readonly rowHeight: number;
  readonly rowGap: number;
  readonly laneGap: number;
  /** Height of a lane without blocks. */
  readonly emptyLane: number;
  /** Below the last lane, for the words at the boundary where they have no room beside the blocks. */
  readonly bottom: number;
  readonly blockGap: number;
  /** Most rows of a lane other than the history; it ends with a sign where it has more. */
  readonly mostRows: number;
  /** Whether the lanes other than the history share a line, because the window is very low. */
  readonly hasOneLine: boolean;
  /** Whether the lanes' figures stand below their names instead of beside them. */
  readonly hasTwoLines: boolean;
}

/** In a lower window a line for each lane would leave less than three rows to the history. */
const lowest = 180;

/** The style of the drawing in a window of a size. */
export function laneStyleFor(width: number, height: number): LaneStyle {
  const left = width < 480 ? 84 : width < 900 ? 106 : 128;
  const isLow = height < 240;
  const [rowHeight, rowGap] = width < 480 || isLow ? [19, 4] : width < 900 ? [21, 5] : [25, 6];
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
    mostRows: height < 300 ? 1 : 2,
    hasOneLine: height < lowest,
    hasTwoLines: width >= 900,
  };
}
