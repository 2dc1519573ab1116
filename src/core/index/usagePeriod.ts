import { entryOf } from '../base/entryOf';
import { billionths, dollarsOf } from '../base/moneySum';
import { lostParts, lostPartsCost } from '../cache/lossCost';
import type { ModelLookUp } from '../tokens/modelTable';
import type { CostParts } from '../tokens/prices';
import { billedMoney, billedParts, billedTokens } from '../tokens/usageFigures';
import { projectOf } from './indexedSession';
import { type IndexedUsage, localDay, type SeenRequest, UsageSums } from './usageSums';
import type { RequestGroup, UsageSum, UsageSumRow } from './usageTypes';

/** Periods that end today, in days. */
export const periodDays = { week: 7, fourWeeks: 28, twelveWeeks: 84 } as const;
export type UsagePeriodName = keyof typeof periodDays;
export const usagePeriods = ['week', 'fourWeeks', 'twelveWeeks'] as const;

/** The grouping of the stacked bars of a day. */
export const usageStacks = ['project', 'agent', 'model', 'branch'] as const satisfies readonly RequestGroup[];
export type UsageStack = (typeof usageStacks)[number];

export interface PeriodWish {
  readonly period: UsagePeriodName;
  readonly stack: UsageStack;
  readonly subagents: 'together' | 'apart';
}

/** A group of the stack, with its usage on each day of the period. */
export interface PeriodGroup extends UsageSumRow {
  /** US dollars at list prices, and tokens of all kinds. */
  readonly moneyByDay: readonly number[];
  readonly tokensByDay: readonly number[];
}

/** The parts of the usage. */
export const usageParts = ['input', 'cacheRead', 'cacheWrite', 'output', 'lost', 'tools'] as const;
/** `tools` has the money of tools that the provider ran, and no tokens. `lost` has the cost of cache losses. The other parts are as they would have been without them. */
export type PeriodParts = Readonly<Record<(typeof usageParts)[number], number>>;

/** The usage of all sessions in a period, and in the previous period of the same length. */
export interface UsagePeriod {
  /** Each as `2026-01-31`, in this machine's time zone. The last one is today. */
  readonly days: readonly string[];
  /** Sorted by money, the most first. */
  readonly groups: readonly PeriodGroup[];
  readonly total: UsageSum;
  readonly before: UsageSum;
  /** The parts of the money and of the tokens in the period. */
  readonly parts: Readonly<Record<'money' | 'tokens', PeriodParts>>;
  /** The extra cost of cache losses on each day: US dollars, and tokens that were paid for again. */
  readonly lostByDay: Readonly<Record<'money' | 'tokens', readonly number[]>>;
  /** All on this machine, from any time. */
  readonly known: { readonly projects: number; readonly agents: number; readonly sessions: number };
}

/**
 * The days of a period; and the beginnings and ends of the previous period, of the period itself and of today.
 * Milliseconds since 1970.
 */
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

/** Sums the requests of all sessions for a period that ends today. Files are added like in `UsageSums`. */
export class UsagePeriodSums {
  private readonly bounds;
  private readonly sums: UsageSums;
  private readonly earlier: UsageSums;
  /** Money in billionths of a dollar, as in `parts` and `lost`. */
  private readonly cells = new Map<string, { readonly money: Float64Array; readonly tokens: Float64Array }>();
  private readonly dayNumbers: ReadonlyMap<string, number>;
  private readonly parts = { money: noParts(), tokens: noParts() };
  private readonly lost;
  private readonly known = {
    projects: new Set<string>(),
    agents: new Set<string>(),
    sessions: 0,
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
    const { agent, parent } = file.session;
    // Without an agent, the file is not a transcript. The list of sessions has no row for it either.
    if (agent !== '') {
      this.known.projects.add(projectOf(file.session));
      this.known.agents.add(agent);
      // As the list of sessions counts: one per file, copies and forks included, without subagents.
      this.known.sessions += parent === '' ? 1 : 0;
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
        return { ...row, moneyByDay: Array.from(money, dollarsOf), tokensByDay: [...tokens] };
      }),
      total,
      before: this.earlier.overview().total,
      parts: { money: inDollars(this.parts.money), tokens: this.parts.tokens },
      lostByDay: { money: Array.from(this.lost.money, dollarsOf), tokens: [...this.lost.tokens] },
      known: { projects: projects.size, agents: agents.size, sessions },
    };
  }

  private count(request: SeenRequest): void {
    const { group, subagents, usage, time, prices, extra } = request;
    const lost = request.lost?.isMeant === false ? request.lost : undefined;
    const { length } = this.bounds.days;
    const cell = entryOf(this.cells, cellKey(group, subagents), () => ({
      money: new Float64Array(length),
      tokens: new Float64Array(length),
    }));
    const day = this.dayNumbers.get(localDay(new Date(time))) ?? 0;
    const parts = billedParts(request);
    const tokens = billedTokens(request);
    cell.money[day] = (cell.money[day] ?? 0) + billionths(billedMoney(request) ?? 0);
    cell.tokens[day] =
      (cell.tokens[day] ?? 0) + tokens.input + tokens.cacheRead + tokens.cacheWrite + tokens.output;
    addParts(this.parts.tokens, tokens, lost && lostParts(usage, lost.tokens));
    if (prices !== undefined && parts !== undefined) {
      addParts(this.parts.money, parts, lost && lostPartsCost(prices, usage, lost.tokens), billionths);
      this.parts.money.tools += billionths(extra?.tools ?? 0);
    }
    if (lost !== undefined) {
      this.lost.tokens[day] = (this.lost.tokens[day] ?? 0) + lost.tokens;
      this.lost.money[day] = (this.lost.money[day] ?? 0) + billionths(lost.money ?? 0);
    }
  }
}

const noParts = (): Record<keyof PeriodParts, number> => ({
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  output: 0,
  lost: 0,
  tools: 0,
});

const inDollars = ({ input, cacheRead, cacheWrite, output, lost, tools }: PeriodParts): PeriodParts => ({
  input: dollarsOf(input),
  cacheRead: dollarsOf(cacheRead),
  cacheWrite: dollarsOf(cacheWrite),
  output: dollarsOf(output),
  lost: dollarsOf(lost),
  tools: dollarsOf(tools),
});

function addParts(
  sum: Record<keyof PeriodParts, number>,
  parts: CostParts,
  { cacheWrite, input }: { readonly cacheWrite: number; readonly input: number } = {
    cacheWrite: 0,
    input: 0,
  },
  unitsOf = (value: number): number => value,
): void {
  sum.input += unitsOf(parts.input - input);
  sum.cacheRead += unitsOf(parts.cacheRead);
  sum.cacheWrite += unitsOf(parts.cacheWrite - cacheWrite);
  sum.output += unitsOf(parts.output);
  sum.lost += unitsOf(cacheWrite + input);
}

const cellKey = (group: string, subagents: boolean | undefined): string =>
  subagents === true ? `${group}\0` : group;

/** The bar of a day, or a part of it. */
export interface BarWish {
  /** As `2026-01-31`. */
  readonly day: string;
  readonly stack: UsageStack;
  /** If given, only this group. */
  readonly group?: string | undefined;
}

/** The usage of a session on a day, including its subagents. */
export interface BarSession extends UsageSumRow {
  readonly agent: string;
  readonly project: string;
  /** The key of its file in the index. If its own file is not indexed, the key of a subagent's file. */
  readonly file: string;
  /** Its conversation in the file. */
  readonly conversation: number;
}

/** The sessions of a bar, sorted by money, the most first. Files are added like in `UsageSums`. */
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
