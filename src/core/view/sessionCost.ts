import { entryOf } from '../base/entryOf';
import { hasBits } from '../base/numbers';
import { requestFlags, type SessionColumns, type SessionSummary } from '../model/columns';
import { type Billing, billingOf } from '../model/billing';
import type { ModelPrices, ModelRow, TokenPrices } from '../model/modelRow';
import type { RecordedUsage } from '../model/transcript';
import { circumstances, type CostParts, costSum, pricesFor } from '../tokens/prices';
import {
  billedMoney,
  billedParts,
  FiguresSum,
  recordsUsage,
  type UsedRequest,
  usedRequest,
} from '../tokens/usageFigures';
import type { UsageFigures } from '../model/usageFigures';
import { doubtfulOutput } from './requestOutput';

/** The recorded usage of a session. */
export interface SessionCost {
  readonly total: UsageFigures;
  /** By the model's id as recorded, the most expensive first. */
  readonly byModel: readonly (UsageFigures & { readonly model: string })[];
  /** By thread, in ascending order. */
  readonly byThread: readonly (UsageFigures & { readonly thread: number })[];
  /** US dollars of every request; NaN if its usage or its model's prices are not known. */
  readonly byRequest: Float64Array;
  /** Undefined if no recorded output is too low, or the replies of such requests are not in the transcript. */
  readonly estimated: EstimatedOutputs | undefined;
  readonly paid: PaidParts;
}

/** US dollars by kind of token. If an output is recorded too low and the reply is known, it is estimated from the reply. */
export interface PaidParts extends CostParts {
  /** Tools that the provider ran. */
  readonly tools: number;
  /** Requests in these sums whose output is recorded too low: by their replies, and as recorded. */
  readonly estimated: number;
  readonly doubtful: number;
}

/** Requests whose output is recorded too low, and the output estimated from their replies. */
export interface EstimatedOutputs {
  readonly requests: number;
  /** Output tokens of these requests. */
  readonly recorded: number;
  readonly estimated: number;
  /** US dollars of the whole sum with the estimates. */
  readonly money: number;
  /** US dollars of such a request, by its number. */
  readonly byRequest: ReadonlyMap<number, number>;
}

/** Money for JSON: null if it is not known. */
export function knownMoney(dollars = Number.NaN): number | null {
  return Number.isNaN(dollars) ? null : dollars;
}

/** The recorded usage of a request, undefined if the provider reported none, or if its input is doubted. */
export function requestUsage(columns: SessionColumns, request: number): RecordedUsage | undefined {
  return hasBits(columns.requests.flags, request, requestFlags.recorded)
    ? usageInColumns(columns, request)
    : undefined;
}

function usageInColumns(columns: SessionColumns, request: number): RecordedUsage {
  const { requests } = columns;
  const lifetime = requests.cacheLifetime[request] ?? 0;
  const { [request]: cost = Number.NaN } = requests.recordedCost;
  const billing = requestBilling(columns, request);
  return {
    input: requests.input[request] ?? 0,
    cacheRead: requests.cacheRead[request] ?? 0,
    cacheWrite: requests.cacheWrite[request] ?? 0,
    output: requests.output[request] ?? 0,
    cacheWriteHour: requests.cacheWriteHour[request] ?? 0,
    ...(lifetime === 0 ? {} : { cacheLifetime: lifetime }),
    ...(Number.isNaN(cost) ? {} : { cost }),
    ...(billing === undefined ? {} : { billing }),
  };
}

/** The facts of a request's usage, besides its tokens, that change its cost. */
export function requestBilling({ requests, strings }: SessionColumns, request: number): Billing | undefined {
  const text = requests.billing[request] ?? 0;
  return text === 0 ? undefined : billingOf(strings.at(text) ?? '');
}

/** The prices that hold for requests of a session: by model, length of the input, and time. */
export class SessionPrices {
  private readonly rows: ReadonlyMap<string, ModelRow>;
  /** By the number of the model's id among the texts. */
  private readonly known = new Map<number, ModelRow | undefined>();

  constructor(
    private readonly columns: SessionColumns,
    models: SessionSummary['models'],
  ) {
    this.rows = new Map(models.map(({ id, row }) => [id, row]));
  }

  modelOf(request: number): string {
    const { requests, strings } = this.columns;
    return strings.at(requests.model[request] ?? 0) ?? '';
  }

  /** The known facts about the request's model. */
  rowOf(request: number): ModelRow | undefined {
    const model = this.columns.requests.model[request] ?? 0;
    if (!this.known.has(model)) {
      this.known.set(model, this.rows.get(this.modelOf(request)));
    }
    return this.known.get(model);
  }

  /** The list prices of a model by its id. */
  readonly ofModel = (id: string): ModelPrices | undefined => this.rows.get(id)?.prices;

