import { entryOf } from '../base/entryOf';
import { groupBy } from '../base/groupBy';
import { firstWhere } from '../base/numbers';
import type { SessionColumns, SessionSummary } from '../model/columns';
import { costParts } from '../tokens/prices';
import { isCarried, RequestTokens } from '../view/requestTokens';
import { requestUsage, SessionPrices } from '../view/sessionCost';

/** What some content has cost over the requests that carried it. */
export interface Share {
  /** Tokens that were read from the cache, and that were not, summed over the requests. Fractions of tokens. */
  cached: number;
  fresh: number;
  /** US dollars at list prices, of the requests whose prices are known. */
  money: number;
}

/** The shares of one thread's input. */
export interface ThreadShares {
  readonly thread: number;
  /** Recorded input of its requests: the sum of all shares but for rounding. Tokens. */
  readonly input: { readonly cached: number; readonly fresh: number };
  readonly notRecorded: Share;
  /** By block, for the blocks that its requests carried. */
  readonly blocks: ReadonlyMap<number, Share>;
  /** Requests in the sums, and those of them whose model's prices are not known. */
  readonly requests: number;
  readonly unpriced: number;
}

/** A part of a request's input that is billed alike: token offsets, and US dollars for a token. */
interface Segment {
  readonly from: number;
  readonly to: number;
  readonly kind: 'cached' | 'fresh';
  readonly price: number;
}

/**
 * What each block has cost over all requests that carried it, by thread. A request's input is read from the cache first,
 * then written to it, then fresh. Requests without recorded usage are left out where others have it; where none has, all
 * count with their estimated input, as fresh.
 *
 * One pass over contexts and requests: a segment of a request adds its scale to a stretch of its context, at both ends of
 * the stretch alone. A block that requests stopped carrying is summed by itself.
 */
export function carriedShares(
  columns: SessionColumns,
  models: SessionSummary['models'],
): readonly ThreadShares[] {
  const { requests } = columns;
  const prices = new SessionPrices(columns, models);
  const tokens = new RequestTokens(columns);
  const hasUsage = requests.context.some((_, request) => requestUsage(columns, request) !== undefined);
  const threads = new Map<number, ThreadSum>();
  // Threads may share a context.
  const together = groupBy(
    [...requests.context.keys()].filter(request => !hasUsage || requestUsage(columns, request) !== undefined),
    request => `${requests.context[request] ?? 0} ${requests.thread[request] ?? 0}`,
  );
  for (const numbers of together.values()) {
    const [first = 0] = numbers;
    const thread = requests.thread[first] ?? 0;
    const sum = entryOf(threads, thread, () => new ThreadSum(thread));
    new ContextSum(columns, prices, tokens, sum, requests.context[first] ?? 0).add(numbers);
  }
  return [...threads.values()].sort((one, other) => one.thread - other.thread);
}

const nothing = (): Share => ({ cached: 0, fresh: 0, money: 0 });

class ThreadSum implements ThreadShares {
  readonly input = { cached: 0, fresh: 0 };
  readonly notRecorded = nothing();
  readonly blocks = new Map<number, Share>();
  requests = 0;
  unpriced = 0;

  constructor(readonly thread: number) {}
}

/** The shares of one context's blocks. */
class ContextSum {
  private readonly blocks: Uint32Array;
  /** Changes of what a token of the blocks from a position on adds up to. */
  private readonly cached: Float64Array;
  private readonly fresh: Float64Array;
  private readonly money: Float64Array;
  /** Positions of blocks that a later request does not carry, and the first of these requests. */
  private leaving: readonly number[];
  private nextLeft = 0;

  constructor(
    private readonly columns: SessionColumns,
    private readonly prices: SessionPrices,
    private readonly tokens: RequestTokens,
    private readonly sum: ThreadSum,
    context: number,
  ) {
    this.blocks = columns.contexts[context] ?? new Uint32Array();
    this.cached = new Float64Array(this.blocks.length + 1);
    this.fresh = this.cached.slice();
    this.money = this.cached.slice();
    const { leftAt } = columns.blocks;
    this.leaving = [...this.blocks.keys()].filter(
      position => (leftAt[this.blocks[position] ?? 0] ?? -1) >= 0,
    );
  }

