import { pictureSize, weekViewPng } from './picture.mjs';
import {
  dateReadsOf,
  moveToCalendarDays,
  reportPath,
  repositoryPath,
  routesPath,
  testPath,
} from './modules.mjs';
import { auditTable, bankFile, commitLog, datePage, serviceLog, testRun, typeErrors } from './outputs.mjs';
import { Session } from './session.mjs';
import {
  calendarDate,
  claudeMd,
  csvReader,
  parseDateAfter,
  parseDateTestAfter,
  statementImport,
  statementImportTest,
} from './sources.mjs';

const root = '/home/ada/orbit-ledger';
const dateTest = 'test/dates/parseDate.test.ts';

/** Tells the whole story and gives the session with all its lines. */
export function tellStory() {
  const session = new Session(root);
  const { main, random, project } = session;
  project.write('test/fixtures/nordlys-2026-03.csv', bankFile(random, 205));
  project.write('test/fixtures/nordlys-2026-04.csv', bankFile(random, 190, ';'));
  project.touched.clear();
  const turn = (content, extra) => {
    const begunAt = session.clock.now;
    main.prompt(content, { permissionMode: 'default', origin: { kind: 'human' }, ...extra });
    return begunAt;
  };

  main.note({ type: 'permission-mode', permissionMode: 'default', sessionId: session.shared.sessionId });
  main.note({
    type: 'file-history-snapshot',
    messageId: random.uuid(),
    snapshot: { trackedFileBackups: {}, timestamp: new Date(session.clock.now).toISOString() },
    isSnapshotUpdate: false,
  });
  findTheCause(session, turn);
  lookAtTheDamage(session, turn);
  beginTheRefactoring(session, turn);
  main.compact(summary, 'auto');
  resendContext(session);
  finishTheRefactoring(session);
  addTheImport(session, turn);
  changeTheDelimiter(session, turn);
  wrapUp(session, turn);
  main.note({
    type: 'ai-title',
    aiTitle: 'Posting dates that are a day early, and the Nordlys import',
    sessionId: session.shared.sessionId,
  });
  return session;
}

const reminder = text => `<system-reminder>\n${text}\n</system-reminder>`;

const memory = reminder(
  `Context for the requests below. Use it where it matters.\n# claudeMd\nContents of ${root}/CLAUDE.md (project instructions, checked in):\n\n${claudeMd}`,
);

const environment = reminder(
  `# Environment\n - Working directory: ${root}\n - Git repository: yes, branch fix/posting-dates\n - Platform: linux, shell zsh\n - Today: 2026-06-09`,
);

const skills = `- release-notes: Write a changelog entry from commits. Use it when the user asks for release notes or a changelog.
- db-inspect: Read-only queries against the local database. Use it for questions about stored postings.
- review-diff: Review the working tree against the rules of the project before a commit.`;

function openingContext({ main }) {
  main.attachment(
    { type: 'environment', snapshot: { workingDirectory: root, platform: 'linux' } },
    environment,
    'system',
  );
  main.attachment({ type: 'instructions', path: `${root}/CLAUDE.md` }, memory);
  main.attachment(
    { type: 'skill_listing', content: skills, skillCount: 3, isInitial: true },
    reminder(`These skills are available:\n\n${skills}`),
  );
}

