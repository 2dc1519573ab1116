import { formatMoney } from '../base/format';
import type { TokenPrices } from '../model/modelRow';
import type { RecordedUsage } from '../model/transcript';
import { costParts, costSum } from './prices';

/**
 * What is recorded of some requests. Everything that shows the usage of a session shows these figures: tokens as recorded,
 * money in US dollars at list prices.
 */
export interface UsageFigures {
  /** Requests with recorded usage. */
  readonly requests: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** Of the requests whose model has a known price. */
  readonly money: number;
  /** Requests whose model has no known price. */
  readonly unpriced: number;
  /** Requests whose output is recorded too low. */
  readonly lowOutput: number;
  /** Requests of which the output alone is recorded. */
  readonly withoutInput: number;
}

/** A request whose usage is recorded. */
export interface UsedRequest {
  readonly usage: RecordedUsage;
  /** The prices that apply to it; undefined where its model has no known price. */
  readonly prices: TokenPrices | undefined;
  readonly isOutputLow: boolean;
  readonly isInputMissing: boolean;
}

/**
 * @param prices those that apply to it
 * @param isOutputLow its output is known to be recorded too low
 */
export function usedRequest(
  usage: RecordedUsage,
  prices: TokenPrices | undefined,
  isOutputLow: boolean,
): UsedRequest {
  return { usage, prices, isOutputLow, isInputMissing: inputOf(usage) === 0 };
}

/** Whether something of a request is recorded: figures that are all 0 say nothing. */
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

/** Sums requests of which something is recorded: see `recordsUsage`. */
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

/** The money of a sum, and whether it costs more than that. */
export interface KnownCost {
  /** Undefined where no price is known. */
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

/** The money as every place writes it; empty where it is not known. */
export function costText({ money, isLeast }: KnownCost): string {
  return money === undefined ? '' : isLeast ? `≥ ${formatMoney(money)}` : formatMoney(money);
}

/** The money of a sum over sessions, where nothing costs nothing; undefined where no price is known. */
export function sumText(figures: CostFacts, isLeast = false): string | undefined {
  if (figures.requests === 0) {
    return formatMoney(0);
  }
  const cost = knownCost(figures);
  return costText({ ...cost, isLeast: cost.isLeast || isLeast }) || undefined;
}

/** The part of the input that was read from the cache, from 0 to 1; undefined where no input is recorded. */
export function cacheShare(
  figures: Pick<UsageFigures, 'input' | 'cacheRead' | 'cacheWrite'>,
): number | undefined {
  const input = inputOf(figures);
  return input === 0 ? undefined : figures.cacheRead / input;
}
