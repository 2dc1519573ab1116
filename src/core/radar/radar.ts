import { compareVersions } from '../base/compareVersions';
import { entryOf } from '../base/entryOf';
import { groupBy } from '../base/groupBy';
import { type CacheBreakCause, cacheBreakCauses } from '../cache/cacheFinding';
import { projectOf } from '../index/indexedSession';
import { type IndexedUsage, type SeenRequest, UsageSums } from '../index/usageSums';
import type { UsageWish } from '../index/usageTypes';
import type { ModelLookUp } from '../tokens/modelTable';
import { inputOf } from '../tokens/prices';
import { billedMoney } from '../tokens/usageFigures';
import { type Change, findChanges, type TestedSession } from './changePoints';
import type { RadarChange, RadarFigure, RadarReport, RadarVersion } from './radarReport';

/**
 * The largest chance of any change where versions do not differ, for all agents together: half of what is promised,
 * because tests on generated histories scatter around it.
 */
const level = 0.005;
/** Shorter sessions are summed, but not compared: one request decides their figures. */
const fewestRequests = 5;
const hundred = 100;

/** A figure as a division of two sums, so that sums of sessions can be divided too. */
interface Figure {
  readonly name: RadarFigure;
  readonly cause?: CacheBreakCause;
  readonly isWorseIfHigher: boolean;
  readonly of: (part: SessionPart) => readonly [part: number, whole: number];
}

const figures: readonly Figure[] = [
  { name: 'cacheShare', isWorseIfHigher: false, of: part => [part.read, part.input] },
  { name: 'losses', isWorseIfHigher: true, of: part => [part.lost, part.inputRead] },
  { name: 'notRecorded', isWorseIfHigher: true, of: part => [part.notRecorded, part.requestsRead] },
  {
    name: 'compactions',
    isWorseIfHigher: true,
    of: part => [hundred * part.compactions, part.requests],
  },
  { name: 'cost', isWorseIfHigher: true, of: part => [part.money, part.priced] },
  ...cacheBreakCauses.map((cause): Figure => ({
    name: 'cause',
    cause,
    isWorseIfHigher: true,
    of: part => [part.causes.get(cause) ?? 0, part.inputRead],
  })),
];

/** The requests of a session, with its subagents, that one version of an agent made. */
class SessionPart {
  requests = 0;
  input = 0;
  read = 0;
  /** Of requests whose texts were read. */
  requestsRead = 0;
  inputRead = 0;
  lost = 0;
  notRecorded = 0;
  compactions = 0;
  money = 0;
  priced = 0;
  readonly causes = new Map<CacheBreakCause, number>();
  private readonly models = new Map<string, number>();

  constructor(private readonly project: string) {}

  add(request: SeenRequest): void {
    const { usage, notRecorded, compactions, file, model } = request;
    const lost = request.lost?.isMeant === false ? request.lost : undefined;
    const { isOutputLow, isInputMissing, isInputDoubted } = request;
    const input = inputOf(usage);
    this.requests += 1;
    this.input += input;
    this.read += usage.cacheRead;
    this.compactions += compactions;
    this.models.set(model, 1 + (this.models.get(model) ?? 0));
    if (file !== undefined) {
      this.requestsRead += 1;
      this.inputRead += input;
      this.notRecorded += notRecorded ?? 0;
      this.lost += lost?.tokens ?? 0;
      if (lost !== undefined) {
        this.causes.set(lost.cause, lost.tokens + (this.causes.get(lost.cause) ?? 0));
      }
    }
    // What is recorded too low must not look like a cheaper version.
    const money = isOutputLow || isInputMissing || isInputDoubted ? undefined : billedMoney(request);
    this.money += money ?? 0;
    this.priced += money === undefined ? 0 : 1;
  }

  /** The project and the model of most requests. */
  get stratum(): string {
    const [[model] = ['']] = [...this.models].sort(
      ([first, one], [second, other]) => other - one || (first < second ? -1 : 1),
    );
    return `${this.project}\n${model}`;
  }
}

/** Compares the versions of each agent. Files are added like in `UsageSums`. */
export class RadarSums {
  /** By agent, by version, by session. */
  private readonly agents = new Map<string, Map<string, Map<string, SessionPart>>>();
  private readonly sums: UsageSums;
  private withoutVersion = 0;
  private unread = 0;

  constructor(lookUp: ModelLookUp, period: Pick<UsageWish, 'since' | 'until'> = {}) {
    this.sums = new UsageSums({ by: 'version', ...period }, lookUp, request => this.count(request));
  }

  add(file: IndexedUsage): void {
    this.sums.add(file);
  }

  report(): RadarReport {
    const agents = [...this.agents]
      .sort(([first], [second]) => (first < second ? -1 : 1))
      .map(([agent, byVersion]) => ({
        agent,
        versions: [...byVersion]
          .sort(([first], [second]) => compareVersions(first, second) || (first < second ? -1 : 1))
          .map(([version, sessions]) => ({ version, sessions: [...sessions.values()] })),
      }));
    const compared = agents.filter(({ versions }) => versions.length > 1).length;
    return {
      agents: agents.map(({ agent, versions }) => ({
        agent,
        versions: versions.map(({ version, sessions }) => versionOf(version, sessions)),
        changes: changesOf(versions, compared),
      })),
      withoutVersion: this.withoutVersion,
      unread: this.unread,
    };
  }

