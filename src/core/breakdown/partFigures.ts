import { lazy } from '../base/lazy';
import type { Session, SessionColumns } from '../model/columns';
import { type InputSegment, inputSegments } from '../view/inputSegments';
import { requestUsage, SessionPrices } from '../view/sessionCost';
import { type BreakdownTree, sumUp } from './breakdownTree';
import { leafShares } from './parts';
import { inWeights, type PartValue, requestValues, requestTokens } from './requestValues';

/** The figures of each node of a tree. */
export interface PartFigures {
  /** Size: tokens in the request; over all requests, each block counted once. */
  readonly tokens: PartValue;
  /** Input tokens that were sent for the node. */
  readonly carried: PartValue;
  /** The cached part of these tokens. For one request, these may be fractions. */
  readonly cached: PartValue;
  /** Cost in US dollars at list prices; NaN if no price is known. */
  readonly money: PartValue;
  readonly hasPrices: boolean;
}

/** The recorded input of a request in segments that are billed alike; none if it is not recorded. */
export function pricedInput(
  { columns, summary }: Session,
  request: number,
): { readonly segments: readonly InputSegment[]; readonly hasPrices: boolean } {
  const usage = requestUsage(columns, request);
  const prices = new SessionPrices(columns, summary.models).of(request);
  return {
    segments: usage === undefined ? [] : inputSegments(usage, prices),
    hasPrices: usage !== undefined && prices !== undefined,
  };
}

/**
 * The figures of one request. Its cached tokens and its cost are assigned to the blocks in wire order. Each figure is
 * computed on demand.
 */
export function requestFigures(tree: BreakdownTree, session: Session, request: number): PartFigures {
  const { columns } = session;
  const { segments, hasPrices } = pricedInput(session, request);
  const isHeld = tree.notRecordedOf(columns.requests.thread[request] ?? 0) >= 0;
  const tokens = lazy(() => requestTokens(tree, columns, request));
  const weighed = (weightOf: (segment: InputSegment) => number): PartValue => {
    const parts = lazy(() => requestValues(tree, columns, request, inWeights(segments, weightOf)));
    // The whole needs no pass over the blocks.
    const whole = segments.reduce((sum, segment) => sum + (segment.to - segment.from) * weightOf(segment), 0);
    return node => (node === 0 && isHeld ? whole : parts()(node));
  };
  return {
    tokens: node => tokens()(node),
    carried: node => tokens()(node),
    cached: weighed(({ part }) => (part === 'cacheRead' ? 1 : 0)),
    money: hasPrices ? weighed(({ price }) => price) : () => Number.NaN,
    hasPrices,
  };
}

/** The figures over all requests. The unrecorded part has the size that it has in the request with the most of it. */
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
  const valueIn =
    (figures: Float64Array): PartValue =>
    node =>
      figures[node] ?? Number.NaN;
  return {
    tokens: valueIn(tokens),
    carried: node => (cached[node] ?? 0) + (fresh[node] ?? 0),
    cached: valueIn(cached),
    money: valueIn(money),
    hasPrices: (money[0] ?? Number.NaN) > 0,
  };
}
