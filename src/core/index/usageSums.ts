import { compareVersions } from '../base/compareVersions';
import { entryOf } from '../base/entryOf';
import { isMeant } from '../cache/cacheFinding';
import { lossCost } from '../cache/lossCost';
import { serverToolOf } from '../content/toolSources';
import type { ModelPrices, ModelRow } from '../model/modelRow';
import type { RecordedUsage } from '../model/transcript';
import type { ModelLookUp } from '../tokens/modelTable';
import { costParts, costSum } from '../tokens/prices';
import { usedRequest } from '../tokens/usageFigures';
import { type IndexedSession, projectOf, runsOf } from './indexedSession';
import { unpackLosses } from './lossTable';
import { type CarriedPart, unpackParts } from './partTable';
import type { PartName } from './carriedParts';
import { unpackRequests, usageAt } from './requestTable';
import { type CountedRequest, Row } from './usageRow';
import {
  isOfParts,
  type RequestGroup,
  type UsageOverview,
  type UsagePart,
  type UsageSumRow,
  type UsageWish,
} from './usageTypes';

/** A counted request, with its row. */
export interface SeenRequest extends CountedRequest {
  readonly session: IndexedSession;
  /** The main thread of the session in its file. */
  readonly thread: number;
  /** Empty if not recorded. */
  readonly model: string;
  readonly version: string;
  readonly group: string;
  /** True for a row about subagents; undefined if subagents are not separate. */
  readonly subagents: boolean | undefined;
  /** Milliseconds since 1970; NaN if not recorded. */
  readonly time: number;
}

/** The index's data for a file, packed. */
export interface IndexedUsage {
  readonly session: IndexedSession;
  readonly requests: Uint8Array;
  /** Empty if the file was read only for its usage. */
  readonly losses: Uint8Array;
  /** Needed for tools and servers only. */
  readonly parts: Uint8Array;
}

/** The sums of all sessions by group. Groups of time are in order, all others sorted by money, the most first. */
export class UsageSums {
  private readonly rows = new Map<string, Row>();
  /** The rows of worktrees by their folders, by the row of the project. */
  private readonly worktrees = new Map<string, Map<string, Row>>();
  private readonly total = new Row('', undefined);
  /** The provider's ids of counted requests, because resumed and forked sessions have copies. */
  private readonly counted = new Set<number>();
  private readonly models = new Map<string, ModelRow | undefined>();
  /** Number of requests in files that were read only for their usage. */
  private unread = 0;
  private readonly periods = new Map<number, string>();
  private readonly titles = new Map<string, string>();

  constructor(
    private readonly wish: UsageWish,
    private readonly lookUp: ModelLookUp,
    /** Called for each counted request, unless rows are about tools or servers. */
    private readonly visit?: (request: SeenRequest) => void,
  ) {}

  private readonly pricesOf = (model: string): ModelPrices | undefined =>
    entryOf(this.models, model, () => this.lookUp(model))?.prices;

