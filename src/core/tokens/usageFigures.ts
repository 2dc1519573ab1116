import { formatMoney } from '../base/format';
import { billionths, dollarsOf } from '../base/moneySum';
import { translate } from '../base/translate';
import type { ModelPrices, TokenPrices } from '../model/modelRow';
import type { RecordedUsage } from '../model/transcript';
import { figureNames, type UsageFigures } from '../model/usageFigures';
import {
  circumstances,
  type CostParts,
  costParts,
  costSum,
  extraBill,
  type ExtraBill,
  inputOf,
  pricesFor,
} from './prices';
import type { RecordedCost } from './recordedCost';

/** A request with recorded usage. */
export interface UsedRequest {
  readonly usage: RecordedUsage;
  /** The prices that apply to the request; undefined if no price is known. */
  readonly prices: TokenPrices | undefined;
  /** Its tools and further passes, if it has some. */
  readonly extra: ExtraBill | undefined;
  /** True if its model has list prices, but not under its terms. */
  readonly lacksTerms: boolean;
  readonly isOutputLow: boolean;
  readonly isInputMissing: boolean;
  readonly isInputDoubted: boolean;
}

/**
 * @param prices the list prices of the request's model
 * @param timestamp when it was made, in milliseconds since 1970
 * @param pricesOf the list prices of another model
 * @param isOutputLow true if its recorded output is known to be too low
 * @param isInputDoubted see `doubtedTotals`
 */
export function usedRequest(
  usage: RecordedUsage,
  prices: ModelPrices | undefined,
  timestamp: number | undefined,
  pricesOf: (model: string) => ModelPrices | undefined,
  isOutputLow: boolean,
  isInputDoubted: boolean,
): UsedRequest {
  const extra = extraBill(usage.billing, prices, timestamp, pricesOf);
  const isOnlyExtra = inputOf(usage) + usage.output === 0;
  const list =
    isOnlyExtra && extra !== undefined && !extra.isPartial
      ? nothing
      : prices && pricesFor(prices, circumstances(usage, timestamp));
  return {
    usage,
    prices: list,
    extra,
    lacksTerms: prices !== undefined && list === undefined,
    isOutputLow,
    isInputMissing: inputOf(billedTokens({ usage, extra })) === 0,
    isInputDoubted,
  };
}

/** The prices of a request without tokens of its own. */
const nothing: TokenPrices = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

/** The cost of a request by kind of token, with its further passes; undefined if no price is known. */
export function billedParts({ usage, prices, extra }: UsedRequest): CostParts | undefined {
  return prices && withPasses(costParts(prices, usage), extra?.cost);
}

/** The tokens of a request, with its further passes. */
export function billedTokens({ usage, extra }: Pick<UsedRequest, 'usage' | 'extra'>): CostParts {
  return withPasses(usage, extra?.tokens);
}

/** The cost of a request with its tools; undefined if no price is known. */
export function billedMoney(request: UsedRequest): number | undefined {
  const parts = billedParts(request);
  return parts && costSum(parts) + (request.extra?.tools ?? 0);
}

function withPasses(own: CostParts, passes: CostParts | undefined): CostParts {
  return passes === undefined
    ? own
    : {
        input: own.input + passes.input,
        cacheRead: own.cacheRead + passes.cacheRead,
        cacheWrite: own.cacheWrite + passes.cacheWrite,
        output: own.output + passes.output,
      };
}

/** True if something of a request is recorded. Figures that are all 0 do not count as recorded. */
export function recordsUsage(usage: RecordedUsage | undefined): usage is RecordedUsage {
  return (
    usage !== undefined && (inputOf(usage) + usage.output > 0 || (usage.billing?.passes.length ?? 0) > 0)
  );
}

const isMoney = (name: keyof UsageFigures): boolean => name === 'money' || name === 'recordedMoney';

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
    unpricedTerms: 0,
    unpricedExtras: 0,
    doubtedInput: 0,
  };

  add(request: UsedRequest): void {
    const { usage, prices, extra, lacksTerms, isOutputLow, isInputMissing, isInputDoubted } = request;
    const { sums } = this;
    const tokens = billedTokens(request);
    sums.requests += 1;
    sums.input += tokens.input;
    sums.cacheRead += tokens.cacheRead;
    sums.cacheWrite += tokens.cacheWrite;
    sums.output += tokens.output;
    sums.money += billionths(billedMoney(request) ?? 0);
    sums.unpriced += prices === undefined ? 1 : 0;
    sums.unpricedTerms += lacksTerms ? 1 : 0;
    sums.unpricedExtras += prices !== undefined && extra?.isPartial === true ? 1 : 0;
    sums.lowOutput += isOutputLow ? 1 : 0;
    sums.withoutInput += isInputMissing ? 1 : 0;
    sums.doubtedInput += isInputDoubted ? 1 : 0;
    sums.recordedMoney += billionths(usage.cost ?? 0);
    sums.recordedCosts += usage.cost === undefined ? 0 : 1;
  }

  addFigures(figures: UsageFigures): void {
    const { sums } = this;
    for (const name of figureNames) {
      sums[name] += isMoney(name) ? billionths(figures[name]) : figures[name];
    }
  }

  figures(): UsageFigures {
    const { sums } = this;
    return { ...sums, money: dollarsOf(sums.money), recordedMoney: dollarsOf(sums.recordedMoney) };
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
  | 'requests'
  | 'money'
  | 'unpriced'
  | 'unpricedExtras'
  | 'doubtedInput'
  | 'lowOutput'
  | 'withoutInput'
  | 'recordedMoney'
  | 'recordedCosts'
>;

export function knownCost(figures: CostFacts): KnownCost {
  const { requests, money, unpriced, unpricedExtras, lowOutput, withoutInput, doubtedInput } = figures;
  const { recordedMoney, recordedCosts } = figures;
  return {
    money: unpriced === requests ? undefined : money,
    isLeast: unpriced + unpricedExtras + lowOutput + withoutInput + doubtedInput > 0,
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

/** The cost of the main conversation, to show beside that of its session; undefined if there is nothing else. */
export function mainCostText(main: KnownCost | undefined, whole: number | undefined): string | undefined {
  return main?.money === undefined || whole === undefined || main.money >= whole
    ? undefined
    : translate('Main conversation: {0}', moneyText({ money: main.money, isLeast: main.isLeast }));
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
