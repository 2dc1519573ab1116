import type { Posting } from './posting.repository.js';
import { daysBetween, formatDay, type CalendarDate } from '../dates/calendarDate.js';

/** A line of the posting report: one group of postings in one month. */
export interface PostingLine {
  /** Year and month, e.g. 2026-03. */
  readonly month: string;
  readonly group: string;
  readonly count: number;
  readonly sum: bigint;
}

const monthOf = (posting: Posting): string => formatDay(posting.postedOn).slice(0, 7);

/** Postings by account number and month, oldest first. */
export function postingByAccountNumber(postings: readonly Posting[]): PostingLine[] {
  const lines = new Map<string, PostingLine>();
  for (const posting of postings) {
    const month = monthOf(posting);
    const key = `${month} ${posting.accountNumber}`;
    const line = lines.get(key) ?? { month, group: posting.accountNumber, count: 0, sum: 0n };
    lines.set(key, { ...line, count: line.count + 1, sum: line.sum + posting.amount });
  }
  return [...lines.values()].sort((left, right) => (left.month < right.month ? -1 : 1));
}

/** Postings by currency and month, oldest first. */
export function postingByCurrency(postings: readonly Posting[]): PostingLine[] {
  const lines = new Map<string, PostingLine>();
  for (const posting of postings) {
    const month = monthOf(posting);
    const key = `${month} ${posting.currency}`;
    const line = lines.get(key) ?? { month, group: posting.currency, count: 0, sum: 0n };
    lines.set(key, { ...line, count: line.count + 1, sum: line.sum + posting.amount });
  }
  return [...lines.values()].sort((left, right) => (left.month < right.month ? -1 : 1));
}

/** Days between postedOn and a day, for the age columns. The postings of an entry add up to nothing. */
export function ageInDays(posting: Posting, until: CalendarDate): number {
  return daysBetween(posting.postedOn, until);
}
