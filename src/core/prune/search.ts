import { throwIfCancelled, type WorkOptions, WorkTurn } from '../base/cancelling';
import type { CacheSession } from '../cache/cacheSession';
import { type PruneOptions, type PruneRuleSet, pruneRuleSets, withRuleSet } from '../model/pruneConfig';
import { requestsOfThread } from '../model/requestBlocks';
import { buildRequestView } from '../view/requestView';
import type { TokenQuality } from '../tokens/quality';
import type { KnownLosses } from './laterRequests';
import { pruneNet } from './net';
import { prunePreview } from './prunePreview';
import { replayPrune } from './replay';
import type { Worth } from './requestCost';

/** Steps done, and in all. */
export interface SearchProgress {
  readonly done: number;
  readonly total: number;
}

/** A search in steps; the caller may stop after any of them. */
export type Search<Result> = Generator<SearchProgress, Result, undefined>;

/** The result of a search. */
export interface Found<Choice> {
  /** The choice that saves the most; absent if not pruning is best. */
  readonly best?: Choice | undefined;
  /** The best choice without the losses that nobody could foresee, if it is another one. */
  readonly foreseen?: Choice | undefined;
  /** Best choices first, including those that cost more; at most the requested number. */
  readonly ranked: readonly Choice[];
  /** Number of choices that prune anything. */
  readonly considered: number;
  /** Number of choices without a rank, because a price is unknown. */
  readonly unpriced: number;
}

/** A prune at one request. */
export interface PruneMomentChoice {
  readonly request: number;
  /** Over the rest of the session; negative if it costs more. */
  readonly gained: Worth;
  /** The same without the losses that nobody could foresee; absent if none adds to it. */
  readonly foreseen?: Worth;
  /** The request whose loss adds the most to `gained`. */
  readonly restsOn?: number;
  readonly tokensFreed: number;
  /** Of `tokensFreed`. */
  readonly quality: TokenQuality;
  readonly error: number;
  /** Number of pruned results. */
  readonly results: number;
}

/** A configuration, replayed to the end of the session. */
export interface PruneOptionsChoice {
  readonly options: PruneOptions;
  readonly gained: Worth;
  /** The number of prunes. */
  readonly prunes: number;
}

/** The values whose combinations are tried. */
export interface PruneGrid {
  readonly ruleSets: readonly PruneRuleSet[];
  readonly protectTokens: readonly number[];
  readonly minimumTokens: readonly number[];
}

export const defaultPruneGrid: PruneGrid = {
  ruleSets: pruneRuleSets,
  protectTokens: [0, 10_000, 20_000, 40_000, 80_000],
  minimumTokens: [0, 5_000, 20_000, 50_000],
};

const defaultCount = 5;

/** Requests that are tried in full; of more, first a sample, because each costs a pass over all later ones. */
const mostTried = 600;

/**
 * Finds the request of a thread at which a single prune saves the most over the rest of the session. One step per request,
 * each linear in its blocks and in the later requests. In a long thread, tries a sample, then the requests around the best.
 */
export function* findBestMoment(
  session: CacheSession,
  thread: number,
  options: PruneOptions,
  losses?: KnownLosses,
): Search<Found<PruneMomentChoice>> {
  const requests = requestsOfThread(session.columns, thread);
  const step = Math.max(1, Math.round((requests.length / mostTried) ** 2));
  const sampled = yield* momentsAt(
    session,
    requests.filter((_, index) => index % step === 0),
    options,
    losses,
  );
  const place = requests.indexOf(bestOf(sampled, 1).best?.request ?? -1);
  if (step === 1 || place < 0) {
    return bestOf(sampled, defaultCount);
  }
  const around = requests.slice(Math.max(0, place - step + 1), place + step);
  const near = yield* momentsAt(
    session,
    around.filter(request => request !== requests[place]),
    options,
    losses,
  );
  return bestOf(
    { choices: [...sampled.choices, ...near.choices], considered: sampled.considered + near.considered },
    defaultCount,
  );
}

interface Moments {
  readonly choices: readonly PruneMomentChoice[];
  readonly considered: number;
}

