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
  /** What was paid for one node: for the whole of a request, without looking at its blocks. */
  paidFor(node: number): Paid;
}

/**
 * The figures of one request: what was read from its cache, and what it cost, falls on the blocks in wire order. These two
 * are computed when they are asked for.
 */
export function requestFigures(tree: BreakdownTree, session: Session, request: number): PartFigures {
  const { columns, summary } = session;
  const tokens = requestTokens(tree, columns, request);
  const usage = requestUsage(columns, request);
  const prices = new SessionPrices(columns, summary.models).of(request);
  const hasPrices = usage !== undefined && prices !== undefined;
  const segments = usage === undefined ? [] : inputSegments(usage, prices);
  let known: Pick<PartFigures, 'cached' | 'money'> | undefined;
  const all = (): Pick<PartFigures, 'cached' | 'money'> => {
    if (known === undefined) {
      const { cached, money } = paidByLeaf(tree, columns, request, segments);
      sumUp(tree.parent, cached);
      sumUp(tree.parent, money);
      known = { cached, money: hasPrices ? money : money.fill(Number.NaN) };
    }
    return known;
  };
  return {
    tokens,
    carried: tokens,
    hasPrices,
    get cached() {
      return all().cached;
    },
    get money() {
      return all().money;
    },
    paidFor: node =>
      node === 0
        ? {
            cached: usage?.cacheRead ?? 0,
            money: hasPrices
              ? segments.reduce((sum, { from, to, price }) => sum + (to - from) * price, 0)
              : Number.NaN,
          }
        : { cached: all().cached[node] ?? 0, money: all().money[node] ?? Number.NaN },
  };
}

/** Gives the leaves of a request what was read from the cache of each, and what each cost. */
function paidByLeaf(
  tree: BreakdownTree,
  columns: SessionColumns,
  request: number,
  segments: readonly InputSegment[],
): Pick<PartFigures, 'cached' | 'money'> {
  const cached = new Float64Array(tree.count);
  const money = new Float64Array(tree.count);
  const hidden = tree.notRecordedOf(columns.requests.thread[request] ?? 0);
  if (hidden < 0) {
    return { cached, money };
  }
  const { blocks, sums, factor, notRecorded } = dividedRequest(columns, request);
  const leaves = leavesOf(tree, columns, request);
  let position = -1;
  let offset = 0;
  for (const { part, to, price } of segments) {
    const share = part === 'cacheRead' ? 1 : 0;
    // What is not recorded comes first, then the blocks. The last of a segment may go on in the next one.
    while (offset < to && position < blocks.length) {
      const leaf = position < 0 ? hidden : (leaves[position] ?? -1);
      const end = notRecorded.value + (position < 0 ? 0 : (sums[position + 1] ?? 0) * factor);
      const upTo = Math.min(end, to);
      if (upTo > offset) {
        cached[leaf] = (cached[leaf] ?? 0) + (upTo - offset) * share;
        money[leaf] = (money[leaf] ?? 0) + (upTo - offset) * price;
        offset = upTo;
      }
      position += end <= to ? 1 : 0;
    }
  }
  for (const { leaf, parts } of tree.divided) {
    for (const figures of [cached, money]) {
      const whole = figures[leaf] ?? 0;
      let taken = 0;
      for (const part of parts) {
        figures[part.leaf] = whole * (part.upTo - taken);
        taken = part.upTo;
      }
      figures[leaf] = whole * (1 - taken);
    }
  }
  return { cached, money };
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
