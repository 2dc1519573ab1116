/**
 * The place of each block of a request in the drawing: pure arithmetic on typed arrays. A row is a number of tokens, the
 * same in all lanes; blocks flow over rows as text does, so that widths are true. There are three coordinates:
 * - wire: the position in the request, from 0; `notRecordedPosition` is the part that the transcript does not contain and comes first;
 * - content: CSS pixels from the top left of the whole drawing, which may be higher than the window;
 * - window: content minus the scroll offset, used by drawing and pointers alone.
 */
import { at, clamp, firstWhere, lastAtMost } from '../base/numbers';
import { breakWidth, historyLane, type LaneStyle } from './laneStyle';

/** The position of the part that the transcript does not contain. */
export const notRecordedPosition = -1;

export interface LaneBlocks {
  /** The positions of each lane in wire order, by index into partitionNames. */
  readonly lanes: readonly Uint32Array[];
  /** For each lane the tokens in front of each of its blocks, and behind the last. */
  readonly offsets: readonly Float64Array[];
  /** Tokens of the block that represents what is not recorded, in lane 0; 0 for none. */
  readonly notRecorded: number;
}

/**
 * Sums the tokens of each lane. The only loop over all blocks.
 * @param tokens of the block at each position
 */
export function sumLanes(
  tokens: Uint32Array,
  lanes: readonly Uint32Array[],
  notRecorded: number,
): LaneBlocks {
  const offsets = lanes.map((positions, lane) => {
    const sums = new Float64Array(positions.length + 1);
    let sum = lane === 0 ? notRecorded : 0;
    sums[0] = sum;
    for (let index = 0; index < positions.length; index += 1) {
      sum += tokens[positions[index] ?? 0] ?? 0;
      sums[index + 1] = sum;
    }
    return sums;
  });
  return { lanes, offsets, notRecorded };
}

/** A place inside a block, with the fraction of the block before it. */
export interface BlockPlace {
  readonly position: number;
  readonly fraction: number;
}

/** A lane's extent; rows are indices into `rowTops`. */
export interface Lane {
  readonly top: number;
  readonly bottom: number;
  readonly firstRow: number;
  readonly endRow: number;
  /** Tokens that its rows show, and those behind them. */
  readonly shown: number;
  readonly hidden: number;
}

/** The boxes of a row, left to right. A block has one box in each row that it reaches into. */
export interface LaneRow {
  /** The position of the block that each box shows, as a whole or in part. */
  readonly positions: Int32Array;
  readonly lefts: Float64Array;
  readonly widths: Float64Array;
  /** Whether the first box continues a block of the previous row, and whether the last block continues in the next row. */
  readonly continues: boolean;
  readonly goesOn: boolean;
}

/** One box: its row, its index there, and the position that it shows. */
export interface LaneBox {
  readonly row: number;
  readonly index: number;
  readonly position: number;
}

/** The index of what is not recorded in lane 0. */
const notRecordedIndex = -1;

const rowsOf = (tokens: number, rowTokens: number, blocks: number): number =>
  tokens > 0 ? Math.ceil(tokens / rowTokens) : Math.min(1, blocks);

const tokensOf = ({ offsets }: LaneBlocks, lane: number): number => offsets[lane]?.at(-1) ?? 0;

/** The number of rows of each lane that are drawn. */
function rowCounts(
  blocks: LaneBlocks,
  style: LaneStyle,
  rowTokens: number,
  openLane?: number,
): readonly number[] {
  return blocks.lanes.map((positions, lane) => {
    const rows = rowsOf(tokensOf(blocks, lane), rowTokens, positions.length);
    return lane === historyLane || lane === openLane ? rows : Math.min(rows, style.mostRows);
  });
}

const laneHeight = ({ rowHeight, rowGap, emptyLane }: LaneStyle, rows: number): number =>
  rows === 0 ? emptyLane : rows * (rowHeight + rowGap) - rowGap;

function heightOf(style: LaneStyle, counts: readonly number[]): number {
  const lanes = counts.reduce((sum, rows) => sum + laneHeight(style, rows), 0);
  return style.top + lanes + style.laneGap * (counts.length - 1) + style.bottom;
}

