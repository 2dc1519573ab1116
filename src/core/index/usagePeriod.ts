import { entryOf } from '../base/entryOf';
import { lostParts, lostPartsCost } from '../cache/lossCost';
import type { ModelLookUp } from '../tokens/modelTable';
import { type CostParts, costParts, costSum } from '../tokens/prices';
import { type IndexedUsage, localDay, type SeenRequest, UsageSums } from './usageSums';
import type { RequestGroup, UsageSum, UsageSumRow } from './usageTypes';

/** Periods that end today, in days. */
export const periodDays = { week: 7, fourWeeks: 28, twelveWeeks: 84 } as const;
export type UsagePeriodName = keyof typeof periodDays;
export const usagePeriods = ['week', 'fourWeeks', 'twelveWeeks'] as const;

/** What the bars of a day are stacked by. */
export const usageStacks = ['project', 'agent', 'model', 'branch'] as const satisfies readonly RequestGroup[];
export type UsageStack = (typeof usageStacks)[number];

export interface PeriodWish {
  readonly period: UsagePeriodName;
  readonly stack: UsageStack;
  readonly subagents: 'together' | 'apart';
}

/** A group of the stack, with what it used on each day of the period. */
export interface PeriodGroup extends UsageSumRow {
  /** US dollars at list prices, and tokens of all kinds. */
  readonly moneyByDay: readonly number[];
  readonly tokensByDay: readonly number[];
}

/** Parts of what was used. */
export const usageParts = ['input', 'cacheRead', 'cacheWrite', 'output', 'lost'] as const;
/** What cache breaks lost is in `lost` alone: what the other parts would have been without them. */
export type PeriodParts = Readonly<Record<(typeof usageParts)[number], number>>;

/** What all sessions used in a period, and in the one of the same length before it. */
export interface UsagePeriod {
  /** Each as `2026-01-31`, in the time zone of this machine; the last one is today. */
  readonly days: readonly string[];
  /** Those with the most money first. */
  readonly groups: readonly PeriodGroup[];
  readonly total: UsageSum;
  readonly before: UsageSum;
  /** Where the money of the period went, and what its tokens were. */
  readonly parts: Readonly<Record<'money' | 'tokens', PeriodParts>>;
  /** What cache breaks cost more on each day: US dollars, and tokens that were paid for again. */
  readonly lostByDay: Readonly<Record<'money' | 'tokens', readonly number[]>>;
  /** On this machine, whenever they were. */
  readonly known: { readonly projects: number; readonly agents: number; readonly sessions: number };
}

/** The days of a period, and when the period before it, itself and today begin and end. Milliseconds since 1970. */
export function periodBounds(period: UsagePeriodName, now: number) {
  const length = periodDays[period];
  const dayAt = (offset: number): Date => {
    const date = new Date(now);
    return new Date(date.getFullYear(), date.getMonth(), date.getDate() + offset);
  };
  return {
    days: Array.from({ length }, (_, day) => localDay(dayAt(day - length + 1))),
    before: dayAt(1 - 2 * length).getTime(),
    since: dayAt(1 - length).getTime(),
    until: dayAt(1).getTime(),
  };
}

/** Sums the requests of all sessions for a period that ends today. Files are added as to `UsageSums`. */
export class UsagePeriodSums {
  private readonly bounds;
  private readonly sums: UsageSums;
  private readonly earlier: UsageSums;
  private readonly cells = new Map<string, { readonly money: Float64Array; readonly tokens: Float64Array }>();
  private readonly dayNumbers: ReadonlyMap<string, number>;
  private readonly parts = { money: noParts(), tokens: noParts() };
  private readonly lost;
  private readonly known = {
    projects: new Set<string>(),
    agents: new Set<string>(),
    sessions: new Set<string>(),
  };

  constructor(wish: PeriodWish, lookUp: ModelLookUp, now: number) {
    this.bounds = periodBounds(wish.period, now);
    const { days, before, since, until } = this.bounds;
    const { stack: by, subagents } = wish;
    this.sums = new UsageSums({ by, subagents, since, until }, lookUp, request => this.count(request));
    this.earlier = new UsageSums({ by, since: before, until: since }, lookUp);
    this.lost = { money: new Float64Array(days.length), tokens: new Float64Array(days.length) };
    this.dayNumbers = new Map(days.map((day, number) => [day, number]));
  }

  add(file: IndexedUsage): void {
    const { project, agent, parent, id } = file.session;
    // No agent: it is no transcript, and the list of sessions has no row for it either.
    if (agent !== '') {
      this.known.projects.add(project);
      this.known.agents.add(agent);
      this.known.sessions.add(`${agent} ${parent === '' ? id : parent}`);
    }
    this.sums.add(file);
    this.earlier.add(file);
  }

