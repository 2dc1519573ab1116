import { hasBits } from '../base/numbers';
import { cacheDiagnosisTypes } from '../model/cacheDiagnosis';
import { versionOf } from '../model/agentVersion';
import { requestFlags, type Session, type SessionColumns } from '../model/columns';
import type { CacheSurvival, ModelRow } from '../model/modelRow';
import type { RecordedAgent } from '../model/transcript';
import { losesCaches, survivalAfter, usualLifetime } from '../tokens/cacheSurvival';
import { ContextComparison } from '../view/contextDifference';
import { RequestTokens } from '../view/requestTokens';
import { SessionPrices } from '../view/sessionCost';
import type { RecordedDiagnosis } from './cacheFinding';
import { CacheUse } from './cacheUse';

/** With fewer proven misses than this, they may be chance. */
const fewestMisses = 2;

/** The requests of a thread so far. */
interface LastOfThread {
  /** The newest one whose usage is recorded; -1 for none. */
  readonly request: number;
  readonly count: number;
  /** The first one since the last compaction. */
  readonly first: number;
}

/** Unrecorded tokens, with their relative error. */
interface HiddenTokens {
  readonly value: number;
  readonly error: number;
}

/** The data behind all cache questions of a session, prepared once in one pass. */
export class CacheSession {
  readonly columns: SessionColumns;
  readonly tokens: RequestTokens;
  readonly use: CacheUse;
  readonly contexts: ContextComparison;
  readonly compactions: Session['summary']['compactions'];
  /** Positions of the recorded breakpoints, by request. */
  readonly marks: ReadonlyMap<number, readonly number[]>;
  private readonly prices: SessionPrices;
  /** The previous request of the thread with recorded usage, for each request; -1 for none. */
  private readonly before: Int32Array;
  /** Number of earlier requests of the thread, for each request. */
  private readonly places: Uint32Array;
  /** For each request, the first one of its thread since the last compaction. */
  private readonly firsts: Uint32Array;
  /** Contents that begin with the text of a skill: the first block with each. */
  private readonly skillTexts: ReadonlySet<number>;
  private readonly agent: RecordedAgent;
  /** Number of proven misses of the provider, by model. */
  private readonly misses = new Map<number, number>();

  /** @param hidesDiagnoses ignores the reports of the provider, so all causes are inferred */
  constructor(
    { columns, summary }: Session,
    private readonly hidesDiagnoses = false,
  ) {
    this.columns = columns;
    this.compactions = summary.compactions;
    this.prices = new SessionPrices(columns, summary.models);
    this.marks = new Map(columns.breakpoints.map(({ request, positions }) => [request, positions]));
    this.tokens = new RequestTokens(columns);
    this.use = new CacheUse(columns, request => this.rowOf(request)?.cache);
    this.contexts = new ContextComparison(columns);
    const { thread } = columns.requests;
    const continuedBy = this.continuations();
    const last = new Map<number, LastOfThread>();
    this.before = new Int32Array(thread.length).fill(-1);
    this.places = new Uint32Array(thread.length);
    this.firsts = new Uint32Array(thread.length);
    const compacted = this.compactedRequests();
    thread.forEach((number, request) => {
      const known = last.get(number) ?? { request: -1, count: 0, first: request };
      const first = compacted.has(request) ? request : known.first;
      this.before[request] = this.predecessor(request, known.request, continuedBy);
      this.places[request] = known.count;
      this.firsts[request] = first;
      last.set(number, {
        request: this.hasFlag(request, requestFlags.recorded) ? request : known.request,
        count: known.count + 1,
        first,
      });
    });
    this.agent = summary.agent;
    this.skillTexts = new Set(
      (summary.parts ?? []).flatMap(({ kind, start, block }) =>
        kind === 'skill' && start === 0 ? [columns.blocks.content[block] ?? block] : [],
      ),
    );
  }

  /** The first request of its thread after each compaction. */
  private compactedRequests(): ReadonlySet<number> {
    const found = new Set<number>();
    const next = new Map<number, number>();
    const { thread } = this.columns.requests;
    let request = thread.length;
    for (const compaction of this.compactions
      .filter(({ kind }) => kind === 'compaction')
      .toSorted((one, other) => other.request - one.request)) {
      for (; request > compaction.request; request -= 1) {
        next.set(thread[request - 1] ?? 0, request - 1);
      }
      found.add(next.get(compaction.thread) ?? -1);
    }
    return found;
  }

