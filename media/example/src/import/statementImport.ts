import { parseDate } from '../dates/parseDate.js';
import type { CalendarDate } from '../dates/calendarDate.js';
import { readCsv } from './csvReader.js';

export interface StatementRow {
  readonly bookedOn: CalendarDate;
  /** Minor units; money that left the account is negative. */
  readonly amount: bigint;
  readonly currency: string;
  readonly counterparty: string;
  readonly reference: string;
}

export interface ImportProblem {
  /** Line in the file, the heading being line 1. */
  readonly line: number;
  readonly reason: string;
}

export interface ImportResult {
  readonly rows: readonly StatementRow[];
  readonly problems: readonly ImportProblem[];
}

/** An answer with more helps nobody: the file is not what it says it is. */
const mostProblems = 500;

/** Reads a statement file of Nordlys Bank. A row that cannot be read becomes a problem; the others are kept. */
export function importStatement(text: string): ImportResult {
  const rows: StatementRow[] = [];
  const problems: ImportProblem[] = [];
  let line = 1;
  for (const row of readCsv(text)) {
    line += 1;
    try {
      rows.push({
        bookedOn: parseDate(row['booked'] ?? ''),
        amount: parseAmount(row['amount'] ?? ''),
        currency: row['currency'] ?? 'NOK',
        counterparty: row['counterparty'] ?? '',
        reference: row['reference'] ?? '',
      });
    } catch (error) {
      problems.push({ line, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return { rows, problems: problems.slice(0, mostProblems) };
}

/** "1 234,50" and "-1234.5" are both amounts; more than two decimals are not. */
export function parseAmount(text: string): bigint {
  const match = /^(-?)(\d+)(?:[.,](\d{1,2}))?$/.exec(text.replace(/[\s\u00A0]/g, ''));
  if (!match) {
    throw new RangeError(`Not an amount: ${text}`);
  }
  const minor = BigInt(match[2] ?? '0') * 100n + BigInt((match[3] ?? '').padEnd(2, '0') || '0');
  return match[1] === '-' ? -minor : minor;
}
