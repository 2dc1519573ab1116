import * as v from 'valibot';
import { type Described, numbers } from '../base/schema';
import type { SessionColumns } from '../model/columns';
import type { CacheRules, TokenPrices } from '../model/modelRow';
import { contextOf } from '../model/requestBlocks';
import { cacheWritePrice, million } from '../tokens/prices';
import type { RequestTokens } from '../view/requestTokens';

/** What requests would have read, written and sent fresh with some choice of breakpoints; calibrated tokens. */
export const simulatedUse = v.object({
  ...numbers('cacheRead', 'cacheWrite', 'fresh'),
  /** US dollars of that input; undefined where the prices of a request are not known. */
  dollars: v.optional(v.number()),
});
export type SimulatedUse = Described<typeof simulatedUse>;

export interface SimulationInput {
  readonly columns: SessionColumns;
  readonly tokens: RequestTokens;
  /** Requests of one thread and model, oldest first; the first finds nothing cached. */
  readonly requests: readonly number[];
  readonly marksOf: (request: number) => readonly number[];
  readonly rules: CacheRules;
  readonly pricesOf: (request: number) => TokenPrices | undefined;
}

/** A prefix that the provider holds. */
interface Entry {
  /** The position of its last block. */
  readonly position: number;
  /** Milliseconds since 1970, NaN where not recorded. */
  readonly used: number;
}

/**
 * Plays requests through a cache that holds what is marked: a read finds an entry within the lookback of a mark, and what
 * lies between the read and the last mark is written. Linear in requests, and in the contexts that they change to.
 */
export function simulateBreakpoints({
  columns,
  tokens,
  requests,
  marksOf,
  rules,
  pricesOf,
}: SimulationInput): SimulatedUse {
  const { length, timestamp, cacheLifetime } = columns.requests;
  let entries: readonly Entry[] = [];
  let previous: number | undefined;
  const use = { cacheRead: 0, cacheWrite: 0, fresh: 0 };
  let dollars: number | undefined = 0;
  for (const request of requests) {
    const now = timestamp[request] ?? Number.NaN;
    const lifetime = (cacheLifetime[request] ?? 0) || (rules.lifetimeSeconds ?? Number.POSITIVE_INFINITY);
    const common = previous === undefined ? 0 : commonBlocks(columns, previous, request);
    const marks = marksOf(request).filter(
      mark => mark < (length[request] ?? 0) && tokens.prefix(request, mark + 1) >= (rules.minimumTokens ?? 0),
    );
    // A time that is not recorded is no pause.
    entries = entries.filter(({ position, used }) => position < common && !(now - used > lifetime * 1000));
    const found = entries
      .filter(({ position }) => marks.some(mark => isWithin(position, mark, rules.lookbackBlocks)))
      .reduce((longest, { position }) => Math.max(longest, position), -1);
    const end = Math.max(found, ...marks);
    const cacheRead = found < 0 ? 0 : tokens.prefix(request, found + 1);
    const cacheWrite = end < 0 ? 0 : tokens.prefix(request, end + 1) - cacheRead;
    const fresh = tokens.total(request) - cacheRead - cacheWrite;
    use.cacheRead += cacheRead;
    use.cacheWrite += cacheWrite;
    use.fresh += fresh;
    const prices = pricesOf(request);
    dollars =
      prices === undefined || dollars === undefined
        ? undefined
        : dollars +
          (cacheRead * prices.cacheRead +
            cacheWrite * cacheWritePrice(prices, lifetime) +
            fresh * prices.input) /
            million;
    entries = [
      ...entries
        .filter(({ position }) => !marks.includes(position))
        .map(entry => (entry.position <= found ? { ...entry, used: now } : entry)),
      ...marks.map(position => ({ position, used: now })),
    ];
    previous = request;
  }
  return { ...use, dollars };
}

function isWithin(position: number, mark: number, lookback = Number.POSITIVE_INFINITY): boolean {
  return position <= mark && mark - position < lookback;
}

/** Leading blocks that two requests share; requests of one context share all of the shorter. */
export function commonBlocks(columns: SessionColumns, first: number, second: number): number {
  const { blocks, requests } = columns;
  const shorter = Math.min(requests.length[first] ?? 0, requests.length[second] ?? 0);
  if (requests.context[first] === requests.context[second]) {
    return shorter;
  }
  const before = contextOf(columns, first);
  const after = contextOf(columns, second);
  for (let position = 0; position < shorter; position += 1) {
    const [one = 0, other = 0] = [before[position], after[position]];
    if (one !== other && blocks.content[one] !== blocks.content[other]) {
      return position;
    }
  }
  return shorter;
}
