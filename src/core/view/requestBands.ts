import type { SessionColumns } from '../model/columns';
import { diffRequests, sentPositions } from './requestDiff';
import type { RequestView } from './requestView';

/**
 * A part of two compared requests, in wire order. `start`: the same in both, with what is not recorded. `difference`:
 * the first place that differs. `rest`: the same blocks after it. `others`: further differences between those. `end`:
 * blocks after the last one that both have.
 */
export type BandName = 'start' | 'difference' | 'rest' | 'others' | 'end';

/** The blocks of one request in a band. */
export interface BandSide {
  /** Positions in wire order. */
  readonly positions: readonly number[];
  /** Tokens that are not recorded. They come before the first position. */
  readonly notRecorded: number;
  /** Together with those of the other bands, the tokens of the request. */
  readonly tokens: number;
}

export interface Band {
  readonly name: BandName;
  readonly before: BandSide;
  readonly after: BandSide;
}

/** Two requests side by side: every block of both is in one band. Bands that neither has are left out. */
export interface RequestBands {
  readonly before: RequestView;
  readonly after: RequestView;
  readonly bands: readonly Band[];
}

/**
 * Puts two requests side by side at their first difference.
 * @param isSame nothing that the cache compares differs, although the later request lost it: `rest` is then what it no
 *   longer read. Thinking that is left out does not end a cached prefix.
 */
export function requestBands(
  columns: SessionColumns,
  earlier: number,
  later: number,
  isSame: boolean,
): RequestBands {
  const { before, after, changes } = diffRequests(columns, earlier, later);
  const gone = new Set(changes.flatMap(change => ('before' in change ? [change.before] : [])));
  const come = new Set(changes.flatMap(change => ('after' in change ? [change.after] : [])));
  const [left, right] = [sentPositions(columns, before), sentPositions(columns, after)];
  const start = Math.min(firstIn(left, gone), firstIn(right, come));
  const read = readCount(right, come, after);
  const parts = isSame
    ? [cutAtRead(left, gone, read), cutAtRead(right, come, read)]
    : withoutNew(cut(left, gone, start), cut(right, come, start));
  // If the provider did not even read the unrecorded part, everything was paid again, from the start.
  const isNothingRead = isSame && (after.recorded?.tokens ?? 0) * 2 <= after.notRecorded.value && read === 0;
  const first: BandName = isNothingRead && parts[1].rest.length > 0 ? 'rest' : 'start';
  return {
    before,
    after,
    bands: bandNames.flatMap((name): readonly Band[] => {
      const [one, other] = [parts[0][name], parts[1][name]];
      const isFirst = name === first;
      return one.length + other.length === 0 && !isFirst
        ? []
        : [{ name, before: sideOf(before, isFirst, one), after: sideOf(after, isFirst, other) }];
    }),
  };
}

const bandNames: readonly BandName[] = ['start', 'difference', 'rest', 'others', 'end'];

/** The positions of one request by band. */
type Cut = Readonly<Record<BandName, readonly number[]>>;

/** The place of the first changed position in a list of positions, or the length of the list. */
function firstIn(positions: readonly number[], changed: ReadonlySet<number>): number {
  const place = positions.findIndex(position => changed.has(position));
  return place < 0 ? positions.length : place;
}

function cut(positions: readonly number[], changed: ReadonlySet<number>, start: number): Cut {
  const isSame = (position: number): boolean => !changed.has(position);
  const later = positions.slice(start);
  const end = later.findLastIndex(isSame) + 1;
  const next = end === 0 ? later.length : later.findIndex(isSame);
  const between = later.slice(next, Math.max(next, end));
  return {
    start: positions.slice(0, start),
    difference: later.slice(0, next),
    rest: between.filter(isSame),
    others: between.filter(position => !isSame(position)),
    end: later.slice(Math.max(next, end)),
  };
}

/** With nothing the same after the difference, only as many new blocks stand against the old ones; the rest is new. */
function withoutNew(left: Cut, right: Cut): readonly [Cut, Cut] {
  const old = left.difference.length;
  return left.rest.length > 0
    ? [left, right]
    : [
        left,
        {
          ...right,
          difference: right.difference.slice(0, old),
          end: [...right.difference.slice(old), ...right.end],
        },
      ];
}

/** The blocks that both requests have and that the provider still read. */
function readCount(positions: readonly number[], changed: ReadonlySet<number>, view: RequestView): number {
  const read = view.recorded?.blocks ?? 0;
  return positions.filter(position => position < read && !changed.has(position)).length;
}

/** Without a difference, what is the same is divided where the provider stopped to read. */
function cutAtRead(positions: readonly number[], changed: ReadonlySet<number>, read: number): Cut {
  const same = positions.filter(position => !changed.has(position));
  const isInside = (position: number): boolean => position < (same.at(-1) ?? 0);
  return {
    start: same.slice(0, read),
    difference: [],
    rest: same.slice(read),
    others: positions.filter(position => changed.has(position) && isInside(position)),
    end: positions.filter(position => changed.has(position) && !isInside(position)),
  };
}

function sideOf(
  { tokens, notRecorded }: RequestView,
  isFirst: boolean,
  positions: readonly number[],
): BandSide {
  const hidden = isFirst ? notRecorded.value : 0;
  return {
    positions,
    notRecorded: hidden,
    tokens: positions.reduce((sum, position) => sum + (tokens[position] ?? 0), hidden),
  };
}
