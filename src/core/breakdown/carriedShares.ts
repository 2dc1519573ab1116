import { enlarged } from '../base/enlarged';
import { groupBy } from '../base/groupBy';
import { hasBits } from '../base/numbers';
import { PrefixSums } from '../base/prefixSums';
import { requestFlags, type SessionColumns, type SessionSummary } from '../model/columns';
import { dividedPrefix } from '../tokens/calibration';
import { inputSegments } from '../view/inputSegments';
import { knownInput } from '../view/requestTokens';
import { requestUsage, SessionPrices } from '../view/sessionCost';

/** The cost of content over the requests that carried it. */
export interface Share {
  /** Tokens read from the cache and not, summed over the requests. May be fractions. */
  cached: number;
  fresh: number;
  /** US dollars at list prices, for the requests with known prices. */
  money: number;
}

/** The shares of one thread's input. */
export interface ThreadShares {
  readonly thread: number;
  /** Recorded input of its requests in tokens. Except for rounding, this is the sum of all shares. */
  readonly input: { readonly cached: number; readonly fresh: number };
  readonly notRecorded: Share;
  /** Every block that its requests contained, in order of first appearance. */
  readonly blocks: Uint32Array;
  /** The figures of `Share` for each of `blocks`. */
  readonly cached: Float64Array;
  readonly fresh: Float64Array;
  readonly money: Float64Array;
  /** Number of requests in the sums, and how many of them have no known price. */
  readonly requests: number;
  readonly unpriced: number;
}

/**
 * The cost of each block over all requests that carried it, by thread in ascending order. If some requests have
 * recorded usage, those without are left out. If none has, all count with their estimated input, as uncached.
 * One pass over contexts and requests. The tokens that a request sent before an offset are noted at the block where the
 * offset lies. A block that requests stop carrying is summed when it leaves.
 * @param since for some blocks, the first request that counts
 * @param counts whether a request counts; all do without it
 */
export function carriedShares(
  columns: SessionColumns,
  models: SessionSummary['models'],
  since: ReadonlyMap<number, number> = new Map(),
  counts: (request: number) => boolean = () => true,
): readonly ThreadShares[] {
  const { requests } = columns;
  const prices = new SessionPrices(columns, models);
  const hasUsage = requests.flags.some(flags => (flags & requestFlags.recorded) !== 0);
  const held = new HeldBlocks(columns);
  const byThread = groupBy(
    [...requests.context.keys()].filter(counts),
    request => requests.thread[request] ?? 0,
  );
  return [...byThread]
    .sort(([one], [other]) => one - other)
    .map(([thread, numbers]) => {
      const sum = new ThreadSum(thread, held.of(numbers), held.places);
      const counted = hasUsage
        ? numbers.filter(request => hasBits(requests.flags, request, requestFlags.recorded))
        : numbers;
      for (const [context, together] of groupBy(counted, request => requests.context[request] ?? 0)) {
        new ContextSum(columns, prices, sum, context, together, since).add();
      }
      return sum;
    });
}

/** The blocks of threads, one thread after the other. */
class HeldBlocks {
  /** The index of each block among the blocks of the newest thread. */
  readonly places: Uint32Array;
  /** The newest round in which a block, or a context, was visited. Rounds begin with 1. */
  private readonly met: Uint32Array;
  private readonly started: Uint32Array;
  /** Number of leading blocks of a context that were visited. */
  private readonly lengths: Uint32Array;
  private rounds = 0;

  constructor(private readonly columns: SessionColumns) {
    const { blocks, contexts } = columns;
    this.places = new Uint32Array(blocks.kind.length);
    this.met = new Uint32Array(blocks.kind.length);
    this.started = new Uint32Array(contexts.length);
    this.lengths = new Uint32Array(contexts.length);
  }

  /** The distinct blocks of the requests, in order of first appearance. */
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

  /** @param places the index of each block in `blocks` */
  constructor(
    readonly thread: number,
    readonly blocks: Uint32Array,
    private readonly places: Uint32Array,
  ) {
    this.cached = new Float64Array(blocks.length);
    this.fresh = this.cached.slice();
    this.money = this.cached.slice();
  }

  /** @param all sum of cached and uncached */
  add(block: number, cached: number, all: number, money: number): void {
    const place = this.places[block] ?? 0;
    this.cached[place] = (this.cached[place] ?? 0) + cached;
    this.fresh[place] = (this.fresh[place] ?? 0) + all - cached;
    this.money[place] = (this.money[place] ?? 0) + money;
  }
}

