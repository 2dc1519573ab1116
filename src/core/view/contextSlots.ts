import { countBelow, lastAtMost } from '../base/numbers';
import type { SessionColumns } from '../model/columns';
import { partitionNames } from '../model/labels';
import { perContext } from './perContext';
import type { RequestView } from './requestView';

/** Places of the blocks of a context in the four slots. The slots of a request are the part up to its length. */
export interface Slots {
  /** The positions of each partition in wire order, by its index in partitionNames. */
  readonly partitions: readonly Uint32Array[];
  /** For each partition the indices at which a position does not follow the one before it on the wire. */
  readonly runs: readonly Uint32Array[];
  /** Positions that follow a history block on the wire although they belong to another slot, in wire order. */
  readonly displaced: Uint32Array;
  /** For each of them the last position of the history before it. */
  readonly after: Uint32Array;
}

const historyLane = partitionNames.indexOf('history');

const slotsOfContext = perContext(({ blocks: { partition } }, context): Slots => {
  const counts = new Uint32Array(partitionNames.length);
  for (const block of context) {
    const lane = partition[block] ?? 0;
    counts[lane] = (counts[lane] ?? 0) + 1;
  }
  const partitions = partitionNames.map((_, lane) => new Uint32Array(counts[lane] ?? 0));
  const displaced = new Uint32Array(context.length - (counts[historyLane] ?? 0));
  const after = new Uint32Array(displaced.length);
  let displacedCount = 0;
  let last = -1;
  counts.fill(0);
  for (let position = 0; position < context.length; position += 1) {
    const lane = partition[context[position] ?? 0] ?? 0;
    const place = counts[lane] ?? 0;
    const positions = partitions[lane];
    if (positions !== undefined) {
      positions[place] = position;
    }
    counts[lane] = place + 1;
    if (lane === historyLane) {
      last = position;
    } else if (last >= 0) {
      displaced[displacedCount] = position;
      after[displacedCount] = last;
      displacedCount += 1;
    }
  }
  return {
    partitions,
    runs: partitions.map(runsOf),
    displaced: displaced.subarray(0, displacedCount),
    after: after.subarray(0, displacedCount),
  };
});

/** The indices at which runs of neighbours begin. */
export function runsOf(positions: Uint32Array): Uint32Array {
  const begins: number[] = [];
  for (let index = 0; index < positions.length; index += 1) {
    if (index === 0 || (positions[index] ?? 0) !== (positions[index - 1] ?? 0) + 1) {
      begins.push(index);
    }
  }
  return Uint32Array.from(begins);
}

/** The slots of a request. Each context is processed once; then a request costs a few searches. */
export function requestSlots(columns: SessionColumns, { request, blocks }: RequestView): Slots {
  const { partitions, runs, displaced, after } = slotsOfContext(
    columns,
    columns.requests.context[request] ?? 0,
  );
  const upTo = (positions: Uint32Array): number =>
    lastAtMost(positions, positions.length, blocks.length - 1) + 1;
  const count = upTo(displaced);
  const cut = partitions.map(positions => positions.subarray(0, upTo(positions)));
  return {
    partitions: cut,
    runs: runs.map((begins, lane) => begins.subarray(0, countBelow(begins, cut[lane]?.length ?? 0))),
    displaced: displaced.subarray(0, count),
    after: after.subarray(0, count),
  };
}
