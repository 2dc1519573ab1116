import type { TokenPrices } from '../model/modelRow';
import { costParts, million } from '../tokens/prices';

/** What was written and what was fresh of tokens that were paid for again: they were paid first as cache writes. */
export function lostParts(
  usage: { readonly cacheWrite: number },
  tokensLost: number,
): { readonly cacheWrite: number; readonly input: number } {
  const written = Math.min(tokensLost, usage.cacheWrite);
  return { cacheWrite: written, input: tokensLost - written };
}

/** What these parts have cost more than reading them would have, in US dollars. See `lossCost`. */
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
 * What tokens that were paid for again have cost more than reading them would have, in US dollars: they were paid first as
 * cache writes, the rest as fresh input.
 * @param usage what the request wrote to the cache, and how much of it for an hour
 */
export function lossCost(
  prices: TokenPrices,
  usage: { readonly cacheWrite: number; readonly cacheWriteHour?: number },
  tokensLost: number,
): number {
  const { cacheWrite, input } = lostPartsCost(prices, usage, tokensLost);
  return cacheWrite + input;
}
