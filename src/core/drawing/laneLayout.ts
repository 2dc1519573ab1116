/**
 * Where each block of a request stands in the drawing. Pure arithmetic on typed arrays. Three spaces:
 * - wire: a position in the request, 0-based; `notRecordedPosition` is what the transcript does not hold and comes first;
 * - content: CSS pixels from the top left of the whole drawing, however far it reaches below the window;
 * - window: content less the scroll offset. Only drawing and pointers know it.
 */
import { at, lastAtMost } from './numbers';

/** The place on the wire of what the transcript does not hold. */
export const notRecordedPosition = -1;

export interface LaneBlocks {
  /** Tokens of the block at each position. */
  readonly tokens: Uint32Array;
  /** Lane of the block at each position, an index into partitionNames. */
  readonly lanes: Uint8Array;
  /** Tokens of the block that stands for what is not recorded; 0 for none. It lies in lane 0. */
  readonly notRecorded: number;
  /** Where boundary flags stand: how much of the block at a position comes before each. */
  readonly flagged: readonly { readonly position: number; readonly fraction: number }[];
}

/** All lengths in CSS pixels. */
export interface LaneStyle {
  readonly left: number;
  readonly width: number;
  readonly top: number;
  readonly rowHeight: number;
  readonly rowGap: number;
  readonly laneGap: number;
  /** Room for a lane's name, which may need more than its only row. */
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

/** Boxes lie lane by lane, row by row, left to right. A block wider than a row has one box in each row that it fills. */
export interface LaneLayout {
  readonly boxCount: number;
  readonly positions: Int32Array;
  readonly lefts: Float64Array;
  readonly widths: Float64Array;
  readonly rows: Uint32Array;
  readonly rowCount: number;
  /** Top of the boxes of each row. */
  readonly rowTops: Float64Array;
  /** First box of each row, and one more for the end. */
  readonly rowStarts: Uint32Array;
  readonly rowHeight: number;
  readonly lanes: readonly Lane[];
  readonly height: number;
  /** First box of each position; what is not recorded has `notRecordedBox`. */
  readonly boxes: Uint32Array;
  readonly notRecordedBox: number | undefined;
}

export const laneCount = 4;

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
    flagHeight: 17,
  };
}

interface Sink {
  box(position: number, left: number, width: number, row: number): void;
  row(top: number): void;
  lane(lane: Lane): void;
}

interface LaneOrder {
  readonly order: Uint32Array;
  readonly starts: Uint32Array;
  readonly tokens: number;
}
const laneOrders = new WeakMap<LaneBlocks, LaneOrder>();

/**
 * Positions by lane, in wire order: the positions of lane l are `order[starts[l]]` up to `order[starts[l + 1]]`. The scale
 * has no part in it, so zooming sorts nothing.
 */
function byLane(blocks: LaneBlocks): LaneOrder {
  const known = laneOrders.get(blocks);
  if (known !== undefined) {
    return known;
  }
  const { lanes } = blocks;
  const starts = new Uint32Array(laneCount + 1);
  for (const lane of lanes) {
    starts[lane + 1] = (starts[lane + 1] ?? 0) + 1;
  }
  for (let lane = 0; lane < laneCount; lane += 1) {
    starts[lane + 1] = at(starts, lane + 1) + at(starts, lane);
  }
  const next = starts.slice();
  const order = new Uint32Array(lanes.length);
  let tokens = blocks.notRecorded;
  for (let position = 0; position < lanes.length; position += 1) {
    const lane = lanes[position] ?? 0;
    const slot = next[lane] ?? 0;
    order[slot] = position;
    next[lane] = slot + 1;
    tokens += blocks.tokens[position] ?? 0;
  }
  const sorted = { order, starts, tokens };
  laneOrders.set(blocks, sorted);
  return sorted;
}

/** Whether a fraction of a block falls into the part of `part` pixels that begins `before` pixels into its `whole` width. */
function partHolds(whole: number, before: number, part: number, fraction: number): boolean {
  const x = fraction * whole;
  return x <= before + part && (x > before || before === 0);
}

