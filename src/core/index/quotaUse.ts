import { entryOf } from '../base/entryOf';
import { isSameWindow, type QuotaWindow } from '../model/quota';
import type { ModelLookUp } from '../tokens/modelTable';
import type { BarSession } from './usagePeriod';
import { Row } from './usageRow';
import { type IndexedUsage, type SeenRequest, UsageSums } from './usageSums';
import type { UsageSum, UsageWish } from './usageTypes';

/** A window of time with a limit, and the sessions that used it. */
export interface QuotaUse extends QuotaWindow {
  readonly agent: string;
  /** Of all sessions. */
  readonly total: UsageSum;
  /** With their requests in the window, sorted by money, the most first. A subagent counts with its session. */
  readonly sessions: readonly BarSession[];
}

interface Window {
  readonly agent: string;
  last: QuotaWindow;
  readonly total: Row;
  readonly sessions: Map<string, { readonly row: Row; facts: Omit<BarSession, keyof UsageSum> }>;
}

/**
 * The windows of time with a limit, of all sessions that recorded them. Sessions without such records, such as those with
 * an API key, use no subscription and do not count. Files are added like in `UsageSums`.
 */
export class QuotaSums {
  private readonly windows: Window[] = [];
  private readonly sums: UsageSums;
  private current: { readonly file: string; readonly windows: readonly Window[] } = { file: '', windows: [] };

  constructor(
    lookUp: ModelLookUp,
    private readonly period: Pick<UsageWish, 'since' | 'until'> = {},
  ) {
    this.sums = new UsageSums({ by: 'session' }, lookUp, request => this.count(request));
  }

  /** @param file the key of the file in the index */
  add(file: string, usage: IndexedUsage): void {
    const { agent, quotaWindows = [] } = usage.session;
    if (quotaWindows.length > 0) {
      // A window can be recorded again after another one, in a copied session.
      const windows = new Set(quotaWindows.map(window => this.windowOf(agent, window)));
      this.current = { file, windows: [...windows] };
      this.sums.add(usage);
    }
  }

  /** The windows that overlap the period, whole, the last one first. */
  report(): readonly QuotaUse[] {
    const { since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY } = this.period;
    return this.windows
      .filter(({ last }) => last.resetsAt > since && beginOf(last) < until)
      .map(({ agent, last, total, sessions }) => ({
        agent,
        ...last,
        total: total.sum(),
        sessions: [...sessions.values()]
          .map(({ row, facts }) => ({ ...facts, ...row.sum() }))
          .sort((first, second) => second.money - first.money || second.output - first.output),
      }))
      .sort((first, second) => second.resetsAt - first.resetsAt || second.minutes - first.minutes);
  }

  /** The window of a session's record, with the newest record of it. */
  private windowOf(agent: string, window: QuotaWindow): Window {
    const known = this.windows.find(other => other.agent === agent && isSameWindow(window, other.last));
    const found = known ?? { agent, last: window, total: new Row('', undefined), sessions: new Map() };
    if (known === undefined) {
      this.windows.push(found);
    } else if (window.at > known.last.at) {
      known.last = window;
    }
    return found;
  }

  private count(request: SeenRequest): void {
    const { group: key, session, thread, time } = request;
    const { file, windows } = this.current;
    const { title, agent, project, parent } = session;
    const facts = { key, title: parent === '' ? title : '', agent, project, file, conversation: thread };
    const open = windows.filter(({ last }) => time >= beginOf(last) - sending && time < last.resetsAt);
    const newest = open.filter(
      ({ last }) =>
        !open.some(other => other.last.minutes === last.minutes && other.last.resetsAt > last.resetsAt),
    );
    for (const { total, sessions } of newest) {
      total.add(request);
      const known = entryOf(sessions, key, () => ({ row: new Row(key, undefined), facts }));
      known.row.add(request);
      // A session's own file, not that of a subagent.
      known.facts = parent === '' ? facts : known.facts;
    }
  }
}

/** A window begins when the provider has the first request, which was sent a little before. */
const sending = 60_000;

const beginOf = ({ minutes, resetsAt }: QuotaWindow): number => resetsAt - minutes * 60_000;