  /** Adds the requests of a file. Of several copies of a request, the first one added counts. */
  add({ session: whole, requests: packed, losses, parts: packedParts }: IndexedUsage): void {
    const requests = unpackRequests(packed);
    const {
      by,
      since = Number.NEGATIVE_INFINITY,
      until = Number.POSITIVE_INFINITY,
      subagents,
      only,
    } = this.wish;
    const { columns, count } = requests;
    const isBounded = since > Number.NEGATIVE_INFINITY || until < Number.POSITIVE_INFINITY;
    const isChild = whole.parent !== '';
    const file = whole.findings === undefined ? undefined : { findings: whole.findings };
    const lost = losses.length === 0 ? undefined : unpackLosses(losses);
    const parts = isOfParts(by) && packedParts.length > 0 ? unpackParts(packedParts) : undefined;
    const rows = whole.models.map(model => entryOf(this.models, model, () => this.lookUp(model)));
    let request = 0;
    for (const { session, thread, end } of runsOf(whole, count)) {
      const root = `${session.agent} ${isChild ? session.parent : session.id}`;
      if (!isChild) {
        this.titles.set(session.id, session.title);
      }
      for (; request < end; request += 1) {
        const carried = parts?.next().value ?? undefined;
        const time = columns.time[request] ?? Number.NaN;
        const key = columns.key[request] ?? 0;
        if (key !== 0) {
          const before = this.counted.size;
          this.counted.add(key);
          if (this.counted.size === before) {
            continue;
          }
        }
        if (isBounded && !(time >= since && time < until)) {
          continue;
        }
        const model = columns.model[request] ?? 0;
        const facts = {
          session,
          model: session.models[model] ?? '',
          version: session.versions[(columns.version[request] ?? 0) - 1] ?? '',
          time,
        };
        if (only !== undefined && this.keyOf(only.by, facts) !== only.key) {
          continue;
        }
        const isSubagent = isChild || columns.subagent[request] === 1;
        const apart = subagents === 'apart' ? isSubagent : undefined;
        const usage = usageAt(requests, request, session.billings);
        const used = usedRequest(
          usage,
          rows[model]?.prices,
          time,
          this.pricesOf,
          columns.outputDoubtful[request] === 1,
          columns.inputDoubted[request] === 1,
        );
        const { prices: list } = used;
        const found = lost?.breaks.get(request);
        const counted: CountedRequest = {
          ...used,
          root,
          file,
          lost: found && {
            ...found,
            isMeant: isMeant({ causes: [found.cause] }),
            money: list && lossCost(list, usage, found.tokens),
          },
          notRecorded: lost?.notRecorded[request],
          compactions: columns.compactions[request] ?? 0,
          wasted: lost?.waste.get(request)?.map(({ kind, ...part }) => ({
            kind,
            tokens: part.input + part.cacheRead + part.cacheWrite,
            money: list && costSum(costParts(list, partOf(usage, part))),
          })),
        };
        this.total.add(counted);
        if (!isOfParts(by)) {
          const group = this.keyOf(by, facts);
          this.row(group, apart).add(counted);
          if (by === 'project' && session.repository !== undefined) {
            this.worktree(group, session.project, apart).add(counted);
          }
          this.visit?.({ ...counted, ...facts, thread, group, subagents: apart });
        } else if (carried === undefined) {
          this.unread += 1;
        } else {
          this.addParts(by, carried, counted, apart);
        }
      }
    }
  }

  private worktree(project: string, folder: string, subagents: boolean | undefined): Row {
    const rows = entryOf(this.worktrees, rowKey(project, subagents), () => new Map<string, Row>());
    return entryOf(rows, folder, () => new Row(folder, subagents));
  }

  private row(key: string, subagents: boolean | undefined, part?: UsagePart): Row {
    return entryOf(this.rows, rowKey(key, subagents, part), () => new Row(key, subagents, part));
  }

  /**
   * Divides a request between the rows of its carried parts and of its output. Its further passes and tools count with
   * the output.
   */
  private addParts(
    by: 'tool' | 'server',
    carried: readonly CarriedPart[],
    counted: CountedRequest,
    apart: boolean | undefined,
  ): void {
    const { isOutputLow, isInputMissing, isInputDoubted, extra } = counted;
    const whole = { ...counted, extra: undefined, lost: undefined, wasted: undefined };
    const add = (row: Row, usage: RecordedUsage): void => {
      row.add({ ...whole, usage, isOutputLow: false, isInputMissing, isInputDoubted });
    };
    const { output } = counted.usage;
    const sums = new Map<Row, { input: number; cacheRead: number; cacheWrite: number }>();
    for (const { part, calls, ...tokens } of carried) {
      const { key, kind } = rowOfPart(by, part);
      const row = this.row(key, apart, kind);
      row.calls += calls;
      const sum = entryOf(sums, row, () => ({ input: 0, cacheRead: 0, cacheWrite: 0 }));
      sum.input += tokens.input;
      sum.cacheRead += tokens.cacheRead;
      sum.cacheWrite += tokens.cacheWrite;
    }
    for (const [row, sum] of sums) {
      add(row, partOf(counted.usage, sum));
    }
    this.row('', apart, 'output').add({
      ...whole,
      usage: { input: 0, cacheRead: 0, cacheWrite: 0, output },
      extra,
      isOutputLow,
      isInputMissing: false,
      isInputDoubted: false,
    });
  }