  /** The last request that continues all of this one, by request; -1 for none. */
  private continuations(): Int32Array {
    const { predictedFrom } = this.columns.requests;
    const continuedBy = new Int32Array(predictedFrom.length).fill(-1);
    predictedFrom.forEach((source, request) => {
      if (this.isContinued(source, request)) {
        continuedBy[source] = request;
      }
    });
    return continuedBy;
  }

  private isContinued(source: number, request: number): boolean {
    const { thread, length, predictedBlocks } = this.columns.requests;
    return (
      source >= 0 &&
      thread[source] === thread[request] &&
      (predictedBlocks[request] ?? 0) >= (length[source] ?? 0)
    );
  }

  /**
   * The previous request of the conversation, usually the last one of the thread. Sessions with the same beginning may
   * share a thread. Then a request follows the one that it continues most of, and a request that a later one continues
   * does not precede the requests between them.
   */
  private predecessor(request: number, last: number, continuedBy: Int32Array): number {
    const { length, predictedBlocks, predictedFrom } = this.columns.requests;
    const source = predictedFrom[request] ?? -1;
    if (
      this.isContinued(source, request) &&
      this.isRecorded(source) &&
      2 * (length[source] ?? 0) >= (length[last] ?? 0)
    ) {
      return source;
    }
    if (last < 0 || (continuedBy[last] ?? -1) <= request || this.isSwitch(last, request)) {
      return last;
    }
    let earlier = source;
    while (earlier >= 0 && (length[earlier] ?? 0) > (predictedBlocks[request] ?? 0)) {
      earlier = this.before[earlier] ?? -1;
    }
    return earlier;
  }

  /**
   * The unrecorded part at the start of a request: system text, tools and injected text, with its relative error. Tokens
   * that came later without a record, as results of searches, are further back.
   */
  hiddenStart(request: number): HiddenTokens {
    return this.hiddenBounds(request).least;
  }

  /**
   * The unrecorded part before a block of a request lies between those of this request and of the first one of its thread,
   * because no record says where the tokens stand that were added or went away in between.
   */
  hiddenBounds(request: number): { readonly least: HiddenTokens; readonly most: HiddenTokens } {
    const own = this.hiddenOf(request);
    const first = this.hiddenOf(this.firsts[request] ?? request);
    return first.value < own.value ? { least: first, most: own } : { least: own, most: first };
  }

  private hiddenOf(request: number): HiddenTokens {
    return {
      value: this.tokens.notRecorded(request),
      error: this.columns.requests.notRecordedError[request] ?? 0,
    };
  }

  /** True if a block is the text of a skill, at whatever place it was injected. */
  isSkillText(block: number): boolean {
    return this.skillTexts.has(this.columns.blocks.content[block] ?? block);
  }

  /** True if another model continues the conversation, for a while or for good. */
  private isSwitch(earlier: number, later: number): boolean {
    return (
      this.modelOf(earlier) !== this.modelOf(later) &&
      2 * this.contexts.compare(earlier, later).fresh.length <= this.lengthOf(later)
    );
  }

  /** The version of the agent that made a request, if it is another one than that of an earlier request. */
  newVersion(earlier: number, later: number): string | undefined {
    const version = versionOf(this.agent, later);
    return version === versionOf(this.agent, earlier) ? undefined : version;
  }

  /**
   * True if the provider failed several times to find the cache of a request although no recorded part differed and the
   * unrecorded start was read.
   */
  missesOften(request: number): boolean {
    const model = this.columns.requests.model[request] ?? 0;
    let misses = this.misses.get(model);
    if (misses === undefined) {
      misses = Array.from(this.columns.requests.model).filter(
        (other, number) => other === model && this.isMiss(number),
      ).length;
      this.misses.set(model, misses);
    }
    return misses >= fewestMisses;
  }

