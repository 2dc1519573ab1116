import { enlarged } from '../base/enlarged';
import { groupBy } from '../base/groupBy';
import { firstWhere } from '../base/numbers';
import type { SessionColumns, SessionSummary } from '../model/columns';
import { type InputSegment, inputSegments } from '../view/inputSegments';
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
  /** Every block that its requests held, in the order in which they came to hold it. */
  readonly blocks: Uint32Array;
  /** The figures of `Share` of each of `blocks`. */
  readonly cached: Float64Array;
  readonly fresh: Float64Array;
  readonly money: Float64Array;
  /** Requests in the sums, and those of them whose model's prices are not known. */
  readonly requests: number;
  readonly unpriced: number;
}

/**
 * What each block has cost over all requests that carried it, by thread in ascending order. Requests without recorded
 * usage are left out where others have it; where none has, all count with their estimated input, as fresh.
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
  const held = new HeldBlocks(columns);
  const byThread = groupBy(requests.context.keys(), request => requests.thread[request] ?? 0);
  return [...byThread]
    .sort(([one], [other]) => one - other)
    .map(([thread, numbers]) => {
      const sum = new ThreadSum(thread, held.of(numbers), held.places);
      const counted = hasUsage
        ? numbers.filter(request => requestUsage(columns, request) !== undefined)
        : numbers;
      for (const [context, together] of groupBy(counted, request => requests.context[request] ?? 0)) {
        new ContextSum(columns, prices, tokens, sum, context).add(together);
      }
      return sum;
    });
}

/** The blocks of threads, one thread after the other. */
class HeldBlocks {
  /** The place of each block among those of the newest thread. */
  readonly places: Uint32Array;
  /** The newest round in which a block, and a context, was met; rounds begin with 1. */
  private readonly met: Uint32Array;
  private readonly started: Uint32Array;
  /** How many leading blocks of a context have been met. */
  private readonly lengths: Uint32Array;
  private rounds = 0;

  constructor(private readonly columns: SessionColumns) {
    const { blocks, contexts } = columns;
    this.places = new Uint32Array(blocks.kind.length);
    this.met = new Uint32Array(blocks.kind.length);
    this.started = new Uint32Array(contexts.length);
    this.lengths = new Uint32Array(contexts.length);
  }

  /** The blocks that the requests hold, each once, in the order in which they came. */
  of(requests: readonly number[]): Uint32Array {
    const { columns, places, met } = this;
    this.rounds += 1;
    let found = new Uint32Array(1 << 8);
    let count = 0;
    for (const request of requests) {
      const context = columns.requests.context[request] ?? 0;
      const numbers = columns.contexts[context] ?? noBlocks;
      const end = Math.min(columns.requests.length[request] ?? 0, numbers.length);
      let position = this.started[context] === this.rounds ? (this.lengths[context] ?? 0) : 0;
      if (count + end - position > found.length) {
        found = enlarged(Uint32Array, found, count + end - position);
      }
      for (; position < end; position += 1) {
        const block = numbers[position] ?? 0;
        if (met[block] !== this.rounds) {
          met[block] = this.rounds;
          places[block] = count;
          found[count] = block;
          count += 1;
        }
      }
      this.started[context] = this.rounds;
      this.lengths[context] = Math.max(position, end);
    }
    return found.slice(0, count);
  }
}

const noBlocks = new Uint32Array();

const nothing = (): Share => ({ cached: 0, fresh: 0, money: 0 });

class ThreadSum implements ThreadShares {
  readonly input = { cached: 0, fresh: 0 };
  readonly notRecorded = nothing();
  readonly cached: Float64Array;
  readonly fresh: Float64Array;
  readonly money: Float64Array;
  requests = 0;
  unpriced = 0;

  /** @param places where each block stands among `blocks` */
  constructor(
    readonly thread: number,
    readonly blocks: Uint32Array,
    private readonly places: Uint32Array,
  ) {
    this.cached = new Float64Array(blocks.length);
    this.fresh = this.cached.slice();
    this.money = this.cached.slice();
  }

  add(block: number, cached: number, fresh: number, money: number): void {
    const place = this.places[block] ?? 0;
    this.cached[place] = (this.cached[place] ?? 0) + cached;
    this.fresh[place] = (this.fresh[place] ?? 0) + fresh;
    this.money[place] = (this.money[place] ?? 0) + money;
  }
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
    this.blocks = columns.contexts[context] ?? noBlocks;
    this.cached = new Float64Array(this.blocks.length + 1);
    this.fresh = this.cached.slice();
    this.money = this.cached.slice();
    const { leftAt } = columns.blocks;
    const leaving: number[] = [];
    this.blocks.forEach((block, position) => {
      if ((leftAt[block] ?? -1) >= 0) {
        leaving.push(position);
      }
    });
    this.leaving = leaving;
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
        this.sum.add(block, running.cached * count, running.fresh * count, running.money * count);
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

  private segmentsOf(request: number): readonly InputSegment[] {
    const { sum } = this;
    const usage = requestUsage(this.columns, request);
    sum.requests += 1;
    if (usage === undefined) {
      const total = this.tokens.total(request);
      sum.unpriced += 1;
      sum.input.fresh += total;
      return [{ part: 'input', from: 0, to: total, price: 0 }];
    }
    const list = this.prices.of(request);
    sum.unpriced += list === undefined ? 1 : 0;
    sum.input.cached += usage.cacheRead;
    sum.input.fresh += usage.cacheWrite + usage.input;
    return inputSegments(usage, list);
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
    { part, from, to, price }: InputSegment,
  ): void {
    const { columns, tokens } = this;
    const length = columns.requests.length[request] ?? 0;
    const isCached = part === 'cacheRead';
    const give = (block: number, amount: number): void => {
      this.sum.add(block, isCached ? amount : 0, isCached ? 0 : amount, amount * price);
    };
    // Where no block carries tokens, all of the input is not recorded.
    const isHidden = scale === 0;
    const inHidden = isHidden ? to - from : Math.min(to, hidden) - Math.min(from, hidden);
    const { notRecorded } = this.sum;
    notRecorded[isCached ? 'cached' : 'fresh'] += inHidden;
    notRecorded.money += inHidden * price;
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
    give(this.blocks[first] ?? 0, overlap(first));
    if (last > first) {
      give(this.blocks[last] ?? 0, overlap(last));
    }
    if (last > first + 1) {
      const changes = isCached ? this.cached : this.fresh;
      changes[first + 1] = (changes[first + 1] ?? 0) + scale;
      changes[last] = (changes[last] ?? 0) - scale;
      this.money[first + 1] = (this.money[first + 1] ?? 0) + scale * price;
      this.money[last] = (this.money[last] ?? 0) - scale * price;
    }
    for (const position of this.leaving) {
      if (position > first && position < last) {
        const block = this.blocks[position] ?? 0;
        give(block, scale * (columns.blocks.tokens[block] ?? 0));
      }
    }
  }
}
