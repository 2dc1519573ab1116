/** The hand-written files of the story's project: what the session is about. */

export const claudeMd = `# orbit-ledger

Bookkeeping service for small businesses. TypeScript, Fastify, PostgreSQL 16.

## Commands
- \`npm test\` runs all tests (vitest). \`npm test -- test/dates\` runs a folder.
- \`npm run check\` is tsc and eslint. Both must be clean before a commit.
- \`npm run db:reset\` drops the local database. Never run it without asking.

## Rules
- Money is \`bigint\` in minor units. No floating point, ever.
- A posting belongs to a calendar day, not to a moment. Times are only in \`audit\`.
- Business days follow the company's own time zone (\`company.time_zone\`), default Europe/Oslo.
- Small commits, one sentence in the imperative. No commit without a test that fails before it.
- Bank files hold personal data: never put account numbers or addresses into logs or test names.
`;

const packageJson = `{
  "name": "orbit-ledger",
  "version": "3.14.0",
  "private": true,
  "type": "module",
  "engines": { "node": ">=20" },
  "scripts": {
    "dev": "tsx watch src/server.ts",
    "test": "vitest run",
    "check": "tsc --noEmit && eslint .",
    "db:reset": "tsx scripts/reset-database.ts"
  },
  "dependencies": {
    "fastify": "^5.2.1",
    "pg": "^8.13.1",
    "pino": "^9.6.0",
    "zod": "^3.24.1"
  },
  "devDependencies": {
    "@types/node": "^22.10.5",
    "@types/pg": "^8.11.10",
    "eslint": "^9.17.0",
    "tsx": "^4.19.2",
    "typescript": "^5.7.2",
    "vitest": "^2.1.8"
  }
}
`;

export const parseDateBefore = `const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Reads the date forms that banks put into statements:
 * 2026-03-29, 20260329, 29.03.2026, 29/03/26 and 29 Mar 2026.
 */
export function parseDate(text: string): Date {
  const trimmed = text.trim();
  const compact = /^(\\d{4})(\\d{2})(\\d{2})$/.exec(trimmed);
  if (compact) {
    return new Date(Number(compact[1]), Number(compact[2]) - 1, Number(compact[3]));
  }
  const european = /^(\\d{1,2})[./](\\d{1,2})[./](\\d{2}|\\d{4})$/.exec(trimmed);
  if (european) {
    const year = Number(european[3]);
    return new Date(year < 100 ? 2000 + year : year, Number(european[2]) - 1, Number(european[1]));
  }
  const worded = /^(\\d{1,2}) ([A-Za-z]{3})[a-z]* (\\d{4})$/.exec(trimmed);
  if (worded) {
    const month = months.indexOf(worded[2]!.toLowerCase());
    return new Date(Number(worded[3]), month, Number(worded[1]));
  }
  // ISO and everything else
  const date = new Date(trimmed);
  if (Number.isNaN(date.getTime())) {
    throw new RangeError(\`Not a date: \${text}\`);
  }
  return date;
}

/** The day a posting is booked on, as the database wants it. */
export function toPostingDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** Today, for postings that carry no date of their own. */
export function today(): string {
  return toPostingDay(new Date());
}
`;

export const calendarDate = `/** A day in the calendar: no time, no zone. Months count from 1. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const daysInMonth = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

/** Throws RangeError for a day that the calendar does not have, such as 30 February. */
export function calendarDate(year: number, month: number, day: number): CalendarDate {
  const isDay =
    Number.isInteger(year) && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
  if (!isDay) {
    throw new RangeError(\`No such day: \${year}-\${month}-\${day}\`);
  }
  return { year, month, day };
}

export function formatDay({ year, month, day }: CalendarDate): string {
  return [String(year).padStart(4, '0'), pad(month), pad(day)].join('-');
}

/** A \`date\` column, which the driver gives as text. */
export function dayFromColumn(column: string): CalendarDate {
  const [year, month, day] = column.split('-').map(Number);
  return calendarDate(year ?? 0, month ?? 0, day ?? 0);
}

export function compareDays(left: CalendarDate, right: CalendarDate): number {
  return left.year - right.year || left.month - right.month || left.day - right.day;
}

/** Whole days from one day to a later one. */
export function daysBetween(from: CalendarDate, to: CalendarDate): number {
  return (utcMidnight(to) - utcMidnight(from)) / 86_400_000;
}

/** The day that it is at a moment in a time zone, e.g. Europe/Oslo. */
export function dayInZone(moment: Date, timeZone: string): CalendarDate {
  const parts = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
  return dayFromColumn(parts.format(moment));
}

function utcMidnight({ year, month, day }: CalendarDate): number {
  return Date.UTC(year, month - 1, day);
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
`;

