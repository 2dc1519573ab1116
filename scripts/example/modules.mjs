/**
 * The larger part of the story's project: modules of one outline for each kind of record, as services of this sort
 * have them. Their date columns are read with `new Date(…)`, which is what the session sets right.
 */

/** Fields as [name, column, type]; types: text, money, day, moment, flag, number. */
const entities = {
  account: {
    plural: 'accounts',
    about: 'an account of the chart of accounts',
    fields:
      'number:text name:text kind:text currency:text openedOn:day closedOn:day? isLocked:flag vatCode:text? parentNumber:text?',
    rules: [
      'An account with postings is never deleted, only closed.',
      'The number decides the place in every report.',
    ],
  },
  posting: {
    plural: 'postings',
    about: 'one side of a journal entry',
    fields:
      'entryId:number accountNumber:text amount:money currency:text postedOn:day valueOn:day? text:text? counterpartyId:number? reversedBy:number?',
    rules: ['The postings of an entry add up to nothing.', 'A closed period takes no postings.'],
  },
  invoice: {
    plural: 'invoices',
    about: 'an invoice to a customer',
    fields:
      'invoiceNumber:text customerId:number issuedOn:day dueOn:day paidOn:day? net:money vat:money currency:text reference:text? isCredit:flag',
    rules: ['Numbers have no gaps within a year.', 'An issued invoice changes only by a credit note.'],
  },
  payment: {
    plural: 'payments',
    about: 'money that came in or went out',
    fields:
      'statementId:number bookedOn:day valueOn:day? amount:money currency:text counterpartyAccount:text? remittance:text? matchedInvoiceId:number? isIgnored:flag',
    rules: [
      'A payment is matched with one invoice, or with none.',
      'What the bank wrote is kept as it came.',
    ],
  },
  statement: {
    plural: 'statements',
    about: 'a statement file of a bank',
    fields:
      'bankCode:text fileName:text coversFrom:day coversTo:day openingBalance:money closingBalance:money rowCount:number importedAt:moment checksum:text',
    rules: ['The same file is never imported twice.', 'Opening balance plus rows is the closing balance.'],
  },
  counterparty: {
    plural: 'counterparties',
    about: 'a customer or a supplier',
    fields:
      'displayName:text kind:text organisationNumber:text? email:text? phone:text? bankAccount:text? since:day lastInvoicedOn:day? isBlocked:flag',
    rules: ['A counterparty with open invoices is not removed.', 'Addresses never appear in logs.'],
  },
  period: {
    plural: 'periods',
    about: 'an accounting period',
    fields:
      'label:text startsOn:day endsOn:day closedOn:day? closedBy:text? vatReportedOn:day? isAdjustment:flag',
    rules: ['Periods of a company do not overlap.', 'Closing is undone only by an auditor.'],
  },
  exchangeRate: {
    plural: 'exchangeRates',
    about: 'a rate of the central bank for one day',
    fields:
      'base:text quote:text validOn:day rateMillionths:number source:text fetchedAt:moment isFixed:flag',
    rules: ['A weekend has the rate of the Friday before.', 'Rates are whole millionths.'],
  },
  reminder: {
    plural: 'reminders',
    about: 'a reminder for an unpaid invoice',
    fields:
      'invoiceId:number level:number sentOn:day? dueOn:day fee:money currency:text channel:text text:text?',
    rules: ['The third level is the last.', 'A reminder is never sent on a holiday.'],
  },
  budget: {
    plural: 'budgets',
    about: 'a planned amount for an account and a month',
    fields: 'accountNumber:text monthStartsOn:day planned:money currency:text revisedOn:day? note:text?',
    rules: ['One plan for each account and month.', 'A revision keeps the first plan.'],
  },
};

export const entityNames = Object.keys(entities);