  private count(request: SeenRequest): void {
    const { session, version, root, file } = request;
    this.unread += file === undefined ? 1 : 0;
    if (version === '') {
      this.withoutVersion += 1;
      return;
    }
    const versions = entryOf(this.agents, session.agent, () => new Map<string, Map<string, SessionPart>>());
    const sessions = entryOf(versions, version, () => new Map<string, SessionPart>());
    entryOf(sessions, root, () => new SessionPart(projectOf(session))).add(request);
  }
}

interface Version {
  readonly version: string;
  readonly sessions: readonly SessionPart[];
}

/** The value of a figure for some sessions together; NaN if unknown. */
function rateOf({ of }: Figure, parts: readonly SessionPart[]): number {
  let [sum, all] = [0, 0];
  for (const part of parts) {
    const [own, whole] = of(part);
    sum += own;
    all += whole;
  }
  return all === 0 ? Number.NaN : sum / all;
}

const isTested = ({ requests }: SessionPart): boolean => requests >= fewestRequests;

function versionOf(version: string, sessions: readonly SessionPart[]): RadarVersion {
  const rate = (name: RadarFigure): number | null => {
    const figure = figures.find(each => each.name === name);
    const value = figure === undefined ? Number.NaN : rateOf(figure, sessions);
    return Number.isNaN(value) ? null : value;
  };
  return {
    version,
    sessions: sessions.length,
    tested: sessions.filter(isTested).length,
    requests: sessions.reduce((sum, { requests }) => sum + requests, 0),
    cacheShare: rate('cacheShare'),
    losses: rate('losses'),
    causes: figures
      .flatMap(figure => {
        const share = rateOf(figure, sessions);
        return figure.cause === undefined || !(share > 0) ? [] : [{ cause: figure.cause, share }];
      })
      .sort((first, second) => second.share - first.share),
    notRecorded: rate('notRecorded'),
    compactions: rate('compactions'),
    cost: rate('cost'),
  };
}

/** @param agents number of agents whose versions are compared */
function changesOf(versions: readonly Version[], agents: number): readonly RadarChange[] {
  const parts = versions.flatMap(({ sessions }, version) =>
    sessions.filter(isTested).map(part => ({ part, version, stratum: part.stratum })),
  );
  const used = figures.filter(figure => {
    const values = parts.map(({ part }) => rateOf(figure, [part])).filter(value => !Number.isNaN(value));
    return values.some(value => value !== values[0]);
  });
  const sessions = parts.map(({ part, version, stratum }): TestedSession => ({
    version,
    stratum,
    values: used.map(figure => rateOf(figure, [part])),
  }));
  return findChanges(sessions, used.length, versions.length, level / Math.max(1, agents))
    .flatMap(change => {
      const figure = used[change.figure];
      const size = figure && sizeOf(figure, change, parts);
      // The sessions together must agree with most of them.
      return figure === undefined || size === undefined || size.after > size.before !== change.isHigher
        ? []
        : [{ change, figure, size }];
    })
    .sort((first, second) => first.change.version - second.change.version)
    .map(({ change, figure, size }) => ({
      figure: figure.name,
      cause: figure.cause ?? null,
      version: versions[change.version]?.version ?? '',
      first: versions[change.first]?.version ?? '',
      last: versions[change.last]?.version ?? '',
      isWorse: change.isHigher === figure.isWorseIfHigher,
      ...size,
      ratio: size.before === 0 ? null : size.after / size.before,
      p: change.p * Math.max(1, agents),
      sessions: change.sessions,
    }));
}

interface Placed {
  readonly part: SessionPart;
  readonly version: number;
  readonly stratum: string;
}

/**
 * The figure after a change, and as it would have been with the figures before: each stratum's earlier figure counts
 * with the stratum's later size. Undefined if no stratum has sessions on both sides.
 */
function sizeOf(
  figure: Figure,
  { version, low, high }: Change,
  placed: readonly Placed[],
): { readonly before: number; readonly after: number } | undefined {
  let [expected, found, all] = [0, 0, 0];
  for (const own of groupBy(placed, ({ stratum }) => stratum).values()) {
    const side = (from: number, to: number): readonly SessionPart[] =>
      own.filter(each => each.version >= from && each.version < to).map(({ part }) => part);
    const later = side(version, high);
    const before = rateOf(figure, side(low, version));
    const after = rateOf(figure, later);
    if (!Number.isNaN(before) && !Number.isNaN(after)) {
      const size = later.reduce((sum, part) => sum + figure.of(part)[1], 0);
      expected += before * size;
      found += after * size;
      all += size;
    }
  }
  return all === 0 ? undefined : { before: expected / all, after: found / all };
}