function findTheCause(session, turn) {
  const { main, random } = session;
  const begunAt = turn(
    `CI is red about one run in five, always in ${dateTest}, and mostly in the evening runs. On top of that support says some customers see postings a day early. I suspect it is the same bug. Find the cause first, don't fix anything yet.`,
  );
  openingContext(session);
  main.reply({
    thinking:
      'Flaky in the evening, and a day early: that smells of a date that is built in local time and printed in UTC, or the other way round. I should plan, then look at the parser, its test, and who calls it.',
    text: "I'll look at the parser and its test first, then reproduce the failure in more than one time zone.",
    calls: [
      session.todos([
        ['in_progress', 'Read the date parser and its test'],
        ['pending', 'Reproduce the failure in other time zones'],
        ['pending', 'Find everything that turns text into dates'],
        ['pending', 'Explain the cause'],
      ]),
    ],
  });
  main.reply({
    calls: [
      session.grep('new Date\\(|toISOString'),
      session.read('src/dates/parseDate.ts'),
      session.read(dateTest),
    ],
  });
  main.reply({
    thinking:
      'As thought: `new Date(y, m, d)` is local midnight, `new Date("2026-03-29")` is UTC midnight, and toPostingDay prints UTC. With TZ=UTC both agree. Let me see the baseline.',
    text: 'The parser mixes two kinds of midnight. First the baseline, as CI runs it:',
    calls: [
      session.bash('npm test -- --reporter=verbose', 'Run all tests', testRun(random, {}), { seconds: 24 }),
    ],
  });
  const oslo = ['20260329', '29.03.2026', '29/03/26', '29 Mar 2026', '29 March 2026'].map((form, index) => ({
    file: dateTest,
    test: `books ${form} on 29 March`,
    expected: '2026-03-29',
    received: '2026-03-28',
    line: 9 + (index % 2),
  }));
  main.reply({
    text: 'All green with TZ=UTC. Now where the customers are:',
    calls: [
      session.bash(
        'TZ=Europe/Oslo npm test -- --reporter=verbose',
        'Run all tests in the time zone of Oslo',
        testRun(random, { failures: oslo, zone: 'Europe/Oslo' }),
        { isError: true, seconds: 26 },
      ),
    ],
  });
  main.reply({
    thinking:
      'Five of six forms are a day early in Oslo. And the "today" test compares local parts with a UTC day, which fails between local midnight and UTC midnight: that is the flaky one. What zone do CI and production run in?',
    text: 'Reproduced: five of the six forms land on the 28th. Which zone do the service and the runners use?',
    calls: [session.read('src/config.ts'), session.read('.env'), session.read('package.json')],
  });
  main.attachment(
    {
      type: 'hook_additional_context',
      hookName: 'PostToolUse:Read',
      content: ['.env holds local credentials.'],
    },
    reminder(
      'PostToolUse:Read hook: .env holds local credentials. Do not repeat its values in answers, commits or logs.',
    ),
  );
  survey(session);
  main.reply({
    text: "The survey agrees with what I saw. Let me check the language's rules and the history of the parser side by side.",
    calls: [
      {
        name: 'WebFetch',
        input: {
          url: 'https://docs.orbit-ledger.dev/notes/ecmascript-dates',
          prompt: 'How are date strings read?',
        },
        result: {
          content: datePage,
          toolUseResult: { bytes: datePage.length, code: 200, codeText: 'OK', durationMs: 812 },
        },
      },
      session.bash(
        "git log --oneline --date=short --format='%h %ad %an: %s' -- src | head -90",
        'Show the history of the sources',
        commitLog(random, 90),
      ),
    ],
  });
  main.system('api_error', {
    level: 'error',
    error: { status: 529, type: 'overloaded_error' },
    retryAttempt: 1,
    maxRetries: 10,
    retryInMs: 612,
  });
  main.reply({
    thinking:
      'The audit table has the time each row came in. If the theory holds, only rows from the late evening are off.',
    calls: [
      session.bash(
        'psql "$DATABASE_URL" -c \'select * from posting_day_audit order by received_at desc limit 165\'',
        'List postings with the day in the file and the day booked',
        auditTable(random, 165, { order: 'received' }),
      ),
    ],
  });
  main.reply({
    text: `Found it, and it is one bug with two faces.

**Cause.** \`parseDate\` returns a \`Date\`, which is a moment. Five of the forms become *local* midnight (\`new Date(y, m, d)\`), the ISO form becomes *UTC* midnight, and \`toPostingDay\` prints UTC. East of Greenwich local midnight is still yesterday in UTC, so the posting lands a day early.

**Why CI is flaky.** \`today()\` gives the UTC day, the test compares it with local parts. The runners are in two regions; on those that are not on UTC the two differ for some hours every evening.

**Why customers see it.** The service runs with \`TZ\` from the environment. Of the 165 newest rows in the audit table every shifted one came in after 22:00 UTC.

I would stop using \`Date\` for days altogether: a small \`CalendarDate\` (year, month, day), and a time zone only where "today" is asked for. Shall I?`,
  });
  session.endTurn(begunAt);
}

/** The subagent that looks for all places where text becomes a date. */
function survey(session) {
  const { main, random } = session;
  const agentId = `a${random.hex(16)}`;
  const prompt = `Find every place below src/ and test/ where a string becomes a Date or a Date becomes a string. For each say whether the value is a day or a moment. Read-only. Report a table: file, line, kind, risk.`;
  const thread = session.subagent(agentId);
  main.reply({
    thinking:
      'There are many repositories with the same pattern. A subagent can go through them without filling this context.',
    text: 'TZ comes from the environment. I let a subagent go through all modules, since the pattern repeats.',
    calls: [
      {
        name: 'Task',
        input: { description: 'Survey date conversions', prompt, subagent_type: 'Explore' },
        result: () => runSurvey(session, thread, agentId, prompt),
      },
    ],
  });
}

