import { entryOf } from '../base/entryOf';
import type { ModelRow } from '../model/modelRow';
import type { ModelLookUp } from '../tokens/modelTable';
import { requestCost } from '../tokens/prices';
import type { IndexedSession } from './indexedSession';
import { type RequestTable, usageAt } from './requestTable';

export const usageGroups = [
  'day',
  'week',
  'month',
  'project',
  'agent',
  'model',
  'session',
  'branch',
] as const;
export type UsageGroup = (typeof usageGroups)[number];

/** Requests with recorded usage. Tokens as recorded, money in US dollars at list prices. */
export interface UsageSum {
  /** Sessions that have a request here. Those of subagents count with the session that started them. */
  readonly sessions: number;
  readonly requests: number;
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** Of the requests whose model has a known price. */
  readonly money: number;
  /** Requests whose model has no known price. */
  readonly unpriced: number;
}

export interface UsageSumRow extends UsageSum {
  /**
   * A day as `2026-01-31`, a week as its Monday, a month as `2026-01`, all in the time zone of this machine; a folder, or
   * the name of an agent, a model or a branch; the id of a session. Empty where it is not recorded.
   */
  readonly key: string;
  /** Of a session. */
  readonly title?: string;
  /** Only where subagents are apart: whether this row is about them. */
  readonly subagents?: boolean;
}

/** What `usage --json` prints. */
export interface UsageOverview {
  readonly by: UsageGroup;
  readonly rows: readonly UsageSumRow[];
  readonly total: UsageSum;
}

export interface UsageWish {
  readonly by: UsageGroup;
  /** Milliseconds since 1970: from `since` on, and before `until`. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly subagents?: 'together' | 'apart' | undefined;
}

interface IndexedUsage {
  readonly session: IndexedSession;
  readonly requests: RequestTable;
}

/** The sums of all sessions by group: groups of time in their order, all others with the most money first. */
export class UsageSums {
  private readonly rows = new Map<string, Row>();
  private readonly total = new Row('', undefined);
  /** The provider's ids of requests that were counted: resumed and forked sessions have copies of them. */
  private readonly counted = new Set<number>();
  private readonly models = new Map<string, ModelRow | undefined>();
  private readonly periods = new Map<number, string>();
  private readonly titles = new Map<string, string>();

  constructor(
    private readonly wish: UsageWish,
    private readonly lookUp: ModelLookUp,
  ) {}

  /** Adds the requests of a file. Of copies of one request the first one that is added counts. */
  add({ session, requests }: IndexedUsage): void {
    const { by, since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY, subagents } = this.wish;
    const { columns, count } = requests;
    const isBounded = since > Number.NEGATIVE_INFINITY || until < Number.POSITIVE_INFINITY;
    const isChild = session.parent !== '';
    const root = `${session.agent} ${isChild ? session.parent : session.id}`;
    const rows = session.models.map(model => entryOf(this.models, model, () => this.lookUp(model)));
    if (!isChild) {
      this.titles.set(session.id, session.title);
    }
    for (let request = 0; request < count; request += 1) {
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
      const isSubagent = isChild || columns.subagent[request] === 1;
      const apart = subagents === 'apart' ? isSubagent : undefined;
      const group = this.keyOf(by, session, session.models[model] ?? '', time);
      const row = entryOf(this.rows, apart === true ? `${group}\0` : group, () => new Row(group, apart));
      const usage = usageAt(requests, request);
      const prices = rows[model]?.prices;
      const money =
        prices === undefined ? undefined : requestCost(prices, usage, Number.isNaN(time) ? undefined : time);
      row.add(usage, money, root);
      this.total.add(usage, money, root);
    }
  }

  overview(): UsageOverview {
    const { by } = this.wish;
    const isTime = by === 'day' || by === 'week' || by === 'month';
    const order = isTime ? byKey : byMoney;
    return {
      by,
      rows: [...this.rows.values()]
        .map(row => ({
          key: row.key,
          ...(by === 'session' ? { title: this.titles.get(row.key) ?? '' } : {}),
          ...(row.subagents === undefined ? {} : { subagents: row.subagents }),
          ...row.sum(),
        }))
        .sort(order),
      total: this.total.sum(),
    };
  }

  private keyOf(by: UsageGroup, session: IndexedSession, model: string, time: number): string {
    switch (by) {
      case 'day':
      case 'week':
      case 'month':
        return Number.isNaN(time) ? '' : this.period(by, time);
      case 'project':
        return session.project;
      case 'agent':
        return session.agent;
      case 'model':
        return model;
      case 'session':
        return session.parent === '' ? session.id : session.parent;
      case 'branch':
        return session.branch;
    }
  }

  /** Requests follow each other, so all of a quarter of an hour share the work: no zone has a finer offset. */
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

const quarter = 900_000;

const twoDigits = (value: number): string => String(value).padStart(2, '0');

function localDay(date: Date): string {
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

function byMoney(first: Ordered, second: Ordered): number {
  return second.money - first.money || second.output - first.output || byKey(first, second);
}

class Row {
  private readonly sessions = new Set<string>();
  private readonly sums = {
    requests: 0,
    input: 0,
    cacheRead: 0,
    cacheWrite: 0,
    output: 0,
    money: 0,
    unpriced: 0,
  };

  constructor(
    readonly key: string,
    readonly subagents: boolean | undefined,
  ) {}

  add(usage: ReturnType<typeof usageAt>, money: number | undefined, session: string): void {
    const { sums } = this;
    sums.requests += 1;
    sums.input += usage.input;
    sums.cacheRead += usage.cacheRead;
    sums.cacheWrite += usage.cacheWrite;
    sums.output += usage.output;
    if (money === undefined) {
      sums.unpriced += 1;
    } else {
      sums.money += money;
    }
    this.sessions.add(session);
  }

  sum(): UsageSum {
    return { sessions: this.sessions.size, ...this.sums };
  }
}