/** The shares of one context's blocks. */
class ContextSum {
  /** The longest prefix that a request contains. */
  private readonly blocks: Uint32Array;
  /** Tokens of the blocks carried by the current request. */
  private readonly carried: PrefixSums;
  /** The accumulated figures per token of every block before a position: cached, all, and in US dollars. */
  private readonly cached: Stretches;
  private readonly all: Stretches;
  private readonly money: Stretches;
  /** Positions of blocks that a later request drops, sorted so that the first to leave is last. */
  private readonly leaving: number[] = [];
  /** Positions whose blocks count only from some request on, sorted so that the first to begin is last. */
  private readonly starting: number[] = [];
  /** For these positions, the accumulated figures per token before they began. */
  private readonly before = new Map<number, Sums>();

  constructor(
    private readonly columns: SessionColumns,
    private readonly prices: SessionPrices,
    private readonly sum: ThreadSum,
    context: number,
    private readonly requests: readonly number[],
    private readonly since: ReadonlyMap<number, number>,
  ) {
    const { tokens, leftAt } = columns.blocks;
    const { length } = columns.requests;
    const longest = requests.reduce((most, request) => Math.max(most, length[request] ?? 0), 0);
    this.blocks = (columns.contexts[context] ?? noBlocks).subarray(0, longest);
    const { blocks, leaving, starting } = this;
    this.carried = new PrefixSums(blocks.length, position => tokens[blocks[position] ?? 0] ?? 0);
    const last = requests.at(-1) ?? 0;
    for (let position = 0; position < blocks.length; position += 1) {
      const left = leftAt[blocks[position] ?? 0] ?? -1;
      if (left >= 0 && left <= last) {
        leaving.push(position);
      }
      if (since.size > 0 && since.has(blocks[position] ?? 0)) {
        starting.push(position);
      }
    }
    starting.sort((one, other) => this.startOf(other) - this.startOf(one));
    leaving.sort((one, other) => (leftAt[blocks[other] ?? 0] ?? 0) - (leftAt[blocks[one] ?? 0] ?? 0));
    const isAsked = leaving.length > 0 || starting.length > 0;
    this.cached = new Stretches(blocks.length, isAsked);
    this.all = new Stretches(blocks.length, isAsked);
    this.money = new Stretches(blocks.length, isAsked);
  }

  add(): void {
    for (const request of this.requests) {
      this.takeOut(request);
      this.begin(request);
      this.addRequest(request);
    }
    const { cached, all, money, blocks } = this;
    const { leftAt } = this.columns.blocks;
    const last = this.requests.at(-1) ?? 0;
    let [inCache, inAll, dollars] = [0, 0, 0];
    for (let position = blocks.length - 1; position >= 0; position -= 1) {
      inCache += cached.ends[position + 1] ?? 0;
      inAll += all.ends[position + 1] ?? 0;
      dollars += money.ends[position + 1] ?? 0;
      const block = blocks[position] ?? 0;
      const left = leftAt[block] ?? -1;
      if (left < 0 || left > last) {
        this.settle(position, inCache, inAll, dollars);
      }
    }
  }

  /** Settles the blocks that left before a request. */
  private takeOut(request: number): void {
    const { cached, all, money, leaving, blocks } = this;
    const { tokens, leftAt } = this.columns.blocks;
    for (
      let position = leaving.at(-1);
      position !== undefined && (leftAt[blocks[position] ?? 0] ?? 0) <= request;
      position = leaving.at(-1)
    ) {
      leaving.pop();
      this.carried.add(position, -(tokens[blocks[position] ?? 0] ?? 0));
      this.settle(position, cached.at(position), all.at(position), money.at(position));
    }
  }

  /** Notes the sums before a request, for the blocks that begin with it. */
  private begin(request: number): void {
    const { cached, all, money, starting } = this;
    for (
      let position = starting.at(-1);
      position !== undefined && this.startOf(position) <= request;
      position = starting.at(-1)
    ) {
      starting.pop();
      this.before.set(position, {
        cached: cached.at(position),
        all: all.at(position),
        money: money.at(position),
      });
    }
  }

  private startOf(position: number): number {
    return this.since.get(this.blocks[position] ?? 0) ?? 0;
  }

