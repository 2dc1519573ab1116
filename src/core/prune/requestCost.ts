import type { CacheSession } from '../cache/cacheSession';
import { cacheWritePrice, million, pricesFor } from '../tokens/prices';
import { requestBilling } from '../view/sessionCost';

/** The input of a request and its cache read, in tokens. */
export interface SentTokens {
  readonly total: number;
  readonly read: number;
}

/** An amount in US dollars, and in tokens of fresh input at the prices of its request. */
export interface Worth {
  readonly money: number;
  readonly inputTokens: number;
}

export const nothing: Worth = { money: 0, inputTokens: 0 };

export function add(first: Worth, second: Worth): Worth {
  return { money: first.money + second.money, inputTokens: first.inputTokens + second.inputTokens };
}

export function subtract(first: Worth, second: Worth): Worth {
  return { money: first.money - second.money, inputTokens: first.inputTokens - second.inputTokens };
}

/** US dollars for a token. */
export interface InputPrices {
  readonly fresh: number;
  readonly read: number;
  /** Price of uncached input: that of writing if the session uses the cache, otherwise that of fresh input. */
  readonly written: number;
}

/** True if the record shows that the input of a request is cached. */
export function cachesInput(session: CacheSession, request: number): boolean {
  return session.isRecorded(request)
    ? session.use.isUsed(request)
    : session.rowOf(request)?.cache.explicit === false;
}

/** The prices of a request with an input of this many tokens; undefined if the model's are not known. */
export function inputPrices(
  session: CacheSession,
  request: number,
  inputTokens: number,
): InputPrices | undefined {
  const row = session.rowOf(request);
  if (row?.prices === undefined) {
    return undefined;
  }
  const { timestamp, cacheLifetime } = session.columns.requests;
  const { terms } = requestBilling(session.columns, request) ?? {};
  const prices = pricesFor(row.prices, { inputTokens, timestamp: timestamp[request], terms });
  if (prices === undefined) {
    return undefined;
  }
  const lifetime = cacheLifetime[request] ?? 0;
  const written = cacheWritePrice(prices, lifetime === 0 ? undefined : lifetime);
  return {
    fresh: prices.input / million,
    read: prices.cacheRead / million,
    written: (cachesInput(session, request) ? written : prices.input) / million,
  };
}

/**
 * The input cost of a request. Tokens that are not read count as uncached up to the recorded uncached input, then as
 * written.
 */
export function inputCost(
  session: CacheSession,
  request: number,
  { total, read }: SentTokens,
): Worth | undefined {
  const prices = inputPrices(session, request, total);
  if (prices === undefined) {
    return undefined;
  }
  const unread = Math.max(0, total - read);
  const fresh = Math.min(
    unread,
    session.isRecorded(request) ? (session.columns.requests.input[request] ?? 0) : 0,
  );
  return worthOf(prices, read * prices.read + fresh * prices.fresh + (unread - fresh) * prices.written);
}

/** An amount of money at the prices of a request. */
export function worthOf({ fresh }: InputPrices, money: number): Worth {
  return { money, inputTokens: fresh === 0 ? 0 : money / fresh };
}

/**
 * The recorded input and cache read of a request. Without recorded usage, the prediction if the provider caches
 * automatically, otherwise nothing read.
 */
export function sentTokens(session: CacheSession, request: number): SentTokens {
  const total = session.tokens.total(request);
  const { cacheRead } = session.columns.requests;
  const isAutomatic = session.rowOf(request)?.cache.explicit === false;
  const read = session.isRecorded(request)
    ? (cacheRead[request] ?? 0)
    : isAutomatic
      ? predictedRead(session, request)
      : 0;
  return { total, read: Math.min(read, total) };
}

/** Tokens of the predicted prefix of a request; 0 if it starts cold. */
export function predictedRead(session: CacheSession, request: number): number {
  const blocks = session.columns.requests.predictedBlocks[request] ?? 0;
  return blocks === 0 ? 0 : session.tokens.prefix(request, blocks);
}

/**
 * Leading blocks of a request that can still be read if the block at `position` changes: those before it or, if
 * breakpoints are recorded, those up to an earlier breakpoint within the lookback.
 */
export function reachableBlocks(session: CacheSession, request: number, position: number): number {
  const marks = session.marks.get(request);
  const lookback = session.rowOf(request)?.cache.lookbackBlocks;
  if (marks === undefined || lookback === undefined) {
    return position;
  }
  const { predictedBlocks } = session.columns.requests;
  let best = 0;
  let shared = Math.min(position, predictedBlocks[request] ?? 0);
  let earlier = session.sourceOf(request);
  while (earlier !== undefined && shared > best) {
    for (const entry of session.marks.get(earlier) ?? []) {
      if (entry < shared && entry >= best && marks.some(mark => mark >= entry && mark - entry < lookback)) {
        best = entry + 1;
      }
    }
    shared = Math.min(shared, predictedBlocks[earlier] ?? 0);
    earlier = session.sourceOf(earlier);
  }
  return best;
}

/** The part of a prefix that a request can read: nothing below the provider's minimum, and only whole steps. */
export function readableTokens(session: CacheSession, request: number, tokens: number): number {
  const minimum = session.rowOf(request)?.cache.minimumTokens ?? 0;
  const step = session.use.granularity(request);
  const whole = Math.floor(tokens / step) * step;
  return whole < minimum ? 0 : whole;
}
