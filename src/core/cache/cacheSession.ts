import { hasBits } from '../base/numbers';
import { cacheDiagnosisTypes } from '../model/cacheDiagnosis';
import { requestFlags, type Session, type SessionColumns } from '../model/columns';
import type { ModelRow } from '../model/modelRow';
import { ContextComparison } from '../view/contextDifference';
import { RequestTokens } from '../view/requestTokens';
import { SessionPrices } from '../view/sessionCost';
import type { RecordedDiagnosis } from './cacheFinding';
import { CacheUse } from './cacheUse';

/** Everything that questions about a session's cache are answered from; prepared once per session, in one pass. */
export class CacheSession {
  readonly columns: SessionColumns;
  readonly tokens: RequestTokens;
  readonly use: CacheUse;
  readonly contexts: ContextComparison;
  readonly compactions: Session['summary']['compactions'];
  /** Positions of the recorded breakpoints, by request. */
  readonly marks: ReadonlyMap<number, readonly number[]>;
  private readonly prices: SessionPrices;
  /** The last request before each in its thread whose usage is recorded; -1 for none. */
  private readonly before: Int32Array;
  /** How many requests of its thread stand before each. */
  private readonly places: Uint32Array;

  /** @param hidesDiagnoses as if the provider had said nothing: what is inferred alone */
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
    const last = new Map<number, { readonly request: number; readonly count: number }>();
    this.before = new Int32Array(thread.length).fill(-1);
    this.places = new Uint32Array(thread.length);
    thread.forEach((number, request) => {
      const known = last.get(number) ?? { request: -1, count: 0 };
      this.before[request] = known.request;
      this.places[request] = known.count;
      last.set(number, {
        request: this.hasFlag(request, requestFlags.recorded) ? request : known.request,
        count: known.count + 1,
      });
    });
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

  /** How many requests of its thread stand before it. */
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

  /** Seconds between two requests; undefined where a time is not recorded. */
  secondsBetween(earlier: number, later: number): number | undefined {
    const { timestamp } = this.columns.requests;
    const seconds = ((timestamp[later] ?? Number.NaN) - (timestamp[earlier] ?? Number.NaN)) / 1000;
    return Number.isNaN(seconds) ? undefined : seconds;
  }

  /** Seconds that the request's cache entry lives: as requested, otherwise as the provider promises. */
  lifetimeOf(request: number): number | undefined {
    const asked = this.columns.requests.cacheLifetime[request] ?? 0;
    return asked > 0 ? asked : this.rowOf(request)?.cache.lifetimeSeconds;
  }

  /** What the provider itself says about the request's cache, where it was asked. */
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
