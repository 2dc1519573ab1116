import { formatMoney } from '../base/format';
import { translate } from '../base/translate';
import type { TokenPrices } from '../model/modelRow';
import type { RecordedUsage } from '../model/transcript';
import { costParts, costSum } from './prices';
import type { RecordedCost } from './recordedCost';

/**
 * The recorded usage of some requests. Every place that shows the usage of a session shows these figures: tokens as
 * recorded, money in US dollars at list prices, and US dollars as agents recorded them, which are never added to it.
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
  /** Money that agents recorded, and the number of requests with such a record. */
  readonly recordedMoney: number;
  readonly recordedCosts: number;
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
    recordedMoney: 0,
    recordedCosts: 0,
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
    sums.recordedMoney += usage.cost ?? 0;
    sums.recordedCosts += usage.cost === undefined ? 0 : 1;
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
  /** The cost that the agent recorded; undefined if it recorded nothing but zeros. */
  readonly recorded?: RecordedCost | undefined;
}

type CostFacts = Pick<
  UsageFigures,
  'requests' | 'money' | 'unpriced' | 'lowOutput' | 'withoutInput' | 'recordedMoney' | 'recordedCosts'
>;

export function knownCost(figures: CostFacts): KnownCost {
  const { requests, money, unpriced, lowOutput, withoutInput, recordedMoney, recordedCosts } = figures;
  return {
    money: unpriced === requests ? undefined : money,
    isLeast: unpriced + lowOutput + withoutInput > 0,
    recorded: recordedMoney > 0 ? { money: recordedMoney, isLeast: recordedCosts < requests } : undefined,
  };
}

const moneyText = ({ money, isLeast }: RecordedCost): string =>
  isLeast ? `≥ ${formatMoney(money)}` : formatMoney(money);

/** The money in the format used everywhere: at list prices, else as recorded with a mark; empty if neither is known. */
export function costText({ money, isLeast, recorded }: KnownCost): string {
  return money !== undefined
    ? moneyText({ money, isLeast })
    : recorded !== undefined
      ? translate('{0} recorded', moneyText(recorded))
      : '';
}

/** The cost that the agent recorded, to show beside list prices; undefined if it recorded none. */
export function recordedText({ recorded }: Pick<KnownCost, 'recorded'>, agent: string): string | undefined {
  return recorded && translate('Recorded by {0}: {1}', agent, moneyText(recorded));
}

/** The money of a sum over sessions: zero for no requests, undefined if no price is known. */
export function sumText(figures: CostFacts, isLeast = false): string | undefined {
  if (figures.requests === 0) {
    return formatMoney(0);
  }
  const { recorded, ...cost } = knownCost(figures);
  return (
    costText({
      money: cost.money,
      isLeast: cost.isLeast || isLeast,
      recorded: recorded && { money: recorded.money, isLeast: recorded.isLeast || isLeast },
    }) || undefined
  );
}

/** The share of the input that was read from the cache, from 0 to 1; undefined if no input is recorded. */
export function cacheShare(
  figures: Pick<UsageFigures, 'input' | 'cacheRead' | 'cacheWrite'>,
): number | undefined {
  const input = inputOf(figures);
  return input === 0 ? undefined : figures.cacheRead / input;
}