/** The drawing of a request at a scale. Its size does not depend on the number of blocks; rows are made on demand. */
export class LaneLayout {
  /** Top of the boxes of each row. */
  readonly rowTops: Float64Array;
  readonly rowHeight: number;
  readonly lanes: readonly Lane[];
  readonly height: number;
  private readonly rows = new Map<number, LaneRow>();

  /**
   * @param rowTokens tokens in a row
   * @param openLane the lane that is drawn with all of its rows, if any
   */
  constructor(
    private readonly blocks: LaneBlocks,
    readonly style: LaneStyle,
    readonly rowTokens: number,
    openLane?: number,
  ) {
    const counts = rowCounts(blocks, style, rowTokens, openLane);
    this.rowHeight = style.rowHeight;
    this.height = heightOf(style, counts);
    this.rowTops = new Float64Array(counts.reduce((sum, rows) => sum + rows, 0));
    let top = style.top;
    let firstRow = 0;
    this.lanes = counts.map((rows, lane) => {
      for (let row = 0; row < rows; row += 1) {
        this.rowTops[firstRow + row] = top + row * (style.rowHeight + style.rowGap);
      }
      const bottom = top + laneHeight(style, rows);
      const tokens = tokensOf(blocks, lane);
      const shown = Math.min(tokens, rows * rowTokens);
      const made = { top, bottom, firstRow, endRow: firstRow + rows, shown, hidden: tokens - shown };
      top = bottom + style.laneGap;
      firstRow += rows;
      return made;
    });
  }

  get rowCount(): number {
    return this.rowTops.length;
  }

  /** The boxes of a row. */
  row(row: number): LaneRow {
    return this.rows.get(row) ?? this.makeRow(row);
  }

  /** The first box of a position; undefined if it is not drawn. */
  boxOf(position: number): LaneBox | undefined {
    const row = this.rowOf(position);
    return row === undefined ? undefined : this.boxIn(row, position);
  }

  /** All boxes of a position: one in each row that its block reaches into. */
  boxesOf(position: number): readonly LaneBox[] {
    const first = this.boxOf(position);
    const boxes = first === undefined ? [] : [first];
    for (let last = first; last !== undefined && this.goesOn(last);) {
      last = { row: last.row + 1, index: 0, position };
      boxes.push(last);
    }
    return boxes;
  }

  /** The lane of a position; -1 if the request does not hold it. */
  laneOf(position: number): number {
    return this.placeInLane(position).lane;
  }

  /** The row of a place inside a block, and the place's x; undefined if the place is not drawn. */
  placeOf(place: BlockPlace): { readonly row: number; readonly x: number } | undefined {
    const { lane: number } = this.placeInLane(place.position);
    const lane = this.lanes[number];
    const tokens = this.tokensBefore(number, place);
    if (lane === undefined || tokens > lane.shown || lane.firstRow === lane.endRow) {
      return undefined;
    }
    // The end of a full row, not the beginning of the next one.
    const row = Math.max(0, Math.ceil(tokens / this.rowTokens) - 1);
    const { left, width } = this.style;
    return { row: lane.firstRow + row, x: left + ((tokens - row * this.rowTokens) / this.rowTokens) * width };
  }

  /** Tokens of a lane that the wire has before a place, in any lane. */
  tokensBefore(lane: number, { position, fraction }: BlockPlace): number {
    const { lanes, offsets, notRecorded } = this.blocks;
    const positions = lanes[lane] ?? new Uint32Array();
    const sums = offsets[lane] ?? new Float64Array();
    if (position === notRecordedPosition) {
      return lane === 0 ? fraction * notRecorded : 0;
    }
    const index = lastAtMost(positions, positions.length, position);
    const end = at(sums, index + 1);
    return positions[index] === position ? at(sums, index) + fraction * (end - at(sums, index)) : end;
  }

  /** The first block that a lane does not show, at its break sign. */
  hiddenAt(x: number, y: number): number | undefined {
    const lane = this.lanes.findIndex(({ hidden, top, bottom }) => hidden > 0 && y >= top && y <= bottom);
    const { endRow = 0 } = this.lanes[lane] ?? {};
    const isAtSign =
      x >= this.style.left + this.style.width - breakWidth && y >= at(this.rowTops, endRow - 1);
    return isAtSign ? this.firstHidden(lane) : undefined;
  }

