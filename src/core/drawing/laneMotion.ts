/** The transition between two drawings of the lanes, as intermediate pictures. This file does not know the time. */
import { at } from '../base/numbers';
import type { CachedPart } from './laneContent';
import { type LaneLayout, type LaneRow, rowsWithin } from './laneLayout';
import type { LanePicture } from './laneScene';

/** A part of the drawing from an upper to a lower edge, in pixels of its content. */
export interface Window {
  readonly top: number;
  readonly bottom: number;
}

/** A row with its boxes at their new places, and the old place of each. */
interface MovingRow {
  readonly row: LaneRow;
  readonly fromLefts: Float64Array;
  readonly fromWidths: Float64Array;
  /** The drawn row. Its numbers are rewritten for each picture. */
  readonly drawn: LaneRow;
}

const between = (from: number, to: number, progress: number): number => from + (to - from) * progress;

/**
 * Blocks glide inside their row and with their lane. Blocks from other rows, and blocks that appear or disappear, fade.
 * Only content in the visible window takes part.
 * @param formerOf the position in the old drawing of the block at a position in the new one; undefined if it was not
 * there
 * @returns the picture at a progress from 0 to 1; it may be drawn until the next one is requested
 */
export function laneMotion(
  before: LanePicture,
  after: LanePicture,
  formerOf: (position: number) => number | undefined,
  { top, bottom }: Window,
): (progress: number) => LanePicture {
  const [firstRow, endRow] = rowsWithin(after.layout, top, bottom);
  const leavingRows = rowsWithin(before.layout, top, bottom);
  const moving = new Map<number, MovingRow>();
  const staying = new Map<number, Set<number>>();
  const arriving = new Set<number>();
  for (let number = firstRow; number < endRow; number += 1) {
    const partner = sameRow(after.layout, before.layout, number);
    const row = after.layout.row(number);
    const old = partner === undefined ? undefined : before.layout.row(partner);
    const stays = new Set<number>();
    moving.set(number, movingRow(row, old, formerOf, stays, arriving));
    if (partner !== undefined) {
      staying.set(partner, stays);
    }
  }
  const leaving = new Map<number, LaneRow>();
  for (let number = leavingRows[0]; number < leavingRows[1]; number += 1) {
    leaving.set(number, rowWithout(before.layout.row(number), staying.get(number)));
  }
  const presence = (position: number, progress: number): number => (arriving.has(position) ? progress : 1);
  const formerly = (position: number, value: (position: number) => number, otherwise: number): number => {
    const former = formerOf(position);
    return former === undefined ? otherwise : value(former);
  };
  const cachedBefore = cachedTokens(before.layout, before.content.cached);
  const cachedAfter = cachedTokens(after.layout, after.content.cached);
  return progress => {
    const tops = after.layout.lanes.map((lane, number) =>
      between(before.layout.lanes[number]?.top ?? lane.top, lane.top, progress),
    );
    const drawn = new Map<number, LaneRow>();
    for (const [number, row] of moving) {
      drawn.set(number, rowAt(row, progress));
    }
    return {
      layout: after.layout.moved(tops, drawn),
      content: {
        ...after.content,
        hasCandidates: before.content.hasCandidates || after.content.hasCandidates,
        presenceOf: position => presence(position, progress),
        alphaOf: position => {
          const alpha = after.content.alphaOf(position);
          const old = formerly(position, before.content.alphaOf, alpha);
          return presence(position, progress) * between(old, alpha, progress);
        },
        hatchOf: position => {
          const share = after.content.hatchOf(position);
          return between(formerly(position, before.content.hatchOf, share), share, progress);
        },
      },
      motion: {
        cachedTokens: cachedAfter.map((tokens, lane) => between(at(cachedBefore, lane), tokens, progress)),
        leaving: {
          layout: before.layout.moved(tops, leaving),
          content: {
            ...before.content,
            presenceOf: () => 1 - progress,
            alphaOf: position => before.content.alphaOf(position) * (1 - progress),
          },
        },
        leavingRows,
      },
    };
  };
}

/** The row of another drawing with the same index in its lane; undefined if that lane has fewer rows. */
function sameRow(layout: LaneLayout, other: LaneLayout, row: number): number | undefined {
  const lane = layout.laneOfRow(row);
  const own = layout.lanes[lane];
  const theirs = other.lanes[lane];
  const found = (theirs?.firstRow ?? 0) + row - (own?.firstRow ?? 0);
  return theirs !== undefined && found < theirs.endRow ? found : undefined;
}

/** Finds the boxes of a row that were in the old row. Both are in wire order, so one pass over both is enough. */
function movingRow(
  row: LaneRow,
  old: LaneRow | undefined,
  formerOf: (position: number) => number | undefined,
  stays: Set<number>,
  arriving: Set<number>,
): MovingRow {
  const { positions, lefts, widths } = row;
  const fromLefts = lefts.slice();
  const fromWidths = widths.slice();
  let next = 0;
  for (let box = 0; box < positions.length; box += 1) {
    const position = positions[box] ?? 0;
    const former = old === undefined ? undefined : formerOf(position);
    while (old !== undefined && former !== undefined && (old.positions[next] ?? former) < former) {
      next += 1;
    }
    if (old !== undefined && former !== undefined && old.positions[next] === former) {
      fromLefts[box] = old.lefts[next] ?? 0;
      fromWidths[box] = old.widths[next] ?? 0;
      stays.add(former);
    } else {
      arriving.add(position);
    }
  }
  return { row, fromLefts, fromWidths, drawn: { ...row, lefts: lefts.slice(), widths: widths.slice() } };
}

function rowAt({ row, fromLefts, fromWidths, drawn }: MovingRow, progress: number): LaneRow {
  for (let box = 0; box < row.positions.length; box += 1) {
    drawn.lefts[box] = between(fromLefts[box] ?? 0, row.lefts[box] ?? 0, progress);
    drawn.widths[box] = between(fromWidths[box] ?? 0, row.widths[box] ?? 0, progress);
  }
  return drawn;
}

/** A row without some of its boxes. */
function rowWithout(row: LaneRow, without: ReadonlySet<number> | undefined): LaneRow {
  if (without === undefined) {
    return row;
  }
  const left = (_: number, box: number): boolean => !without.has(row.positions[box] ?? 0);
  return {
    ...row,
    positions: row.positions.filter(left),
    lefts: row.lefts.filter(left),
    widths: row.widths.filter(left),
  };
}

const cachedTokens = (layout: LaneLayout, cached: CachedPart | undefined): readonly number[] =>
  layout.lanes.map((_, lane) => (cached === undefined ? 0 : layout.tokensBefore(lane, cached.place)));
