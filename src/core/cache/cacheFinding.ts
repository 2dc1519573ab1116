/** Why a request read less from the cache than the request before it had made readable. */
export const cacheBreakCauses = [
  'modelChanged',
  'toolsAdded',
  'toolsRemoved',
  'toolsChanged',
  'toolsReordered',
  'systemChanged',
  'volatileValue',
  'historyRewritten',
  'compaction',
  'cleared',
  'lifetimeExpired',
  'lookbackExceeded',
  'belowMinimum',
  'parallelRequests',
  'evicted',
  'unknown',
] as const;
export type CacheBreakCause = (typeof cacheBreakCauses)[number];

/**
 * How sure the cause is. `shown`: the transcript holds both sides of the difference. `narrowed`: what the transcript does
 * not hold (system text, tools) leaves several causes, listed in `possible`. `assumed`: everything on record is equal.
 */
export type CauseCertainty = 'shown' | 'narrowed' | 'assumed';

/** One cache break. Numbers of requests, blocks and positions are those of the session's columns. */
export interface CacheFinding {
  readonly request: number;
  /** The request of the same thread that had made the prefix readable. */
  readonly previous: number;
  /** The causes that hold, the one that costs most first; more than one when several changed at once. */
  readonly causes: readonly [CacheBreakCause, ...CacheBreakCause[]];
  readonly certainty: CauseCertainty;
  /** For `narrowed`: what the evidence leaves possible. */
  readonly possible: readonly CacheBreakCause[];
  /** Tokens that were readable and that this request read, as recorded. */
  readonly readable: number;
  readonly read: number;
  /** Tokens that were paid for again: `readable` less `read`, and never more than the request's uncached input. */
  readonly tokensLost: number;
  /** US dollars above what reading them would have cost; absent where the model's prices are unknown. */
  readonly moneyLost?: number;
  /** The first position of this request's context that differs, with the blocks on both sides, where on record. */
  readonly place?: { readonly position: number; readonly before?: number; readonly after?: number };
  /** What was seen, a fact each: for the interface and for reports; holds no text of the transcript that is not masked. */
  readonly evidence: readonly string[];
}

/** Tokens and money lost by cause, the largest first. */
export interface CauseTotal {
  readonly cause: CacheBreakCause;
  readonly requests: number;
  readonly tokensLost: number;
  readonly moneyLost?: number;
}
