import { entryOf } from '../base/entryOf';
import { countBelow, firstWhere } from '../base/numbers';
import type { CacheSession } from '../cache/cacheSession';
import type { Compaction } from '../model/transcript';
import { add, inputCost, nothing, sentTokens, subtract, type Worth } from './requestCost';

/**
 * The reason why savings end: the last request of the session, or an event that removed the results from the context.
 */
export type LastingEnd = 'sessionEnd' | 'rewritten' | Compaction['kind'];

/** The requests after a prune that still contain the pruned results. */
export interface LaterRequests {
  readonly requests: number;
  readonly end: LastingEnd;
  /** The total that they would have saved; undefined if a price is unknown. */
  readonly saved: Worth | undefined;
}

/** Pruned results in one context: ascending positions, and the tokens freed before each. `freed` has one more entry. */
interface Standing {
  readonly positions: readonly number[];
  readonly freed: readonly number[];
}

/** The saving of a prune in the later requests of its thread. */
export interface LastingPrune {
  readonly later: LaterRequests;
  /** Tokens freed within the first `tokens` tokens of a request. */
  freedBelow(request: number, tokens: number): number;
  /** The first request, including the pruned one, at which the savings reach the cost in US dollars. */
  paidBackAt(owed: number): number | undefined;
}

/** @param freed tokens freed by block, in the tokens of the request */
export function lastingPrune(
  session: CacheSession,
  request: number,
  freed: ReadonlyMap<number, number>,
): LastingPrune {
  const { contexts, requests } = session.columns;
  const standings = new Map<number, Standing>();
  const savings: { readonly request: number; readonly money: number }[] = [];
  const thread = session.threadOf(request);
  let saved: Worth | undefined = nothing;
  let count = 0;
  let lastHolding = request;
  let firstWithout: number | undefined;
  for (let other = request + 1; other < requests.thread.length; other += 1) {
    if (session.threadOf(other) !== thread) {
      continue;
    }
    const { positions, freed: sums } = standingIn(other);
    const gone = sums[countBelow(positions, session.lengthOf(other))] ?? 0;
    if (gone === 0) {
      firstWithout ??= other;
      continue;
    }
    lastHolding = other;
    firstWithout = undefined;
    count += 1;
    const sent = sentTokens(session, other);
    const asSent = inputCost(session, other, sent);
    const pruned = inputCost(session, other, {
      total: Math.max(0, sent.total - gone),
      read: Math.max(0, sent.read - freedBelow(other, sent.read)),
    });
    if (asSent === undefined || pruned === undefined) {
      saved = undefined;
    } else {
      const difference = subtract(asSent, pruned);
      saved = saved === undefined ? undefined : add(saved, difference);
      savings.push({ request: other, money: difference.money });
    }
  }
  return {
    later: { requests: count, end: endBehind(), saved },
    freedBelow,
    paidBackAt(owed) {
      let left = owed;
      if (left <= 0) {
        return request;
      }
      for (const { request: at, money } of savings) {
        left -= money;
        if (left <= 0) {
          return at;
        }
      }
      return undefined;
    },
  };

  function standingIn(other: number): Standing {
    const context = requests.context[other] ?? 0;
    return entryOf(standings, context, () => {
      const positions: number[] = [];
      const sums = [0];
      contexts[context]?.forEach((block, position) => {
        const tokens = freed.get(block);
        if (tokens !== undefined) {
          positions.push(position);
          sums.push((sums.at(-1) ?? 0) + tokens);
        }
      });
      return { positions, freed: sums };
    });
  }

  function freedBelow(other: number, tokens: number): number {
    const { positions, freed: sums } = standingIn(other);
    const reached = firstWhere(
      0,
      countBelow(positions, session.lengthOf(other)),
      index => session.tokens.prefix(other, (positions[index] ?? 0) + 1) > tokens,
    );
    return sums[reached] ?? 0;
  }

  function endBehind(): LastingEnd {
    const next = firstWithout;
    return next === undefined
      ? 'sessionEnd'
      : (session.compactions.find(
          compaction =>
            compaction.thread === thread && compaction.request > lastHolding && compaction.request <= next,
        )?.kind ?? 'rewritten');
  }
}