function runSurvey(session, thread, agentId, prompt) {
  const { project } = session;
  const begunAt = session.clock.now;
  const touched = new Set(project.touched);
  thread.prompt(prompt);
  thread.attachment({ type: 'instructions', path: `${root}/CLAUDE.md` }, memory);
  thread.reply({
    text: 'I start with all conversions, then read one module of each kind.',
    calls: [session.grep('new Date\\(', 'src'), session.grep('toISOString', 'src')],
  });
  thread.reply({
    calls: [
      session.read(repositoryPath('period')),
      session.read(reportPath('invoice')),
      session.read(routesPath('budget')),
    ],
  });
  thread.reply({
    thinking:
      'Repositories read date columns as Date, print them with toISOString. Moments are only importedAt and fetchedAt.',
    calls: [session.grep('new Date\\(', 'test'), session.read(repositoryPath('exchangeRate'))],
  });
  const report = `| place | kind | risk |
|---|---|---|
| src/dates/parseDate.ts | day | high: local midnight in, UTC day out |
| src/*/\\*.repository.ts, read functions (10 files) | day | high: date columns become UTC midnight |
| src/*/\\*.repository.ts, find…Between and insert | day | high: printed in UTC |
| src/*/\\*.report.ts, monthOf | day | medium: the first of a month moves to the month before |
| src/*/\\*.report.ts, ageInDays | day | low: off by one around midnight |
| src/*/\\*.routes.ts, present | day | medium: answers show the shifted day |
| statement.importedAt, exchangeRate.fetchedAt | moment | none: these are times and stay Date |
| test/*/\\*.repository.test.ts | day | fixtures in ISO form, so they never see the bug |

All ten repositories have the same outline. No library for dates is in use.`;
  thread.reply({ text: report });
  // What a subagent reads does not become part of the main story's files.
  project.touched = touched;
  const { lastUsage } = thread;
  const text = { type: 'text', text: report };
  return {
    content: report,
    toolUseResult: {
      status: 'completed',
      prompt,
      agentId,
      content: [text],
      totalDurationMs: session.clock.now - begunAt,
      totalTokens: thread.contextTokens,
      totalToolUseCount: thread.toolUses,
      usage: lastUsage,
    },
  };
}

function lookAtTheDamage(session, turn) {
  const { main, random } = session;
  session.clock.now += 95_000;
  const begunAt = turn([
    {
      type: 'text',
      text: 'Yes, do it that way. Before you start: this is what a customer sent me, the red one should be on Friday. Is that the same thing, or is the week view wrong as well? Check last night in the log.',
    },
    {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: weekViewPng().toString('base64') },
    },
  ]);
  main.reply({
    thinking: `The picture (${pictureSize.width} × ${pictureSize.height}) shows a posting one column to the left or right of its neighbours. The log of the night will tell how it was booked.`,
    calls: [
      session.bash(
        'journalctl -u orbit-ledger --since "2026-06-08 20:00" -o cat | head -150',
        'Show the log of last night',
        serviceLog(random, 118, '2026-06-08T20:00:04Z'),
      ),
    ],
  });
  main.reply({
    text: 'The entry was booked at 22:41 UTC with the day before, so it is the same thing; the week view only draws what it gets. Now the modules that I will change:',
    calls: ['posting', 'payment', 'invoice', 'account'].map(name => session.read(repositoryPath(name))),
  });
  main.reply({
    calls: [
      session.read(repositoryPath('statement')),
      session.read(repositoryPath('counterparty')),
      session.bash(
        'journalctl -u orbit-ledger --since "2026-06-07 20:00" -o cat | head -150',
        'Show the log of the night before',
        serviceLog(random, 112, '2026-06-07T20:00:11Z'),
      ),
    ],
  });
  main.reply({
    thinking:
      'CalendarDate as a plain record, checked on creation. dayFromColumn for the driver: does pg give date columns as text? The repositories type them as string, so a type parser is set. Good.',
    text: 'I begin with the type itself, then the parser on top of it.',
    calls: [session.write('src/dates/calendarDate.ts', calendarDate)],
  });
  main.reply({
    calls: [
      session.write('src/dates/parseDate.ts', parseDateAfter),
      session.write(dateTest, parseDateTestAfter),
    ],
    interleaved: false,
  });
  const dates = ['UTC', 'Europe/Oslo', 'America/Los_Angeles', 'Pacific/Kiritimati'];
  main.reply({
    calls: [
      session.bash(
        'for zone in UTC Europe/Oslo America/Los_Angeles; do TZ=$zone npm test -- test/dates; done',
        'Run the date tests in three time zones',
        dates
          .slice(0, 3)
          .map(
            zone =>
              ` RUN  v2.1.8 ${root} (TZ=${zone})\n ✓ ${dateTest} (31 tests) ${random.int(9, 40)}ms\n Tests  31 passed (31)`,
          )
          .join('\n\n'),
        { seconds: 7 },
      ),
      session.todos([
        ['completed', 'Explain the cause'],
        ['completed', 'CalendarDate and parseDate with tests in four time zones'],
        ['in_progress', 'Move all repositories to CalendarDate'],
        ['pending', 'Reports and routes'],
        ['pending', 'Repair the postings that were booked early'],
      ]),
    ],
  });
  main.reply({
    text: 'Same bug, yes: the week view is fine. `CalendarDate` and the new parser stand, 31 tests in each of three zones. It now rejects 30 February and free text, which the old one let through. Next are the ten repositories.',
  });
  session.endTurn(begunAt);
}

