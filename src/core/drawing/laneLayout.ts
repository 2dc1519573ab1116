/**
 * The place of each block of a request in the drawing: pure arithmetic on typed arrays. A row is a number of tokens,
 * the same in all lanes; blocks wrap over rows like text, so that widths are true. There are three coordinates:
 * - wire: the position in the request, from 0; `notRecordedPosition` is the part that the transcript does not contain,
 * which comes first;
 * - content: CSS pixels from the top left of the whole drawing, which may be higher than the window;
 * - window: content minus the scroll offset, used only by drawing and pointers.
 */
import { at, clamp, firstWhere, lastAtMost } from '../base/numbers';
import type { LaneBlocks } from './laneBlocks';
import { breakWidth, historyLane, type LaneStyle, smallBreakWidth } from './laneStyle';

/** The position of the part that the transcript does not contain. */
export const notRecordedPosition = -1;

/** A place inside a block, with the fraction of the block before it. */
export interface BlockPlace {
  readonly position: number;
  readonly fraction: number;
}

/** The area of a lane. A lane without blocks has no height if the small lanes share a line. */
interface LaneExtent {
  readonly top: number;
  readonly bottom: number;
  /** Left edge of its rows. */
  readonly left: number;
  readonly width: number;
}

/** A lane's extent; rows are indices into `rowTops`. */
export interface Lane extends LaneExtent {
  readonly firstRow: number;
  readonly endRow: number;
  /** Tokens in each of its rows. Fewer than in other lanes if it shares a line, at the same scale. */
  readonly rowTokens: number;
  /** Width of the sign at its end if it does not show all of its blocks. */
  readonly signWidth: number;
  /** Tokens in the shown rows, and tokens after them. */
  readonly shown: number;
  readonly hidden: number;
}

/** The boxes of a row, left to right. A block has one box in each row that it reaches into. */
export interface LaneRow {
  /** The position of the block in each box. A box may show only a part of the block. */
  readonly positions: Int32Array;
  readonly lefts: Float64Array;
  readonly widths: Float64Array;
  /** True if the first box continues a block of the previous row; true if the last block continues in the next row. */
  readonly continues: boolean;
  readonly goesOn: boolean;
}

/** One box: its row, its index there, and its position. */
export interface LaneBox {
  readonly row: number;
  readonly index: number;
  readonly position: number;
}

/** The index of the unrecorded part in lane 0. */
const notRecordedIndex = -1;

const rowsOf = (tokens: number, rowTokens: number, blocks: number): number =>
  tokens > 0 ? Math.ceil(tokens / rowTokens) : Math.min(1, blocks);

/** True if lanes share a line. Not while one of them shows all of its rows. */
const sharesLine = ({ hasOneLine }: LaneStyle, lane: number, openLane: number | undefined): boolean =>
  hasOneLine && lane !== historyLane && (openLane === undefined || openLane === historyLane);

/** The number of drawn rows of each lane. */
function rowCounts(
  blocks: LaneBlocks,
  style: LaneStyle,
  rowTokens: number,
  openLane?: number,
): readonly number[] {
  return blocks.lanes.map((positions, lane) => {
    const rows = rowsOf(blocks.tokensOf(lane), rowTokens, positions.length);
    const most = sharesLine(style, lane, openLane) ? 1 : style.mostRows;
    return lane === historyLane || lane === openLane ? rows : Math.min(rows, most);
  });
}

const laneHeight = ({ rowHeight, rowGap, emptyLane }: LaneStyle, rows: number): number =>
  rows === 0 ? emptyLane : rows * (rowHeight + rowGap) - rowGap;

/** The areas of the lanes, from top to bottom. Lanes that share a line are next to each other, each after its name. */
function extentsOf(style: LaneStyle, counts: readonly number[], openLane?: number): readonly LaneExtent[] {
  const { left, width, laneGap } = style;
  const sharing = counts.flatMap((rows, lane) =>
    rows > 0 && sharesLine(style, lane, openLane) ? [lane] : [],
  );
  const part = (left + width) / sharing.length;
  let next = style.top;
  let line = next;
  return counts.map((rows, lane) => {
    if (!sharesLine(style, lane, openLane)) {
      const top = next;
      const bottom = top + laneHeight(style, rows);
      next = bottom + laneGap;
      return { top, bottom, left, width };
    }
    const place = sharing.indexOf(lane);
    if (place === 0) {
      line = next;
      next += style.rowHeight + laneGap;
    }
    return place < 0
      ? { top: line, bottom: line, left, width: 0 }
      : { top: line, bottom: line + style.rowHeight, left: left + place * part, width: part - left };
  });
}

function heightOf(style: LaneStyle, extents: readonly LaneExtent[]): number {
  return Math.max(style.top, ...extents.map(({ bottom }) => bottom)) + style.bottom;
}

/** The height of a drawing at a number of tokens in a row. */
export const heightAt = (blocks: LaneBlocks, style: LaneStyle, rowTokens: number): number =>
  heightOf(style, extentsOf(style, rowCounts(blocks, style, rowTokens)));

