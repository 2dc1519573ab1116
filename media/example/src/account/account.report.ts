import type { Account } from './account.repository.js';
import { daysBetween, formatDay, type CalendarDate } from '../dates/calendarDate.js';

/** A line of the account report: one group of accounts in one month. */
export interface AccountLine {
  /** Year and month, e.g. 2026-03. */
  readonly month: string;
  readonly group: string;
  readonly count: number;
}

const monthOf = (account: Account): string => formatDay(account.openedOn).slice(0, 7);

/** Accounts by number and month, oldest first. */
export function accountByNumber(accounts: readonly Account[]): AccountLine[] {
  const lines = new Map<string, AccountLine>();
  for (const account of accounts) {
    const month = monthOf(account);
    const key = `${month} ${account.number}`;
    const line = lines.get(key) ?? { month, group: account.number, count: 0 };
    lines.set(key, { ...line, count: line.count + 1 });
  }
  return [...lines.values()].sort((left, right) => (left.month < right.month ? -1 : 1));
}

/** Accounts by name and month, oldest first. */
export function accountByName(accounts: readonly Account[]): AccountLine[] {
  const lines = new Map<string, AccountLine>();
  for (const account of accounts) {
    const month = monthOf(account);
    const key = `${month} ${account.name}`;
    const line = lines.get(key) ?? { month, group: account.name, count: 0 };
    lines.set(key, { ...line, count: line.count + 1 });
  }
  return [...lines.values()].sort((left, right) => (left.month < right.month ? -1 : 1));
}

/** Days between openedOn and a day, for the age columns. An account with postings is never deleted, only closed. */
export function ageInDays(account: Account, until: CalendarDate): number {
  return daysBetween(account.openedOn, until);
}
