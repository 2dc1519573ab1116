import type { CacheSession } from '../cache/cacheSession';
import type { PruneOptions } from '../model/pruneConfig';
import type { TokenQuality } from '../tokens/quality';
import type { RequestView } from '../view/requestView';
import { lastingPrune, type LaterRequests } from './laterRequests';
import type { PrunePreview } from './prunePreview';
import {
  add,
  inputCost,
  inputPrices,
  nothing,
  reachableBlocks,
  readableTokens,
  sentTokens,
  subtract,
  type Worth,
  worthOf,
} from './requestCost';

/**
 * `disabled`, `nothing` to prune and `belowMinimum`: the plan does not execute, every figure is 0. `cold`: nothing after
 * the first pruned result was read from the cache, so pruning costs nothing. `warm`: what follows it has to be written
 * again.
 */
export type NetState = 'disabled' | 'nothing' | 'belowMinimum' | 'cold' | 'warm';

/** What a prune just before a request is worth. Tokens are the provider's; their quality is that of the view's blocks. */
export interface PruneNet {
  readonly request: number;
  readonly state: NetState;
  /** Tokens that this request and each later one with the same context would not have sent. */
  readonly tokensFreed: number;
  readonly quality: TokenQuality;
  /** Expected relative error of `tokensFreed`. */
  readonly error: number;
  /** The new end of the cacheable prefix; undefined where nothing is pruned. */
  readonly boundary:
    | {
        /** Position of the first pruned result, and the tokens before it. */
        readonly position: number;
        readonly tokens: number;
        /** How many of them the request would still have read, given the provider's minimum, steps and breakpoints. */
        readonly readable: number;
      }
    | undefined;
  /** Tokens that the request read from the cache and would have had to pay for again. */
  readonly tokensRewritten: number;
  /** What became of the context in this session. */
  readonly later: Pick<LaterRequests, 'requests' | 'end'>;
  /** Undefined if the prices of a counted request are not known. */
  readonly worth: NetWorth | undefined;
}

/** Amounts at list prices. Only `gained` can be below 0; then it is a loss. */
export interface NetWorth {
  /** One-time cost of writing again what would have been read. */
  readonly rewrite: Worth;
  /** Saved at this request by what it does not send. */
  readonly savedNow: Worth;
  /** Saved at each later request that reads the rest from the cache, and at each that does not. */
  readonly savedWarm: Worth;
  readonly savedCold: Worth;
  /**
   * Number of requests until it has paid for itself while the cache stays warm, including this one; undefined if it never
   * does.
   */
  readonly breakEven: number | undefined;
  /** Over this session up to its end: all savings minus the cost of writing again. */
  readonly gained: Worth;
  /** The request of this session at which it would have paid for itself; undefined where the session ended before. */
  readonly paidBackAt: number | undefined;
}

/**
 * Weighs a prune plan against the cache that it breaks. Linear in the request's blocks and, for the rest of the session,
 * in its requests and in the contexts that still hold what is pruned; fast enough to follow a slider.
 *
 * The later requests are taken as they were: the same replies, the same compactions, no further prunes.
 */
export function pruneNet(
  session: CacheSession,
  view: RequestView,
  { plan, positions }: PrunePreview,
  options: PruneOptions,
): PruneNet {
  const { request, quality, error } = view;
  const first = positions[0];
  if (!plan.executes || first === undefined) {
    return {
      request,
      state: !options.enabled ? 'disabled' : first === undefined ? 'nothing' : 'belowMinimum',
      tokensFreed: 0,
      quality,
      error,
      boundary: undefined,
      tokensRewritten: 0,
      later: { requests: 0, end: 'sessionEnd' },
      worth: worthOfNothing(session, view),
    };
  }
  const freed = new Map<number, number>();
  plan.decisions.forEachPruned((block, tokens) => {
    freed.set(block, tokens);
  });
  const sent = sentTokens(session, request);
  const lasting = lastingPrune(session, request, freed);
  const before = view.offsets[first] ?? 0;
  const reachable = view.offsets[reachableBlocks(session, request, first)] ?? 0;
  const readable =
    sent.read <= before
      ? sent.read
      : Math.min(sent.read, readableTokens(session, request, Math.min(before, reachable)));
  // What was read and is no longer sent is not written again.
  const tokensRewritten = Math.max(0, sent.read - readable - lasting.freedBelow(request, sent.read));
  const { later } = lasting;
  return {
    request,
    state: tokensRewritten > 0 ? 'warm' : 'cold',
    tokensFreed: plan.tokensFreed,
    quality: plan.estimated ? 'estimated' : quality,
    error,
    boundary: { position: first, tokens: before, readable },
    tokensRewritten,
    later: { requests: later.requests, end: later.end },
    worth: netWorth(),
  };

  function netWorth(): NetWorth | undefined {
    const after = { total: sent.total - plan.tokensFreed, read: readable };
    const prices = inputPrices(session, request, after.total);
    const asSent = inputCost(session, request, sent);
    const pruned = inputCost(session, request, after);
    if (prices === undefined || asSent === undefined || pruned === undefined || later.saved === undefined) {
      return undefined;
    }
    const rewrite = worthOf(prices, tokensRewritten * Math.max(0, prices.written - prices.read));
    const savedNow = subtract(asSent, subtract(pruned, rewrite));
    const savedWarm = worthOf(prices, plan.tokensFreed * prices.read);
    return {
      rewrite,
      savedNow,
      savedWarm,
      savedCold: worthOf(prices, plan.tokensFreed * prices.written),
      breakEven: breakEven(rewrite.money, savedNow.money, savedWarm.money),
      gained: subtract(add(savedNow, later.saved), rewrite),
      paidBackAt: lasting.paidBackAt(rewrite.money - savedNow.money),
    };
  }
}

/** Amounts too small to count, in US dollars: less than the rounding of a sum. */
const dust = 1e-12;

/** How many requests it takes, the pruned one counted. */
function breakEven(rewrite: number, savedNow: number, savedLater: number): number | undefined {
  const owed = rewrite - savedNow;
  if (owed <= dust) {
    return 1;
  }
  return savedLater > 0 ? 1 + Math.ceil((owed - dust) / savedLater) : undefined;
}

function worthOfNothing(session: CacheSession, { request, total }: RequestView): NetWorth | undefined {
  return inputPrices(session, request, total.value) === undefined
    ? undefined
    : {
        rewrite: nothing,
        savedNow: nothing,
        savedWarm: nothing,
        savedCold: nothing,
        breakEven: undefined,
        gained: nothing,
        paidBackAt: undefined,
      };
}
