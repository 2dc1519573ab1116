import { type KeepReason, keepReasons, outcomes } from './ruleSet';

export type PruneDecision =
  | { readonly block: number; readonly verdict: 'pruned'; readonly tokensFreed: number }
  | {
      readonly block: number;
      readonly verdict: 'kept';
      readonly reason: KeepReason;
      /** The tokens that pruning it would free, for `belowMinimum`; otherwise 0. */
      readonly tokensFreed: number;
    };

/** The decisions of a plan, one per result, oldest first. Kept as columns; objects are only created on access. */
export class PruneDecisions implements Iterable<PruneDecision> {
  /**
   * @param verdicts one of `outcomes` each, where `candidate` says that the result is pruned
   * @param freed tokens
   */
  constructor(
    readonly length: number,
    private readonly blocks: Int32Array,
    private readonly verdicts: Uint8Array,
    private readonly freed: Float64Array,
  ) {}

  at(number: number): PruneDecision | undefined {
    const verdict = this.verdicts[number];
    if (verdict === undefined) {
      return undefined;
    }
    const block = this.blocks[number] ?? 0;
    const tokensFreed = this.freed[number] ?? 0;
    return verdict === outcomes.candidate
      ? { block, verdict: 'pruned', tokensFreed }
      : { block, verdict: 'kept', reason: keepReasons[verdict] ?? 'beyondStop', tokensFreed };
  }

  *[Symbol.iterator](): Iterator<PruneDecision> {
    for (let number = 0; number < this.length; number += 1) {
      const decision = this.at(number);
      if (decision !== undefined) {
        yield decision;
      }
    }
  }

  forEachPruned(visit: (block: number, tokensFreed: number) => void): void {
    for (let number = 0; number < this.length; number += 1) {
      if (this.verdicts[number] === outcomes.candidate) {
        visit(this.blocks[number] ?? 0, this.freed[number] ?? 0);
      }
    }
  }

  /** The number of results that stay, by reason, in the order in which the reasons first occur. */
  keptByReason(): ReadonlyMap<KeepReason, number> {
    const counts = new Uint32Array(keepReasons.length + 1);
    const kept = new Map<KeepReason, number>();
    for (const verdict of this.verdicts) {
      counts[verdict] = (counts[verdict] ?? 0) + 1;
      const reason = counts[verdict] === 1 ? keepReasons[verdict] : undefined;
      if (reason !== undefined) {
        kept.set(reason, 0);
      }
    }
    for (const reason of kept.keys()) {
      kept.set(reason, counts[keepReasons.indexOf(reason)] ?? 0);
    }
    return kept;
  }
}