const typeNames = {
  text: 'string',
  money: 'bigint',
  day: 'Date',
  moment: 'Date',
  flag: 'boolean',
  number: 'number',
};
const capital = text => text[0].toUpperCase() + text.slice(1);
const snake = text => text.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`);

function fieldsOf(name) {
  return entities[name].fields.split(' ').map(text => {
    const [field, type] = text.split(':');
    return { field, column: snake(field), type: type.replace('?', ''), optional: type.endsWith('?') };
  });
}

function fromRow({ column, type, optional }) {
  const value = `row.${column}`;
  const read = {
    text: value,
    number: `Number(${value})`,
    flag: `${value} === true`,
    money: `BigInt(${value})`,
  }[type];
  const known = read ?? `new Date(${value})`;
  return optional ? `${value} === null ? undefined : ${known}` : known;
}

export const repositoryPath = name => `src/${name}/${name}.repository.ts`;
export const routesPath = name => `src/${name}/${name}.routes.ts`;
export const reportPath = name => `src/${name}/${name}.report.ts`;
export const testPath = name => `test/${name}/${name}.repository.test.ts`;

function repositoryModule(name, random) {
  const type = capital(name);
  const table = snake(entities[name].plural);
  const fields = fieldsOf(name);
  const days = fields.filter(({ type: kind }) => kind === 'day');
  const columns = fields.map(({ column }) => column).join(', ');
  const finders = days.map(
    ({ field, column }) => `
  /** ${capital(entities[name].plural)} whose ${column.replaceAll('_', ' ')} lies in a range of days, both ends included. */
  async find${capital(field)}Between(companyId: number, from: Date, to: Date): Promise<readonly ${type}[]> {
    const { rows } = await this.pool.query<${type}Row>(
      \`select id, company_id, ${columns}
         from ${table}
        where company_id = $1 and ${column} between $2 and $3
        order by ${column}, id\`,
      [companyId, from.toISOString().slice(0, 10), to.toISOString().slice(0, 10)],
    );
    return rows.map(read${type});
  }`,
  );
  const lookups = fields
    .filter(({ type: kind }) => kind === 'text' || kind === 'flag')
    .slice(0, 3)
    .map(
      ({ field, column, type: kind }) => `
  async findBy${capital(field)}(companyId: number, ${field}: ${typeNames[kind]}): Promise<readonly ${type}[]> {
    const { rows } = await this.pool.query<${type}Row>(
      'select * from ${table} where company_id = $1 and ${column} = $2 order by id',
      [companyId, ${field}],
    );
    return rows.map(read${type});
  }`,
    );
  const sums = fields
    .filter(({ type: kind }) => kind === 'money')
    .map(
      ({ field, column }) => `
  /** Sum in minor units; nothing for a company without ${entities[name].plural}. */
  async total${capital(field)}(companyId: number, until: Date): Promise<bigint> {
    const { rows } = await this.pool.query<{ total: string | null }>(
      'select sum(${column}) as total from ${table} where company_id = $1 and ${days[0].column} <= $2',
      [companyId, until.toISOString().slice(0, 10)],
    );
    return BigInt(rows[0]?.total ?? '0');
  }`,
    );
  return `import type { Pool } from 'pg';
import { notFound } from '../errors.js';

/** ${capital(entities[name].about)}. ${random.pick(entities[name].rules)} */
export interface ${type} {
  readonly id: number;
  readonly companyId: number;
${fields.map(({ field, type: kind, optional }) => `  readonly ${field}${optional ? '?' : ''}: ${typeNames[kind]}${optional ? ' | undefined' : ''};`).join('\n')}
}

interface ${type}Row {
  readonly id: string;
  readonly company_id: string;
${fields.map(({ column, type: kind, optional }) => `  readonly ${column}: ${kind === 'flag' ? 'boolean' : 'string'}${optional ? ' | null' : ''};`).join('\n')}
}

function read${type}(row: ${type}Row): ${type} {
  return {
    id: Number(row.id),
    companyId: Number(row.company_id),
${fields.map(field => `    ${field.field}: ${fromRow(field)},`).join('\n')}
  };
}

export class ${type}Repository {
  constructor(private readonly pool: Pool) {}

  async get(companyId: number, id: number): Promise<${type}> {
    const { rows } = await this.pool.query<${type}Row>(
      'select * from ${table} where company_id = $1 and id = $2',
      [companyId, id],
    );
    const row = rows[0];
    if (row === undefined) {
      throw notFound('${name}', id);
    }
    return read${type}(row);
  }
${[...lookups, ...finders, ...sums].join('\n')}

  async insert(companyId: number, ${name}: Omit<${type}, 'id' | 'companyId'>): Promise<number> {
    const { rows } = await this.pool.query<{ id: string }>(
      \`insert into ${table} (company_id, ${columns})
       values ($1, ${fields.map((_, index) => `$${index + 2}`).join(', ')})
       returning id\`,
      [
        companyId,
${fields
  .map(({ field, type: kind, optional }) => {
    const value = `${name}.${field}`;
    const written =
      kind === 'day'
        ? `${value}${optional ? '?' : ''}.toISOString().slice(0, 10)`
        : kind === 'money'
          ? `${value}${optional ? '?' : ''}.toString()`
          : value;
    return `        ${written}${optional ? ' ?? null' : ''},`;
  })
  .join('\n')}
      ],
    );
    return Number(rows[0]?.id);
  }

  /** ${random.pick(entities[name].rules)} */
  async remove(companyId: number, id: number): Promise<void> {
    const { rowCount } = await this.pool.query('delete from ${table} where company_id = $1 and id = $2', [companyId, id]);
    if (rowCount === 0) {
      throw notFound('${name}', id);
    }
  }
}
`;
}

