import { formatMoney } from '../base/format';
import type { TokenPrices } from '../model/modelRow';
import type { RecordedUsage } from '../model/transcript';
import { costParts, costSum } from './prices';

/**
 * The recorded usage of some requests. Every place that shows the usage of a session shows these figures: tokens as
 * recorded, money in US dollars at list prices.
 */
export interface UsageFigures {
  /** Requests with recorded usage. */
  readonly requests: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** Cost of the requests whose model has a known price. */
  readonly money: number;
  /** Requests whose model has no known price. */
  readonly unpriced: number;
  /** Requests whose recorded output is too low. */
  readonly lowOutput: number;
  /** Requests of which only the output is recorded. */
  readonly withoutInput: number;
}

/** A request with recorded usage. */
export interface UsedRequest {
  readonly usage: RecordedUsage;
  /** The prices that apply to the request; undefined if its model has no known price. */
  readonly prices: TokenPrices | undefined;
  readonly isOutputLow: boolean;
  readonly isInputMissing: boolean;
}

/**
 * @param prices the prices that apply to the request
 * @param isOutputLow true if its recorded output is known to be too low
 */
export function usedRequest(
  usage: RecordedUsage,
  prices: TokenPrices | undefined,
  isOutputLow: boolean,
): UsedRequest {
  return { usage, prices, isOutputLow, isInputMissing: inputOf(usage) === 0 };
}

/** True if something of a request is recorded. Figures that are all 0 do not count as recorded. */
export function recordsUsage(usage: RecordedUsage | undefined): usage is RecordedUsage {
  return usage !== undefined && inputOf(usage) + usage.output > 0;
}

/** Input of all kinds, in tokens. */
export function inputOf({
  input,
  cacheRead,
  cacheWrite,
}: Pick<RecordedUsage, 'input' | 'cacheRead' | 'cacheWrite'>): number {
  return input + cacheRead + cacheWrite;
}

/** Sums requests with recorded usage; see `recordsUsage`. */
export class FiguresSum {
  private readonly sums = {
    requests: 0,
    input: 0,
    cacheRead: 0,
    cacheWrite: 0,
    output: 0,
    money: 0,
    unpriced: 0,
    lowOutput: 0,
    withoutInput: 0,
  };

  add({ usage, prices, isOutputLow, isInputMissing }: UsedRequest): void {
    const { sums } = this;
    sums.requests += 1;
    sums.input += usage.input;
    sums.cacheRead += usage.cacheRead;
    sums.cacheWrite += usage.cacheWrite;
    sums.output += usage.output;
    sums.money += prices === undefined ? 0 : costSum(costParts(prices, usage));
    sums.unpriced += prices === undefined ? 1 : 0;
    sums.lowOutput += isOutputLow ? 1 : 0;
    sums.withoutInput += isInputMissing ? 1 : 0;
  }

  figures(): UsageFigures {
    return { ...this.sums };
  }
}

/** The money of a sum. `isLeast` marks a lower bound. */
export interface KnownCost {
  /** Undefined if no price is known. */
  readonly money: number | undefined;
  readonly isLeast: boolean;
}

type CostFacts = Pick<UsageFigures, 'requests' | 'money' | 'unpriced' | 'lowOutput' | 'withoutInput'>;

export function knownCost({ requests, money, unpriced, lowOutput, withoutInput }: CostFacts): KnownCost {
  return {
    money: unpriced === requests ? undefined : money,
    isLeast: unpriced + lowOutput + withoutInput > 0,
  };
}

/** The money in the format used everywhere; empty if unknown. */
export function costText({ money, isLeast }: KnownCost): string {
  return money === undefined ? '' : isLeast ? `≥ ${formatMoney(money)}` : formatMoney(money);
}

/** The money of a sum over sessions: zero for no requests, undefined if no price is known. */
export function sumText(figures: CostFacts, isLeast = false): string | undefined {
  if (figures.requests === 0) {
    return formatMoney(0);
  }
  const cost = knownCost(figures);
  return costText({ ...cost, isLeast: cost.isLeast || isLeast }) || undefined;
}

/** The share of the input that was read from the cache, from 0 to 1; undefined if no input is recorded. */
export function cacheShare(
  figures: Pick<UsageFigures, 'input' | 'cacheRead' | 'cacheWrite'>,
): number | undefined {
  const input = inputOf(figures);
  return input === 0 ? undefined : figures.cacheRead / input;
}