  add(requests: readonly number[]): void {
    for (const request of requests) {
      this.takeOut(request);
      const hidden = this.tokens.notRecorded(request);
      const scale = this.tokens.scale(request);
      for (const segment of this.segmentsOf(request)) {
        this.addSegment(request, hidden, scale, segment);
      }
    }
    const running = nothing();
    const { tokens, leftAt } = this.columns.blocks;
    const { length } = this.columns.requests;
    const longest = requests.reduce((most, request) => Math.max(most, length[request] ?? 0), 0);
    this.blocks.subarray(0, longest).forEach((block, position) => {
      running.cached += this.cached[position] ?? 0;
      running.fresh += this.fresh[position] ?? 0;
      running.money += this.money[position] ?? 0;
      if ((leftAt[block] ?? -1) < 0) {
        const count = tokens[block] ?? 0;
        const share = this.shareOf(block);
        share.cached += running.cached * count;
        share.fresh += running.fresh * count;
        share.money += running.money * count;
      }
    });
  }

  /** Forgets the blocks that have left before a request. */
  private takeOut(request: number): void {
    if (request >= this.nextLeft) {
      const { blocks, columns } = this;
      this.leaving = this.leaving.filter(position =>
        isCarried(columns.blocks, blocks[position] ?? 0, request),
      );
      this.nextLeft = this.leaving.reduce(
        (least, position) => Math.min(least, columns.blocks.leftAt[blocks[position] ?? 0] ?? 0),
        Number.POSITIVE_INFINITY,
      );
    }
  }

  private segmentsOf(request: number): readonly Segment[] {
    const usage = requestUsage(this.columns, request);
    this.sum.requests += 1;
    if (usage === undefined) {
      const total = this.tokens.total(request);
      this.sum.unpriced += 1;
      this.sum.input.fresh += total;
      return [{ from: 0, to: total, kind: 'fresh', price: 0 }];
    }
    const { input, cacheRead, cacheWrite } = usage;
    const list = this.prices.of(request);
    const cost = list === undefined ? undefined : costParts(list, usage);
    this.sum.unpriced += list === undefined ? 1 : 0;
    this.sum.input.cached += cacheRead;
    this.sum.input.fresh += cacheWrite + input;
    const written = cacheRead + cacheWrite;
    const priceOf = (part: 'cacheRead' | 'cacheWrite' | 'input'): number =>
      cost === undefined || usage[part] === 0 ? 0 : cost[part] / usage[part];
    const segments: readonly Segment[] = [
      { from: 0, to: cacheRead, kind: 'cached', price: priceOf('cacheRead') },
      { from: cacheRead, to: written, kind: 'fresh', price: priceOf('cacheWrite') },
      { from: written, to: written + input, kind: 'fresh', price: priceOf('input') },
    ];
    return segments.filter(({ from, to }) => to > from);
  }

  /**
   * Gives what is not recorded, and each block, its part of a segment.
   * @param hidden tokens of the request that are not recorded; they come first
   * @param scale tokens of the request for one of its blocks'
   */
  private addSegment(
    request: number,
    hidden: number,
    scale: number,
    { from, to, kind, price }: Segment,
  ): void {
    const { columns, tokens } = this;
    const length = columns.requests.length[request] ?? 0;
    const give = (share: Share, amount: number): void => {
      share[kind] += amount;
      share.money += amount * price;
    };
    // Where no block carries tokens, all of the input is not recorded.
    const isHidden = scale === 0;
    const inHidden = isHidden ? to - from : Math.min(to, hidden) - Math.min(from, hidden);
    give(this.sum.notRecorded, inHidden);
    if (isHidden || to <= hidden) {
      return;
    }
    const offset = (position: number): number => hidden + scale * tokens.counted(request, position);
    const begin = Math.max(from, hidden);
    // Positions whose end lies beyond the segment's begin and its end.
    const first = firstWhere(0, length - 1, position => offset(position + 1) > begin);
    const last = firstWhere(first, length - 1, position => offset(position + 1) >= to);
    const overlap = (position: number): number => {
      const end = position === length - 1 ? Math.max(to, offset(length)) : offset(position + 1);
      return Math.max(0, Math.min(to, end) - Math.max(begin, offset(position)));
    };
    give(this.shareOf(this.blocks[first] ?? 0), overlap(first));
    if (last > first) {
      give(this.shareOf(this.blocks[last] ?? 0), overlap(last));
    }
    if (last > first + 1) {
      const changes = this[kind];
      changes[first + 1] = (changes[first + 1] ?? 0) + scale;
      changes[last] = (changes[last] ?? 0) - scale;
      this.money[first + 1] = (this.money[first + 1] ?? 0) + scale * price;
      this.money[last] = (this.money[last] ?? 0) - scale * price;
    }
    for (const position of this.leaving) {
      if (position > first && position < last) {
        const block = this.blocks[position] ?? 0;
        give(this.shareOf(block), scale * (columns.blocks.tokens[block] ?? 0));
      }
    }
  }

  private shareOf(block: number): Share {
    return entryOf(this.sum.blocks, block, nothing);
  }
}
