import type { WorkOptions } from '../base/cancelling';
import { type BrokenRequest, pairsToRead } from '../cache/brokenRequests';
import type { CacheFinding, CacheReport } from '../cache/cacheFinding';
import { cacheReport, findCacheBreaks, outlineCache } from '../cache/cacheReport';
import { CacheSession } from '../cache/cacheSession';
import { compareTexts } from '../cache/textChange';
import type { SessionColumns } from '../model/columns';
import type { PruneOptions } from '../model/pruneConfig';
import { knownLosses } from '../prune/laterRequests';
import { replayPrune } from '../prune/replay';
import { type ReplaySummary, summariseReplay } from '../prune/replaySummary';
import {
  findBestMoment,
  findBestOptions,
  type Found,
  type PruneMomentChoice,
  type PruneOptionsChoice,
  runSearch,
  type Search,
} from '../prune/search';
import type { TranscriptSession } from '../session/transcriptSession';

/** Points of the chart of a replay. */
const replayPoints = 120;

const questionsOf = new WeakMap<TranscriptSession, CacheQuestions>();

/** Answers questions about a session's cache. There is one instance per session, which caches its preparations. */
export function cacheQuestions(session: TranscriptSession): CacheQuestions {
  const questions = questionsOf.get(session) ?? new CacheQuestions(session);
  questionsOf.set(session, questions);
  return questions;
}

/**
 * The losses of a session's cache, and the effect that pruning would have had. Prepared once for each version of the
 * columns.
 */
class CacheQuestions {
  private prepared: CacheSession | undefined;
  private answered: { readonly columns: SessionColumns; readonly report: Promise<CacheReport> } | undefined;
  /** The number of searches that were started. */
  private readonly searches = { moment: 0, options: 0 };

  constructor(private readonly session: TranscriptSession) {}

  /**
   * The cache boundaries of all requests, and the cause of each cache loss. Reads only the texts of blocks that
   * changed.
   */
  report(): Promise<CacheReport> {
    const session = this.cacheSession();
    if (this.answered?.columns !== session.columns) {
      this.answered = { columns: session.columns, report: this.makeReport(session) };
    }
    return this.answered.report;
  }

  /** The report without the provider's recorded verdicts, so that the inferred causes can be compared with them. */
  inferredReport(): Promise<CacheReport> {
    return this.makeReport(new CacheSession(this.session.toSession(), true));
  }

  /** The cause of the last cache loss in a thread. Explains only that request, so it costs little in a long session. */
  async newestBreak(thread: number): Promise<CacheFinding | undefined> {
    const session = this.cacheSession();
    const newest = outlineCache(session).broken.findLast(
      ({ request }) => session.threadOf(request) === thread,
    );
    const [finding] = newest === undefined ? [] : await this.explained(session, [newest]);
    return finding;
  }

  private async makeReport(session: CacheSession): Promise<CacheReport> {
    const outline = outlineCache(session);
    return cacheReport(session, outline, await this.explained(session, outline.broken));
  }

  private async explained(
    session: CacheSession,
    broken: readonly BrokenRequest[],
  ): Promise<readonly CacheFinding[]> {
    const changed = new Set(
      broken.flatMap(each => pairsToRead(each).flatMap(({ before, after }) => [before, after])),
    );
    const texts = new Map<number, string>();
    for await (const { block, text } of this.session.textsOf([...changed])) {
      texts.set(block, text);
    }
    return findCacheBreaks(session, broken, ({ before, after }) =>
      compareTexts(texts.get(before) ?? '', texts.get(after) ?? ''),
    );
  }

  private cacheSession(): CacheSession {
    const session = this.session.toSession();
    if (this.prepared?.columns !== session.columns) {
      this.prepared = new CacheSession(session);
    }
    return this.prepared;
  }

  /**
   * The cost of the rest of the session if it had been pruned at a request, and again whenever the rule set would have
   * pruned.
   */
  pruneReplay(request: number, options: PruneOptions): ReplaySummary {
    return summariseReplay(replayPrune(this.cacheSession(), request, options), replayPoints);
  }

  /**
   * The requests of a request's conversation at which a prune saves the most. A later search cancels an earlier one.
   */
  async bestMoment(request: number, options: PruneOptions): Promise<Found<PruneMomentChoice>> {
    const session = this.cacheSession();
    const losses = knownLosses((await this.report()).findings);
    return this.search('moment', findBestMoment(session, session.threadOf(request), options, losses));
  }

  /**
   * The same for the main conversation, found in the background: a search of the user neither cancels it nor is
   * cancelled by it.
   */
  async bestMomentOfMain(options: PruneOptions, work?: WorkOptions): Promise<Found<PruneMomentChoice>> {
    const session = this.cacheSession();
    const losses = knownLosses((await this.report()).findings);
    return runSearch(findBestMoment(session, 0, options, losses), work);
  }

  /** The rule sets and thresholds that save the most from a request on. A later search cancels an earlier one. */
  bestOptions(request: number, options: PruneOptions): Promise<Found<PruneOptionsChoice>> {
    return this.search('options', findBestOptions(this.cacheSession(), request, options));
  }

  private search<Result>(kind: 'moment' | 'options', search: Search<Result>): Promise<Result> {
    this.searches[kind] += 1;
    const started = this.searches[kind];
    return runSearch(search, { isCancelled: () => started !== this.searches[kind] });
  }
}