  period(): UsagePeriod {
    const { rows, total } = this.sums.overview();
    const { days } = this.bounds;
    const { projects, agents, sessions } = this.known;
    return {
      days,
      groups: rows.map(row => {
        const { money = [], tokens = [] } = this.cells.get(cellKey(row.key, row.subagents)) ?? {};
        return { ...row, moneyByDay: [...money], tokensByDay: [...tokens] };
      }),
      total,
      before: this.earlier.overview().total,
      parts: this.parts,
      lostByDay: { money: [...this.lost.money], tokens: [...this.lost.tokens] },
      known: { projects: projects.size, agents: agents.size, sessions: sessions.size },
    };
  }

  private count({ group, subagents, usage, time, prices, lost }: SeenRequest): void {
    const { length } = this.bounds.days;
    const cell = entryOf(this.cells, cellKey(group, subagents), () => ({
      money: new Float64Array(length),
      tokens: new Float64Array(length),
    }));
    const day = this.dayNumbers.get(localDay(new Date(time))) ?? 0;
    const parts = prices && costParts(prices, usage);
    cell.money[day] = (cell.money[day] ?? 0) + (parts === undefined ? 0 : costSum(parts));
    cell.tokens[day] =
      (cell.tokens[day] ?? 0) + usage.input + usage.cacheRead + usage.cacheWrite + usage.output;
    addParts(this.parts.tokens, usage, lost && lostParts(usage, lost.tokens));
    if (prices !== undefined && parts !== undefined) {
      addParts(this.parts.money, parts, lost && lostPartsCost(prices, usage, lost.tokens));
    }
    if (lost !== undefined) {
      this.lost.tokens[day] = (this.lost.tokens[day] ?? 0) + lost.tokens;
      this.lost.money[day] = (this.lost.money[day] ?? 0) + (lost.money ?? 0);
    }
  }
}

const noParts = (): Record<keyof PeriodParts, number> => ({
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  lost: 0,
});

function addParts(
  sum: Record<keyof PeriodParts, number>,
  parts: CostParts,
  { cacheWrite, input }: { readonly cacheWrite: number; readonly input: number } = {
    cacheWrite: 0,
    input: 0,
  },
): void {
  sum.input += parts.input - input;
  sum.cacheRead += parts.cacheRead;
  sum.cacheWrite += parts.cacheWrite - cacheWrite;
  sum.output += parts.output;
  sum.lost += cacheWrite + input;
}

const cellKey = (group: string, subagents: boolean | undefined): string =>
  subagents === true ? `${group}\0` : group;

/** A bar of a period, or a part of it. */
export interface BarWish {
  /** As `2026-01-31`. */
  readonly day: string;
  readonly stack: UsageStack;
  /** Only this group, where it is given. */
  readonly group?: string | undefined;
}

/** What a session used on a day. Its subagents count with it. */
export interface BarSession extends UsageSumRow {
  readonly agent: string;
  readonly project: string;
  /** The key of its file in the index; that of a file of a subagent where its own is not there. */
  readonly file: string;
  /** Its conversation in the file. */
  readonly conversation: number;
}

/** The sessions of a bar, those with the most money first. Files are added as to `UsageSums`. */
export class BarSums {
  private readonly sums: UsageSums;
  private readonly facts = new Map<string, Pick<BarSession, 'agent' | 'project' | 'file' | 'conversation'>>();
  private current = '';

  constructor({ day, stack, group }: BarWish, lookUp: ModelLookUp) {
    const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
    const since = new Date(year, month - 1, date).getTime();
    const until = new Date(year, month - 1, date + 1).getTime();
    this.sums = new UsageSums(
      { by: 'session', since, until, only: group === undefined ? undefined : { by: stack, key: group } },
      lookUp,
      ({ group: id, session: { agent, project, parent }, thread }) => {
        if (parent === '' || !this.facts.has(id)) {
          this.facts.set(id, { agent, project, file: this.current, conversation: thread });
        }
      },
    );
  }

  /** @param file the key of the file in the index */
  add(file: string, usage: IndexedUsage): void {
    this.current = file;
    this.sums.add(usage);
  }

  sessions(): readonly BarSession[] {
    return this.sums.overview().rows.map(row => ({
      ...row,
      ...(this.facts.get(row.key) ?? { agent: '', project: '', file: '', conversation: 0 }),
    }));
  }
}