function beginTheRefactoring(session, turn) {
  const { main, random, project } = session;
  session.clock.now += 48_000;
  turn('Go on with the repositories, routes and reports.');
  main.reply({
    calls: ['posting', 'payment', 'invoice', 'statement'].map(name => session.read(routesPath(name))),
  });
  main.reply({
    text: 'And the reports, which group by month:',
    calls: ['posting', 'invoice', 'payment', 'statement'].map(name => session.read(reportPath(name))),
  });
  const careless = {
    name: 'Edit',
    input: {
      file_path: project.absolute(repositoryPath('posting')),
      old_string: 'postedOn: new Date(row.posted_on),',
      new_string: 'postedOn: parseDate(row.posted_on) as unknown as Date,',
    },
    result: {
      content: 'The user did not allow this edit. Nothing was changed. Wait for what the user says.',
      isError: true,
      toolUseResult: 'Error: The user did not allow this edit.',
    },
  };
  main.reply({ text: 'I change the posting repository first.', calls: [careless] });
  main.prompt([{ type: 'text', text: '[Request interrupted by user for tool use]' }]);
  session.clock.now += 31_000;
  const begunAt = turn(
    'No casts please. Change the types for real: `CalendarDate` in the interfaces, `dayFromColumn` for columns, `formatDay` on the way out. Leave `moment` columns alone. If tsc complains, that is what it is for.',
  );
  main.reply({
    thinking:
      'Right: the types should force the change through. I need the rest of the repositories and the tests, since fixtures will change as well.',
    text: 'Understood. I read the remaining repositories and their tests first, so that one change fits all of them.',
    calls: ['period', 'exchangeRate', 'reminder', 'budget'].map(name => session.read(repositoryPath(name))),
  });
  main.reply({ calls: ['posting', 'invoice', 'period'].map(name => session.read(testPath(name))) });
  main.reply({
    calls: [
      session.edit(
        repositoryPath('posting'),
        "import type { Pool } from 'pg';\n",
        "import type { Pool } from 'pg';\nimport { dayFromColumn, formatDay, type CalendarDate } from '../dates/calendarDate.js';\n",
      ),
      session.edit(
        repositoryPath('payment'),
        "import type { Pool } from 'pg';\n",
        "import type { Pool } from 'pg';\nimport { dayFromColumn, formatDay, type CalendarDate } from '../dates/calendarDate.js';\n",
      ),
    ],
  });
  main.attachment(
    { type: 'todo_reminder', content: [], itemCount: 5 },
    reminder(
      'The todo list has not changed for a while. In progress: Move all repositories to CalendarDate. Pending: Reports and routes; Repair the postings that were booked early.',
    ),
  );
  main.reply({
    text: 'A full run before the types change, to have the names of all tests that touch days:',
    calls: [
      session.bash(
        'TZ=Europe/Oslo npm test -- --reporter=verbose',
        'Run all tests in the time zone of Oslo',
        testRun(random, { zone: 'Europe/Oslo', parser: 'new' }),
        { seconds: 25 },
      ),
      session.grep('toISOString|new Date\\(', 'test'),
    ],
  });
  main.reply({
    thinking: 'How many stored rows need repair? The audit table again, for the year so far.',
    calls: [
      session.bash(
        'psql "$DATABASE_URL" -c "select * from posting_day_audit where shift <> 0 order by entry_id limit 250"',
        'List all postings that are on the wrong day',
        auditTable(random, 235, { order: 'entry', onlyShifted: true }),
      ),
    ],
  });
  main.reply({
    text: 'Those are repaired by the day in the file, which is kept. One more look at how the nights differ:',
    calls: [
      session.bash(
        'journalctl -u orbit-ledger --since "2026-06-06 18:00" -o cat | grep -v health | head -170',
        'Show the log of an earlier night',
        serviceLog(random, 160, '2026-06-06T18:00:02Z'),
      ),
      session.bash(
        'journalctl -u orbit-ledger --since "2026-06-05 18:00" -o cat | grep -v health | head -170',
        'Show the log of the night before that',
        serviceLog(random, 160, '2026-06-05T18:00:09Z'),
      ),
    ],
  });
  session.endTurn(begunAt);
}