  /** The position of the first block of a lane that its rows do not show at all; undefined if they show all. */
  private firstHidden(lane: number): number | undefined {
    const sums = this.blocks.offsets[lane] ?? new Float64Array();
    const { shown = 0, hidden = 0 } = this.lanes[lane] ?? {};
    const positions = this.blocks.lanes[lane] ?? new Uint32Array();
    const index = firstWhere(0, positions.length, candidate => at(sums, candidate) >= shown);
    return hidden > 0 ? (positions[index] ?? positions.at(-1) ?? notRecordedPosition) : undefined;
  }

  /** The lane of a row. */
  laneOfRow(row: number): number {
    return this.lanes.findIndex(({ firstRow, endRow }) => row >= firstRow && row < endRow);
  }

  private goesOn({ row, index }: LaneBox): boolean {
    const { positions, goesOn } = this.row(row);
    const isShown = row + 1 < (this.lanes[this.laneOfRow(row)]?.endRow ?? 0);
    return goesOn && isShown && index === positions.length - 1;
  }

  private boxIn(row: number, position: number): LaneBox {
    const { positions } = this.row(row);
    return { row, index: lastAtMost(positions, positions.length, position), position };
  }

  /** The first row that shows a position. */
  private rowOf(position: number): number | undefined {
    const { lane: number, index } = this.placeInLane(position);
    const lane = this.lanes[number];
    if (lane === undefined || lane.firstRow === lane.endRow) {
      return undefined;
    }
    const start = index === notRecordedIndex ? 0 : at(this.blocks.offsets[number] ?? [], index);
    // What begins at the very end has no width and stands in the last row.
    const row = Math.floor(start / this.rowTokens);
    const last = lane.endRow - lane.firstRow - 1;
    return row <= last ? lane.firstRow + row : lane.hidden > 0 ? undefined : lane.endRow - 1;
  }

  /** The lane of a position and its index there; lane -1 if it is not drawn. */
  private placeInLane(position: number): { readonly lane: number; readonly index: number } {
    const { lanes, notRecorded } = this.blocks;
    if (position === notRecordedPosition) {
      return { lane: notRecorded > 0 ? 0 : -1, index: notRecordedIndex };
    }
    for (const [lane, positions] of lanes.entries()) {
      const index = lastAtMost(positions, positions.length, position);
      if (index >= 0 && positions[index] === position) {
        return { lane, index };
      }
    }
    return { lane: -1, index: 0 };
  }

  private makeRow(row: number): LaneRow {
    const number = this.laneOfRow(row);
    const lane = this.lanes[number];
    const order = this.blocks.lanes[number] ?? new Uint32Array();
    const sums = this.blocks.offsets[number] ?? new Float64Array();
    const { left, width: rowWidth, blockGap } = this.style;
    const { rowTokens } = this;
    const from = (row - (lane?.firstRow ?? 0)) * rowTokens;
    const to = from + rowTokens;
    const isLast = row + 1 === lane?.endRow && lane.hidden === 0;
    const hasUnknown = number === 0 && this.blocks.notRecorded > from;
    const start = hasUnknown
      ? notRecordedIndex
      : firstWhere(0, order.length, index => at(sums, index + 1) > from || at(sums, index) >= from);
    const end = isLast
      ? order.length
      : firstWhere(Math.max(0, start), order.length, index => at(sums, index) >= to);
    const count = end - start;
    const positions = new Int32Array(count);
    const lefts = new Float64Array(count);
    const widths = new Float64Array(count);
    const pixels = rowWidth / rowTokens;
    for (let box = 0; box < count; box += 1) {
      const index = start + box;
      const begins = index === notRecordedIndex ? 0 : (sums[index] ?? 0);
      const ends = sums[index + 1] ?? 0;
      const x = begins > from ? (begins - from) * pixels : 0;
      const whole = (ends < to ? ends - from : rowTokens) * pixels - x;
      positions[box] = index === notRecordedIndex ? notRecordedPosition : (order[index] ?? 0);
      lefts[box] = left + x;
      // A gap follows what ends here; it takes at most a quarter of what is narrow.
      widths[box] = ends > to ? whole : whole - Math.min(blockGap, whole / 4);
    }
    const first = start === notRecordedIndex ? 0 : at(sums, start);
    const made = {
      positions,
      lefts,
      widths,
      continues: count > 0 && first < from,
      goesOn: count > 0 && at(sums, end) > to,
    };
    this.rows.set(row, made);
    return made;
  }
}