/** Lets the blocks of every lane flow into rows. Returns the height of the whole. */
function flow(blocks: LaneBlocks, style: LaneStyle, pixelsPerToken: number, sink: Sink | undefined): number {
  const { order, starts } = byLane(blocks);
  const { tokens } = blocks;
  const { width: rowWidth, blockGap, smallestBlock } = style;
  const flagged = blocks.flagged.map(({ position }) => position).sort((first, second) => first - second);
  let row = 0;
  let cursor = style.top;
  for (let lane = 0; lane < laneCount; lane += 1) {
    const top = cursor;
    const firstRow = row;
    let nameTop = cursor;
    let rowFlags = 0;
    const endRow = (): void => {
      const boxesTop = cursor + rowFlags * style.flagHeight;
      sink?.row(boxesTop);
      nameTop = row === firstRow ? boxesTop : nameTop;
      cursor = boxesTop + style.rowHeight + style.rowGap;
      row += 1;
      rowFlags = 0;
    };
    /** A block with flags, or one that is wider than a row, from `from` on; returns where the next one begins. */
    const placeParts = (position: number, whole: number, from: number): number => {
      const here = blocks.flagged.filter(flag => flag.position === position);
      let x = from;
      for (let before = 0; before < whole;) {
        const part = Math.min(rowWidth, whole - before);
        rowFlags += here.filter(({ fraction }) => partHolds(whole, before, part, fraction)).length;
        sink?.box(position, style.left + x, part, row);
        before += part;
        if (before < whole) {
          endRow();
          x = 0;
        } else {
          x += part + blockGap;
        }
      }
      return x;
    };
    let x = 0;
    if (lane === 0 && blocks.notRecorded > 0) {
      x = placeParts(
        notRecordedPosition,
        Math.max(smallestBlock, blocks.notRecorded * pixelsPerToken - blockGap),
        0,
      );
    }
    let flag = 0;
    let nextFlag = flagged[0] ?? Number.POSITIVE_INFINITY;
    const end = at(starts, lane + 1);
    for (let index = at(starts, lane); index < end; index += 1) {
      const position = order[index] ?? 0;
      const width = Math.max(smallestBlock, (tokens[position] ?? 0) * pixelsPerToken - blockGap);
      if (x > 0 && x + width > rowWidth) {
        endRow();
        x = 0;
      }
      while (nextFlag < position) {
        flag += 1;
        nextFlag = flagged[flag] ?? Number.POSITIVE_INFINITY;
      }
      if (width > rowWidth || nextFlag === position) {
        x = placeParts(position, width, x);
      } else {
        sink?.box(position, style.left + x, width, row);
        x += width + blockGap;
      }
    }
    if (x > 0) {
      endRow();
    }
    const bottom = Math.max(cursor - style.rowGap, nameTop + style.smallestLane);
    sink?.lane({ top, bottom, firstRow, endRow: row });
    cursor = bottom + style.laneGap;
  }
  return cursor - style.laneGap + style.top;
}

/** Height of the drawing at a scale, without placing anything. */
export function laneHeight(blocks: LaneBlocks, style: LaneStyle, pixelsPerToken: number): number {
  return flow(blocks, style, pixelsPerToken, undefined);
}

export function layoutLanes(blocks: LaneBlocks, style: LaneStyle, pixelsPerToken: number): LaneLayout {
  const count = blocks.tokens.length;
  // A block has a box, and one more for each time that it fills a row.
  const most = count + 2 + Math.ceil((byLane(blocks).tokens * pixelsPerToken) / style.width);
  const positions = new Int32Array(most);
  const lefts = new Float64Array(most);
  const widths = new Float64Array(most);
  const rows = new Uint32Array(most);
  const rowTops: number[] = [];
  const rowStarts: number[] = [];
  const lanes: Lane[] = [];
  const boxes = new Uint32Array(count);
  let notRecordedBox: number | undefined;
  let previous: number | undefined;
  let boxCount = 0;
  const height = flow(blocks, style, pixelsPerToken, {
    box(position, left, width, row) {
      if (position !== previous) {
        if (position === notRecordedPosition) {
          notRecordedBox = boxCount;
        } else {
          boxes[position] = boxCount;
        }
        previous = position;
      }
      if (row === rowStarts.length) {
        rowStarts.push(boxCount);
      }
      positions[boxCount] = position;
      lefts[boxCount] = left;
      widths[boxCount] = width;
      rows[boxCount] = row;
      boxCount += 1;
    },
    row: top => rowTops.push(top),
    lane: lane => lanes.push(lane),
  });
  rowStarts.push(boxCount);
  return {
    boxCount,
    positions: positions.subarray(0, boxCount),
    lefts: lefts.subarray(0, boxCount),
    widths: widths.subarray(0, boxCount),
    rows: rows.subarray(0, boxCount),
    rowCount: rowTops.length,
    rowTops: Float64Array.from(rowTops),
    rowStarts: Uint32Array.from(rowStarts),
    rowHeight: style.rowHeight,
    lanes,
    height,
    boxes,
    notRecordedBox,
  };
}