  /** Adds the accumulated figures to a block, given the figures per token. */
  private settle(position: number, cached: number, all: number, money: number): void {
    const block = this.blocks[position] ?? 0;
    const count = this.columns.blocks.tokens[block] ?? 0;
    const before = this.before.get(position);
    if (before === undefined && this.since.has(block)) {
      return;
    }
    const { cached: cachedBefore, all: allBefore, money: moneyBefore } = before ?? none;
    this.sum.add(
      block,
      (cached - cachedBefore) * count,
      (all - allBefore) * count,
      (money - moneyBefore) * count,
    );
  }

  private addRequest(request: number): void {
    const { columns, sum } = this;
    const { requests } = columns;
    const length = requests.length[request] ?? 0;
    const counted = this.carried.sum(length);
    const { notRecorded, head } = dividedPrefix(
      knownInput(columns, request),
      requests.notRecorded[request] ?? 0,
      counted,
      counted,
    );
    const usage = requestUsage(columns, request);
    const list = usage === undefined ? undefined : this.prices.of(request);
    sum.requests += 1;
    sum.unpriced += list === undefined ? 1 : 0;
    const segments = inputSegments(usage ?? { ...noUsage, input: notRecorded + head }, list);
    const scale = counted === 0 ? 0 : head / counted;
    for (let index = 0; index < segments.length; index += 1) {
      const segment = segments[index];
      const next = segments[index + 1];
      if (segment !== undefined) {
        const isCached = segment.part === 'cacheRead';
        sum.input[isCached ? 'cached' : 'fresh'] += segment.to - segment.from;
        const price = segment.price - (next?.price ?? 0);
        // Tokens read from the cache come first; the cache ends where they end.
        const cached = isCached ? 1 : 0;
        if (next === undefined) {
          this.addBefore(request, segment.to, length, notRecorded, scale, cached, 1, price);
        } else if (cached !== 0 || price !== 0) {
          this.addBefore(request, segment.to, length, notRecorded, scale, cached, 0, price);
        }
      }
    }
  }

  /**
   * Adds the tokens before an offset of a request to the unrecorded part and to the blocks.
   * @param hidden unrecorded tokens of the request, which come first
   * @param scale request tokens per block token
   * @param cached the amount per token that is added to the cached sum, to the whole sum, and in US dollars
   */
  private addBefore(
    request: number,
    offset: number,
    length: number,
    hidden: number,
    scale: number,
    cached: number,
    all: number,
    money: number,
  ): void {
    const { notRecorded } = this.sum;
    // If no block carries tokens, the whole input is unrecorded.
    const inHidden = scale === 0 ? offset : Math.min(offset, hidden);
    notRecorded.cached += inHidden * cached;
    notRecorded.fresh += inHidden * (all - cached);
    notRecorded.money += inHidden * money;
    if (inHidden === offset) {
      return;
    }
    const counted = (offset - hidden) / scale;
    const position = all === 1 ? length : Math.min(length, this.carried.countWithin(counted));
    this.cached.add(position, scale * cached);
    this.all.add(position, scale * all);
    this.money.add(position, scale * money);
    const block = this.blocks[position] ?? 0;
    if (position < length && (this.since.get(block) ?? 0) <= request) {
      // The block that contains the offset.
      const part = (counted - this.carried.sum(position)) * scale;
      this.sum.add(block, part * cached, part * all, part * money);
    }
  }
}

/** The accumulated figures per token. */
interface Sums {
  readonly cached: number;
  readonly all: number;
  readonly money: number;
}

const none: Sums = { cached: 0, all: 0, money: 0 };

const noUsage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

/** Amounts that each count for all positions before an end, summed by position. */
class Stretches {
  /** The amounts, by their end position. */
  readonly ends: Float64Array;
  private readonly sums: PrefixSums | undefined;
  private total = 0;

  /** @param isAsked true if single positions are read before all amounts are known */
  constructor(length: number, isAsked: boolean) {
    this.ends = new Float64Array(length + 1);
    this.sums = isAsked ? new PrefixSums(length + 1) : undefined;
  }

  add(end: number, amount: number): void {
    this.ends[end] = (this.ends[end] ?? 0) + amount;
    this.sums?.add(end, amount);
    this.total += amount;
  }

  /** The sum for a position so far. */
  at(position: number): number {
    return this.total - (this.sums?.sum(position + 1) ?? 0);
  }
}