/** The numbers of tokens that a row may have: round ones, 1, 2 or 5 times a power of ten. */
function roundAtLeast(tokens: number): number {
  const power = 10 ** Math.floor(Math.log10(tokens));
  return [1, 2, 5, 10].map(factor => factor * power).find(round => round >= tokens) ?? tokens;
}

/** At a larger scale a few small blocks would fill the window. */
const leastFitting = 500;
/** With more in a row, single blocks could not be told apart; the drawing scrolls instead. */
const mostFitting = 50_000;
const mostBlocksInRow = 200;
/** The history has at least this many rows where it fills them at all. */
const leastHistoryRows = 3;
/** A recorded count can be wrong by any factor; it must not make a drawing that nothing can show. */
const mostRows = 1000;
const leastRowTokens = 50;
const mostRowTokens = 500_000;

const historyTokens = (blocks: LaneBlocks): number => tokensOf(blocks, historyLane);

/** The smallest round number of tokens in a row at which the drawing is at most `height` high, within the limits above. */
export function fitRowTokens(blocks: LaneBlocks, style: LaneStyle, height: number): number {
  const history = historyTokens(blocks);
  const perBlock = history / Math.max(1, blocks.lanes[historyLane]?.length ?? 0);
  const most = Math.max(
    leastFitting,
    Math.min(mostFitting, roundAtLeast(Math.max(1, (perBlock * mostBlocksInRow) / 2))),
    roundAtLeast(Math.max(1, history / mostRows)),
  );
  let rowTokens = leastFitting;
  while (rowTokens < most && heightOf(style, rowCounts(blocks, style, rowTokens)) > height) {
    const next = roundAtLeast(rowTokens * 1.5);
    if (Math.ceil(history / next) < leastHistoryRows) {
      break;
    }
    rowTokens = next;
  }
  return rowTokens;
}

/** The next round number of tokens in a row: fewer (a larger scale) or more. */
export function zoomedRowTokens(blocks: LaneBlocks, rowTokens: number, step: 'in' | 'out'): number {
  const least = Math.max(leastRowTokens, roundAtLeast(Math.max(1, historyTokens(blocks) / (mostRows * 20))));
  const most = Math.max(mostRowTokens, least);
  return clamp(step === 'out' ? roundAtLeast(rowTokens * 1.5) : roundAtLeast(rowTokens / 2.6), least, most);
}

/** The first row in a window from `top` to `bottom`, and the row after the last. */
export function rowsWithin(
  { rowTops, rowCount, rowHeight }: LaneLayout,
  top: number,
  bottom: number,
): readonly [number, number] {
  const first = lastAtMost(rowTops, rowCount, top - rowHeight) + 1;
  return [first, lastAtMost(rowTops, rowCount, bottom) + 1];
}

/** The box at a point of the content; a gap belongs to the block before it. */
export function boxAt(layout: LaneLayout, x: number, y: number): LaneBox | undefined {
  const row = lastAtMost(layout.rowTops, layout.rowCount, y);
  if (row < 0 || y > at(layout.rowTops, row) + layout.rowHeight) {
    return undefined;
  }
  const { positions, lefts, widths } = layout.row(row);
  const index = lastAtMost(lefts, lefts.length, x);
  if (index < 0) {
    return undefined;
  }
  const gap = index + 1 < lefts.length ? at(lefts, index + 1) : at(lefts, index) + at(widths, index) + 2;
  return x < gap ? { row, index, position: at(positions, index) } : undefined;
}

/** The box in the row above (-1) or below (1) with the nearest middle; undefined at the edge of the drawing. */
export function boxBeside(layout: LaneLayout, box: LaneBox, direction: -1 | 1): LaneBox | undefined {
  const row = box.row + direction;
  if (row < 0 || row >= layout.rowCount) {
    return undefined;
  }
  const from = layout.row(box.row);
  const middle = at(from.lefts, box.index) + at(from.widths, box.index) / 2;
  const { positions, lefts, widths } = layout.row(row);
  const candidate = Math.max(0, lastAtMost(lefts, lefts.length, middle));
  const distance = (index: number): number => Math.abs(at(lefts, index) + at(widths, index) / 2 - middle);
  const index =
    candidate + 1 < lefts.length && distance(candidate + 1) < distance(candidate) ? candidate + 1 : candidate;
  return { row, index, position: at(positions, index) };
}
