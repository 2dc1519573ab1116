import { at, lastAtMost } from '../base/numbers';

const none = new Uint32Array();

/** The positions of each lane in wire order, by index into partitionNames, and the starts of runs of neighbours. */
export interface LanePositions {
  readonly partitions: readonly Uint32Array[];
  /** For each lane, the indices of positions that do not follow the previous one on the wire. */
  readonly runs: readonly Uint32Array[];
}

/** The blocks of a request by lane, with the tokens before each. Made from runs of neighbours, not block by block. */
export class LaneBlocks {
  readonly lanes: readonly Uint32Array[];
  private readonly runs: readonly Uint32Array[];
  /** For each lane, the tokens before each of its runs, and after the last. */
  private readonly sums: readonly Float64Array[];

  /**
   * @param offsets token offset at which each position begins, and the end of the last
   * @param notRecorded tokens of the block for the unrecorded part, in lane 0; 0 for none
   */
  constructor(
    { partitions, runs }: LanePositions,
    private readonly offsets: Uint32Array,
    readonly notRecorded: number,
  ) {
    this.lanes = partitions;
    this.runs = runs;
    this.sums = partitions.map((positions, lane) => {
      const begins = runs[lane] ?? none;
      const sums = new Float64Array(begins.length + 1);
      let sum = lane === 0 ? notRecorded : 0;
      sums[0] = sum;
      for (let run = 0; run < begins.length; run += 1) {
        const first = at(positions, at(begins, run));
        const last = at(positions, (begins[run + 1] ?? positions.length) - 1);
        sum += at(offsets, last + 1) - at(offsets, first);
        sums[run + 1] = sum;
      }
      return sums;
    });
  }

  tokensOf(lane: number): number {
    return this.sums[lane]?.at(-1) ?? 0;
  }

  /** Tokens before the block at an index of its lane. After its last block: the tokens of the whole lane. */
  tokensBefore(lane: number, index: number): number {
    const positions = this.lanes[lane];
    if (positions === undefined || index >= positions.length) {
      return this.tokensOf(lane);
    }
    const runs = this.runs[lane] ?? none;
    const run = lastAtMost(runs, runs.length, index);
    const start = at(positions, at(runs, run));
    return at(this.sums[lane] ?? [], run) + at(this.offsets, at(positions, index)) - at(this.offsets, start);
  }

  /** Tokens of the block at a position. */
  tokensAt(position: number): number {
    return at(this.offsets, position + 1) - at(this.offsets, position);
  }
}
