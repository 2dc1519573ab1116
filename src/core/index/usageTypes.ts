import type { BreakdownKind } from '../breakdown/breakdownKinds';
import type { UsageFigures } from '../tokens/usageFigures';
import type { UsageLosses } from './usageLosses';

export const usageGroups = [
  'day',
  'week',
  'month',
  'project',
  'agent',
  'model',
  'session',
  'branch',
  'tool',
  'server',
] as const;
export type UsageGroup = (typeof usageGroups)[number];
/** A group that whole requests fall into. */
export type RequestGroup = Exclude<UsageGroup, 'tool' | 'server'>;

/** Figures of a sum, in the order of a table. */
export const usageFigures = [
  'sessions',
  'requests',
  'input',
  'cacheRead',
  'cacheWrite',
  'output',
  'money',
  'unpriced',
  'lowOutput',
  'withoutInput',
  'recordedMoney',
  'recordedCosts',
] as const satisfies readonly (keyof UsageSum)[];

/** Requests with recorded usage of some sessions. */
export interface UsageSum extends UsageFigures {
  /** Sessions that have a request here. Those of subagents count with the session that started them. */
  readonly sessions: number;
  /** Absent where no session here was read for it, and in rows of tools and servers. */
  readonly losses?: UsageLosses;
}

/** What a row of a tool or a server is about: one of them, another top part of a breakdown, or all output of the models. */
export type UsagePart = BreakdownKind | 'output';

export interface UsageSumRow extends UsageSum {
  /**
   * A day as `2026-01-31`, a week as its Monday, a month as `2026-01`, all in the time zone of this machine; a folder, or
   * the name of an agent, a model, a branch, a tool or a server; the id of a session. Empty where it is not recorded, and
   * where `part` names what is no tool and no server.
   */
  readonly key: string;
  /**
   * Only of `tool` and `server`. Such rows have the input of what they are about: calls, results and schemas of a tool,
   * calibrated, so that all rows add up to the total. All output and its money is in a row of its own.
   */
  readonly part?: UsagePart;
  /** Of a tool or a server: how often it was called. */
  readonly calls?: number;
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
  /** Only of `tool` and `server`: requests in sessions that were read for their usage alone. They are in the total only. */
  readonly unread?: number;
}

export interface UsageWish {
  readonly by: UsageGroup;
  /** Milliseconds since 1970: from `since` on, and before `until`. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly subagents?: 'together' | 'apart' | undefined;
  /** Only requests of one group. */
  readonly only?: { readonly by: RequestGroup; readonly key: string } | undefined;
}

/** Whether a group needs `parts` of the index. */
export const isOfParts = (by: UsageGroup): by is 'tool' | 'server' => by === 'tool' || by === 'server';