const summary = `This session goes on from one whose context ran out. What happened so far:

1. **Task.** Flaky ${dateTest}, and postings a day early for customers. The user wanted the cause first, then agreed to a fix by type.
2. **Cause.** \`parseDate\` gave a \`Date\`: local midnight for five forms, UTC midnight for ISO; \`toPostingDay\` printed UTC. \`today()\` gave the UTC day. TZ comes from the environment. All shifted rows in \`posting_day_audit\` came in after 22:00 UTC.
3. **Done.** \`src/dates/calendarDate.ts\` (CalendarDate, calendarDate, formatDay, dayFromColumn, compareDays, dayInZone), \`src/dates/parseDate.ts\` on top of it, tests in four zones, 31 pass. The imports in the posting and payment repositories are in place, nothing else there yet.
4. **Rules from the user.** No casts. \`CalendarDate\` in the interfaces, \`dayFromColumn\` for columns, \`formatDay\` on the way out, \`moment\` columns (importedAt, fetchedAt) stay Date. Let tsc find the rest. An edit with a cast was refused.
5. **Facts.** Ten entities with repository, routes, report and test of one outline: account, posting, invoice, payment, statement, counterparty, period, exchangeRate, reminder, budget. Ages in reports use getTime. Credentials in .env must not be repeated anywhere.
6. **Next.** Repositories, then reports, then routes; run everything in UTC, Oslo and Los Angeles; afterwards repair the early postings by the day in the file. The user may ask for an import of bank files.`;

function resendContext(session) {
  const { main, project } = session;
  openingContext(session);
  const path = 'src/dates/calendarDate.ts';
  main.attachment(
    { type: 'file', filename: project.absolute(path), content: { type: 'text' } },
    reminder(`Result of calling the Read tool on ${project.absolute(path)}:\n${project.numbered(path)}`),
  );
  main.attachment(
    { type: 'todo_reminder', content: [], itemCount: 3 },
    reminder(
      'Your todo list: [in progress] Move all repositories to CalendarDate; [pending] Reports and routes; [pending] Repair the postings that were booked early.',
    ),
  );
}

/** The edits that move one repository to calendar days. */
function repositoryEdits(session, name) {
  const path = repositoryPath(name);
  const text = session.project.text(path);
  const edits = [];
  if (!text.includes('calendarDate.js')) {
    edits.push(
      session.edit(
        path,
        "import type { Pool } from 'pg';\n",
        "import type { Pool } from 'pg';\nimport { dayFromColumn, formatDay, type CalendarDate } from '../dates/calendarDate.js';\n",
      ),
    );
  }
  const column = dateReadsOf(name)[0];
  edits.push(session.edit(path, `new Date(row.${column})`, `dayFromColumn(row.${column})`));
  edits.push(
    session.edit(
      path,
      '[companyId, from.toISOString().slice(0, 10), to.toISOString().slice(0, 10)]',
      '[companyId, formatDay(from), formatDay(to)]',
      true,
    ),
  );
  return edits;
}

