import { CacheSession } from '../cache/cacheSession';
import type { Session, SessionColumns } from '../model/columns';
import type { ModelRow } from '../model/modelRow';
import { inputPrices } from '../prune/requestCost';
import { cacheWritePrice, inputOf, million, pricesFor } from '../tokens/prices';
import { newestOfThread } from '../model/requestBlocks';
import { contextAfter } from '../view/contextAfter';
import { buildRequestView } from '../view/requestView';
import { requestUsage } from '../view/sessionCost';

/** The next request of a conversation, as far as it can be foreseen. Tokens are its input. */
export interface NextRequest {
  readonly conversation: number;
  /** The last request before it with recorded usage. */
  readonly after: number;
  /** True if a later request has no recorded usage. */
  readonly isEstimated: boolean;
  /** Its input without anything new: the newest request and its reply. Results of tools come on top. */
  readonly tokens: number;
  /** The part that the newest request left in the cache. */
  readonly readable: number;
  /** Milliseconds since 1970; undefined if the time or the lifetime is not known. */
  readonly coldAt: number | undefined;
  /** US dollars of its input with a warm cache and with a cold one; undefined if no price is known. */
  readonly warm: number | undefined;
  readonly cold: number | undefined;
}

/**
 * Undefined if there is no request with recorded usage, or if what is left of it is not known. The newest one may have none: it was interrupted, or its reply was
 * written without. Then its tokens are estimated, and the cache is that of the last one with usage.
 * @param given the request before; the newest of the conversation by default
 */
export function nextRequest(session: Session, conversation: number, given?: number): NextRequest | undefined {
  const { columns } = session;
  const newest = newestOfThread(columns, conversation);
  const last = given ?? newest;
  const after = lastWithUsage(columns, conversation, last);
  const usage = after < 0 ? undefined : requestUsage(columns, after);
  if (usage === undefined) {
    return undefined;
  }
  const isEstimated = after < last;
  const sent = inputOf(usage);
  const changed = last === newest ? contextAfter(session, conversation) : undefined;
  if (changed?.change !== undefined && changed.tokens === undefined) {
    return undefined;
  }
  const tokens =
    changed?.tokens ??
    (isEstimated ? Math.round(buildRequestView(columns, last).total.value) : sent + usage.output);
  const cache = new CacheSession(session);
  const lifetime = cache.lifetimeOf(after);
  const time = columns.requests.timestamp[after] ?? Number.NaN;
  // Automatic caches keep the whole input, the others only what was marked.
  const kept = cache.rowOf(after)?.cache.explicit === true ? usage.cacheRead + usage.cacheWrite : sent;
  const { context, model } = columns.requests;
  const isSame =
    changed?.change === undefined &&
    changed?.model === undefined &&
    context[after] === context[last] &&
    model[after] === model[last];
  const readable = isSame ? Math.min(kept, tokens) : 0;
  const prices = inputPrices(cache, after, tokens);
  return {
    conversation,
    after,
    isEstimated,
    tokens,
    readable,
    coldAt: Number.isNaN(time) || lifetime === undefined ? undefined : time + 1000 * lifetime,
    warm: prices === undefined ? undefined : readable * prices.read + (tokens - readable) * prices.written,
    cold: prices === undefined ? undefined : tokens * prices.written,
  };
}

/** The last request of a conversation up to one that has recorded usage; -1 if none has. Zeros are not usage. */
function lastWithUsage(columns: SessionColumns, conversation: number, last: number): number {
  for (
    let request = newestOfThread(columns, conversation, last);
    request >= 0;
    request = newestOfThread(columns, conversation, request - 1)
  ) {
    const usage = requestUsage(columns, request);
    if (usage !== undefined && inputOf(usage) > 0) {
      return request;
    }
  }
  return -1;
}

/** US dollars of an input that a model reads for the first time; undefined if its prices are not known. */
export function firstInputCost(row: ModelRow | undefined, tokens: number): number | undefined {
  const prices = row?.prices && pricesFor(row.prices, { inputTokens: tokens });
  return prices && (tokens * cacheWritePrice(prices, row.cache.lifetimeSeconds)) / million;
}
