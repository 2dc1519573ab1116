import type { Statement } from './statement.repository.js';
import { daysBetween, formatDay, type CalendarDate } from '../dates/calendarDate.js';

/** A line of the statement report: one group of statements in one month. */
export interface StatementLine {
  /** Year and month, e.g. 2026-03. */
  readonly month: string;
  readonly group: string;
  readonly count: number;
  readonly sum: bigint;
}

const monthOf = (statement: Statement): string => formatDay(statement.coversFrom).slice(0, 7);

/** Statements by bank code and month, oldest first. */
export function statementByBankCode(statements: readonly Statement[]): StatementLine[] {
  const lines = new Map<string, StatementLine>();
  for (const statement of statements) {
    const month = monthOf(statement);
    const key = `${month} ${statement.bankCode}`;
    const line = lines.get(key) ?? { month, group: statement.bankCode, count: 0, sum: 0n };
    lines.set(key, { ...line, count: line.count + 1, sum: line.sum + statement.openingBalance });
  }
  return [...lines.values()].sort((left, right) => (left.month < right.month ? -1 : 1));
}

/** Statements by file name and month, oldest first. */
export function statementByFileName(statements: readonly Statement[]): StatementLine[] {
  const lines = new Map<string, StatementLine>();
  for (const statement of statements) {
    const month = monthOf(statement);
    const key = `${month} ${statement.fileName}`;
    const line = lines.get(key) ?? { month, group: statement.fileName, count: 0, sum: 0n };
    lines.set(key, { ...line, count: line.count + 1, sum: line.sum + statement.openingBalance });
  }
  return [...lines.values()].sort((left, right) => (left.month < right.month ? -1 : 1));
}

/** Days between coversFrom and a day, for the age columns. The same file is never imported twice. */
export function ageInDays(statement: Statement, until: CalendarDate): number {
  return daysBetween(statement.coversFrom, until);
}