function finishTheRefactoring(session) {
  const { main, random, project } = session;
  const begunAt = session.clock.now;
  main.reply({
    thinking: 'The context is new. I re-read what I am about to change rather than trust the summary.',
    text: 'I pick up at the repositories.',
    calls: [
      session.read('src/dates/parseDate.ts'),
      session.read(repositoryPath('posting')),
      session.read(repositoryPath('payment')),
    ],
  });
  main.reply({ calls: [...repositoryEdits(session, 'posting'), ...repositoryEdits(session, 'payment')] });
  main.attachment(
    { type: 'hook_additional_context', hookName: 'PostToolUse:Edit', content: ['prettier changed 1 file'] },
    reminder(
      `PostToolUse:Edit hook: prettier changed ${repositoryPath('payment')}. Read it again before the next edit.`,
    ),
  );
  main.reply({
    calls: [
      session.read(repositoryPath('invoice')),
      session.read(repositoryPath('account')),
      session.read(repositoryPath('statement')),
    ],
  });
  const stale = 'validOn: new Date(row.valid_on) ,';
  main.reply({
    text: 'The other repositories, one after the other:',
    calls: [
      ...repositoryEdits(session, 'invoice'),
      ...repositoryEdits(session, 'account'),
      {
        name: 'Edit',
        input: {
          file_path: project.absolute(repositoryPath('exchangeRate')),
          old_string: stale,
          new_string: 'validOn: dayFromColumn(row.valid_on),',
        },
        result: {
          content: `<tool_use_error>The text to replace does not stand in the file.\nText: ${stale}</tool_use_error>`,
          isError: true,
          toolUseResult: 'Error: The text to replace does not stand in the file.',
        },
      },
    ],
  });
  main.reply({
    thinking: 'I guessed that line. It has no blank before the comma. Read first.',
    calls: [
      session.read(repositoryPath('exchangeRate')),
      session.read(repositoryPath('period')),
      session.read(repositoryPath('counterparty')),
    ],
  });
  main.reply({
    calls: [
      ...repositoryEdits(session, 'exchangeRate'),
      ...repositoryEdits(session, 'period'),
      ...repositoryEdits(session, 'counterparty'),
    ],
  });
  main.reply({
    calls: [
      ...repositoryEdits(session, 'statement'),
      ...repositoryEdits(session, 'reminder'),
      ...repositoryEdits(session, 'budget'),
    ],
  });
  main.reply({
    text: 'Now let the compiler say what is left.',
    calls: [
      session.bash(
        'npm run check',
        'Check types and lint',
        typeErrors(
          random,
          ['posting', 'payment', 'invoice', 'account', 'statement', 'period', 'budget', 'reminder'].flatMap(
            name => [routesPath(name), reportPath(name)],
          ),
        ),
        { isError: true, seconds: 12 },
      ),
    ],
  });
  main.reply({
    calls: ['posting', 'invoice', 'payment', 'statement', 'account'].map(name =>
      session.read(reportPath(name)),
    ),
  });
  const monthOf = (name, field) =>
    session.edit(
      reportPath(name),
      `${name}.${field}.toISOString().slice(0, 7)`,
      `formatDay(${name}.${field}).slice(0, 7)`,
    );
  main.reply({
    calls: [
      monthOf('posting', 'postedOn'),
      monthOf('invoice', 'issuedOn'),
      monthOf('payment', 'bookedOn'),
      monthOf('account', 'openedOn'),
    ],
  });
  main.reply({
    thinking:
      'What is left is the same in every module: interfaces, range parameters, insert, present. That is a codemod of five replacements, and tsc checks it.',
    text: 'The rest is mechanical: five replacements over all modules and their tests. I do them with a script and let tsc judge.',
    calls: [
      session.bash(
        'npx tsx scripts/calendar-days.ts src test && npm run check',
        'Move interfaces, parameters and answers to calendar days, then check types',
        `${moveToCalendarDays(project)}\n\n> orbit-ledger@3.14.0 check\n> tsc --noEmit && eslint .\n`,
        { seconds: 14 },
      ),
    ],
  });
  main.reply({
    text: 'Clean. A run where it used to fail:',
    calls: [
      session.bash(
        'TZ=Europe/Oslo npm test -- --reporter=verbose',
        'Run all tests in the time zone of Oslo',
        testRun(random, { zone: 'Europe/Oslo', parser: 'new' }),
        { seconds: 23 },
      ),
    ],
  });
  main.reply({
    calls: [
      session.bash(
        'TZ=America/Los_Angeles npm test -- --reporter=verbose',
        'Run all tests in the time zone of Los Angeles',
        testRun(random, {
          zone: 'America/Los_Angeles',
          parser: 'new',
          failures: [
            {
              file: 'test/posting/posting.routes.test.ts',
              test: 'books today when no day is given',
              expected: '2026-06-09',
              received: '2026-06-10',
              line: 58,
            },
          ],
        }),
        { isError: true, seconds: 24 },
      ),
    ],
  });
  main.reply({
    thinking:
      'One left: a caller of today() without a zone. The routes get timeZone in their options but do not hand it on.',
    text: 'One caller still asks for today without a zone. It must be in the routes.',
    calls: ['posting', 'payment', 'invoice', 'period'].map(name => session.read(routesPath(name))),
  });
  main.reply({
    calls: [
      session.edit(
        routesPath('posting'),
        "import { parseDate } from '../dates/parseDate.js';",
        "import { parseDate, today } from '../dates/parseDate.js';",
      ),
      session.edit(routesPath('posting'), '  postedOn: z.string(),', '  postedOn: z.string().optional(),'),
      session.edit(
        routesPath('posting'),
        'postedOn: parseDate(input.postedOn),',
        'postedOn: parseDate(input.postedOn ?? today(options.timeZone)),',
      ),
    ],
  });
  main.reply({
    calls: [
      session.bash(
        'TZ=America/Los_Angeles npm test -- --reporter=verbose && npm run check',
        'Run all tests in Los Angeles and check types',
        testRun(random, { zone: 'America/Los_Angeles', parser: 'new' }) +
          '\n\n> orbit-ledger@3.14.0 check\n> tsc --noEmit && eslint .\n',
        { seconds: 35 },
      ),
      session.todos([
        ['completed', 'Move all repositories to CalendarDate'],
        ['completed', 'Reports and routes'],
        ['in_progress', 'Repair the postings that were booked early'],
      ]),
    ],
  });
  main.note({
    type: 'queue-operation',
    operation: 'enqueue',
    timestamp: new Date(session.clock.now).toISOString(),
    sessionId: session.shared.sessionId,
    content: importRequest,
  });
  main.reply({
    text: 'Everything is green in UTC, Oslo and Los Angeles, and the types no longer allow a `Date` where a day is meant. For the postings that are already early I would write a script that takes the day from the file. It is not in this branch yet.',
  });
  main.note({
    type: 'queue-operation',
    operation: 'dequeue',
    timestamp: new Date(session.clock.now).toISOString(),
    sessionId: session.shared.sessionId,
  });
  session.endTurn(begunAt);
}