function routesModule(name, random) {
  const type = capital(name);
  const fields = fieldsOf(name);
  const schema = {
    text: 'z.string().min(1)',
    money: 'money',
    day: 'z.string()',
    moment: 'z.string()',
    flag: 'z.boolean()',
    number: 'z.number().int()',
  };
  const days = fields.filter(({ type: kind }) => kind === 'day');
  return `import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import { z } from 'zod';
import { parseDate } from '../dates/parseDate.js';
import { money } from '../money.js';
import { ${type}Repository } from './${name}.repository.js';

const body = z.object({
${fields.map(({ field, type: kind, optional }) => `  ${field}: ${schema[kind]}${optional ? '.optional()' : ''},`).join('\n')}
});

const range = z.object({ from: z.string(), to: z.string() });

/** Routes below /companies/:companyId/${snake(entities[name].plural).replaceAll('_', '-')}. ${random.pick(entities[name].rules)} */
export async function ${name}Routes(server: FastifyInstance, options: { pool: Pool; timeZone: string }): Promise<void> {
  const repository = new ${type}Repository(options.pool);
  const prefix = '/companies/:companyId/${snake(entities[name].plural).replaceAll('_', '-')}';

  server.get<{ Params: { companyId: number; id: number } }>(\`\${prefix}/:id\`, async request => {
    const { companyId, id } = request.params;
    return present(await repository.get(companyId, id));
  });
${days
  .map(
    ({ field, column }) => `
  server.get<{ Params: { companyId: number } }>(\`\${prefix}/by-${column.replaceAll('_', '-')}\`, async request => {
    const { from, to } = range.parse(request.query);
    const found = await repository.find${capital(field)}Between(request.params.companyId, parseDate(from), parseDate(to));
    return found.map(present);
  });`,
  )
  .join('\n')}

  server.post<{ Params: { companyId: number } }>(prefix, async (request, reply) => {
    const input = body.parse(request.body);
    const id = await repository.insert(request.params.companyId, {
      ...input,
${fields
  .filter(({ type: kind }) => kind === 'day' || kind === 'moment')
  .map(({ field, optional }) =>
    optional
      ? `      ${field}: input.${field} === undefined ? undefined : parseDate(input.${field}),`
      : `      ${field}: parseDate(input.${field}),`,
  )
  .join('\n')}
    });
    return reply.code(201).send({ id });
  });

  server.delete<{ Params: { companyId: number; id: number } }>(\`\${prefix}/:id\`, async (request, reply) => {
    await repository.remove(request.params.companyId, request.params.id);
    return reply.code(204).send();
  });
}

function present(${name}: Awaited<ReturnType<${type}Repository['get']>>): Record<string, unknown> {
  return {
    id: ${name}.id,
${fields
  .map(({ field, type: kind, optional }) => {
    const value = `${name}.${field}${optional ? '?' : ''}`;
    return kind === 'day'
      ? `    ${field}: ${value}.toISOString().slice(0, 10),`
      : kind === 'money'
        ? `    ${field}: ${value}.toString(),`
        : `    ${field}: ${name}.${field},`;
  })
  .join('\n')}
  };
}
`;
}

