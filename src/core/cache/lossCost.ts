import type { TokenPrices } from '../model/modelRow';
import { costParts, costSum, million } from '../tokens/prices';

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
  const written = Math.min(tokensLost, usage.cacheWrite);
  const paid = costParts(prices, {
    input: tokensLost - written,
    cacheRead: 0,
    cacheWrite: written,
    cacheWriteHour: Math.min(written, usage.cacheWriteHour ?? 0),
    output: 0,
  });
  return costSum(paid) - (tokensLost * prices.cacheRead) / million;
}
