import { groupBy } from '../base/groupBy';
import { longestCommon } from '../base/longestCommon';
import type { SessionColumns } from '../model/columns';
import { isCarried } from './requestTokens';
import { buildRequestView, notRecordedRange, type RequestView } from './requestView';

/**
 * The relation of a block to another request. `changed`: another text in its place between the same neighbours
 * (a cleared result, a rewritten reminder). `moved`: the same content elsewhere in the order.
 */
export type BlockChange =
  | { readonly kind: 'added'; readonly after: number }
  | { readonly kind: 'removed'; readonly before: number }
  | { readonly kind: 'changed'; readonly before: number; readonly after: number }
  | { readonly kind: 'moved'; readonly before: number; readonly after: number };

/** The differences between two requests. `before` and `after` are positions in the two contexts. */
export interface RequestDiff {
  readonly before: RequestView;
  readonly after: RequestView;
  /** Equal leading blocks, and the token offset of their end in the request where it is smaller. */
  readonly commonPrefix: { readonly blocks: number; readonly tokens: number };
  /** Blocks of the later request that are also in the earlier one, in the same order. */
  readonly unchanged: number;
  /** In the order of the later request; removed blocks keep their old place. */
  readonly changes: readonly BlockChange[];
  /** Tokens of the blocks that only one of the two has: `changed` counts on both sides. */
  readonly tokensAdded: number;
  readonly tokensRemoved: number;
}

/** Compares two requests of a session by the contents of their blocks. Linear, except for runs of blocks that differ. */
export function diffRequests(columns: SessionColumns, earlier: number, later: number): RequestDiff {
  const range = notRecordedRange(columns);
  const before = buildRequestView(columns, earlier, range);
  const after = buildRequestView(columns, later, range);
  const left = hashes(columns, before);
  const right = hashes(columns, after);
  const [leftSent, rightSent] = [sentPositions(columns, before), sentPositions(columns, after)];
  const kept = longestCommon(
    leftSent.map(position => left[position] ?? 0),
    rightSent.map(position => right[position] ?? 0),
  );
  const firstChange = kept.findIndex(([one, other], place) => one !== place || other !== place);
  const prefix = firstChange === -1 ? kept.length : firstChange;
  const ends = [...kept, [leftSent.length, rightSent.length] as const];
  const gaps: { readonly removed: readonly number[]; readonly added: readonly number[] }[] = [];
  let [fromLeft, fromRight] = [0, 0];
  for (const [toLeft, toRight] of ends) {
    gaps.push({ removed: leftSent.slice(fromLeft, toLeft), added: rightSent.slice(fromRight, toRight) });
    [fromLeft, fromRight] = [toLeft + 1, toRight + 1];
  }
  const gone = new Set(gaps.flatMap(({ removed }) => removed.map(position => left[position])));
  const come = new Set(gaps.flatMap(({ added }) => added.map(position => right[position])));
  // A block that also occurs on the other side has moved; it has not been changed.
  const isChange = (one: number, other: number): boolean =>
    !come.has(left[one]) && !gone.has(right[other]) && alike(columns, before, after, one, other);
  const changes: BlockChange[] = [];
  for (const { removed, added } of gaps) {
    const areSamePlaces = removed.length === added.length;
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1) {
      const [one, other] = [removed[index], added[index]];
      if (areSamePlaces && one !== undefined && other !== undefined && isChange(one, other)) {
        changes.push({ kind: 'changed', before: one, after: other });
        continue;
      }
      if (one !== undefined) {
        changes.push({ kind: 'removed', before: one });
      }
      if (other !== undefined) {
        changes.push({ kind: 'added', after: other });
      }
    }
  }
  const settled = withMoves(changes, left, right);
  return {
    before,
    after,
    // The unrecorded part comes first. At most the smaller of the two can be equal.
    commonPrefix: {
      blocks: prefix,
      tokens: Math.min(offsetAt(before, leftSent[prefix]), offsetAt(after, rightSent[prefix])),
    },
    unchanged: kept.length,
    changes: settled,
    tokensAdded: sum(settled, change =>
      change.kind === 'added' || change.kind === 'changed' ? (after.tokens[change.after] ?? 0) : 0,
    ),
    tokensRemoved: sum(settled, change =>
      change.kind === 'removed' || change.kind === 'changed' ? (before.tokens[change.before] ?? 0) : 0,
    ),
  };
}

function hashes({ blocks }: SessionColumns, view: RequestView): readonly number[] {
  return Array.from(view.blocks, block => blocks.content[block] ?? 0);
}

/** The positions of a request whose blocks it really carries: earlier thinking can be left out of later requests. */
export function sentPositions({ blocks }: SessionColumns, view: RequestView): readonly number[] {
  return [...view.blocks.keys()].filter(position =>
    isCarried(blocks, view.blocks[position] ?? 0, view.request),
  );
}

const offsetAt = ({ offsets }: RequestView, position = offsets.length - 1): number => offsets[position] ?? 0;

function sum(changes: readonly BlockChange[], tokensOf: (change: BlockChange) => number): number {
  return changes.reduce((total, change) => total + tokensOf(change), 0);
}

/** True if two blocks are versions of each other: of the same kind and, if they belong to calls, of the same call. */
function alike(
  { blocks }: SessionColumns,
  before: RequestView,
  after: RequestView,
  one: number,
  other: number,
): boolean {
  const [first, second] = [before.blocks[one] ?? 0, after.blocks[other] ?? 0];
  return blocks.kind[first] === blocks.kind[second] && blocks.callId[first] === blocks.callId[second];
}

/** A block that was removed in one place and added in another has moved. */
function withMoves(
  changes: readonly BlockChange[],
  left: readonly number[],
  right: readonly number[],
): readonly BlockChange[] {
  const removed = groupBy(
    changes.flatMap(change => (change.kind === 'removed' ? [change.before] : [])),
    before => left[before] ?? 0,
  );
  const moved = new Set<number>();
  const settled = changes.map((change): BlockChange => {
    const before = change.kind === 'added' ? removed.get(right[change.after] ?? 0)?.shift() : undefined;
    if (change.kind !== 'added' || before === undefined) {
      return change;
    }
    moved.add(before);
    return { kind: 'moved', before, after: change.after };
  });
  return settled.filter(change => change.kind !== 'removed' || !moved.has(change.before));
}
