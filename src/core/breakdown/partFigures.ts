import type { Session, SessionColumns } from '../model/columns';
import { type InputSegment, inputSegments } from '../view/inputSegments';
import { dividedRequest } from '../view/requestView';
import { requestUsage, SessionPrices } from '../view/sessionCost';
import { type BreakdownTree, leavesOf, requestTokens, sumUp } from './breakdownTree';
import { leafShares } from './parts';

/** Tokens that came from the cache, and US dollars at list prices. */
export interface Paid {
  readonly cached: number;
  /** NaN where no price is known. */
  readonly money: number;
}

/** What each node of a tree stands for, by node. */
export interface PartFigures {
  /** How long it is: tokens in the request; over all requests, each block counted once. */
  readonly tokens: Float64Array;
  /** Input tokens that were sent for it. */
  readonly carried: Float64Array;
  /** Those of them that came from the cache, of one request as fractions, and what all of it cost; as in `Paid`. */
  readonly cached: Float64Array;
  readonly money: Float64Array;
  readonly hasPrices: boolean;
  /** What was paid for one node: of one request, this is much faster than for all. */
  paidFor(node: number): Paid;
}

/**
 * The figures of one request: what was read from its cache, and what it cost, falls on the blocks in wire order. These two
 * are computed when they are asked for.
 */
export function requestFigures(tree: BreakdownTree, session: Session, request: number): PartFigures {
  const tokens = requestTokens(tree, session.columns, request);
  const walk = paidWalk(tree, session, request);
  let known: Pick<PartFigures, 'cached' | 'money'> | undefined;
  const all = (): Pick<PartFigures, 'cached' | 'money'> => {
    if (known === undefined) {
      const cached = new Float64Array(tree.count);
      const money = new Float64Array(tree.count);
      walk?.over((leaf, read, paid) => {
        cached[leaf] = (cached[leaf] ?? 0) + read;
        money[leaf] = (money[leaf] ?? 0) + paid;
      });
      sumUp(tree.parent, cached);
      sumUp(tree.parent, money);
      known = { cached, money: walk?.hasPrices === true ? money : money.fill(Number.NaN) };
    }
    return known;
  };
  return {
    tokens,
    carried: tokens,
    hasPrices: walk?.hasPrices === true,
    get cached() {
      return all().cached;
    },
    get money() {
      return all().money;
    },
    paidFor: node => {
      if (node === 0 && walk !== undefined) {
        return walk.whole;
      }
      const end = tree.end[node] ?? node;
      let cached = 0;
      let money = 0;
      walk?.over((leaf, read, paid) => {
        if (leaf >= node && leaf < end) {
          cached += read;
          money += paid;
        }
      });
      return { cached, money: walk?.hasPrices === true ? money : Number.NaN };
    },
  };
}

/** Goes over the leaves of a request, with what of each was read from the cache and what it cost. */
interface PaidWalk {
  readonly hasPrices: boolean;
  /** All of the request. */
  readonly whole: Paid;
  readonly over: (each: (leaf: number, cached: number, money: number) => void) => void;
}

/** Undefined where the usage is not recorded. */
function paidWalk(tree: BreakdownTree, { columns, summary }: Session, request: number): PaidWalk | undefined {
  const usage = requestUsage(columns, request);
  const prices = new SessionPrices(columns, summary.models).of(request);
  const hidden = tree.notRecordedOf(columns.requests.thread[request] ?? 0);
  if (usage === undefined || hidden < 0) {
    return undefined;
  }
  const segments = inputSegments(usage, prices);
  const divided = new Map(tree.divided.map(({ leaf, parts }) => [leaf, parts]));
  const over: PaidWalk['over'] = each => {
    const give = (leaf: number, cached: number, paid: number): void => {
      const parts = divided.get(leaf);
      let taken = 0;
      for (const part of parts ?? []) {
        each(part.leaf, cached * (part.upTo - taken), paid * (part.upTo - taken));
        taken = part.upTo;
      }
      each(leaf, cached * (1 - taken), paid * (1 - taken));
    };
    const { blocks, sums, factor, notRecorded } = dividedRequest(columns, request);
    const leaves = leavesOf(tree, columns, request);
    let next = 0;
    let segment: InputSegment | undefined = segments[0];
    let offset = 0;
    // What is not recorded comes first, then the blocks.
    for (let position = -1; position < blocks.length; position += 1) {
      const leaf = position < 0 ? hidden : (leaves[position] ?? -1);
      const end = notRecorded.value + (position < 0 ? 0 : (sums[position + 1] ?? 0) * factor);
      while (segment !== undefined && offset < end) {
        const upTo = Math.min(end, segment.to);
        const amount = upTo - offset;
        give(leaf, segment.part === 'cacheRead' ? amount : 0, amount * segment.price);
        offset = upTo;
        if (upTo >= segment.to) {
          next += 1;
          segment = segments[next];
        }
      }
    }
  };
  const money = segments.reduce((sum, { from, to, price }) => sum + (to - from) * price, 0);
  return {
    hasPrices: prices !== undefined,
    whole: { cached: usage.cacheRead, money: prices === undefined ? Number.NaN : money },
    over,
  };
}

/** The figures over all requests. What is not recorded is as long as in the request with the most of it. */
export function sessionFigures(tree: BreakdownTree, { blocks, requests }: SessionColumns): PartFigures {
  const tokens = new Float64Array(tree.count);
  for (let node = 0; node < tree.count; node += 1) {
    const block = tree.block[node] ?? -1;
    tokens[node] = block < 0 ? 0 : (blocks.tokens[block] ?? 0);
  }
  for (const [leaf, share] of leafShares(tree)) {
    tokens[leaf] = (tokens[leaf] ?? 0) * share;
  }
  requests.thread.forEach((thread, request) => {
    const hidden = tree.notRecordedOf(thread);
    if (hidden >= 0) {
      tokens[hidden] = Math.max(tokens[hidden] ?? 0, requests.notRecorded[request] ?? 0);
    }
  });
  sumUp(tree.parent, tokens);
  const { cached, fresh, money } = tree;
  return {
    tokens,
    cached,
    money,
    hasPrices: (money[0] ?? Number.NaN) > 0,
    carried: cached.map((count, node) => count + (fresh[node] ?? 0)),
    paidFor: node => ({ cached: cached[node] ?? 0, money: money[node] ?? Number.NaN }),
  };
}
