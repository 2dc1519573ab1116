import type { Billing } from '../model/billing';
import type { ModelPrices, PriceTerm, TokenPrices } from '../model/modelRow';
import type { RecordedUsage } from '../model/transcript';

/** The conditions that a price depends on, besides the model. */
export interface PriceCircumstances {
  /** Input of all kinds, in tokens. */
  readonly inputTokens: number;
  /** Milliseconds since 1970; if it is not recorded, today's prices apply. */
  readonly timestamp?: number | undefined;
  /** See `Billing.terms`. */
  readonly terms?: readonly string[] | undefined;
}

/** Input of all kinds, in tokens. */
export const inputOf = ({ input, cacheRead, cacheWrite }: Omit<CostParts, 'output'>): number =>
  input + cacheRead + cacheWrite;

/** The conditions under which a usage is billed. */
export function circumstances(usage: RecordedUsage, timestamp: number | undefined): PriceCircumstances {
  return { inputTokens: inputOf(usage), timestamp, terms: usage.billing?.terms };
}

/** The prices that apply to one request; undefined if no list price is known for its terms. */
export function pricesFor(
  prices: ModelPrices,
  { inputTokens, timestamp = Number.NaN, terms = [] }: PriceCircumstances,
): TokenPrices | undefined {
  const list = prices.earlier?.find(({ until }) => timestamp < Date.parse(until))?.prices ?? prices;
  const standard =
    list.above !== undefined && inputTokens > list.above.inputTokens
      ? list.above.prices
      : list.peak !== undefined && isWithin(list.peak.hours, timestamp)
        ? list.peak.prices
        : list;
  return terms.length === 0 ? standard : scaled(standard, factorOf(prices, terms));
}

function factorOf({ terms: factors = {} }: ModelPrices, terms: readonly string[]): number | undefined {
  let factor = 1;
  for (const term of terms) {
    const own = isPriceTerm(term) ? factors[term] : undefined;
    if (own === undefined) {
      return undefined;
    }
    factor *= own;
  }
  return factor;
}

const priceTerms: ReadonlySet<string> = new Set<PriceTerm>(['fast', 'batch', 'flex', 'priority', 'us']);
const isPriceTerm = (term: string): term is PriceTerm => priceTerms.has(term);

function scaled(prices: TokenPrices, factor: number | undefined): TokenPrices | undefined {
  if (factor === undefined) {
    return undefined;
  }
  const { input, cacheRead, cacheWrite, cacheWriteHour, output } = prices;
  return {
    input: factor * input,
    cacheRead: factor * cacheRead,
    cacheWrite: factor * cacheWrite,
    ...(cacheWriteHour === undefined ? {} : { cacheWriteHour: factor * cacheWriteHour }),
    output: factor * output,
  };
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

/** The cost of each part of a request at the prices that apply to it, in US dollars. Its further passes are not in it. */
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

/** The part of a request's bill that is not for its own tokens: further passes of a model, and tools. */
export interface ExtraBill {
  /** Tokens of the passes. */
  readonly tokens: CostParts;
  /** US dollars of the passes by kind of token, as far as their models have prices. */
  readonly cost: CostParts;
  /** US dollars of the tools, as far as they have prices. */
  readonly tools: number;
  /** True if a pass or a tool has no list price. */
  readonly isPartial: boolean;
}

/**
 * The extra bill of a request; undefined if only its own tokens are billed.
 * @param pricesOf the prices of another model
 */
export function extraBill(
  facts: Billing | undefined,
  prices: ModelPrices | undefined,
  timestamp: number | undefined,
  pricesOf: (model: string) => ModelPrices | undefined,
): ExtraBill | undefined {
  if (facts === undefined || facts.passes.length + facts.tools.length === 0) {
    return undefined;
  }
  const { passes, tools, terms } = facts;
  const tokens = noParts();
  const cost = noParts();
  let isPartial = false;
  for (const pass of passes) {
    addTo(tokens, pass);
    const known = pass.model === '' ? prices : pricesOf(pass.model);
    // Of a run, the length of each request is not known: short ones are the least.
    const inputTokens = pass.kind === 'run' ? 0 : inputOf(pass);
    const list = known && pricesFor(known, { inputTokens, timestamp, terms });
    isPartial ||=
      pass.kind === 'run' && inputOf(pass) > (known?.above?.inputTokens ?? Number.POSITIVE_INFINITY);
    if (list === undefined) {
      isPartial = true;
    } else {
      addTo(cost, costParts(list, pass));
    }
  }
  let money = 0;
  for (const { name, calls } of tools) {
    const price = prices?.tools?.[name];
    isPartial ||= price === undefined;
    money += calls * (price ?? 0);
  }
  return { tokens, cost, tools: money, isPartial };
}

const noParts = (): Record<keyof CostParts, number> => ({ input: 0, cacheRead: 0, cacheWrite: 0, output: 0 });

function addTo(sum: Record<keyof CostParts, number>, parts: CostParts): void {
  sum.input += parts.input;
  sum.cacheRead += parts.cacheRead;
  sum.cacheWrite += parts.cacheWrite;
  sum.output += parts.output;
}

/**
 * The cost of a request at list prices, in US dollars; undefined if no list price is known for its terms.
 * @param timestamp when it was made, in milliseconds since 1970
 */
export function requestCost(
  prices: ModelPrices,
  usage: RecordedUsage,
  timestamp?: number,
): number | undefined {
  const list = pricesFor(prices, circumstances(usage, timestamp));
  return list && costSum(costParts(list, usage));
}

export function costSum({ input, cacheRead, cacheWrite, output }: CostParts): number {
  return input + cacheRead + cacheWrite + output;
}