export const parseDateAfter = `import { calendarDate, dayInZone, formatDay, type CalendarDate } from './calendarDate.js';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * Reads the date forms that banks put into statements:
 * 2026-03-29, 20260329, 29.03.2026, 29/03/26 and 29 Mar 2026.
 * Throws RangeError for anything else, and for days that do not exist.
 */
export function parseDate(text: string): CalendarDate {
  const trimmed = text.trim();
  const ordered = /^(\\d{4})-?(\\d{2})-?(\\d{2})$/.exec(trimmed);
  if (ordered) {
    return calendarDate(Number(ordered[1]), Number(ordered[2]), Number(ordered[3]));
  }
  const european = /^(\\d{1,2})[./](\\d{1,2})[./](\\d{2}|\\d{4})$/.exec(trimmed);
  if (european) {
    const year = Number(european[3]);
    return calendarDate(year < 100 ? 2000 + year : year, Number(european[2]), Number(european[1]));
  }
  const worded = /^(\\d{1,2}) ([A-Za-z]{3})[a-z]* (\\d{4})$/.exec(trimmed);
  if (worded) {
    const month = months.indexOf((worded[2] ?? '').toLowerCase()) + 1;
    return calendarDate(Number(worded[3]), month, Number(worded[1]));
  }
  throw new RangeError(\`Not a date: \${text}\`);
}

/** The day a posting is booked on, as the database wants it. */
export function toPostingDay(date: CalendarDate): string {
  return formatDay(date);
}

/** Today where the company does business, for postings that carry no date of their own. */
export function today(timeZone: string, now = new Date()): string {
  return formatDay(dayInZone(now, timeZone));
}
`;

const parseDateTest = `import { describe, expect, it } from 'vitest';
import { parseDate, today, toPostingDay } from '../../src/dates/parseDate.js';

const forms = ['2026-03-29', '20260329', '29.03.2026', '29/03/26', '29 Mar 2026', '29 March 2026'];

describe('parseDate', () => {
  for (const form of forms) {
    it(\`books \${form} on 29 March\`, () => {
      expect(toPostingDay(parseDate(form))).toBe('2026-03-29');
    });
  }

  it('rejects nonsense', () => {
    expect(() => parseDate('tomorrow-ish')).toThrow(RangeError);
  });

  it('books a posting without a date today', () => {
    const now = new Date();
    const expected = \`\${now.getFullYear()}-\${String(now.getMonth() + 1).padStart(2, '0')}-\${String(now.getDate()).padStart(2, '0')}\`;
    expect(today()).toBe(expected);
  });
});
`;

export const parseDateTestAfter = `import { describe, expect, it } from 'vitest';
import { parseDate, today, toPostingDay } from '../../src/dates/parseDate.js';

const forms = ['2026-03-29', '20260329', '29.03.2026', '29/03/26', '29 Mar 2026', '29 March 2026'];

describe.each(['UTC', 'Europe/Oslo', 'America/Los_Angeles', 'Pacific/Kiritimati'])('parseDate in %s', zone => {
  it.each(forms)('books %s on 29 March', form => {
    process.env.TZ = zone;
    expect(toPostingDay(parseDate(form))).toBe('2026-03-29');
  });
});

describe('parseDate', () => {
  it.each(['tomorrow-ish', '2026-02-30', '31.04.2026', '29 Foo 2026', ''])('rejects %j', text => {
    expect(() => parseDate(text)).toThrow(RangeError);
  });
});

describe('today', () => {
  // 22:30 UTC on 31 March is already 1 April in Oslo.
  const lateEvening = new Date('2026-03-31T22:30:00Z');
  it('is the day where the company is', () => {
    expect(today('Europe/Oslo', lateEvening)).toBe('2026-04-01');
    expect(today('America/New_York', lateEvening)).toBe('2026-03-31');
  });
});
`;

const configTs = `import { z } from 'zod';

const environment = z.object({
  DATABASE_URL: z.string().url(),
  PORT: z.coerce.number().default(4080),
  LOG_LEVEL: z.enum(['debug', 'info', 'warn', 'error']).default('info'),
  DEFAULT_TIME_ZONE: z.string().default('Europe/Oslo'),
});

export type Config = z.infer<typeof environment>;

export function readConfig(source: NodeJS.ProcessEnv = process.env): Config {
  return environment.parse(source);
}
`;

const serverTs = `import Fastify from 'fastify';
import { readConfig } from './config.js';
import { createPool } from './database/pool.js';
import { accountRoutes } from './account/account.routes.js';
import { invoiceRoutes } from './invoice/invoice.routes.js';
import { paymentRoutes } from './payment/payment.routes.js';
import { postingRoutes } from './posting/posting.routes.js';
import { statementRoutes } from './statement/statement.routes.js';

const config = readConfig();
const pool = createPool(config.DATABASE_URL);
const server = Fastify({ logger: { level: config.LOG_LEVEL, redact: ['req.headers.authorization'] } });

server.get('/health', async () => ({ ok: true, uptime: process.uptime() }));
for (const routes of [accountRoutes, invoiceRoutes, paymentRoutes, postingRoutes, statementRoutes]) {
  await server.register(routes, { pool, timeZone: config.DEFAULT_TIME_ZONE });
}

await server.listen({ port: config.PORT, host: '0.0.0.0' });

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await server.close();
    await pool.end();
  });
}
`;

