/** What commands print in the story: test runs, type errors, logs, bank files, history. */
import { entityNames } from './modules.mjs';

const capital = text => text[0].toUpperCase() + text.slice(1);
const pad = (value, width = 2) => String(value).padStart(width, '0');

const people = [
  'Mira Kovács',
  'Jonas Aune',
  'Ingrid Solheim',
  'Tarek Haddad',
  'Lucía Prieto',
  'Ola Nyheim',
  'Sofie Brandt',
  'Pavel Horák',
];
const firms = [
  'Brattvik Gartneri',
  'Kaffehuset Lykke',
  'Nordfjord Snekkeri',
  'Studio Tolv',
  'Havblikk Camping',
  'Elvestua Bakeri',
  'Sykkelsmia',
  'Fjelltopp Regnskap',
  'Villa Rosen Frisør',
  'Lysverket Foto',
];
/** Numbers that banks publish as examples, valid by their check digits. */
const bankAccounts = [
  'NO9386011117947',
  'DE89370400440532013000',
  'GB82WEST12345698765432',
  'FR1420041010050500013M02606',
];

function mailOf(person) {
  const plain = person
    .normalize('NFD')
    .replace(/[^A-Za-z ]/g, '')
    .toLowerCase();
  return `${plain.replace(' ', '.')}@orbit-ledger.dev`;
}

const checks = [
  'reads back what it wrote',
  "does not show one company what is another one's",
  'finds by day, both ends included',
  'keeps the order of the file',
  'rejects a closed period',
  'rounds half to even',
  'removes once',
  'leaves optional columns empty',
  'counts nothing for a new company',
  'refuses the same file twice',
  'keeps the sign of a refund',
  'reports the line of a bad row',
];

const dateForms = ['2026-03-29', '20260329', '29.03.2026', '29/03/26', '29 Mar 2026', '29 March 2026'];

/** Tests of the date parser as [path, name], before and after its repair. */
function parserTests(parser, zone) {
  const zones =
    parser === 'new' ? ['UTC', 'Europe/Oslo', 'America/Los_Angeles', 'Pacific/Kiritimati'] : [zone];
  const forms = zones.flatMap(name =>
    dateForms.map(form => [`parseDate in ${name}`, `books ${form} on 29 March`]),
  );
  return parser === 'new'
    ? [...forms, ['parseDate', 'rejects "2026-02-30"'], ['today', 'is the day where the company is']]
    : [...forms, ['parseDate', 'rejects nonsense'], ['parseDate', 'books a posting without a date today']];
}

/**
 * A run of all tests, with every test named.
 * @param failures `{file, test, expected, received, line}`
 */
export function testRun(random, { failures = [], zone = 'UTC', parser = 'old' }) {
  const lines = [
    '',
    '> orbit-ledger@3.14.0 test',
    '> vitest run --reporter=verbose',
    '',
    ' RUN  v2.1.8 /home/ada/orbit-ledger',
    '',
  ];
  const dateFile = 'test/dates/parseDate.test.ts';
  const tests = parserTests(parser, zone).map(([path, test]) => [dateFile, path, test]);
  for (const name of entityNames) {
    for (const kind of ['repository', 'routes', 'report']) {
      for (const check of checks) {
        if (random.chance(0.62)) {
          tests.push([`test/${name}/${name}.${kind}.test.ts`, capital(name) + capital(kind), check]);
        }
      }
    }
  }
  const failureOf = (file, test) => failures.find(failure => failure.file === file && failure.test === test);
  for (const failure of failures.filter(
    ({ file, test }) => !tests.some(([f, , t]) => f === file && t === test),
  )) {
    tests.push([failure.file, 'routes', failure.test]);
  }
  for (const [file, path, test] of tests) {
    const time = random.chance(0.4) ? ` ${random.int(2, 240)}ms` : '';
    const failure = failureOf(file, test);
    lines.push(` ${failure === undefined ? '✓' : '×'} ${file} > ${path} > ${test}${time}`);
    if (failure !== undefined) {
      lines.push(`   → expected '${failure.received}' to be '${failure.expected}'`);
    }
  }
  if (failures.length > 0) {
    lines.push('', `⎯⎯⎯⎯⎯⎯⎯ Failed Tests ${failures.length} ⎯⎯⎯⎯⎯⎯⎯`, '');
    for (const { file, test, expected, received, line } of failures) {
      lines.push(
        ` FAIL  ${file} > ${test}`,
        `AssertionError: expected '${received}' to be '${expected}' // Object.is equality`,
        '',
        `Expected: "${expected}"`,
        `Received: "${received}"`,
        '',
        ` ❯ ${file}:${line}:${random.int(30, 48)}`,
        '',
      );
    }
  }
  const files = new Set(tests.map(([file]) => file)).size;
  const failedFiles = new Set(failures.map(({ file }) => file)).size;
  const failed = count => (count > 0 ? `${count} failed | ` : '');
  lines.push(
    '',
    ` Test Files  ${failed(failedFiles)}${files - failedFiles} passed (${files})`,
    `      Tests  ${failed(failures.length)}${tests.length - failures.length} passed (${tests.length})`,
    `   Duration  ${random.int(9, 31)}.${random.int(10, 99)}s (transform ${random.int(800, 2400)}ms, setup ${random.int(100, 600)}ms, tests ${random.int(6000, 21000)}ms)`,
  );
  return lines.join('\n');
}