/** The drawing of a request at a scale. Its cost does not depend on the number of blocks; rows are made on demand. */
export class LaneLayout {
  /** Top of the boxes of each row. */
  readonly rowTops: Float64Array;
  readonly rowHeight: number;
  readonly lanes: readonly Lane[];
  readonly height: number;

  /**
   * @param rowTokens tokens in a row
   * @param openLane the lane that is drawn with all of its rows, if any
   * @param tops the tops of the lanes, while they move
   * @param rows known boxes, by row
   */
  constructor(
    private readonly blocks: LaneBlocks,
    readonly style: LaneStyle,
    readonly rowTokens: number,
    private readonly openLane?: number,
    tops?: readonly number[],
    private readonly rows = new Map<number, LaneRow>(),
  ) {
    const counts = rowCounts(blocks, style, rowTokens, openLane);
    const extents = extentsOf(style, counts, openLane).map((extent, lane) => {
      const top = tops?.[lane] ?? extent.top;
      return { ...extent, top, bottom: extent.bottom + top - extent.top };
    });
    this.rowHeight = style.rowHeight;
    this.height = heightOf(style, extents);
    this.rowTops = new Float64Array(counts.reduce((sum, rows) => sum + rows, 0));
    let firstRow = 0;
    this.lanes = extents.map((extent, lane) => {
      const rows = counts[lane] ?? 0;
      for (let row = 0; row < rows; row += 1) {
        this.rowTops[firstRow + row] = extent.top + row * (style.rowHeight + style.rowGap);
      }
      const own = (rowTokens * extent.width) / style.width;
      const tokens = blocks.tokensOf(lane);
      const shown = Math.min(tokens, rows * own);
      const made = {
        ...extent,
        firstRow,
        endRow: firstRow + rows,
        rowTokens: own,
        signWidth: extent.width < style.width ? smallBreakWidth : breakWidth,
        shown,
        hidden: tokens - shown,
      };
      firstRow += rows;
      return made;
    });
  }

  /** The same drawing with moving lanes and boxes. */
  moved(tops: readonly number[], rows: Map<number, LaneRow>): LaneLayout {
    return new LaneLayout(this.blocks, this.style, this.rowTokens, this.openLane, tops, rows);
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

  /** All boxes of a position: one in each row that its block extends into. */
  boxesOf(position: number): readonly LaneBox[] {
    const first = this.boxOf(position);
    const boxes = first === undefined ? [] : [first];
    for (let last = first; last !== undefined && this.goesOn(last);) {
      last = { row: last.row + 1, index: 0, position };
      boxes.push(last);
    }
    return boxes;
  }

  /** The lane of a position; -1 if it is not in the request. */
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
    return { row: lane.firstRow + endRowOf(lane, tokens), x: xOfTokens(lane, tokens) };
  }

  /** Tokens of a lane before a place on the wire; the place may be in any lane. */
  tokensBefore(lane: number, { position, fraction }: BlockPlace): number {
    const { blocks } = this;
    const positions = blocks.lanes[lane] ?? new Uint32Array();
    if (position === notRecordedPosition) {
      return lane === 0 ? fraction * blocks.notRecorded : 0;
    }
    const index = lastAtMost(positions, positions.length, position);
    return positions[index] === position
      ? blocks.tokensBefore(lane, index) + fraction * blocks.tokensAt(position)
      : blocks.tokensBefore(lane, index + 1);
  }

  /** The first block that a lane does not show, if the point is on its break sign. */
  hiddenAt(x: number, y: number): number | undefined {
    const lane = this.lanes.findIndex(
      ({ hidden, endRow, bottom, left, width, signWidth }) =>
        hidden > 0 &&
        y >= at(this.rowTops, endRow - 1) &&
        y <= bottom &&
        x >= left + width - signWidth &&
        x <= left + width,
    );
    return lane < 0 ? undefined : this.firstHidden(lane);
  }

  /** The position of the first block of a lane that is not shown at all; undefined if all are shown. */
  private firstHidden(lane: number): number | undefined {
    const { shown = 0, hidden = 0 } = this.lanes[lane] ?? {};
    const positions = this.blocks.lanes[lane] ?? new Uint32Array();
    const index = firstWhere(
      0,
      positions.length,
      candidate => this.blocks.tokensBefore(lane, candidate) >= shown,
    );
    return hidden > 0 ? (positions[index] ?? positions.at(-1) ?? notRecordedPosition) : undefined;
  }

  /** The lane of a row. */
  laneOfRow(row: number): number {
    return this.lanes.findIndex(({ firstRow, endRow }) => row >= firstRow && row < endRow);
  }

