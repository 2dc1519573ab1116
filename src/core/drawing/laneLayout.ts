/**
 * The place of each block of a request in the drawing: pure arithmetic on typed arrays. There are three coordinates:
 * - wire: the position in the request, from 0; `notRecordedPosition` is the part that the transcript does not contain and comes first;
 * - content: CSS pixels from the top left of the whole drawing, which may be higher than the window;
 * - window: content minus the scroll offset, used by drawing and pointers alone.
 */
import { at, firstWhere, lastAtMost } from '../base/numbers';

/** The position of the part that the transcript does not contain. */
export const notRecordedPosition = -1;

export interface LaneBlocks {
  /** Tokens of the block at each position. */
  readonly tokens: Uint32Array;
  /** The positions of each lane in wire order, by index into partitionNames. */
  readonly lanes: readonly Uint32Array[];
  /** Tokens of the block that represents what is not recorded, in lane 0; 0 for none. */
  readonly notRecorded: number;
  /** The places of boundary flags. */
  readonly flagged: readonly BlockPlace[];
}

/** A place inside a block, with the fraction of the block before it. */
export interface BlockPlace {
  readonly position: number;
  readonly fraction: number;
}

/** All lengths in CSS pixels. */
export interface LaneStyle {
  readonly left: number;
  readonly width: number;
  readonly top: number;
  readonly rowHeight: number;
  readonly rowGap: number;
  readonly laneGap: number;
  /** Least height of a lane: its name may need more than one row. */
  readonly smallestLane: number;
  readonly blockGap: number;
  readonly smallestBlock: number;
  /** Height of the strip above a row for one boundary flag. */
  readonly flagHeight: number;
}

/** A lane's extent; rows are indices into `rowTops`. */
export interface Lane {
  readonly top: number;
  readonly bottom: number;
  readonly firstRow: number;
  readonly endRow: number;
}

/** The boxes of a row, left to right. A block wider than a row has one box in each row that it fills. */
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

/** Height of the strip above a row for one boundary flag, in pixels. */
export const flagHeight = 17;

/** The style of the drawing in a window of a width. */
export function laneStyleFor(width: number): LaneStyle {
  const left = 144;
  return {
    left,
    width: Math.max(40, width - left - 20),
    top: 14,
    rowHeight: 26,
    rowGap: 4,
    laneGap: 18,
    smallestLane: 42,
    blockGap: 2,
    smallestBlock: 2,
    flagHeight,
  };
}

/** Where the rows begin: the index of the first block in its lane, and the pixels of that block in earlier rows. */
interface RowBreaks {
  readonly starts: number[];
  readonly before: number[];
  /** The first row of each lane, then the number of rows. */
  readonly lanes: number[];
}

/** The index of what is not recorded in lane 0. */
const notRecordedIndex = -1;

/** Wraps the blocks of every lane into rows. */
function breakRows(blocks: LaneBlocks, style: LaneStyle, pixelsPerToken: number): RowBreaks {
  const breaks: RowBreaks = { starts: [], before: [], lanes: [] };
  blocks.lanes.forEach((positions, lane) => {
    breaks.lanes.push(breaks.starts.length);
    let x = 0;
    if (lane === 0 && blocks.notRecorded > 0) {
      const width = blocks.notRecorded * pixelsPerToken - style.blockGap;
      x = beginRow(breaks, style, notRecordedIndex, Math.max(style.smallestBlock, width));
    }
    breakLane(breaks, blocks.tokens, positions, style, pixelsPerToken, x);
  });
  breaks.lanes.push(breaks.starts.length);
  return breaks;
}

/** Begins a row with a block, and further rows if the block is wider than one. Returns the x of the next block. */
function beginRow(
  { starts, before }: RowBreaks,
  { width: rowWidth, blockGap }: LaneStyle,
  index: number,
  width: number,
): number {
  let done = 0;
  starts.push(index);
  before.push(done);
  while (width - done > rowWidth) {
    done += rowWidth;
    starts.push(index);
    before.push(done);
  }
  return width - done + blockGap;
}