const importRequest =
  'Next: an import for statement files of Nordlys Bank. Samples are test/fixtures/nordlys-2026-03.csv and -04.csv, real rows, so mind the rules about personal data. A bad row must not stop the others. Hang it below the statement routes.';

function addTheImport(session, turn) {
  const { main, random } = session;
  const begunAt = turn(importRequest);
  main.reply({
    thinking:
      'Samples first. They hold names, addresses and account numbers: nothing of that into tests or logs. The importer needs booked, amount, currency, counterparty, reference only.',
    text: 'I look at the samples first.',
    calls: [session.read('test/fixtures/nordlys-2026-03.csv')],
  });
  main.reply({
    text: 'Three date forms in one file, amounts with a point, quoted fields are possible. The second month, to see whether the bank is consistent:',
    calls: [session.read('test/fixtures/nordlys-2026-04.csv')],
  });
  main.reply({
    thinking:
      'April uses semicolons. I will ask, and take commas for now. First the reader, then the import on top.',
    calls: [
      session.write('src/import/csvReader.ts', csvReader),
      session.write('src/import/statementImport.ts', statementImport),
    ],
    interleaved: false,
  });
  main.reply({ calls: [session.write('test/import/statementImport.test.ts', statementImportTest)] });
  main.reply({
    calls: [
      session.bash(
        'npm test -- test/import --reporter=verbose',
        'Run the import tests',
        ` RUN  v2.1.8 ${root}\n\n ✓ test/import/statementImport.test.ts > importStatement > reads every date form on its own day\n ✓ test/import/statementImport.test.ts > importStatement > keeps quoted commas and doubled quotes\n ✓ test/import/statementImport.test.ts > importStatement > reports a bad row by its line and goes on\n ✓ test/import/statementImport.test.ts > parseAmount > reads 1 234,50\n ✓ test/import/statementImport.test.ts > parseAmount > reads -1234.5\n ✓ test/import/statementImport.test.ts > parseAmount > reads 0\n\n Test Files  1 passed (1)\n      Tests  10 passed (10)\n   Duration  1.32s`,
        { seconds: 3 },
      ),
    ],
  });
  main.reply({
    thinking: 'The dry run wants the feed of the rates. Is it set for local work?',
    calls: [session.read('.env'), session.read('src/config.ts')],
  });
  main.reply({
    text: 'Now a dry run of a month against the local service, to see what the matcher makes of it:',
    calls: [
      session.bash(
        'npx tsx scripts/dry-run-import.ts test/fixtures/nordlys-2026-03.csv | head -150',
        'Import a month without writing and show the log',
        serviceLog(random, 126, '2026-06-09T17:31:40Z'),
        { seconds: 6 },
      ),
    ],
  });
  main.reply({
    calls: [
      session.read(routesPath('statement')),
      session.read(repositoryPath('statement')),
      session.grep('pino|logger|request\\.log'),
    ],
  });
  main.reply({
    text: 'The route takes the text, answers with counts and problems by line, and logs neither rows nor names.',
    calls: [
      session.edit(
        routesPath('statement'),
        "import { StatementRepository } from './statement.repository.js';",
        "import { importStatement } from '../import/statementImport.js';\nimport { StatementRepository } from './statement.repository.js';",
      ),
      session.edit(
        routesPath('statement'),
        '  server.delete<{ Params: { companyId: number; id: number } }>',
        `  server.post<{ Params: { companyId: number }; Body: string }>(\`\${prefix}/import\`, async (request, reply) => {
    const { rows, problems } = importStatement(request.body);
    // Counts only: the rows hold personal data.
    request.log.info({ companyId: request.params.companyId, rows: rows.length, problems: problems.length }, 'statement read');
    return reply.code(problems.length === 0 ? 201 : 207).send({ rows: rows.length, problems });
  });

  server.delete<{ Params: { companyId: number; id: number } }>`,
      ),
    ],
  });
  main.reply({
    calls: [
      session.bash(
        'npm test -- --reporter=verbose && npm run check',
        'Run all tests and check types',
        testRun(random, { parser: 'new' }) + '\n\n> orbit-ledger@3.14.0 check\n> tsc --noEmit && eslint .\n',
        { seconds: 33 },
      ),
      session.todos([
        ['completed', 'CSV reader with quotes'],
        ['completed', 'Import with problems by line'],
        ['completed', 'Route below statements'],
        ['pending', 'Repair the postings that were booked early'],
      ]),
    ],
  });
  main.reply({
    text: 'The import stands: `POST …/statements/import`, 10 tests of its own, everything else green. One question: the April file uses semicolons, March uses commas. Shall I take the delimiter from the first line?',
  });
  session.endTurn(begunAt);
}

