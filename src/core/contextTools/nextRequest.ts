import { CacheSession } from '../cache/cacheSession';
import type { Session, SessionColumns } from '../model/columns';
import type { ModelRow } from '../model/modelRow';
import { inputPrices } from '../prune/requestCost';
import { cacheWritePrice, inputOf, million, pricesFor } from '../tokens/prices';
import { newestOfModel, newestOfThread } from '../model/requestBlocks';
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
 * Undefined if there is no request with recorded usage, or if the rest of it is not known. The newest one may have none: it
 * was interrupted, or its reply was written without. Then its tokens are estimated, and the cache is that of the last one
 * with usage.
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
  const known = { conversation, after, isEstimated, tokens };
  if (changed?.model !== undefined) {
    const row = session.summary.models.find(({ id }) => id === changed.model)?.row;
    return { ...known, ...inputTo(session, known, changed.model, row, changed.change === undefined) };
  }
  const cache = new CacheSession(session);
  const { context, model } = columns.requests;
  const isSame =
    changed?.change === undefined && context[after] === context[last] && model[after] === model[last];
  const readable = isSame ? Math.min(keptBy(cache, after), tokens) : 0;
  const prices = inputPrices(cache, after, tokens);
  return {
    ...known,
    readable,
    coldAt: coldAfter(cache, after),
    warm: prices === undefined ? undefined : readable * prices.read + (tokens - readable) * prices.written,
    cold: prices === undefined ? undefined : tokens * prices.written,
  };
}

/** The part of the next request's input that depends on its model. */
export type ModelInput = Pick<NextRequest, 'readable' | 'coldAt' | 'warm' | 'cold'>;

/**
 * The next request if it goes to another model, which may still have what an earlier request to it left in the cache.
 * @param row the facts about the model, if they are known
 * @param isWhole false if the context was changed, so that nothing of it can be read
 */
export function inputTo(
  session: Session,
  { conversation, after, tokens }: Pick<NextRequest, 'conversation' | 'after' | 'tokens'>,
  model: string,
  row: ModelRow | undefined,
  isWhole = true,
): ModelInput {
  const { columns } = session;
  const cache = new CacheSession(session);
  const earlier = isWhole && model !== '' ? newestOfModel(columns, conversation, model) : -1;
  const readable = earlier < 0 ? 0 : Math.min(keptBy(cache, earlier), tokens);
  const prices = row?.prices && pricesFor(row.prices, { inputTokens: tokens });
  // The agent asks for the same lifetime.
  const lifetime = cache.askedLifetimeOf(after) ?? row?.cache.lifetimeSeconds;
  const written = prices && cacheWritePrice(prices, lifetime) / million;
  return {
    readable,
    coldAt: earlier < 0 ? undefined : coldAfter(cache, earlier),
    warm:
      prices === undefined || written === undefined
        ? undefined
        : (readable * prices.cacheRead) / million + (tokens - readable) * written,
    cold: written === undefined ? undefined : tokens * written,
  };
}

/** Tokens that a request left in the cache. Automatic caches keep the whole input, the others only what was marked. */
function keptBy(cache: CacheSession, request: number): number {
  const usage = requestUsage(cache.columns, request);
  return usage === undefined
    ? 0
    : cache.rowOf(request)?.cache.explicit === true
      ? usage.cacheRead + usage.cacheWrite
      : inputOf(usage);
}

function coldAfter(cache: CacheSession, request: number): number | undefined {
  const lifetime = cache.lifetimeOf(request);
  const time = cache.columns.requests.timestamp[request] ?? Number.NaN;
  return Number.isNaN(time) || lifetime === undefined ? undefined : time + 1000 * lifetime;
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