/** The only loop over all blocks. It begins at `from` in the last row; 0 begins a new row. */
function breakLane(
  breaks: RowBreaks,
  tokens: Uint32Array,
  positions: Uint32Array,
  style: LaneStyle,
  pixelsPerToken: number,
  from: number,
): void {
  const { width: rowWidth, blockGap, smallestBlock } = style;
  let x = from;
  for (let index = 0; index < positions.length; index += 1) {
    const width = Math.max(smallestBlock, (tokens[positions[index] ?? 0] ?? 0) * pixelsPerToken - blockGap);
    if (x === 0 || x + width > rowWidth) {
      x = beginRow(breaks, style, index, width);
    } else {
      x += width + blockGap;
    }
  }
}

/** Whether a fraction of a block `whole` pixels wide falls into its part of `part` pixels that begins at `before`. */
function partHolds(whole: number, before: number, part: number, fraction: number): boolean {
  const x = fraction * whole;
  return x <= before + part && (x > before || before === 0);
}

/**
 * The drawing of a request at a scale. Construction is one loop over the blocks; the boxes of a row are made on demand.
 */
export class LaneLayout {
  /** Top of the boxes of each row. */
  readonly rowTops: Float64Array;
  readonly rowHeight: number;
  readonly lanes: readonly Lane[];
  readonly height: number;
  private readonly breaks: RowBreaks;
  private readonly rows = new Map<number, LaneRow>();

  constructor(
    private readonly blocks: LaneBlocks,
    private readonly style: LaneStyle,
    private readonly pixelsPerToken: number,
  ) {
    this.breaks = breakRows(blocks, style, pixelsPerToken);
    this.rowHeight = style.rowHeight;
    this.rowTops = new Float64Array(this.breaks.starts.length);
    const flags = this.flagsByRow();
    const lanes: Lane[] = [];
    let cursor = style.top;
    for (let lane = 0; lane < blocks.lanes.length; lane += 1) {
      const top = cursor;
      const firstRow = at(this.breaks.lanes, lane);
      const endRow = at(this.breaks.lanes, lane + 1);
      for (let row = firstRow; row < endRow; row += 1) {
        const boxesTop = cursor + (flags.get(row) ?? 0) * style.flagHeight;
        this.rowTops[row] = boxesTop;
        cursor = boxesTop + style.rowHeight + style.rowGap;
      }
      const nameTop = firstRow < endRow ? at(this.rowTops, firstRow) : top;
      const bottom = Math.max(cursor - style.rowGap, nameTop + style.smallestLane);
      lanes.push({ top, bottom, firstRow, endRow });
      cursor = bottom + style.laneGap;
    }
    this.lanes = lanes;
    this.height = cursor - style.laneGap + style.top;
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
    const row = this.firstRowOf(position);
    return row === undefined ? undefined : this.boxIn(row, position);
  }

  /** All boxes of a position: one in each row that its block fills. */
  boxesOf(position: number): readonly LaneBox[] {
    const first = this.boxOf(position);
    const boxes = first === undefined ? [] : [first];
    for (let last = first; last !== undefined && this.goesOn(last);) {
      last = { row: last.row + 1, index: 0, position };
      boxes.push(last);
    }
    return boxes;
  }

  /** The row of a place inside a block, and the place's x; undefined if the position is not drawn. */
  placeOf({ position, fraction }: BlockPlace): { readonly row: number; readonly x: number } | undefined {
    const first = this.firstRowOf(position);
    if (first === undefined) {
      return undefined;
    }
    const { row, before, whole } = this.partWith(first, position, fraction);
    const { lefts } = this.row(row);
    return { row, x: at(lefts, this.boxIn(row, position).index) + fraction * whole - before };
  }

  private goesOn({ row, index }: LaneBox): boolean {
    const { positions, goesOn } = this.row(row);
    return goesOn && index === positions.length - 1;
  }

  private boxIn(row: number, position: number): LaneBox {
    const { positions } = this.row(row);
    return { row, index: lastAtMost(positions, positions.length, position), position };
  }

