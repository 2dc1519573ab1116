import type { RecordedUsage } from '../model/transcript';

/** List prices of a model, in US dollars for a million tokens. */
export interface ModelPrices {
  /** Input that was neither read from the cache nor written to it. */
  readonly input: number;
  readonly cacheRead: number;
  /** Writing to the cache for its default lifetime; the price of fresh input where writing costs nothing extra. */
  readonly cacheWrite: number;
  /** Writing for an hour, where that is offered at a price of its own. */
  readonly cacheWriteHour?: number;
  readonly output: number;
}

/** The lifetime from which on a cache write is one for an hour, in seconds. */
const hour = 3600;

const million = 1_000_000;

/** What writing a token to the cache costs for the given lifetime in seconds, in US dollars for a million. */
export function cacheWritePrice(prices: ModelPrices, lifetimeSeconds: number | undefined): number {
  return lifetimeSeconds !== undefined && lifetimeSeconds >= hour
    ? (prices.cacheWriteHour ?? prices.cacheWrite)
    : prices.cacheWrite;
}

/** What a request costs at list prices, in US dollars. */
export function requestCost(prices: ModelPrices, usage: RecordedUsage): number {
  return (
    (usage.input * prices.input +
      usage.cacheRead * prices.cacheRead +
      usage.cacheWrite * cacheWritePrice(prices, usage.cacheLifetime) +
      usage.output * prices.output) /
    million
  );
}
