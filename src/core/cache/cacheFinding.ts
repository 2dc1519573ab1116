import type { PredictionReason } from '../model/columns';
import type { TokenQuality } from '../tokens/quality';

/** Why a request read less from the cache than an earlier one had made readable; in the order of the wire. */
export const cacheBreakCauses = [
  'modelChanged',
  'lifetimeExpired',
  'belowMinimum',
  'parallelRequests',
  'toolsAdded',
  'toolsRemoved',
  'toolsChanged',
  'toolsReordered',
  'systemChanged',
  'volatileValue',
  'compaction',
  'cleared',
  'historyRewritten',
  'lookbackExceeded',
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
  /** The request that had made the prefix readable: the one before in the thread, or of another thread for its first. */
  readonly previous: number;
  /**
   * The causes that hold, in the order of the wire: what comes first alone costs all that was lost. More than one when
   * several changed at once; `unknown` alone where only `possible` can be told.
   */
  readonly causes: readonly [CacheBreakCause, ...CacheBreakCause[]];
  readonly certainty: CauseCertainty;
  /** For `narrowed`: what the evidence leaves possible. */
  readonly possible: readonly CacheBreakCause[];
  /** Tokens that were readable and that this request read, as recorded. */
  readonly readable: number;
  readonly read: number;
  /**
   * Tokens that were paid for again: `readable` less `read`, and never more than the request's uncached input without
   * the blocks that are sent for the first time.
   */
  readonly tokensLost: number;
  /** US dollars above what reading them would have cost; absent where the model's prices are unknown. */
  readonly moneyLost?: number;
  /** The first position of this request's context that differs, with the blocks on both sides, where on record. */
  readonly place?: { readonly position: number; readonly before?: number; readonly after?: number };
  /** What was seen, a fact each: for the interface and for reports; holds no text of the transcript that is not masked. */
  readonly evidence: readonly string[];
}

/** Tokens and money lost by cause, the largest first. Each finding counts under its first cause, so that sums add up. */
export interface CauseTotal {
  readonly cause: CacheBreakCause;
  readonly requests: number;
  readonly tokensLost: number;
  readonly moneyLost?: number;
}

/**
 * Conservation on recorded numbers: what the request before read and wrote should be read now. `more`: it read what no
 * recorded request had written. `unknown`: usage is not recorded, or this is the thread's first request.
 */
export type ConservationVerdict = 'kept' | 'short' | 'more' | 'unknown';

/**
 * Whether the recorded boundary lies where it was predicted, within 2 % or one block. `unknown` where the provider
 * recorded no use of its cache.
 */
export type BoundaryVerdict = 'agrees' | 'short' | 'beyond' | 'unknown';

/**
 * Why a request read more than was predicted. `elsewhere`: an entry that no request on record wrote, so one of another
 * session or one that the transcript lacks. `outlived`: its entry lived longer than the provider promises. `estimate`:
 * the prediction rests on estimated tokens of a prefix that only partly equals an earlier request.
 */
export type SurplusReason = 'elsewhere' | 'outlived' | 'estimate';

/** The frozen boundary of one request, by its three sources. Token offsets. */
export interface RequestBoundary {
  readonly request: number;
  /** Cache read as the provider counted it; absent where not recorded. */
  readonly recorded?: number;
  /** What the record of the request before made readable; absent where it says nothing. */
  readonly readable?: number;
  readonly conservation: ConservationVerdict;
  readonly predicted: {
    readonly tokens: number;
    readonly blocks: number;
    readonly quality: TokenQuality;
    readonly reason: PredictionReason;
    /** The earlier request that it equals. */
    readonly from?: number;
  };
  /** The last recorded breakpoint: its position, and the tokens up to its end. */
  readonly declared?: { readonly position: number; readonly tokens: number };
  readonly agreement: BoundaryVerdict;
  /** For `beyond`. */
  readonly surplus?: SurplusReason;
}

/** What a session shows of its provider's cache. */
export interface CacheReport {
  /** Cache breaks, in the order of requests. */
  readonly findings: readonly CacheFinding[];
  readonly causes: readonly CauseTotal[];
  /** One a request. */
  readonly boundaries: readonly RequestBoundary[];
  /** Recorded input tokens of all requests, by how they were paid for. */
  readonly input: { readonly read: number; readonly written: number; readonly fresh: number };
  readonly lost: { readonly tokens: number; readonly money?: number };
  /** Requests whose conservation could be checked, and those that kept it. */
  readonly conservation: { readonly checked: number; readonly kept: number };
  /** Requests whose recorded boundary could be compared with the predicted one, and those that agree. */
  readonly agreement: { readonly compared: number; readonly agreeing: number };
}