function reportModule(name, random) {
  const type = capital(name);
  const fields = fieldsOf(name);
  const day = fields.find(({ type: kind }) => kind === 'day');
  const amount = fields.find(({ type: kind }) => kind === 'money');
  const groups = fields.filter(({ type: kind, optional }) => kind === 'text' && !optional).slice(0, 2);
  return `import type { ${type} } from './${name}.repository.js';

/** A line of the ${name} report: one group of ${entities[name].plural} in one month. */
export interface ${type}Line {
  /** Year and month, e.g. 2026-03. */
  readonly month: string;
  readonly group: string;
  readonly count: number;
${amount ? '  readonly sum: bigint;\n' : ''}}

const monthOf = (${name}: ${type}): string => ${name}.${day.field}.toISOString().slice(0, 7);
${groups
  .map(
    ({ field }) => `
/** ${capital(entities[name].plural)} by ${snake(field).replaceAll('_', ' ')} and month, oldest first. */
export function ${name}By${capital(field)}(${entities[name].plural}: readonly ${type}[]): ${type}Line[] {
  const lines = new Map<string, ${type}Line>();
  for (const ${name} of ${entities[name].plural}) {
    const month = monthOf(${name});
    const key = \`\${month} \${${name}.${field}}\`;
    const line = lines.get(key) ?? { month, group: ${name}.${field}, count: 0${amount ? ', sum: 0n' : ''} };
    lines.set(key, { ...line, count: line.count + 1${amount ? `, sum: line.sum + ${name}.${amount.field}` : ''} });
  }
  return [...lines.values()].sort((left, right) => (left.month < right.month ? -1 : 1));
}`,
  )
  .join('\n')}

/** Days between ${day.field} and a day, for the age columns. ${random.pick(entities[name].rules)} */
export function ageInDays(${name}: ${type}, until: Date): number {
  return Math.floor((until.getTime() - ${name}.${day.field}.getTime()) / 86_400_000);
}
`;
}

function testModule(name, random) {
  const type = capital(name);
  const fields = fieldsOf(name);
  const sample = ({ field, type: kind, optional }) => {
    if (optional && random.chance(0.5)) {
      return undefined;
    }
    const day = `2026-0${random.int(1, 6)}-${random.int(10, 28)}`;
    const values = {
      text: `'${random.pick(['NOK', 'main', '1920', 'nordlys', 'R-2041', 'open', 'EUR'])}'`,
      money: `${random.int(100, 990000)}n`,
      day: `new Date('${day}')`,
      moment: `new Date('${day}T08:15:00Z')`,
      flag: random.pick(['true', 'false']),
      number: String(random.int(1, 900)),
    };
    return `    ${field}: ${values[kind]},`;
  };
  const days = fields.filter(({ type: kind }) => kind === 'day');
  return `import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ${type}Repository } from '../../src/${name}/${name}.repository.js';
import { freshPool } from '../support/pool.js';

const company = 1;

function some${type}() {
  return {
${fields.map(sample).filter(Boolean).join('\n')}
  };
}

