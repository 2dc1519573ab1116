import type { FindQuery, FoundPart } from '../../src/core/questions/findQuery';

export type FoundBlock = FoundPart['blocks'][number];

/**
 * A hit: the block, and the index of the hit in the block, from 0. A block that matches only by its name has one hit.
 */
export interface HitPlace {
  readonly block: number;
  readonly hit: number;
}

/** The results of a search so far. A new object whenever there are more. */
export interface FindResult {
  readonly query: FindQuery;
  /** Grows while the search continues. */
  readonly found: ReadonlyMap<number, FoundBlock>;
  readonly isDone: boolean;
  /** The reason why the search ended early. */
  readonly sentence: string | undefined;
  /** Asks again; absent if that would end the same way. */
  readonly retry: (() => void) | undefined;
}

/** The search, and the hit that the user went to. */
export interface FindState {
  readonly result: FindResult | undefined;
  readonly current: HitPlace | undefined;
}

export const noFind: FindState = { result: undefined, current: undefined };
