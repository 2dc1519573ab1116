import type { FindQuery, FoundPart } from '../../src/core/questions/findQuery';

export type FoundBlock = FoundPart['blocks'][number];

/** A hit: the block, and which of its hits, from 0. A block that is found by its name alone has one. */
export interface HitPlace {
  readonly block: number;
  readonly hit: number;
}

/** What a search has found so far; a new object whenever there is more. */
export interface FindResult {
  readonly query: FindQuery;
  /** Grows while the search goes on. */
  readonly found: ReadonlyMap<number, FoundBlock>;
  readonly isDone: boolean;
  /** Why it ended early. */
  readonly sentence: string | undefined;
  /** Asks again; absent where that would end in the same way. */
  readonly retry: (() => void) | undefined;
}

/** The search, and the hit that the user has gone to. */
export interface FindState {
  readonly result: FindResult | undefined;
  readonly current: HitPlace | undefined;
}

export const noFind: FindState = { result: undefined, current: undefined };
