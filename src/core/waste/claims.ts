import type { SessionColumns } from '../model/columns';
import type { WasteKind } from './wasteKinds';

/** Avoidable tokens of a block. */
export interface Claim {
  readonly kind: WasteKind;
  /** Groups claims into one finding: a server or a program; empty if the kind has only one finding. */
  readonly group: string;
  readonly block: number;
  /** The first request that did not need the block. */
  readonly since: number;
  /** The share of the block's tokens, from 0 to 1. */
  readonly share: number;
  /** The block that proves it: the earlier reading, the edit, the later image; -1 for the block itself. */
  readonly evidence: number;
}

/**
 * Keeps at most one claim per block: the one that saves the most. So nothing is saved twice, and the savings add up to
 * at most the input.
 */
export class Claims {
  private readonly best = new Map<number, Claim>();

  constructor(private readonly columns: SessionColumns) {}

  add(claim: Claim): void {
    const known = this.best.get(claim.block);
    if (claim.share > 0 && (known === undefined || this.worth(claim) > this.worth(known))) {
      this.best.set(claim.block, claim);
    }
  }

  all(): Iterable<Claim> {
    return this.best.values();
  }

  private worth({ block, since, share }: Claim): number {
    const { firstRequest, requestCount } = this.columns.blocks;
    const first = firstRequest[block] ?? -1;
    return first < 0 ? 0 : share * Math.max(0, (requestCount[block] ?? 0) - Math.max(0, since - first));
  }
}
