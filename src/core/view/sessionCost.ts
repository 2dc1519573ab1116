import { entryOf } from '../base/entryOf';
import { hasBits } from '../base/numbers';
import { requestFlags, type SessionColumns, type SessionSummary } from '../model/columns';
import type { ModelRow, TokenPrices } from '../model/modelRow';
import type { RecordedUsage } from '../model/transcript';
import { circumstances, costParts, type CostParts, costSum, pricesFor } from '../tokens/prices';
import { doubtfulOutput, type DoubtfulOutput } from './requestOutput';

/**
 * Cost of some requests, in US dollars at list prices; the tokens behind it are exact except where they are estimated.
 */
export interface CostFigure extends CostParts {
  /** The sum of the four parts. */
  readonly total: number;
  /** Requests that are in the sum. */
  readonly requests: number;
  /** Requests with recorded usage that are not in it: their model's prices are not known. */
  readonly unpriced: number;
  /** Requests in the sum whose recorded output is too low and was replaced by an estimate from their reply. */
  readonly estimated: number;
  /** Requests in the sum whose recorded output is too low, without an estimate: they make the sum a lower bound. */
  readonly doubtful: number;
  /** The sum with all output as it is recorded. */
  readonly recordedTotal: number;
}

/** Recorded tokens of some requests, and which share of their input came from the cache. */
export interface CacheShare {
  readonly input: number;
  readonly cacheRead: number;
  /** From 0 to 1; undefined where no input is recorded. */
  readonly share: number | undefined;
}

export interface SessionCost {
  readonly total: CostFigure;
  /** By the model's id as recorded, the most expensive first. */
  readonly byModel: readonly (CostFigure & { readonly model: string })[];
  /** By thread, in ascending order. */
  readonly byThread: readonly (CostFigure & { readonly thread: number })[];
  /** US dollars of every request; NaN where its usage or its model's prices are not known. */
  readonly byRequest: Float64Array;
  /** The same with all output as it is recorded. */
  readonly recordedByRequest: Float64Array;
}

/** The recorded usage of a request, undefined where the provider reported none. */
export function requestUsage({ requests }: SessionColumns, request: number): RecordedUsage | undefined {
  if (!hasBits(requests.flags, request, requestFlags.recorded)) {
    return undefined;
  }
  const lifetime = requests.cacheLifetime[request] ?? 0;
  return {
    input: requests.input[request] ?? 0,
    cacheRead: requests.cacheRead[request] ?? 0,
    cacheWrite: requests.cacheWrite[request] ?? 0,
    output: requests.output[request] ?? 0,
    cacheWriteHour: requests.cacheWriteHour[request] ?? 0,
    ...(lifetime === 0 ? {} : { cacheLifetime: lifetime }),
  };
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

  /** What is known of the request's model. */
  rowOf(request: number): ModelRow | undefined {
    const model = this.columns.requests.model[request] ?? 0;
    if (!this.known.has(model)) {
      this.known.set(model, this.rows.get(this.modelOf(request)));
    }
    return this.known.get(model);
  }

  /** Undefined where the model's prices are not known. An input that is not recorded counts as short. */
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

/** What a request costs with an output of so many tokens; undefined where its usage or its model's prices are not known. */
function requestCostParts(
  columns: SessionColumns,
  prices: SessionPrices,
  request: number,
  output: number,
): CostParts | undefined {
  const usage = requestUsage(columns, request);
  const list = prices.of(request);
  return usage === undefined || list === undefined ? undefined : costParts(list, { ...usage, output });
}

/** What the requests of a session that `includes` takes cost, by model, thread and request. One pass over the requests. */
export function sessionCost(
  columns: SessionColumns,
  models: SessionSummary['models'],
  includes: (request: number) => boolean = () => true,
): SessionCost {
  const prices = new SessionPrices(columns, models);
  const { requests } = columns;
  const total = new CostSum();
  const byModel = new Map<string, CostSum>();
  const byThread = new Map<number, CostSum>();
  const byRequest = new Float64Array(requests.thread.length).fill(Number.NaN);
  const recordedByRequest = byRequest.slice();
  requests.thread.forEach((thread, request) => {
    const flags = requests.flags[request] ?? 0;
    if ((flags & requestFlags.recorded) === 0 || !includes(request)) {
      return;
    }
    const doubt = doubtfulOutput(columns, request);
    const recordedOutput = requests.output[request] ?? 0;
    const recorded = requestCostParts(columns, prices, request, recordedOutput);
    const cost =
      doubt?.estimate === undefined
        ? recorded
        : requestCostParts(columns, prices, request, doubt.estimate.value);
    const sums = [
      total,
      entryOf(byModel, prices.modelOf(request), newSum),
      entryOf(byThread, thread, newSum),
    ];
    sums.forEach(sum => sum.add(cost, recorded, doubt));
    if (cost !== undefined && recorded !== undefined) {
      byRequest[request] = costSum(cost);
      recordedByRequest[request] = costSum(recorded);
    }
  });
  return {
    total: total.figure(),
    byModel: [...byModel]
      .map(([model, sum]) => ({ model, ...sum.figure() }))
      .sort((first, second) => second.total - first.total),
    byThread: [...byThread]
      .map(([thread, sum]) => ({ thread, ...sum.figure() }))
      .sort((first, second) => first.thread - second.thread),
    byRequest,
    recordedByRequest,
  };
}

/** The share of the recorded input that was read from the cache, over all requests that `includes` takes. */
export function cacheShare(
  { requests }: SessionColumns,
  includes: (request: number) => boolean = () => true,
): CacheShare {
  let input = 0;
  let cacheRead = 0;
  requests.flags.forEach((flags, request) => {
    if ((flags & requestFlags.recorded) !== 0 && includes(request)) {
      const read = requests.cacheRead[request] ?? 0;
      cacheRead += read;
      input += read + (requests.input[request] ?? 0) + (requests.cacheWrite[request] ?? 0);
    }
  });
  return { input, cacheRead, share: input === 0 ? undefined : cacheRead / input };
}

const newSum = (): CostSum => new CostSum();

class CostSum {
  private readonly parts = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };
  private readonly counts = { requests: 0, unpriced: 0, estimated: 0, doubtful: 0 };
  private recordedOutput = 0;

  add(cost: CostParts | undefined, recorded: CostParts | undefined, doubt: DoubtfulOutput | undefined): void {
    if (cost === undefined) {
      this.counts.unpriced += 1;
      return;
    }
    this.counts.requests += 1;
    if (doubt !== undefined) {
      this.counts[doubt.estimate === undefined ? 'doubtful' : 'estimated'] += 1;
    }
    this.recordedOutput += recorded?.output ?? 0;
    this.parts.input += cost.input;
    this.parts.cacheRead += cost.cacheRead;
    this.parts.cacheWrite += cost.cacheWrite;
    this.parts.output += cost.output;
  }

  figure(): CostFigure {
    return {
      ...this.parts,
      total: costSum(this.parts),
      recordedTotal: costSum({ ...this.parts, output: this.recordedOutput }),
      ...this.counts,
    };
  }
}
