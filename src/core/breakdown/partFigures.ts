import type { Session, SessionColumns } from '../model/columns';
import { inputSegments } from '../view/inputSegments';
import { dividedRequest } from '../view/requestView';
import { requestUsage, SessionPrices } from '../view/sessionCost';
import { type BreakdownTree, requestTokens } from './breakdownTree';

/** What each node of a tree stands for, by node. */
export interface PartFigures {
  /** How long it is: tokens in the request; over all requests, each block counted once. */
  readonly tokens: Float64Array;
  /** Input tokens that were sent for it, from the cache and not. Of one request they are fractions. */
  readonly cached: Float64Array;
  readonly fresh: Float64Array;
  /** What that cost, in US dollars at list prices; NaN where no price is known. */
  readonly money: Float64Array;
}

/** The figures of one request: what was read from its cache, and what it cost, falls on the blocks in wire order. */
export function requestFigures(
  tree: BreakdownTree,
  { columns, summary }: Session,
  request: number,
): PartFigures {
  const tokens = requestTokens(tree, columns, request);
  const cached = new Float64Array(tree.count);
  const money = new Float64Array(tree.count);
  const usage = requestUsage(columns, request);
  const prices = new SessionPrices(columns, summary.models).of(request);
  const segments = usage === undefined ? [] : inputSegments(usage, prices);
  const thread = columns.requests.thread[request] ?? 0;
  const hidden = tree.notRecordedOf(thread);
  let next = 0;
  /** Gives a leaf what lies between two offsets of the input, which come in order. */
  const give = (leaf: number, from: number, to: number): void => {
    for (let index = next; index < segments.length; index += 1) {
      const segment = segments[index];
      if (segment === undefined || segment.from >= to) {
        break;
      }
      const amount = Math.max(0, Math.min(to, segment.to) - Math.max(from, segment.from));
      cached[leaf] = (cached[leaf] ?? 0) + (segment.part === 'cacheRead' ? amount : 0);
      money[leaf] = (money[leaf] ?? 0) + amount * segment.price;
      next = segment.to <= to ? index + 1 : next;
    }
  };
  if (hidden >= 0) {
    const { blocks, sums, factor, notRecorded } = dividedRequest(columns, request);
    let offset = notRecorded.value;
    give(hidden, 0, offset);
    for (let position = 0; position < blocks.length; position += 1) {
      const end = notRecorded.value + (sums[position + 1] ?? 0) * factor;
      give(tree.leafOf(blocks[position] ?? 0, thread), offset, end);
      offset = end;
    }
  }
  sumUp(tree, cached);
  sumUp(tree, money);
  return {
    tokens,
    cached,
    fresh: tokens.map((count, node) => count - (cached[node] ?? 0)),
    money: usage === undefined || prices === undefined ? money.fill(Number.NaN) : money,
  };
}

/** The figures over all requests. What is not recorded is as long as in the request with the most of it. */
export function sessionFigures(tree: BreakdownTree, { blocks, requests }: SessionColumns): PartFigures {
  const tokens = new Float64Array(tree.count);
  for (let node = 0; node < tree.count; node += 1) {
    const block = tree.block[node] ?? -1;
    tokens[node] = block < 0 ? 0 : (blocks.tokens[block] ?? 0);
  }
  requests.thread.forEach((thread, request) => {
    const hidden = tree.notRecordedOf(thread);
    if (hidden >= 0) {
      tokens[hidden] = Math.max(tokens[hidden] ?? 0, requests.notRecorded[request] ?? 0);
    }
  });
  sumUp(tree, tokens);
  const { cached, fresh, money } = tree;
  return { tokens, cached, fresh, money };
}

/** Adds what nodes have to those above them. */
function sumUp({ parent }: BreakdownTree, figures: Float64Array): void {
  for (let node = parent.length - 1; node > 0; node -= 1) {
    const above = parent[node] ?? 0;
    figures[above] = (figures[above] ?? 0) + (figures[node] ?? 0);
  }
}
