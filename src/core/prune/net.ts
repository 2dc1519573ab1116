import type { CacheSession } from '../cache/cacheSession';
import type { PruneOptions } from '../model/pruneConfig';
import type { TokenQuality } from '../tokens/quality';
import type { RequestView } from '../view/requestView';
import { type KnownLosses, lastingPrune, type LaterRequests, withoutLoss } from './laterRequests';
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
 * `disabled`, `nothing` to prune and `belowMinimum`: the plan does not execute and all figures are 0. `cold`: nothing
 * after the first pruned result was read from the cache, so pruning costs nothing. `warm`: the tokens after it must be
 * written again.
 */
export type NetState = 'disabled' | 'nothing' | 'belowMinimum' | 'cold' | 'warm';

/**
 * The net worth of a prune just before a request. Tokens are in the provider's count, with the quality of the view's
 * blocks.
 */
export interface PruneNet {
  readonly request: number;
  readonly state: NetState;
  /** Tokens that pruning saves in this request and in each later one with the same context. */
  readonly tokensFreed: number;
  readonly quality: TokenQuality;
  /** Expected relative error of `tokensFreed`. */
  readonly error: number;
  /** The new end of the cacheable prefix; undefined if nothing is pruned. */
  readonly boundary:
    | {
        /** Position of the first pruned result, and the tokens before it. */
        readonly position: number;
        readonly tokens: number;
        /**
         * Number of these tokens that the request would still have read, with the provider's minimum, steps and
         * breakpoints.
         */
        readonly readable: number;
      }
    | undefined;
  /** Tokens that the request read from the cache and would have paid for again. */
  readonly tokensRewritten: number;
  /** The later requests of this session with the same context. */
  readonly later: Pick<LaterRequests, 'requests' | 'end'>;
  /** Undefined if the prices of a counted request are not known. */
  readonly worth: NetWorth | undefined;
}

/** Amounts at list prices. Only `gained` can be below 0; then it is a loss. */
export interface NetWorth {
  /** One-time cost of rewriting tokens that would have been read. */
  readonly rewrite: Worth;
  /** Saving in this request, because it sends less. */
  readonly savedNow: Worth;
  /** Saving in each later request with a warm cache, and with a cold one. */
  readonly savedWarm: Worth;
  readonly savedCold: Worth;
  /**
   * Number of requests until it has paid for itself while the cache stays warm, including this one; undefined if it never
   * does.
   */
  readonly breakEven: number | undefined;
  /** Until the end of this session: all savings minus the cost of rewriting. */
  readonly gained: Worth;
  /** The same without the cache losses that nobody could foresee. Equals `gained` if no losses are given. */
  readonly foreseen: Worth;
  /** The request whose loss adds the most to `gained`; undefined if no loss does. */
  readonly restsOn: number | undefined;
  /** The request of this session at which it would have paid for itself; undefined if the session ended before. */
  readonly paidBackAt: number | undefined;
  /** US dollars saved in all up to each request with the results, from the pruned one on; below 0 until it has paid back. */
  readonly curve: readonly { readonly request: number; readonly saved: number }[];
}

/**
 * Weighs a prune plan against the cache loss that it causes. Linear in the blocks of the request, in the later
 * requests, and in the contexts that still contain the pruned results, so it can follow a slider. Assumes the same
 * later replies and compactions, and no further prunes.
 * @param losses the cache losses of the session by request, to name a saving that rests on them
 */
export function pruneNet(
  session: CacheSession,
  view: RequestView,
  { plan, positions }: PrunePreview,
  options: PruneOptions,
  losses?: KnownLosses,
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
  const lasting = lastingPrune(session, request, freed, losses);
  const before = view.offsets[first] ?? 0;
  const reachable = view.offsets[reachableBlocks(session, request, first)] ?? 0;
  const readableOf = (read: number): number =>
    read <= before ? read : Math.min(read, readableTokens(session, request, Math.min(before, reachable)));
  const readable = readableOf(sent.read);
  // Pruned tokens are not written again.
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
    const gained = subtract(add(savedNow, later.saved), rewrite);
    return {
      rewrite,
      savedNow,
      savedWarm,
      savedCold: worthOf(prices, plan.tokensFreed * prices.written),
      breakEven: breakEven(rewrite.money, savedNow.money, savedWarm.money),
      gained,
      ...withoutLosses(gained),
      ...paidBack(savedNow.money - rewrite.money),
    };
  }

  function paidBack(now: number): Pick<NetWorth, 'curve' | 'paidBackAt'> {
    let saved = now;
    const curve = [{ request, saved }];
    for (const { request: at, money } of lasting.savings) {
      saved += money;
      curve.push({ request: at, saved });
    }
    return { curve, paidBackAt: curve.find(point => point.saved >= 0)?.request };
  }

  function withoutLosses(gained: Worth): Pick<NetWorth, 'foreseen' | 'restsOn'> {
    const saved = later.saved ?? nothing;
    const foreseen = later.foreseen ?? saved;
    const own = losses?.get(request);
    if (own === undefined || own.isForeseeable) {
      return { foreseen: subtract(gained, subtract(saved, foreseen)), restsOn: later.restsOn };
    }
    const kept = withoutLoss(sent, own);
    const asSent = inputCost(session, request, kept);
    const pruned = inputCost(session, request, {
      total: sent.total - plan.tokensFreed,
      read: readableOf(kept.read),
    });
    return asSent === undefined || pruned === undefined
      ? { foreseen: gained, restsOn: undefined }
      : { foreseen: add(subtract(asSent, pruned), foreseen), restsOn: request };
  }
}

/** Amounts too small to count, in US dollars: less than the rounding of a sum. */
const dust = 1e-12;

/** Number of requests until break-even, including the pruned one. */
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
        foreseen: nothing,
        restsOn: undefined,
        paidBackAt: undefined,
        curve: [],
      };
}
