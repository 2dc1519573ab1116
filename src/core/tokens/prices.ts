import type { ModelPrices, TokenPrices } from '../model/modelRow';
import type { RecordedUsage } from '../model/transcript';

/** The conditions that a price depends on, besides the model. */
export interface PriceCircumstances {
  /** Input of all kinds, in tokens. */
  readonly inputTokens: number;
  /** Milliseconds since 1970; if it is not recorded, today's prices apply. */
  readonly timestamp?: number | undefined;
}

/** The conditions under which a usage is billed. */
export function circumstances(
  { input, cacheRead, cacheWrite }: RecordedUsage,
  timestamp: number | undefined,
): PriceCircumstances {
  return { inputTokens: input + cacheRead + cacheWrite, timestamp };
}

/** The prices that apply to one request. */
export function pricesFor(
  prices: ModelPrices,
  { inputTokens, timestamp = Number.NaN }: PriceCircumstances,
): TokenPrices {
  const list = prices.earlier?.find(({ until }) => timestamp < Date.parse(until))?.prices ?? prices;
  if (list.above !== undefined && inputTokens > list.above.inputTokens) {
    return list.above.prices;
  }
  return list.peak !== undefined && isWithin(list.peak.hours, timestamp) ? list.peak.prices : list;
}

function isWithin(hours: readonly (readonly [number, number])[], timestamp: number): boolean {
  const date = new Date(timestamp);
  const weekday = date.getUTCDay();
  const hour = date.getUTCHours();
  return weekday >= 1 && weekday <= 5 && hours.some(([from, to]) => hour >= from && hour < to);
}

/** From this lifetime on, in seconds, a cache write is billed as one for an hour. */
const hour = 3600;

/** Prices are for this many tokens. */
export const million = 1_000_000;

/** The price of writing to the cache for the given lifetime in seconds, in US dollars per million tokens. */
export function cacheWritePrice(prices: TokenPrices, lifetimeSeconds: number | undefined): number {
  return lifetimeSeconds !== undefined && lifetimeSeconds >= hour
    ? (prices.cacheWriteHour ?? prices.cacheWrite)
    : prices.cacheWrite;
}

/** Cost by kind of token, in US dollars. */
export interface CostParts {
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** Tokens of a usage that were written to the cache for an hour or longer. */
export function writtenForHour(usage: RecordedUsage | undefined): number {
  const { cacheWrite = 0, cacheLifetime = 0, cacheWriteHour } = usage ?? {};
  return Math.min(cacheWrite, cacheWriteHour ?? (cacheLifetime >= hour ? cacheWrite : 0));
}

/** The cost of each part of a request at the prices that apply to it, in US dollars. */
export function costParts(prices: TokenPrices, usage: RecordedUsage): CostParts {
  const { input, cacheRead, cacheWrite, output } = usage;
  const forHour = writtenForHour(usage);
  return {
    input: (input * prices.input) / million,
    cacheRead: (cacheRead * prices.cacheRead) / million,
    cacheWrite:
      ((cacheWrite - forHour) * prices.cacheWrite + forHour * cacheWritePrice(prices, hour)) / million,
    output: (output * prices.output) / million,
  };
}

/**
 * The cost of a request at list prices, in US dollars.
 * @param timestamp when it was made, in milliseconds since 1970
 */
export function requestCost(prices: ModelPrices, usage: RecordedUsage, timestamp?: number): number {
  return costSum(costParts(pricesFor(prices, circumstances(usage, timestamp)), usage));
}

export function costSum({ input, cacheRead, cacheWrite, output }: CostParts): number {
  return input + cacheRead + cacheWrite + output;
}
