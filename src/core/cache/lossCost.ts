import type { TokenPrices } from '../model/modelRow';
import { costParts, million } from '../tokens/prices';

/** Splits tokens that were paid for again into cache writes and uncached input, cache writes first. */
export function lostParts(
  usage: { readonly cacheWrite: number },
  tokensLost: number,
): { readonly cacheWrite: number; readonly input: number } {
  const written = Math.min(tokensLost, usage.cacheWrite);
  return { cacheWrite: written, input: tokensLost - written };
}

/** Extra cost of these parts compared with reading them from the cache, in US dollars. See `lossCost`. */
export function lostPartsCost(
  prices: TokenPrices,
  usage: { readonly cacheWrite: number; readonly cacheWriteHour?: number },
  tokensLost: number,
): { readonly cacheWrite: number; readonly input: number } {
  const { cacheWrite, input } = lostParts(usage, tokensLost);
  const paid = costParts(prices, {
    input,
    cacheRead: 0,
    cacheWrite,
    cacheWriteHour: Math.min(cacheWrite, usage.cacheWriteHour ?? 0),
    output: 0,
  });
  return {
    cacheWrite: paid.cacheWrite - (cacheWrite * prices.cacheRead) / million,
    input: paid.input - (input * prices.cacheRead) / million,
  };
}

/**
 * Extra cost of tokens that were paid for again, compared with reading them from the cache, in US dollars. They count
 * as cache writes first, the rest as uncached input.
 * @param usage the cache writes of the request, with the part written for an hour
 */
export function lossCost(
  prices: TokenPrices,
  usage: { readonly cacheWrite: number; readonly cacheWriteHour?: number },
  tokensLost: number,
): number {
  const { cacheWrite, input } = lostPartsCost(prices, usage, tokensLost);
  return cacheWrite + input;
}