export function typeErrors(random, paths) {
  const kinds = [
    ['TS2345', "Argument of type 'CalendarDate' is not assignable to parameter of type 'Date'."],
    ['TS2339', "Property 'toISOString' does not exist on type 'CalendarDate'."],
    ['TS2339', "Property 'getTime' does not exist on type 'CalendarDate'."],
    ['TS2322', "Type 'Date' is not assignable to type 'CalendarDate'."],
  ];
  const lines = paths.flatMap(path =>
    Array.from({ length: random.int(2, 6) }, () => {
      const [code, text] = random.pick(kinds);
      return `${path}(${random.int(24, 190)},${random.int(5, 44)}): error ${code}: ${text}`;
    }),
  );
  return [...lines.sort(), '', `Found ${lines.length} errors in ${paths.length} files.`].join('\n');
}

/** Lines of the service's log as pino writes them; some hold what they should not. */
export function serviceLog(random, count, start) {
  let time = Date.parse(start);
  const messages = [
    () => [
      'request completed',
      {
        method: random.pick(['GET', 'POST', 'GET', 'GET']),
        url: `/companies/${random.int(3, 91)}/${random.pick(entityNames)}s/${random.int(100, 9800)}`,
        statusCode: random.pick([200, 200, 200, 201, 204, 404]),
        responseTime: random.int(2, 380),
      },
    ],
    () => [
      'posting booked',
      {
        companyId: random.int(3, 91),
        entryId: random.int(40000, 68000),
        postedOn: `2026-0${random.int(3, 6)}-${pad(random.int(1, 28))}`,
        amount: String(random.int(900, 990000)),
      },
    ],
    () => [
      'payment matched',
      {
        paymentId: random.int(7000, 9900),
        invoiceId: random.int(1200, 4100),
        rule: random.pick(['reference', 'amount-and-day', 'kid-number']),
        score: random.int(61, 100),
      },
    ],
    () => [
      'slow query',
      { table: random.pick(entityNames), durationMs: random.int(400, 2600), rows: random.int(1, 4000) },
    ],
    () => [
      'reminder skipped',
      { invoiceId: random.int(1200, 4100), reason: random.pick(['holiday', 'paid today', 'blocked']) },
    ],
    () => [
      'rate fetched',
      {
        base: 'NOK',
        quote: random.pick(['EUR', 'SEK', 'USD', 'GBP']),
        rateMillionths: random.int(80000, 130000),
      },
    ],
  ];
  return Array.from({ length: count }, () => {
    time += random.int(120, 41000);
    const [message, fields] = random.pick(messages)();
    const level = message === 'slow query' ? 40 : 30;
    return JSON.stringify({
      level,
      time: new Date(time).toISOString(),
      pid: 4127,
      reqId: `req-${random.hex(6)}`,
      ...fields,
      msg: message,
    });
  }).join('\n');
}

/** Postings with the day in the bank's file and the day they were booked on, newest first or by their number. */
export function auditTable(random, count, { order, onlyShifted = false }) {
  const rows = Array.from({ length: count }, () => {
    const month = random.int(1, 5);
    const day = random.int(2, 27);
    const shifted = onlyShifted || random.chance(0.7);
    const time = `${shifted ? 22 + random.int(0, 1) : pad(random.int(6, 20))}:${pad(random.int(0, 59))}:${pad(random.int(0, 59))}`;
    return {
      entry: random.int(41000, 67900),
      company: random.int(3, 91),
      received: `2026-${pad(month)}-${pad(day)} ${time}+00`,
      inFile: `${pad(day)}.${pad(month)}.2026`,
      posted: `2026-${pad(month)}-${pad(shifted ? day - 1 : day)}`,
      expected: `2026-${pad(month)}-${pad(day)}`,
      shift: shifted ? '-1' : ' 0',
    };
  }).sort((left, right) =>
    order === 'entry' ? left.entry - right.entry : left.received < right.received ? 1 : -1,
  );
  return [
    ' entry_id | company | received_at            | text_in_file | posted_on  | expected   | shift ',
    '----------+---------+------------------------+--------------+------------+------------+-------',
    ...rows.map(
      row =>
        ` ${row.entry}    | ${String(row.company).padEnd(7)} | ${row.received} | ${row.inFile}   | ${row.posted} | ${row.expected} | ${row.shift}`,
    ),
    `(${count} rows)`,
  ].join('\n');
}

