import * as v from 'valibot';
import { type Described, numbers } from '../base/schema';
import type { SessionColumns } from '../model/columns';
import type { CacheRules, TokenPrices } from '../model/modelRow';
import { contextOf } from '../model/requestBlocks';
import { cacheWritePrice, million } from '../tokens/prices';
import type { RequestTokens } from '../view/requestTokens';

/** Tokens that requests would have read, written and sent uncached with some breakpoints; calibrated. */
export const simulatedUse = v.object({
  ...numbers('cacheRead', 'cacheWrite', 'fresh'),
  /** Cost of that input in US dollars; undefined if the prices of a request are unknown. */
  dollars: v.optional(v.number()),
});
export type SimulatedUse = Described<typeof simulatedUse>;

export interface SimulationInput {
  readonly columns: SessionColumns;
  readonly tokens: RequestTokens;
  /** Requests of one thread and model, oldest first. For the first, nothing is cached. */
  readonly requests: readonly number[];
  readonly marksOf: (request: number) => readonly number[];
  readonly rules: CacheRules;
  readonly pricesOf: (request: number) => TokenPrices | undefined;
}

/** A prefix in the provider's cache. */
interface Entry {
  /** The position of its last block. */
  readonly position: number;
  /** Milliseconds since 1970; NaN if not recorded. */
  readonly used: number;
}

/**
 * Simulates requests with a cache of the marked prefixes. A read finds an entry within the lookback of a mark; the part
 * between the read and the last mark is written. Linear in requests, and in the contexts that they change to.
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
    // A missing time counts as no pause.
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

/** Number of leading blocks that two requests share. Requests of one context share the whole shorter one. */
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
