import type { SessionColumns } from '../model/columns';
import type { CacheRules } from '../model/modelRow';
import { recordedInput } from '../view/requestTokens';

/** With fewer different reads than this, the provider's step cannot be derived. */
const fewestReads = 5;
/** No provider is known to count in larger steps, in tokens. */
const largestStep = 1024;
/** The step of most providers that cache automatically, in tokens. */
const usualStep = 128;

/**
 * Gemini's counts of cached tokens scatter around the true ones by several percent: they may even exceed the whole
 * previous request. A deviation within this share of it belongs to the scatter.
 */
const scatterShare = 0.2;
/** With fewer deviations than this, the scatter is unknown. */
const fewestDeviations = 3;
/** Nine of ten deviations of that scatter are below this many times the median one. */
const scatterTimes = 2.5;

/** Cache use recorded by the requests of one model. */
interface ModelUse {
  /** Some request read or wrote, so the counters mean something. */
  isUsed: boolean;
  /** Writes are recorded, so the next request can read what this one read and wrote. */
  recordsWrites: boolean;
  /** The greatest common divisor of the differences between reads, in tokens. */
  step: number;
  first: number;
  readonly reads: Set<number>;
  /** Differences between a read and the whole previous request of the thread, in tokens, ascending after the pass. */
  readonly deviations: number[];
}

/** The arithmetic of recorded cache reads and writes: one pass over the requests, then constant time. */
export class CacheUse {
  private readonly models = new Map<number, ModelUse>();

  constructor(
    private readonly columns: SessionColumns,
    private readonly rulesOf: (request: number) => CacheRules | undefined,
  ) {
    const { requests } = columns;
    const previous = new Map<string, number>();
    requests.model.forEach((model, request) => {
      const use = this.models.get(model) ?? {
        isUsed: false,
        recordsWrites: false,
        step: 0,
        first: 0,
        reads: new Set<number>(),
        deviations: [],
      };
      this.models.set(model, use);
      const read = requests.cacheRead[request] ?? 0;
      const written = requests.cacheWrite[request] ?? 0;
      use.isUsed ||= read > 0 || written > 0;
      use.recordsWrites ||= written > 0;
      if (read > 0) {
        use.first = use.first === 0 ? read : use.first;
        use.step = greatestCommonDivisor(use.step, Math.abs(read - use.first));
        use.reads.add(read);
      }
      const key = `${model} ${requests.thread[request] ?? 0}`;
      const left = previous.get(key) ?? 0;
      const deviation = Math.abs(left - read);
      if (read > 0 && deviation <= scatterShare * left) {
        use.deviations.push(deviation);
      }
      previous.set(key, recordedInput(columns, request) ?? 0);
    });
    for (const { deviations } of this.models.values()) {
      deviations.sort((one, other) => one - other);
    }
  }

  /** True if any cache counter of this session is in use. */
  get isUsedAtAll(): boolean {
    return [...this.models.values()].some(({ isUsed }) => isUsed);
  }

  /** True if the cache counters of the request's model are in use in this session. */
  isUsed(request: number): boolean {
    return this.useOf(request)?.isUsed === true;
  }

  /**
   * Hits come in steps of this many tokens: the larger of what the provider names and what the session shows; at least 1.
   */
  granularity(request: number): number {
    const use = this.useOf(request);
    const seen = use === undefined || use.reads.size < fewestReads ? 1 : Math.min(use.step, largestStep);
    return Math.max(1, this.rulesOf(request)?.granularityTokens ?? 1, seen);
  }

  /**
   * Tokens that a request left in the cache; undefined if its usage is not recorded. With recorded writes, the tokens
   * read and written. Otherwise all tokens sent, uncertain by one step.
   */
  leftReadable(request: number): number | undefined {
    const total = recordedInput(this.columns, request);
    if (total === undefined) {
      return undefined;
    }
    const { requests } = this.columns;
    const step = this.granularity(request);
    if (this.countsWrites(request)) {
      return (requests.cacheRead[request] ?? 0) + (requests.cacheWrite[request] ?? 0);
    }
    const first = this.offset(request, step);
    return Math.max(0, Math.floor((total - first) / step) * step + first);
  }

  /** The remainder of all reads of the request's model after whole steps: large steps may begin after a first part. */
  private offset(request: number, step: number): number {
    const use = this.useOf(request);
    return use === undefined || use.reads.size < fewestReads ? 0 : use.first % step;
  }

  /**
   * The most tokens that a request can have left in the cache. If writes are not recorded, its reply may be cached too
   * (DeepSeek's guide on context caching, 2026-11, and recorded sessions of other providers).
   */
  leftWithReply(request: number): number | undefined {
    const left = this.leftReadable(request);
    return left === undefined || this.countsWrites(request)
      ? left
      : left + (this.columns.requests.output[request] ?? 0);
  }

  /**
   * Differences of up to this many tokens are noise: with recorded writes the framing of a message or one step. Without
   * them two steps of the provider, one of larger steps that the session shows, or the usual scatter of this model's
   * reads if they come in no steps.
   */
  tolerance(request: number): number {
    const step = this.granularity(request);
    if (this.countsWrites(request)) {
      return Math.max(framing, step);
    }
    const least = 2 * (this.rulesOf(request)?.granularityTokens ?? usualStep);
    return Math.max(least, step > 1 ? step : this.scatter(request));
  }

  /** The usual distance of a read from the whole previous request, in tokens; 0 if unknown. */
  private scatter(request: number): number {
    const deviations = this.useOf(request)?.deviations ?? [];
    const middle = deviations[Math.floor(deviations.length / 2)] ?? 0;
    return deviations.length < fewestDeviations
      ? (this.rulesOf(request)?.readScatter ?? 0) * (recordedInput(this.columns, request) ?? 0)
      : scatterTimes * middle;
  }

  private countsWrites(request: number): boolean {
    return this.useOf(request)?.recordsWrites === true || this.rulesOf(request)?.explicit === true;
  }

  private useOf(request: number): ModelUse | undefined {
    return this.models.get(this.columns.requests.model[request] ?? 0);
  }
}

/** Tokens that agents add around a message without a change of content. */
const framing = 64;

function greatestCommonDivisor(first: number, second: number): number {
  let [larger, smaller] = [first, second];
  while (smaller > 0) {
    [larger, smaller] = [smaller, larger % smaller];
  }
  return larger;
}