  private widthOf(position: number): number {
    const tokens =
      position === notRecordedPosition ? this.blocks.notRecorded : at(this.blocks.tokens, position);
    return Math.max(this.style.smallestBlock, tokens * this.pixelsPerToken - this.style.blockGap);
  }

  /** The first row that shows a position. */
  private firstRowOf(position: number): number | undefined {
    const { starts, before, lanes } = this.breaks;
    const { lane, index } = this.placeInLane(position);
    if (lane < 0) {
      return undefined;
    }
    const isBehind = (row: number): boolean =>
      at(starts, row) > index || (starts[row] === index && before[row] !== 0);
    return firstWhere(at(lanes, lane), at(lanes, lane + 1), isBehind) - 1;
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

  /** The part of a block that contains a fraction of it. */
  private partWith(
    firstRow: number,
    position: number,
    fraction: number,
  ): { readonly row: number; readonly before: number; readonly whole: number } {
    const whole = this.widthOf(position);
    let row = firstRow;
    let before = 0;
    for (;;) {
      const part = Math.min(this.style.width, whole - before);
      if (partHolds(whole, before, part, fraction) || before + part >= whole) {
        return { row, before, whole };
      }
      before += part;
      row += 1;
    }
  }

  private flagsByRow(): ReadonlyMap<number, number> {
    const flags = new Map<number, number>();
    for (const { position, fraction } of this.blocks.flagged) {
      const first = this.firstRowOf(position);
      if (first !== undefined) {
        const { row } = this.partWith(first, position, fraction);
        flags.set(row, (flags.get(row) ?? 0) + 1);
      }
    }
    return flags;
  }

  private makeRow(row: number): LaneRow {
    const { starts, before, lanes } = this.breaks;
    const { left, width: rowWidth, blockGap } = this.style;
    const lane = lastAtMost(lanes, lanes.length - 1, row);
    const order = this.blocks.lanes[lane] ?? new Uint32Array();
    const isLast = row + 1 >= at(lanes, lane + 1);
    const start = at(starts, row);
    const skipped = at(before, row);
    const goesOn = !isLast && at(before, row + 1) > 0;
    const end = isLast ? order.length : at(starts, row + 1) + (goesOn ? 1 : 0);
    const count = end - start;
    const positions = new Int32Array(count);
    const lefts = new Float64Array(count);
    const widths = new Float64Array(count);
    let x = 0;
    for (let box = 0; box < count; box += 1) {
      const index = start + box;
      const position = index === notRecordedIndex ? notRecordedPosition : at(order, index);
      const width = Math.min(rowWidth, this.widthOf(position) - (box === 0 ? skipped : 0));
      positions[box] = position;
      lefts[box] = left + x;
      widths[box] = width;
      x += width + blockGap;
    }
    const made = { positions, lefts, widths, continues: skipped > 0, goesOn };
    this.rows.set(row, made);
    return made;
  }
}

/** At larger scales a few small blocks would fill the window. In pixels per token. */
export const largestScale = 0.5;
/** Pixels per token at which the labels of most blocks can be read. */
export const readableScale = 0.12;
/** With more tokens in a row, single blocks could not be told apart; the drawing scrolls instead. */
const mostTokensInRow = 30_000;
const fitSteps = 24;

/** The largest scale at which the drawing is at most `height` high, within the limits above. */
export function fitScale(blocks: LaneBlocks, style: LaneStyle, height: number): number {
  const fits = (scale: number): boolean => new LaneLayout(blocks, style, scale).height <= height;
  let low = style.width / mostTokensInRow;
  const { smallestBlock, blockGap, rowHeight, rowGap } = style;
  const leastRows = (blocks.tokens.length * (smallestBlock + blockGap)) / (style.width + blockGap);
  // Too many blocks do not fit at any scale.
  if (leastRows * (rowHeight + rowGap) > height || !fits(low)) {
    return low;
  }
  if (fits(largestScale)) {
    return largestScale;
  }
  let high = largestScale;
  for (let step = 0; step < fitSteps && high / low > 1.002; step += 1) {
    const middle = Math.sqrt(low * high);
    if (fits(middle)) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
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