  private isMiss(request: number): boolean {
    const previous = this.previousOf(request);
    const { value, error } = this.hiddenStart(request);
    const read = this.readOf(request);
    return (
      previous !== undefined &&
      this.isRecorded(request) &&
      this.modelOf(previous) === this.modelOf(request) &&
      read > (1 + error) * value + this.use.tolerance(request) &&
      (this.use.leftReadable(previous) ?? 0) - read > this.use.tolerance(request) &&
      this.tokens.total(request) >= this.tokens.total(previous) &&
      this.contexts.common(previous, request) >= this.lengthOf(previous)
    );
  }

  rowOf(request: number): ModelRow | undefined {
    return this.prices.rowOf(request);
  }

  modelOf(request: number): string {
    return this.prices.modelOf(request);
  }

  isRecorded(request: number): boolean {
    return this.hasFlag(request, requestFlags.recorded);
  }

  /** The requested reasoning effort, if recorded. */
  effortOf(request: number): string | undefined {
    const { requests, strings } = this.columns;
    const effort = strings.at(requests.effort[request] ?? 0) ?? '';
    return effort === '' ? undefined : effort;
  }

  isResumed(request: number): boolean {
    return this.hasFlag(request, requestFlags.resumed);
  }

  isComplete(request: number): boolean {
    return this.hasFlag(request, requestFlags.complete);
  }

  /** The last request before in the thread whose usage is recorded. */
  previousOf(request: number): number | undefined {
    const previous = this.before[request] ?? -1;
    return previous < 0 ? undefined : previous;
  }

  /** The earlier request that the predicted prefix equals. */
  sourceOf(request: number): number | undefined {
    const source = this.columns.requests.predictedFrom[request] ?? -1;
    return source < 0 ? undefined : source;
  }

  /** The number of earlier requests in its thread. */
  placeOf(request: number): number {
    return this.places[request] ?? 0;
  }

  threadOf(request: number): number {
    return this.columns.requests.thread[request] ?? 0;
  }

  lengthOf(request: number): number {
    return this.columns.requests.length[request] ?? 0;
  }

  /** Tokens that the request read from the cache, as recorded. */
  readOf(request: number): number {
    return this.columns.requests.cacheRead[request] ?? 0;
  }

  /** Seconds between two requests; undefined if a time is not recorded. */
  secondsBetween(earlier: number, later: number): number | undefined {
    const { timestamp } = this.columns.requests;
    const seconds = ((timestamp[later] ?? Number.NaN) - (timestamp[earlier] ?? Number.NaN)) / 1000;
    return Number.isNaN(seconds) ? undefined : seconds;
  }

  /** Seconds that the request's cache entry lives: as requested, otherwise as is usual for its model. */
  lifetimeOf(request: number): number | undefined {
    return this.askedLifetimeOf(request) ?? usualLifetime(this.rowOf(request)?.cache);
  }

  /** Number of observed caches of the earlier request's model that survived a pause of this length. */
  survivalBetween(earlier: number, later: number): CacheSurvival | undefined {
    const seconds = this.secondsBetween(earlier, later);
    return seconds === undefined
      ? undefined
      : survivalAfter(this.rowOf(earlier)?.cache, this.askedLifetimeOf(earlier), seconds);
  }

  /** True if caches were observed to expire in a pause of this length without a requested lifetime. */
  isLosingPause(earlier: number, later: number): boolean {
    const seconds = this.secondsBetween(earlier, later);
    return (
      seconds !== undefined &&
      this.askedLifetimeOf(earlier) === undefined &&
      losesCaches(this.rowOf(earlier)?.cache, seconds)
    );
  }

  /** Requested lifetime of the written cache in seconds, if recorded. */
  askedLifetimeOf(request: number): number | undefined {
    const asked = this.columns.requests.cacheLifetime[request] ?? 0;
    return asked > 0 ? asked : undefined;
  }

  /** The provider's report on the cache of the request, if it was asked. */
  diagnosisOf(request: number): RecordedDiagnosis | undefined {
    const { diagnosis, diagnosisTokens } = this.columns.requests;
    const type = cacheDiagnosisTypes[(diagnosis[request] ?? 0) - 1];
    const tokens = diagnosisTokens[request] ?? -1;
    return type === undefined || this.hidesDiagnoses
      ? undefined
      : { type, tokens: tokens < 0 ? null : tokens };
  }

  private hasFlag(request: number, flag: number): boolean {
    return hasBits(this.columns.requests.flags, request, flag);
  }
}