export const csvReader = `/** Splits one line of a bank's CSV at the delimiter; fields may be quoted, and a doubled quote is a quote. */
export function splitLine(line: string, delimiter: string): string[] {
  const fields: string[] = [];
  let field = '';
  let isQuoted = false;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (isQuoted && character === '"' && line.charAt(index + 1) === '"') {
      field += '"';
      index += 1;
    } else if (character === '"') {
      isQuoted = !isQuoted;
    } else if (character === delimiter && !isQuoted) {
      fields.push(field);
      field = '';
    } else {
      field += character;
    }
  }
  return [...fields, field];
}

/** Rows as objects by the names in the first line. Empty lines are left out. */
export function* readCsv(text: string, delimiter = ','): Generator<Record<string, string>> {
  const [head = '', ...lines] = text.replace(/^\\uFEFF/, '').split(/\\r?\\n/);
  const names = splitLine(head, delimiter);
  for (const line of lines) {
    if (line.trim() !== '') {
      const fields = splitLine(line, delimiter);
      yield Object.fromEntries(names.map((name, index) => [name, fields[index] ?? '']));
    }
  }
}
`;

export const statementImport = `import { parseDate } from '../dates/parseDate.js';
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
  return { rows, problems };
}

/** "1 234,50" and "-1234.5" are both amounts; more than two decimals are not. */
export function parseAmount(text: string): bigint {
  const match = /^(-?)(\\d+)(?:[.,](\\d{1,2}))?$/.exec(text.replace(/[\\s\\u00A0]/g, ''));
  if (!match) {
    throw new RangeError(\`Not an amount: \${text}\`);
  }
  const minor = BigInt(match[2] ?? '0') * 100n + BigInt((match[3] ?? '').padEnd(2, '0') || '0');
  return match[1] === '-' ? -minor : minor;
}
`;

export const statementImportTest = `import { describe, expect, it } from 'vitest';
import { importStatement, parseAmount } from '../../src/import/statementImport.js';

const head = 'booked,amount,currency,counterparty,email,phone,account,reference';

describe('importStatement', () => {
  it('reads every date form on its own day', () => {
    const { rows, problems } = importStatement(
      [head, '29.03.2026,-420.00,NOK,Kiosk,,,,A1', '2026-03-29,17.5,NOK,Refund,,,,A2'].join('\\n'),
    );
    expect(problems).toEqual([]);
    expect(rows.map(row => row.bookedOn)).toEqual([
      { year: 2026, month: 3, day: 29 },
      { year: 2026, month: 3, day: 29 },
    ]);
    expect(rows.map(row => row.amount)).toEqual([-42000n, 1750n]);
  });

  it('keeps quoted commas and doubled quotes', () => {
    const { rows } = importStatement([head, '2026-03-02,1,NOK,"Berg, ""Søn"" & Co",,,,B7'].join('\\n'));
    expect(rows[0]?.counterparty).toBe('Berg, "Søn" & Co');
  });

  it('reports a bad row by its line and goes on', () => {
    const { rows, problems } = importStatement([head, '30.02.2026,1,NOK,X,,,,C1', '01.03.2026,2,NOK,Y,,,,C2'].join('\\n'));
    expect(rows).toHaveLength(1);
    expect(problems).toEqual([{ line: 2, reason: 'No such day: 2026-2-30' }]);
  });
});

describe('parseAmount', () => {
  it.each([
    ['1 234,50', 123450n],
    ['-1234.5', -123450n],
    ['0', 0n],
  ])('reads %s', (text, minor) => {
    expect(parseAmount(text)).toBe(minor);
  });

  it.each(['', '1.234,50', '12,345', 'abc'])('rejects %j', text => {
    expect(() => parseAmount(text)).toThrow(RangeError);
  });
});
`;

const changelog = `# Changelog

## 3.14.0
- Invoices can be credited in part.

## 3.13.2
- The balance report groups by counterparty.
`;

/**
 * Secrets that a detector finds and that are nobody's. No password in the database URL: packaging scans for those, and
 * stops.
 */
export const environmentFile = `# local development only
NODE_ENV=development
PORT=4080
TZ=America/Los_Angeles
DATABASE_URL=postgres://ledger@db.orbit-ledger.internal:5432/ledger
DATABASE_PASSWORD=m4rble-Heron-72
RATES_FEED=https://ledger:quiet-Juniper-4418@rates.orbit-ledger.dev/daily
SUPPORT_CONTACT=mira.kovacs@orbit-ledger.dev
`;

export const handWritten = {
  'CLAUDE.md': claudeMd,
  'package.json': packageJson,
  'CHANGELOG.md': changelog,
  '.env': environmentFile,
  'src/config.ts': configTs,
  'src/server.ts': serverTs,
  'src/dates/parseDate.ts': parseDateBefore,
  'test/dates/parseDate.test.ts': parseDateTest,
};
