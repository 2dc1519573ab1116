import type { BreakdownKind } from '../breakdown/breakdownKinds';
import { figureNames, type UsageFigures } from '../model/usageFigures';
import type { UsageLosses } from './usageLosses';

export const usageGroups = [
  'day',
  'week',
  'month',
  'project',
  'agent',
  'model',
  'version',
  'session',
  'branch',
  'tool',
  'server',
] as const;
export type UsageGroup = (typeof usageGroups)[number];
/** A grouping that assigns whole requests. */
export type RequestGroup = Exclude<UsageGroup, 'tool' | 'server'>;

/** Figures of a sum, in the order of a table. */
export const usageFigures = ['sessions', ...figureNames] as const satisfies readonly (keyof UsageSum)[];

/** Requests with recorded usage of some sessions. */
export interface UsageSum extends UsageFigures {
  /** Number of sessions with a request here. Subagents count with the session that started them. */
  readonly sessions: number;
  /** Absent if no session here was read for losses, and in rows of tools and servers. */
  readonly losses?: UsageLosses;
}

/**
 * The content of a row about tools or servers: one of them, another top part of a breakdown, or all output of the
 * models.
 */
export type UsagePart = BreakdownKind | 'output';

export interface UsageSumRow extends UsageSum {
  /**
   * A day as `2026-01-31`, a week as its Monday, a month as `2026-01`, all in this machine's time zone; a folder, or
   * the name of an agent, an agent with its version, a model, a branch, a tool or a server; the id of a session. Empty if not recorded, and for a
   * `part` that is neither a tool nor a server.
   */
  readonly key: string;
  /**
   * Only for `tool` and `server`. Such rows have the input of their calls, results and schemas, calibrated, so that all
   * rows add up to the total. All output with its money is a separate row.
   */
  readonly part?: UsagePart;
  /** For a tool or a server: number of calls. */
  readonly calls?: number;
  /** Of a session. */
  readonly title?: string;
  /** Of a project: its worktrees, which count in the row too. */
  readonly worktrees?: readonly (UsageSum & { readonly key: string })[];
  /** Only if subagents are separate: true for a row about them. */
  readonly subagents?: boolean;
}

/** The output of `usage --json`. */
export interface UsageOverview {
  readonly by: UsageGroup;
  readonly rows: readonly UsageSumRow[];
  readonly total: UsageSum;
  /**
   * Only for `tool` and `server`: number of requests in sessions that were read only for their usage. They count only
   * in the total.
   */
  readonly unread?: number;
}

export interface UsageWish {
  readonly by: UsageGroup;
  /** Milliseconds since 1970: at or after `since`, and before `until`. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly subagents?: 'together' | 'apart' | undefined;
  /** Only the requests of one group. */
  readonly only?: { readonly by: RequestGroup; readonly key: string } | undefined;
}

/** True if a grouping needs `parts` of the index. */
export const isOfParts = (by: UsageGroup): by is 'tool' | 'server' => by === 'tool' || by === 'server';
