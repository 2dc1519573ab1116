import type { PredictionReason } from '../model/columns';
import type { TokenQuality } from '../tokens/quality';

/** Why a request read less from the cache than it could have, in wire order. */
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
 * not hold (system text, tools) leaves several causes, listed in `possible`. `assumed`: everything recorded is equal.
 */
export type CauseCertainty = 'shown' | 'narrowed' | 'assumed';

/** One cache break. Numbers of requests, blocks and positions are those of the session's columns. */
export interface CacheFinding {
  readonly request: number;
  /**
   * The request that made the prefix readable: the one before in the thread, or one of another thread for a thread's
   * first request.
   */
  readonly previous: number;
  /**
   * The causes that apply, in wire order: the first alone would have cost all that was lost. More than one if several
   * things changed at once; only `unknown` if nothing but `possible` is known.
   */
  readonly causes: readonly [CacheBreakCause, ...CacheBreakCause[]];
  readonly certainty: CauseCertainty;
  /** For `narrowed`: the causes that the evidence leaves possible. */
  readonly possible: readonly CacheBreakCause[];
  /** Tokens that were readable and that this request read, as recorded. */
  readonly readable: number;
  readonly read: number;
  /**
   * Tokens that were paid for again: `readable` minus `read`, and at most the request's uncached input without the blocks
   * that were sent for the first time.
   */
  readonly tokensLost: number;
  /** US dollars more than reading them would have cost; absent if the model's prices are unknown. */
  readonly moneyLost?: number;
  /** The first position of this request's context that differs, with the blocks on both sides where they are recorded. */
  readonly place?: { readonly position: number; readonly before?: number; readonly after?: number };
  /** The evidence, one fact each, for the interface and for reports. Contains no unmasked text of the transcript. */
  readonly evidence: readonly string[];
}

/** Tokens and money lost by cause, the largest first. Each finding counts under its first cause, so the sums add up. */
export interface CauseTotal {
  readonly cause: CacheBreakCause;
  readonly requests: number;
  readonly tokensLost: number;
  readonly moneyLost?: number;
}

/**
 * Conservation of recorded numbers: what the request before read and wrote should be read now. `more`: it read what no
 * recorded request had written. `unknown`: usage is not recorded, or this is the thread's first request.
 */
export type ConservationVerdict = 'kept' | 'short' | 'more' | 'unknown';

/**
 * Whether the recorded boundary lies where it was predicted, within 2 % or one block. `unknown` where the provider
 * recorded no use of its cache.
 */
export type BoundaryVerdict = 'agrees' | 'short' | 'beyond' | 'unknown';

/**
 * Why a request read more than was predicted. `elsewhere`: no recorded request wrote the entry, so it comes from another
 * session or from a request that the transcript lacks. `outlived`: its entry lived longer than the provider promises.
 * `estimate`: the prediction rests on estimated tokens of a prefix that only partly equals an earlier request.
 */
export type SurplusReason = 'elsewhere' | 'outlived' | 'estimate';

/** The frozen boundary of one request, from its three sources. Token offsets. */
export interface RequestBoundary {
  readonly request: number;
  /** Cache read as the provider counted it; absent where not recorded. */
  readonly recorded?: number;
  /** What the request before made readable according to its recorded usage; absent if that says nothing. */
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

/** What a session shows about its provider's cache. */
export interface CacheReport {
  /** Cache breaks, in the order of requests. */
  readonly findings: readonly CacheFinding[];
  readonly causes: readonly CauseTotal[];
  /** One per request. */
  readonly boundaries: readonly RequestBoundary[];
  /** Recorded input tokens of all requests, by how they were billed. */
  readonly input: { readonly read: number; readonly written: number; readonly fresh: number };
  readonly lost: { readonly tokens: number; readonly money?: number };
  /** Requests whose conservation could be checked, and those that kept it. */
  readonly conservation: { readonly checked: number; readonly kept: number };
  /** Requests whose recorded boundary could be compared with the predicted one, and those that agree. */
  readonly agreement: { readonly compared: number; readonly agreeing: number };
}