/** A month of a bank account as Nordlys Bank exports it. */
export function bankFile(random, count, delimiter = ',') {
  const lines = [
    ['booked', 'amount', 'currency', 'counterparty', 'email', 'phone', 'account', 'reference'].join(
      delimiter,
    ),
  ];
  for (let index = 0; index < count; index += 1) {
    const day = 1 + Math.floor((index * 31) / count);
    const person = random.pick(people);
    const booked = random.pick([`${pad(day)}.03.2026`, `2026-03-${pad(day)}`, `${pad(day)}/03/26`]);
    lines.push(
      [
        booked,
        `${random.chance(0.5) ? '-' : ''}${random.int(40, 48000)}.${pad(random.int(0, 99))}`,
        random.pick(['NOK', 'NOK', 'NOK', 'EUR', 'SEK']),
        random.pick(firms),
        mailOf(person),
        // Numbers reserved for drama, Ofcom.
        `+44 7700 900 ${random.int(100, 999)}`,
        random.pick(bankAccounts),
        `R-${random.int(20000, 49999)} ${random.pick(['rent', 'flowers', 'repair', 'coffee', 'photos', 'hosting', 'refund', 'deposit'])}`,
      ].join(delimiter),
    );
  }
  return lines.join('\n') + '\n';
}

export function commitLog(random, count) {
  const verbs = ['Read', 'Show', 'Keep', 'Reject', 'Group', 'Match', 'Import', 'Round', 'Cache', 'Split'];
  const objects = [
    'credit notes',
    'the balance report',
    'bank references',
    'late payments',
    'VAT codes',
    'exchange rates',
    'reminders',
    'period ends',
    'statement rows',
    'posting dates',
  ];
  const reasons = [
    'so that totals agree',
    'when the day is a holiday',
    'without a second query',
    'for companies in two zones',
    'as the auditor asked',
    'before the month is closed',
  ];
  return Array.from({ length: count }, (_, index) => {
    const month = 5 - Math.floor(index / 24);
    return `${random.hex(8)} 2026-${pad(Math.max(1, month))}-${pad(28 - (index % 27))} ${random.pick(['Ada Lind', 'Ada Lind', 'Noor Bakker', 'Tomás Vidal'])}: ${random.pick(verbs)} ${random.pick(objects)} ${random.pick(reasons)}`;
  }).join('\n');
}

export const datePage = `# Dates and times in ECMAScript: how strings are read

A Date is a moment: a count of milliseconds since 1970 in UTC. It has no time zone and it is not a day. The zone comes in when a string is read and when parts are asked for.

## What the constructor does with a string
1. A string in the date-only form (\`2026-03-29\`) is read as midnight UTC.
2. The same string with a time and without an offset (\`2026-03-29T00:00\`) is read as local time.
3. Every other string is up to the implementation. Engines read \`29 Mar 2026\` as local midnight; \`29.03.2026\` is an invalid date in most of them.

## What follows
| call | in Oslo, summer | in Los Angeles |
|---|---|---|
| \`new Date('2026-03-29').getDate()\` | 29 | 28 |
| \`new Date(2026, 2, 29).toISOString()\` | 2026-03-28T23:00:00.000Z | 2026-03-29T07:00:00.000Z |
| \`new Date('2026-03-29').toISOString()\` | 2026-03-29T00:00:00.000Z | 2026-03-29T00:00:00.000Z |

A program that builds dates from parts (local) and prints them with \`toISOString\` (UTC) is a day early everywhere east of Greenwich. One that does both in the same zone is right by accident, until it runs in another zone or on the other side of midnight.

## What to do
Keep days as days. Use a record of year, month and day, or \`Temporal.PlainDate\` where it exists. Convert to a moment only at the edge, and name the zone when you do.
`;