function* momentsAt(
  session: CacheSession,
  requests: readonly number[],
  options: PruneOptions,
  losses: KnownLosses | undefined,
): Search<Moments> {
  const { columns } = session;
  const choices: PruneMomentChoice[] = [];
  let considered = 0;
  for (const [done, request] of requests.entries()) {
    yield { done, total: requests.length };
    const view = buildRequestView(columns, request, { low: 0, high: 0 });
    const preview = prunePreview(columns, view, options);
    if (preview.plan.executes) {
      const { worth, tokensFreed, quality, error } = pruneNet(session, view, preview, options, losses);
      considered += 1;
      if (worth !== undefined) {
        const { gained, foreseen, restsOn } = worth;
        const results = preview.plan.candidates.length;
        choices.push({
          request,
          gained,
          tokensFreed,
          quality,
          error,
          results,
          ...(restsOn === undefined ? {} : { foreseen, restsOn }),
        });
      }
    }
  }
  return { choices, considered };
}

/** The best of the moments, with and without the losses that nobody could foresee. */
function bestOf({ choices, considered }: Moments, count: number): Found<PruneMomentChoice> {
  const found = foundAmong(choices, considered, count);
  const foreseen = choices.reduce<PruneMomentChoice | undefined>(
    (best, choice) => (foreseenOf(choice) > (best === undefined ? 0 : foreseenOf(best)) ? choice : best),
    undefined,
  );
  return foreseen === undefined || foreseen === found.best ? found : { ...found, foreseen };
}

/** US dollars saved without the losses that nobody could foresee. */
export const foreseenOf = ({
  gained,
  foreseen = gained,
}: Pick<PruneMomentChoice, 'gained' | 'foreseen'>): number => foreseen.money;

/**
 * Finds the rule set and thresholds that save the most from a request on, including later prunes. Replacement, measure
 * and protected tools are those of `options`; another rule set has its own protected tools. One replay per step.
 * @param request the first request to prune; with the first one of the thread, the answer covers all of it
 */
export function* findBestOptions(
  session: CacheSession,
  request: number,
  options: PruneOptions,
  grid: PruneGrid = defaultPruneGrid,
  count = defaultCount,
): Search<Found<PruneOptionsChoice>> {
  const tried = grid.ruleSets.flatMap(ruleSet => {
    const chosen = ruleSet === options.ruleSet ? options : withRuleSet(options, ruleSet);
    return grid.protectTokens.flatMap(protectTokens =>
      grid.minimumTokens.map(minimumTokens => ({ ...chosen, enabled: true, protectTokens, minimumTokens })),
    );
  });
  const choices: PruneOptionsChoice[] = [];
  let considered = 0;
  for (const [done, candidate] of tried.entries()) {
    yield { done, total: tried.length };
    const { saved, prunes } = replayPrune(session, request, candidate);
    if (prunes.length > 0) {
      considered += 1;
      if (saved !== undefined) {
        choices.push({ options: candidate, gained: saved, prunes: prunes.length });
      }
    }
  }
  return foundAmong(choices, considered, count);
}

function foundAmong<Choice extends { readonly gained: Worth }>(
  choices: readonly Choice[],
  considered: number,
  count: number,
): Found<Choice> {
  const ranked = choices.toSorted((one, other) => other.gained.money - one.gained.money).slice(0, count);
  const [first] = ranked;
  return {
    best: first !== undefined && first.gained.money > 0 ? first : undefined,
    ranked,
    considered,
    unpriced: considered - choices.length,
  };
}

/** Runs a search to its end without blocking the thread for long. Rejects with CancelledError when it is cancelled. */
export async function runSearch<Result>(
  search: Search<Result>,
  { isCancelled, onProgress }: WorkOptions = {},
): Promise<Result> {
  const turn = new WorkTurn();
  for (;;) {
    const step = search.next();
    if (step.done === true) {
      return step.value;
    }
    if (turn.isOver) {
      onProgress?.(step.value.done, step.value.total);
      await turn.next();
      throwIfCancelled(isCancelled);
    }
  }
}