function changeTheDelimiter(session, turn) {
  const { main } = session;
  // Seven minutes at the coffee machine; the cache lives for five.
  main.letCacheExpire(7 * 60 + 12);
  const begunAt = turn(
    'Sorry, was away. Yes, take it from the first line. And never more than 500 problems in the answer.',
  );
  main.reply({
    thinking:
      'The delimiter: whichever of ; and , stands more often in the heading, outside quotes. A heading has no quotes here, so a count is enough.',
    calls: [
      session.edit(
        'src/import/csvReader.ts',
        "export function* readCsv(text: string, delimiter = ','): Generator<Record<string, string>> {\n  const [head = '', ...lines] = text.replace(/^\\uFEFF/, '').split(/\\r?\\n/);\n",
        "export function* readCsv(text: string): Generator<Record<string, string>> {\n  const [head = '', ...lines] = text.replace(/^\\uFEFF/, '').split(/\\r?\\n/);\n  const delimiter = head.split(';').length > head.split(',').length ? ';' : ',';\n",
      ),
      session.edit(
        'src/import/statementImport.ts',
        '  return { rows, problems };',
        '  return { rows, problems: problems.slice(0, mostProblems) };',
      ),
      session.edit(
        'src/import/statementImport.ts',
        '/** Reads a statement file of Nordlys Bank.',
        '/** An answer with more helps nobody: the file is not what it says it is. */\nconst mostProblems = 500;\n\n/** Reads a statement file of Nordlys Bank.',
      ),
    ],
  });
  main.reply({
    calls: [
      session.edit(
        'test/import/statementImport.test.ts',
        "  it('reports a bad row by its line and goes on', () => {",
        "  it('takes the delimiter from the first line', () => {\n    const { rows } = importStatement([head.replaceAll(',', ';'), '2026-04-02;12,50;NOK;Kiosk;;;;D1'].join('\\n'));\n    expect(rows[0]?.amount).toBe(1250n);\n  });\n\n  it('reports a bad row by its line and goes on', () => {",
      ),
      session.bash(
        'npm test -- test/import',
        'Run the import tests',
        ` RUN  v2.1.8 ${root}\n\n ✓ test/import/statementImport.test.ts (11 tests) 14ms\n\n Test Files  1 passed (1)\n      Tests  11 passed (11)\n   Duration  1.18s`,
        { seconds: 3 },
      ),
    ],
  });
  main.reply({
    text: 'Both done. The delimiter is whichever of `;` and `,` the heading has more of, and the answer stops at 500 problems. 11 tests.',
  });
  session.endTurn(begunAt);
}

function wrapUp(session, turn) {
  const { main, random } = session;
  session.clock.now += 40_000;
  const begunAt = turn('Good. Run it all once more, then the changelog entry. I commit myself.');
  main.reply({
    calls: [
      session.bash(
        'for zone in UTC Europe/Oslo; do TZ=$zone npm test -- --reporter=dot | tail -6; done && npm run check && git diff --stat',
        'Run everything in two zones, check, and show what changed',
        ` Test Files  33 passed (33)\n      Tests  ${random.int(262, 281)} passed\n   Duration  22.41s\n\n Test Files  33 passed (33)\n      Tests  ${random.int(262, 281)} passed\n   Duration  23.07s\n\n> orbit-ledger@3.14.0 check\n> tsc --noEmit && eslint .\n\n src/dates/calendarDate.ts              | 47 +++++++\n src/dates/parseDate.ts                 | 52 ++++----\n src/import/csvReader.ts                | 39 ++++++\n src/import/statementImport.ts          | 67 ++++++++++\n src/statement/statement.routes.ts      |  9 ++\n 24 files changed, 391 insertions(+), 118 deletions(-)`,
        { seconds: 58 },
      ),
      session.read('CHANGELOG.md'),
    ],
  });
  main.reply({
    calls: [
      session.edit(
        'CHANGELOG.md',
        '# Changelog\n',
        '# Changelog\n\n## Unreleased\n- Postings are booked on the day that the file says, wherever the service runs. They could be a day early.\n- Dates that do not exist, such as 30 February, are rejected.\n- Statement files of Nordlys Bank can be imported; bad rows are reported by line.\n',
      ),
    ],
  });
  main.reply({
    text: 'All green in both zones, and the changelog has three lines under *Unreleased*. Not done here: the repair of the postings that are already a day early. 235 rows, and the day in the file is kept for each, so it is a small script. Mind that the two fixture files hold real addresses before you commit them.',
  });
  session.endTurn(begunAt);
}
