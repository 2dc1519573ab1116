import type { SessionColumns } from '../model/columns';
import type { CacheRules } from '../model/modelRow';
import { recordedInput } from '../view/requestTokens';

/** With fewer different reads than this, the provider's step cannot be derived. */
const fewestReads = 5;
/** No provider is known to count in larger steps, in tokens. */
const largestStep = 1024;

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
}

/** The arithmetic of recorded cache reads and writes: one pass over the requests, then constant time. */
export class CacheUse {
  private readonly models = new Map<number, ModelUse>();

  constructor(
    private readonly columns: SessionColumns,
    private readonly rulesOf: (request: number) => CacheRules | undefined,
  ) {
    const { requests } = columns;
    requests.model.forEach((model, request) => {
      const use = this.models.get(model) ?? {
        isUsed: false,
        recordsWrites: false,
        step: 0,
        first: 0,
        reads: new Set<number>(),
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
    });
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
    return this.countsWrites(request)
      ? (requests.cacheRead[request] ?? 0) + (requests.cacheWrite[request] ?? 0)
      : Math.floor(total / step) * step;
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
   * Differences below this many tokens are noise: one step, or with recorded writes at least the framing of a message.
   */
  tolerance(request: number): number {
    return this.countsWrites(request)
      ? Math.max(framing, this.granularity(request))
      : 2 * this.granularity(request);
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