  /** The left edge of a row. */
  leftOfRow(row: number): number {
    return this.lanes[this.laneOfRow(row)]?.left ?? this.style.left;
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
    const start = index === notRecordedIndex ? 0 : this.blocks.tokensBefore(number, index);
    // A block that begins at the very end has no width and belongs to the last row.
    const row = Math.floor(start / lane.rowTokens);
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
    const { blocks } = this;
    const order = blocks.lanes[number] ?? new Uint32Array();
    const before = (index: number): number =>
      index === notRecordedIndex ? 0 : blocks.tokensBefore(number, index);
    const { left = 0, width: rowWidth = 0, rowTokens = 1 } = lane ?? {};
    const from = (row - (lane?.firstRow ?? 0)) * rowTokens;
    const to = from + rowTokens;
    const isLast = row + 1 === lane?.endRow && lane.hidden === 0;
    const hasUnknown = number === 0 && blocks.notRecorded > from;
    const start = hasUnknown
      ? notRecordedIndex
      : firstWhere(0, order.length, index => before(index + 1) > from || before(index) >= from);
    const end = isLast
      ? order.length
      : firstWhere(Math.max(0, start), order.length, index => before(index) >= to);
    const count = end - start;
    const positions = new Int32Array(count);
    const lefts = new Float64Array(count);
    const widths = new Float64Array(count);
    const pixels = rowWidth / rowTokens;
    const first = before(start);
    let begins = first;
    for (let box = 0; box < count; box += 1) {
      const index = start + box;
      const position = index === notRecordedIndex ? notRecordedPosition : (order[index] ?? 0);
      const ends = begins + (index === notRecordedIndex ? blocks.notRecorded : blocks.tokensAt(position));
      const x = begins > from ? (begins - from) * pixels : 0;
      const whole = (ends < to ? ends - from : rowTokens) * pixels - x;
      positions[box] = position;
      lefts[box] = left + x;
      // A gap follows a block that ends here. For a narrow block, it takes at most a quarter of its width.
      widths[box] = ends > to ? whole : whole - Math.min(this.style.blockGap, whole / 4);
      begins = ends;
    }
    const made = {
      positions,
      lefts,
      widths,
      continues: count > 0 && first < from,
      goesOn: count > 0 && begins > to,
    };
    this.rows.set(row, made);
    return made;
  }
}

/** The row in which the first tokens of a lane end. At the end of a full row, this row, not the next one. */
export const endRowOf = ({ rowTokens }: Lane, tokens: number): number =>
  Math.max(0, Math.ceil(tokens / rowTokens) - 1);

/** The x at which the first tokens of a lane end in their last row. */
export const xOfTokens = (lane: Lane, tokens: number): number =>
  lane.left + ((tokens - endRowOf(lane, tokens) * lane.rowTokens) / lane.rowTokens) * lane.width;

/** The first row in a window from `top` to `bottom`, and the row after the last. */
export function rowsWithin(
  { rowTops, rowCount, rowHeight }: LaneLayout,
  top: number,
  bottom: number,
): readonly [number, number] {
  const first = lastAtMost(rowTops, rowCount, top - rowHeight) + 1;
  return [first, lastAtMost(rowTops, rowCount, bottom) + 1];
}

/** The row at a point of the content, or the row above it; -1 above the first row. */
function rowAt(layout: LaneLayout, x: number, y: number): number {
  let row = lastAtMost(layout.rowTops, layout.rowCount, y);
  // Lanes that share a line have rows with the same top.
  while (row > 0 && layout.rowTops[row - 1] === layout.rowTops[row] && x < layout.leftOfRow(row)) {
    row -= 1;
  }
  return row;
}

/** A token of a lane, by the tokens before it, and its distance in pixels from the top of its row. */
export interface LaneToken {
  readonly lane: number;
  readonly tokens: number;
  readonly down: number;
}

/** The shown token nearest to a point of the content; undefined in a drawing without rows. */
export function tokenAt(layout: LaneLayout, x: number, y: number): LaneToken | undefined {
  const row = Math.max(0, rowAt(layout, x, y));
  const number = layout.laneOfRow(row);
  const lane = layout.lanes[number];
  if (lane === undefined) {
    return undefined;
  }
  const across = clamp((x - lane.left) / lane.width, 0, 1);
  return {
    lane: number,
    tokens: Math.min(lane.shown, (row - lane.firstRow + across) * lane.rowTokens),
    down: y - at(layout.rowTops, row),
  };
}

/** The y of a token in the content. A token that is not shown is in the last row of its lane. */
export function heightOfToken(layout: LaneLayout, { lane: number, tokens, down }: LaneToken): number {
  const lane = layout.lanes[number];
  if (lane === undefined || lane.firstRow === lane.endRow) {
    return down;
  }
  const row = lane.firstRow + Math.floor(tokens / lane.rowTokens);
  return at(layout.rowTops, Math.min(row, lane.endRow - 1)) + down;
}

/** The position in the row nearest to a point of the content; undefined in a drawing without rows. */
export function positionNear(layout: LaneLayout, x: number, y: number): number | undefined {
  if (layout.rowCount === 0) {
    return undefined;
  }
  const { positions, lefts } = layout.row(Math.max(0, rowAt(layout, x, y)));
  return positions[Math.max(0, lastAtMost(lefts, lefts.length, x))];
}

/** The box at a point of the content. A gap belongs to the block before it. */
export function boxAt(layout: LaneLayout, x: number, y: number): LaneBox | undefined {
  const row = rowAt(layout, x, y);
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