  overview(): UsageOverview {
    const { by } = this.wish;
    const isTime = by === 'day' || by === 'week' || by === 'month';
    const order = isTime ? byKey : by === 'version' ? byVersion : byMoney;
    return {
      by,
      rows: [...this.rows.values()]
        .map(row => ({
          key: row.key,
          ...(by === 'session' ? { title: this.titles.get(row.key) ?? '' } : {}),
          ...(row.part === undefined ? {} : { part: row.part }),
          ...(row.part === 'tool' || row.part === 'server' ? { calls: row.calls } : {}),
          ...(row.subagents === undefined ? {} : { subagents: row.subagents }),
          ...row.sum(),
          ...this.worktreesOf(row),
        }))
        .sort(order),
      total: this.total.sum(),
      ...(isOfParts(by) ? { unread: this.unread } : {}),
    };
  }

  private worktreesOf({ key, subagents }: Row): Pick<UsageSumRow, 'worktrees'> {
    const rows = this.worktrees.get(rowKey(key, subagents));
    return rows === undefined
      ? {}
      : { worktrees: [...rows.values()].map(row => ({ key: row.key, ...row.sum() })).sort(byMoney) };
  }

  private keyOf(
    by: RequestGroup,
    { session, model, version, time }: Pick<SeenRequest, 'session' | 'model' | 'version' | 'time'>,
  ): string {
    switch (by) {
      case 'day':
      case 'week':
      case 'month':
        return Number.isNaN(time) ? '' : this.period(by, time);
      case 'project':
        return projectOf(session);
      case 'agent':
        return session.agent;
      case 'model':
        return model;
      case 'version':
        return version === '' ? '' : `${session.agent} ${version}`;
      case 'session':
        return session.parent === '' ? session.id : session.parent;
      case 'branch':
        return session.branch;
    }
  }

  /**
   * Requests are in order of time, so those of one quarter of an hour share the result. No time zone has a finer
   * offset.
   */
  private period(by: 'day' | 'week' | 'month', time: number): string {
    return entryOf(this.periods, Math.floor(time / quarter), () => {
      const date = new Date(time);
      if (by === 'week') {
        date.setDate(date.getDate() - ((date.getDay() + 6) % 7));
      }
      const day = localDay(date);
      return by === 'month' ? day.slice(0, 7) : day;
    });
  }
}

const rowKey = (key: string, subagents: boolean | undefined, part: UsagePart | '' = ''): string =>
  `${part}\0${key}\0${subagents === true ? 1 : 0}`;

/** A part of a request's input. Its share of one-hour cache writes is that of the whole request. */
function partOf(
  { cacheWrite, cacheWriteHour = 0 }: RecordedUsage,
  part: Pick<RecordedUsage, 'input' | 'cacheRead' | 'cacheWrite'>,
): RecordedUsage {
  const share = cacheWrite === 0 ? 0 : part.cacheWrite / cacheWrite;
  return { ...part, cacheWriteHour: cacheWriteHour * share, output: 0 };
}

/** The row of a part of a request. */
function rowOfPart(
  by: 'tool' | 'server',
  { kind, tool }: PartName,
): { readonly key: string; readonly kind: UsagePart } {
  if (tool === '') {
    return { key: '', kind };
  }
  if (by === 'tool') {
    return { key: tool, kind: 'tool' };
  }
  const found = serverToolOf(tool);
  return found === undefined ? { key: '', kind: 'builtInTools' } : { key: found.server, kind: 'server' };
}

const quarter = 900_000;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

export function localDay(date: Date): string {
  return `${String(date.getFullYear()).padStart(4, '0')}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}

type Ordered = UsageSumRow;

function byKey(first: Ordered, second: Ordered): number {
  return first.key < second.key
    ? -1
    : first.key > second.key
      ? 1
      : Number(first.subagents) - Number(second.subagents);
}

function byVersion(first: Ordered, second: Ordered): number {
  const agentOf = ({ key }: Ordered): string => key.slice(0, Math.max(0, key.lastIndexOf(' ')));
  return agentOf(first) === agentOf(second)
    ? compareVersions(first.key, second.key) || byKey(first, second)
    : byKey(first, second);
}

function byMoney(first: Ordered, second: Ordered): number {
  return second.money - first.money || second.output - first.output || byKey(first, second);
}