describe('${type}Repository', () => {
  let pool: Awaited<ReturnType<typeof freshPool>>;
  let repository: ${type}Repository;

  beforeEach(async () => {
    pool = await freshPool();
    repository = new ${type}Repository(pool);
  });
  afterEach(() => pool.end());

  it('reads back what it wrote', async () => {
    const id = await repository.insert(company, some${type}());
    expect(await repository.get(company, id)).toMatchObject(some${type}());
  });

  it('does not show one company what is another one\\'s', async () => {
    const id = await repository.insert(company, some${type}());
    await expect(repository.get(company + 1, id)).rejects.toThrow('${name} ${'${id}'} not found');
  });
${days
  .map(
    ({ field }) => `
  it('finds by ${snake(field).replaceAll('_', ' ')}, both ends included', async () => {
    const id = await repository.insert(company, { ...some${type}(), ${field}: new Date('2026-03-31') });
    const inside = await repository.find${capital(field)}Between(company, new Date('2026-03-31'), new Date('2026-03-31'));
    const outside = await repository.find${capital(field)}Between(company, new Date('2026-04-01'), new Date('2026-04-30'));
    expect(inside.map(found => found.id)).toEqual([id]);
    expect(outside).toEqual([]);
  });`,
  )
  .join('\n')}

  it('removes once', async () => {
    const id = await repository.insert(company, some${type}());
    await repository.remove(company, id);
    await expect(repository.remove(company, id)).rejects.toThrow('not found');
  });
});
`;
}

/** Path → text of every templated module. */
export function templatedModules(random) {
  return Object.fromEntries(
    entityNames.flatMap(name => [
      [repositoryPath(name), repositoryModule(name, random)],
      [routesPath(name), routesModule(name, random)],
      [reportPath(name), reportModule(name, random)],
      [testPath(name), testModule(name, random)],
    ]),
  );
}

/** The `new Date(row.column)` expressions of a repository, in order. */
export function dateReadsOf(name) {
  return fieldsOf(name)
    .filter(({ type }) => type === 'day')
    .map(({ column }) => column);
}

/** Turns every day of the project from Date to CalendarDate, as the script in the story does; gives what it prints. */
export function moveToCalendarDays(project) {
  const printed = [];
  for (const name of entityNames) {
    for (const path of [repositoryPath(name), reportPath(name), routesPath(name), testPath(name)]) {
      const before = project.files.get(path);
      const after = withImport(
        fieldsOf(name).reduce((text, field) => moveField(text, name, field), moveCommon(before)),
      );
      if (after !== before) {
        project.files.set(path, after);
        printed.push(`${path}: ${changedLines(before, after)} lines`);
      }
    }
  }
  return printed.join('\n');
}

function moveCommon(text) {
  return text
    .replaceAll('from: Date, to: Date', 'from: CalendarDate, to: CalendarDate')
    .replaceAll('until: Date', 'until: CalendarDate')
    .replace(/\b(from|to|until)\.toISOString\(\)\.slice\(0, 10\)/g, 'formatDay($1)')
    .replace(/new Date\(('\d{4}-\d\d-\d\d')\)/g, 'dayFromColumn($1)')
    .replace(
      /Math\.floor\(\(until\.getTime\(\) - (\w+\.\w+)\.getTime\(\)\) \/ 86_400_000\)/,
      'daysBetween($1, until)',
    );
}

function moveField(text, name, { field, column, type }) {
  if (type === 'moment') {
    return text.replace(`parseDate(input.${field})`, `new Date(input.${field})`);
  }
  if (type !== 'day') {
    return text;
  }
  return text
    .replace(new RegExp(`readonly ${field}(\\??): Date`), `readonly ${field}$1: CalendarDate`)
    .replace(`new Date(row.${column})`, `dayFromColumn(row.${column})`)
    .replace(
      `${name}.${field}?.toISOString().slice(0, 10) ?? null`,
      `${name}.${field} ? formatDay(${name}.${field}) : null`,
    )
    .replace(
      `${name}.${field}?.toISOString().slice(0, 10)`,
      `${name}.${field} && formatDay(${name}.${field})`,
    )
    .replace(new RegExp(`${name}\\.${field}\\.toISOString\\(\\)\\.slice\\(0, (7|10)\\)`), (_, length) =>
      length === '7' ? `formatDay(${name}.${field}).slice(0, 7)` : `formatDay(${name}.${field})`,
    );
}

/** The import names what the file uses now, whatever it named before. */
function withImport(text) {
  const bare = text.replace(/import \{[^}]*\} from '[./]*dates\/calendarDate\.js';\n/, '');
  const names = ['dayFromColumn', 'daysBetween', 'formatDay'].filter(name => bare.includes(`${name}(`));
  if (bare.includes('CalendarDate')) {
    names.push('type CalendarDate');
  }
  const from = text.includes("from 'vitest'")
    ? '../../src/dates/calendarDate.js'
    : '../dates/calendarDate.js';
  return names.length === 0
    ? text
    : bare.replace(/^(import .*;\n)/, `$1import { ${names.join(', ')} } from '${from}';\n`);
}

function changedLines(before, after) {
  const old = new Set(before.split('\n'));
  return after.split('\n').filter(line => !old.has(line)).length;
}