  /** Undefined if the model's prices are not known. An unrecorded input counts as short. */
  of(request: number): TokenPrices | undefined {
    const prices = this.rowOf(request)?.prices;
    if (prices === undefined) {
      return undefined;
    }
    const timestamp = this.columns.requests.timestamp[request];
    const usage = requestUsage(this.columns, request) ?? { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
    return pricesFor(prices, circumstances(usage, timestamp));
  }
}

/** The recorded usage of a request; undefined if none is recorded. */
function usedAt(columns: SessionColumns, prices: SessionPrices, request: number): UsedRequest | undefined {
  const { flags, timestamp } = columns.requests;
  const isDoubted = hasBits(flags, request, requestFlags.doubted);
  const own = usageInColumns(columns, request);
  // Some agents record the output alone, or the sum of a run. Then an input was counted, if there is one.
  const usage =
    isDoubted || hasBits(flags, request, requestFlags.recorded)
      ? own
      : { ...own, input: 0, cacheRead: 0, cacheWrite: 0 };
  return recordsUsage(usage)
    ? usedRequest(
        usage,
        prices.rowOf(request)?.prices,
        timestamp[request],
        prices.ofModel,
        hasBits(flags, request, requestFlags.outputDoubtful),
        isDoubted,
      )
    : undefined;
}

/** The cost of one request at list prices, by kind of token; undefined if its usage or its prices are not known. */
export function requestPaid(
  columns: SessionColumns,
  models: SessionSummary['models'],
  request: number,
): (CostParts & Pick<PaidParts, 'tools'>) | undefined {
  const used = usedAt(columns, new SessionPrices(columns, models), request);
  const parts = used && billedParts(used);
  return parts && { ...parts, tools: used.extra?.tools ?? 0 };
}

/** The usage of the requests that `includes` accepts, by model, thread and request. One pass over the requests. */
export function sessionCost(
  columns: SessionColumns,
  models: SessionSummary['models'],
  includes: (request: number) => boolean = () => true,
): SessionCost {
  const prices = new SessionPrices(columns, models);
  const { thread: threads } = columns.requests;
  const total = new FiguresSum();
  const byModel = new Map<string, FiguresSum>();
  const byThread = new Map<number, FiguresSum>();
  const byRequest = new Float64Array(threads.length).fill(Number.NaN);
  const estimates = new OutputEstimates();
  threads.forEach((thread, request) => {
    const used = includes(request) ? usedAt(columns, prices, request) : undefined;
    if (used === undefined) {
      return;
    }
    total.add(used);
    entryOf(byModel, prices.modelOf(request), newSum).add(used);
    entryOf(byThread, thread, newSum).add(used);
    byRequest[request] = billedMoney(used) ?? Number.NaN;
    estimates.add(request, used, doubtfulOutput(columns, request)?.estimate?.value);
  });
  const sum = total.figures();
  return {
    total: sum,
    byModel: [...byModel]
      .map(([model, ofModel]) => ({ model, ...ofModel.figures() }))
      .sort((first, second) => second.money - first.money),
    byThread: [...byThread]
      .map(([thread, ofThread]) => ({ thread, ...ofThread.figures() }))
      .sort((first, second) => first.thread - second.thread),
    byRequest,
    estimated: estimates.found(sum.money),
    paid: estimates.paid(),
  };
}

/**
 * The cost of the whole session: the requests of its file, and those of the subagents with files of their own, which are
 * in the total alone.
 * @param cost of all requests of the file
 */
export function wholeCost(
  cost: SessionCost,
  { subagentFiles }: Pick<SessionSummary, 'subagentFiles'>,
): SessionCost {
  if (subagentFiles === undefined) {
    return cost;
  }
  const { figures } = subagentFiles;
  const sum = new FiguresSum();
  sum.addFigures(cost.total);
  sum.addFigures(figures);
  const { estimated } = cost;
  return {
    ...cost,
    total: sum.figures(),
    estimated: estimated && { ...estimated, money: estimated.money + figures.money },
  };
}

const newSum = (): FiguresSum => new FiguresSum();

class OutputEstimates {
  private readonly sum = { requests: 0, recorded: 0, estimated: 0 };
  private readonly byRequest = new Map<number, number>();
  private readonly parts = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, tools: 0 };
  private doubtful = 0;
  private more = 0;

  add(request: number, used: UsedRequest, output: number | undefined): void {
    const { usage, extra, isOutputLow } = used;
    if (output !== undefined) {
      this.sum.requests += 1;
      this.sum.recorded += usage.output;
      this.sum.estimated += output;
    }
    const whole = output === undefined ? used : { ...used, usage: { ...usage, output } };
    const paid = billedParts(whole);
    if (paid === undefined) {
      return;
    }
    this.parts.input += paid.input;
    this.parts.cacheRead += paid.cacheRead;
    this.parts.cacheWrite += paid.cacheWrite;
    this.parts.output += paid.output;
    this.parts.tools += extra?.tools ?? 0;
    if (output !== undefined) {
      const money = costSum(paid) + (extra?.tools ?? 0);
      this.byRequest.set(request, money);
      this.more += money - (billedMoney(used) ?? 0);
    } else if (isOutputLow) {
      this.doubtful += 1;
    }
  }

  found(money: number): EstimatedOutputs | undefined {
    return this.sum.requests === 0
      ? undefined
      : { ...this.sum, money: money + this.more, byRequest: this.byRequest };
  }

  paid(): PaidParts {
    return { ...this.parts, estimated: this.byRequest.size, doubtful: this.doubtful };
  }
}
