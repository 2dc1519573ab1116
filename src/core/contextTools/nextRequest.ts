import { CacheSession } from '../cache/cacheSession';
import type { Session } from '../model/columns';
import type { ModelRow } from '../model/modelRow';
import { inputPrices } from '../prune/requestCost';
import { cacheWritePrice, million, pricesFor } from '../tokens/prices';
import { contextAfter } from '../view/contextAfter';
import { requestUsage } from '../view/sessionCost';

/** The next request of a conversation, as far as it can be foreseen. Tokens are its input. */
export interface NextRequest {
  readonly conversation: number;
  /** The request before, which it continues. */
  readonly after: number;
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
 * Undefined if there is no request, or if the one before has no recorded usage.
 * @param after the request before; the newest of the conversation by default
 */
export function nextRequest(
  session: Session,
  conversation: number,
  after = session.columns.requests.thread.lastIndexOf(conversation),
): NextRequest | undefined {
  const { columns } = session;
  const usage = after < 0 ? undefined : requestUsage(columns, after);
  if (usage === undefined) {
    return undefined;
  }
  const sent = usage.input + usage.cacheRead + usage.cacheWrite;
  const isNewest = after === columns.requests.thread.lastIndexOf(conversation);
  const changed = isNewest ? contextAfter(session, conversation) : undefined;
  const tokens = changed?.tokens ?? sent + usage.output;
  const cache = new CacheSession(session);
  const lifetime = cache.lifetimeOf(after);
  const time = columns.requests.timestamp[after] ?? Number.NaN;
  // Automatic caches keep the whole input, the others only what was marked.
  const kept = cache.rowOf(after)?.cache.explicit === true ? usage.cacheRead + usage.cacheWrite : sent;
  const isSame = changed?.change === undefined && changed?.model === undefined;
  const readable = isSame ? Math.min(kept, tokens) : 0;
  const prices = inputPrices(cache, after, tokens);
  return {
    conversation,
    after,
    tokens,
    readable,
    coldAt: Number.isNaN(time) || lifetime === undefined ? undefined : time + 1000 * lifetime,
    warm: prices === undefined ? undefined : readable * prices.read + (tokens - readable) * prices.written,
    cold: prices === undefined ? undefined : tokens * prices.written,
  };
}

/** US dollars of an input that a model reads for the first time; undefined if its prices are not known. */
export function firstInputCost(row: ModelRow | undefined, tokens: number): number | undefined {
  const prices = row?.prices && pricesFor(row.prices, { inputTokens: tokens });
  return prices && (tokens * cacheWritePrice(prices, row.cache.lifetimeSeconds)) / million;
}
