import { hasBits } from '../base/numbers';
import { requestFlags, type SessionColumns, type SessionSummary } from '../model/columns';
import { inputSegments } from './inputSegments';
import { RequestTokens } from './requestTokens';
import { requestUsage, SessionPrices } from './sessionCost';

/** The requests that sent a block, and the cost of sending it. */
export interface BlockExposure {
  /** The requests of its conversation that hold it, by index, oldest first. */
  readonly requests: readonly number[];
  /** The first of these requests, from the given one on, that read the whole block from the cache, as recorded. */
  readonly cachedFrom: number | undefined;
  /**
   * Its share of the cost of the requests up to the given one, in US dollars at list prices; undefined if none of them
   * has recorded usage and a known price.
   */
  readonly cost: number | undefined;
}

/**
 * The history of a block up to a request. Takes one search of every context, and one pass over the requests with the
 * block.
 */
export function blockExposure(
  columns: SessionColumns,
  models: SessionSummary['models'],
  block: number,
  upTo: number,
): BlockExposure {
  const { contexts, requests: rows } = columns;
  const thread = rows.thread[columns.blocks.firstRequest[block] ?? -1];
  const places = contexts.map(context => context.indexOf(block));
  const requests: number[] = [];
  for (let request = 0; request < rows.context.length; request += 1) {
    const place = places[rows.context[request] ?? 0] ?? -1;
    if (rows.thread[request] === thread && place >= 0 && place < (rows.length[request] ?? 0)) {
      requests.push(request);
    }
  }
  const tokens = new RequestTokens(columns);
  const prices = new SessionPrices(columns, models);
  const spanIn = (request: number): readonly [start: number, end: number] => {
    const place = places[rows.context[request] ?? 0] ?? 0;
    return [tokens.prefix(request, place), tokens.prefix(request, place + 1)];
  };
  let cost: number | undefined;
  for (const request of requests) {
    const usage = request > upTo ? undefined : requestUsage(columns, request);
    const list = usage === undefined ? undefined : prices.of(request);
    if (usage !== undefined && list !== undefined) {
      const [start, end] = spanIn(request);
      cost = inputSegments(usage, list).reduce(
        (sum, { from, to, price }) => sum + Math.max(0, Math.min(end, to) - Math.max(start, from)) * price,
        cost ?? 0,
      );
    }
  }
  return {
    requests,
    cachedFrom: requests.find(
      request =>
        request >= upTo &&
        hasBits(rows.flags, request, requestFlags.recorded) &&
        spanIn(request)[1] <= (rows.cacheRead[request] ?? 0),
    ),
    cost,
  };
}
