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
 * @param since for some blocks, the first request that counts
 */
export function carriedShares(
  columns: SessionColumns,
  models: SessionSummary['models'],
  since: ReadonlyMap<number, number> = new Map(),
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
        new ContextSum(columns, prices, tokens, sum, context, since).add(together);
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
const none: Readonly<Share> = nothing();

/** Numbers by position, and their sums up to a position. */
interface PrefixSums {
  add(position: number, amount: number): void;
  upTo(position: number): number;
}

/** The sums are asked for in ascending positions, once, after everything is added. */
class FinalSums implements PrefixSums {
  private readonly numbers: Float64Array;
  private sum = 0;

  constructor(length: number) {
    this.numbers = new Float64Array(length + 1);
  }

  add(position: number, amount: number): void {
    this.numbers[position] = (this.numbers[position] ?? 0) + amount;
  }

  upTo(position: number): number {
    this.sum += this.numbers[position] ?? 0;
    return this.sum;
  }
}

/** The sums may be asked for at any time: a Fenwick tree. */
class RunningSums implements PrefixSums {
  private readonly tree: Float64Array;

  constructor(length: number) {
    this.tree = new Float64Array(length + 2);
  }

  add(position: number, amount: number): void {
    for (let place = position + 1; place < this.tree.length; place += place & -place) {
      this.tree[place] = (this.tree[place] ?? 0) + amount;
    }
  }

  upTo(position: number): number {
    let sum = 0;
    for (let place = position + 1; place > 0; place -= place & -place) {
      sum += this.tree[place] ?? 0;
    }
    return sum;
  }
}

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
  /** What a token of the blocks from a position on adds up to. */
  private readonly cached: PrefixSums;
  private readonly fresh: PrefixSums;
  private readonly money: PrefixSums;
  /** Positions whose blocks count from some request on only, those that begin last first. */
  private readonly starting: number[];
  /** By these positions, what was summed before they began. */
  private readonly before = new Map<number, Share>();
  /** Positions of blocks that a later request does not carry, and the first of these requests. */
  private leaving: readonly number[];
  private nextLeft = 0;

  constructor(
    private readonly columns: SessionColumns,
    private readonly prices: SessionPrices,
    private readonly tokens: RequestTokens,
    private readonly sum: ThreadSum,
    context: number,
    private readonly since: ReadonlyMap<number, number>,
  ) {
    this.blocks = columns.contexts[context] ?? noBlocks;
    const { leftAt } = columns.blocks;
    const leaving: number[] = [];
    const starting: number[] = [];
    this.blocks.forEach((block, position) => {
      if ((leftAt[block] ?? -1) >= 0) {
        leaving.push(position);
      } else if (since.size > 0 && since.has(block)) {
        starting.push(position);
      }
    });
    this.leaving = leaving;
    this.starting = starting.sort((one, other) => this.startOf(other) - this.startOf(one));
    const { length } = this.blocks;
    const sums = (): PrefixSums => (starting.length === 0 ? new FinalSums(length) : new RunningSums(length));
    this.cached = sums();
    this.fresh = sums();
    this.money = sums();
  }

  private startOf(position: number): number {
    return this.since.get(this.blocks[position] ?? 0) ?? 0;
  }

  add(requests: readonly number[]): void {
    for (const request of requests) {
      this.takeOut(request);
      this.begin(request);
      const hidden = this.tokens.notRecorded(request);
      const scale = this.tokens.scale(request);
      for (const segment of this.segmentsOf(request)) {
        this.addSegment(request, hidden, scale, segment);
      }
    }
    this.begin(Number.POSITIVE_INFINITY);
    const { tokens, leftAt } = this.columns.blocks;
    const { length } = this.columns.requests;
    const longest = requests.reduce((most, request) => Math.max(most, length[request] ?? 0), 0);
    this.blocks.subarray(0, longest).forEach((block, position) => {
      const cached = this.cached.upTo(position);
      const fresh = this.fresh.upTo(position);
      const money = this.money.upTo(position);
      if ((leftAt[block] ?? -1) < 0) {
        const count = tokens[block] ?? 0;
        const before = this.before.get(position) ?? none;
        this.sum.add(
          block,
          (cached - before.cached) * count,
          (fresh - before.fresh) * count,
          (money - before.money) * count,
        );
      }
    });
  }

  /** Notes what was summed before a request, for the blocks that begin with it. */
  private begin(request: number): void {
    for (
      let position = this.starting.at(-1);
      position !== undefined && this.startOf(position) <= request;
      position = this.starting.at(-1)
    ) {
      this.starting.pop();
      this.before.set(position, {
        cached: this.cached.upTo(position),
        fresh: this.fresh.upTo(position),
        money: this.money.upTo(position),
      });
    }
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
      if (this.since.size > 0 && (this.since.get(block) ?? 0) > request) {
        return;
      }
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
      const sums = isCached ? this.cached : this.fresh;
      sums.add(first + 1, scale);
      sums.add(last, -scale);
      this.money.add(first + 1, scale * price);
      this.money.add(last, -scale * price);
    }
    for (const position of this.leaving) {
      if (position > first && position < last) {
        const block = this.blocks[position] ?? 0;
        give(block, scale * (columns.blocks.tokens[block] ?? 0));
      }
    }
  }
}