/** Beyond this a handful of small blocks would fill the window and say nothing by their size. */
export const largestScale = 0.5;
/** Pixels per token at which the labels of common blocks can be read. */
export const readableScale = 0.12;
/** A row that holds more tokens than this says nothing about single blocks: then the drawing scrolls instead. */
const mostTokensInRow = 30_000;
const fitSteps = 24;

/** The largest scale at which the whole drawing is at most `height` high, as far as blocks can still be told apart. */
export function fitScale(blocks: LaneBlocks, style: LaneStyle, height: number): number {
  let low = style.width / mostTokensInRow;
  const { smallestBlock, blockGap, rowHeight, rowGap } = style;
  const leastRows = (blocks.tokens.length * (smallestBlock + blockGap)) / (style.width + blockGap);
  // Many blocks do not fit at any scale.
  if (leastRows * (rowHeight + rowGap) > height || laneHeight(blocks, style, low) > height) {
    return low;
  }
  if (laneHeight(blocks, style, largestScale) <= height) {
    return largestScale;
  }
  let high = largestScale;
  for (let step = 0; step < fitSteps && high / low > 1.002; step += 1) {
    const middle = Math.sqrt(low * high);
    if (laneHeight(blocks, style, middle) <= height) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

/** The box of a place inside a block, and the place's x; undefined if the position is not drawn. */
export function placeInBox(
  layout: LaneLayout,
  { position, fraction }: { readonly position: number; readonly fraction: number },
): { readonly box: number; readonly x: number } | undefined {
  const first = boxOf(layout, position);
  if (first === undefined) {
    return undefined;
  }
  let end = first;
  let whole = 0;
  while (end < layout.boxCount && layout.positions[end] === position) {
    whole += at(layout.widths, end);
    end += 1;
  }
  let before = 0;
  for (let box = first; box < end; box += 1) {
    const part = at(layout.widths, box);
    if (partHolds(whole, before, part, fraction)) {
      return { box, x: at(layout.lefts, box) + fraction * whole - before };
    }
    before += part;
  }
  return undefined;
}

/** The box of a position; undefined if the position is not drawn. */
export function boxOf(layout: LaneLayout, position: number): number | undefined {
  if (position === notRecordedPosition) {
    return layout.notRecordedBox;
  }
  return position < layout.boxes.length ? layout.boxes[position] : undefined;
}

/** The last box of the block whose first box this is. */
export function lastBoxOf(layout: LaneLayout, first: number): number {
  let box = first;
  while (box + 1 < layout.boxCount && layout.positions[box + 1] === layout.positions[first]) {
    box += 1;
  }
  return box;
}

/** The rows that a window from `top` to `bottom` touches: from the first up to, not including, the second. */
export function rowsWithin(layout: LaneLayout, top: number, bottom: number): readonly [number, number] {
  const first = lastAtMost(layout.rowTops, layout.rowCount, top - layout.rowHeight) + 1;
  return [first, lastAtMost(layout.rowTops, layout.rowCount, bottom) + 1];
}

/** The box at a point of the content; a gap belongs to the block before it. */
export function boxAt(layout: LaneLayout, x: number, y: number): number | undefined {
  const row = lastAtMost(layout.rowTops, layout.rowCount, y);
  if (row < 0 || y > at(layout.rowTops, row) + layout.rowHeight) {
    return undefined;
  }
  const start = at(layout.rowStarts, row);
  const end = at(layout.rowStarts, row + 1);
  const box = start + lastAtMost(layout.lefts.subarray(start, end), end - start, x);
  if (box < start) {
    return undefined;
  }
  const gap = box + 1 < end ? at(layout.lefts, box + 1) : at(layout.lefts, box) + at(layout.widths, box) + 2;
  return x < gap ? box : undefined;
}

/** The box in the row above (-1) or below (1) whose middle lies nearest; undefined at the edge of the drawing. */
export function boxBeside(layout: LaneLayout, box: number, direction: -1 | 1): number | undefined {
  const row = at(layout.rows, box) + direction;
  if (row < 0 || row >= layout.rowCount) {
    return undefined;
  }
  const middle = at(layout.lefts, box) + at(layout.widths, box) / 2;
  const start = at(layout.rowStarts, row);
  const end = at(layout.rowStarts, row + 1);
  const candidate = Math.max(
    start,
    start + lastAtMost(layout.lefts.subarray(start, end), end - start, middle),
  );
  const distance = (index: number): number =>
    Math.abs(at(layout.lefts, index) + at(layout.widths, index) / 2 - middle);
  return candidate + 1 < end && distance(candidate + 1) < distance(candidate) ? candidate + 1 : candidate;
}
