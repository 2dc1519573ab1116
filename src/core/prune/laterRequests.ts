import { entryOf } from '../base/entryOf';
import { countBelow, firstWhere } from '../base/numbers';
import { type CacheBreakCause, type CacheFinding, lossesIn } from '../cache/cacheFinding';
import type { CacheSession } from '../cache/cacheSession';
import type { Compaction } from '../model/transcript';
import { add, inputCost, nothing, sentTokens, type SentTokens, subtract, type Worth } from './requestCost';

/**
 * The reason why savings end: the last request of the session, or an event that removed the results from the context.
 */
export type LastingEnd = 'sessionEnd' | 'rewritten' | Compaction['kind'];

/** A cache loss: the tokens that were paid for again, and whether it could be known before the request was sent. */
export interface KnownLoss {
  readonly tokens: number;
  readonly isForeseeable: boolean;
}
export type KnownLosses = ReadonlyMap<number, KnownLoss>;

/** Causes that show only in the usage of the request itself. */
const unforeseeable: readonly CacheBreakCause[] = [
  'unrecordedChanged',
  'parallelRequests',
  'notWrittenYet',
  'evicted',
  'unknown',
];

/** The losses among the findings of a session. Compactions and prunes are meant, and end the saving of a prune. */
export const knownLosses = (findings: readonly CacheFinding[]): KnownLosses =>
  new Map(
    lossesIn(findings).map(({ request, tokensLost, causes: [first] }) => [
      request,
      { tokens: tokensLost, isForeseeable: !unforeseeable.includes(first) },
    ]),
  );

/** The requests after a prune that still contain the pruned results. */
export interface LaterRequests {
  readonly requests: number;
  readonly end: LastingEnd;
  /** The total that they would have saved; undefined if a price is unknown. */
  readonly saved: Worth | undefined;
  /** The same if none of them had lost its cache, which nobody could foresee. Equals `saved` if no losses are given. */
  readonly foreseen: Worth | undefined;
  /** The request whose loss adds the most to the saving; undefined if no loss does. */
  readonly restsOn: number | undefined;
}

const noLosses: KnownLosses = new Map();

/** The input of a request if it had not lost its cache. */
export const withoutLoss = ({ total, read }: SentTokens, { tokens }: KnownLoss): SentTokens => ({
  total,
  read: Math.min(total, read + tokens),
});

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
  /** US dollars saved in each of the later requests whose price is known, in their order. */
  readonly savings: readonly { readonly request: number; readonly money: number }[];
}

/**
 * @param freed tokens freed by block, in the tokens of the request
 * @param losses cache losses by request
 */
export function lastingPrune(
  session: CacheSession,
  request: number,
  freed: ReadonlyMap<number, number>,
  losses: KnownLosses = noLosses,
): LastingPrune {
  const { contexts, requests } = session.columns;
  const standings = new Map<number, Standing>();
  const savings: { readonly request: number; readonly money: number }[] = [];
  const thread = session.threadOf(request);
  let saved: Worth | undefined = nothing;
  let foreseen: Worth | undefined = nothing;
  let restsOn: { readonly request: number; readonly money: number } | undefined;
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
    const difference = savingIn(other, sent, gone);
    if (difference === undefined) {
      saved = undefined;
      foreseen = undefined;
      continue;
    }
    saved = saved && add(saved, difference);
    savings.push({ request: other, money: difference.money });
    const lost = losses.get(other);
    const kept = lost === undefined ? difference : savingIn(other, withoutLoss(sent, lost), gone);
    foreseen = foreseen && kept && add(foreseen, kept);
    const money = difference.money - (kept ?? difference).money;
    if (money > (restsOn?.money ?? 0)) {
      restsOn = { request: other, money };
    }
  }
  return {
    later: { requests: count, end: endBehind(), saved, foreseen, restsOn: restsOn?.request },
    freedBelow,
    savings,
  };

  function savingIn(other: number, sent: SentTokens, gone: number): Worth | undefined {
    const asSent = inputCost(session, other, sent);
    const pruned = inputCost(session, other, {
      total: Math.max(0, sent.total - gone),
      read: Math.max(0, sent.read - freedBelow(other, sent.read)),
    });
    return asSent && pruned && subtract(asSent, pruned);
  }

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
