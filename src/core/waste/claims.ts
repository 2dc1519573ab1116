import type { SessionColumns } from '../model/columns';
import type { WasteKind } from './wasteKinds';

/** Tokens of a block that need not have been sent. */
export interface Claim {
  readonly kind: WasteKind;
  /** What is claimed together is one finding of its kind: a server, a program; empty where there is one alone. */
  readonly group: string;
  readonly block: number;
  /** The first request that need not have carried it. */
  readonly since: number;
  /** The share of the block's tokens, from 0 to 1. */
  readonly share: number;
  /** The block that shows it: the reading before, the edit, the later picture; -1 where it is the block itself. */
  readonly evidence: number;
}

/**
 * One claim for each block at most: the one that saves most by its tokens and the requests after it. So nothing is saved
 * twice, and all savings together are at most the input.
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
