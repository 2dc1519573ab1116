import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { formatMoney } from '../../src/core/base/format';
import { isArray, isObject, member, numberAt, parseJson, stringAt } from '../../src/core/base/json';
import type { Difference } from '../../src/core/whatIf/whatIf';
import { moneyDifference, moneyInterval, tokenDifference } from '../../src/core/whatIf/whatIfWords';
import { commandIds, sessionsViewId } from '../../src/host/manifest';
import { limitedSession } from '../fixtures/codexQuota';
import { PlantedSecrets } from '../fixtures/plantedSecrets';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, isActiveInInspector, temporaryPath } from './inspector';
import { withSettings } from './inventory/settings';
import { answerMessage, saveAt } from './inventory/workbench';

const needsWindow = { skip: windowMissing };
const project = 'counted-garden';
const projects = join(process.env['CLAUDE_CONFIG_DIR'] ?? '', 'projects');
const ownFolder = `-home-ada-${project}`;
const folder = join(projects, ownFolder);
const database = join(process.env['CONTEXT_INSPECTOR_INDEX'] ?? '', 'sessions.db');

interface Request {
  readonly input: number;
  readonly read: number;
  readonly written: number;
  readonly output: number;
  /** The text of the model. */
  readonly text?: string;
}

/** List prices in US dollars per million tokens, from the price list of the model's maker, for up to 200,000 tokens of input. */
const cost = ({ input, read, written, output }: Request): number =>
  (input * 3 + written * 3.75 + read * 0.3 + output * 15) / 1e6;
const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
const dollars = (amount: number): string => `$${amount.toFixed(2)}`;

/** At noon some days ago. */
function noon(daysAgo: number): Date {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo, 12);
}

/** Writes the records of a session of Claude Code; `pause` is the time between two requests in milliseconds. */
function writeSession(title: string, at: Date, requests: readonly Request[], pause = 0): vscode.Uri {
  const name = title.replaceAll(' ', '-').toLowerCase();
  const common = {
    sessionId: name,
    cwd: `/home/ada/${project}`,
    version: '2.1.0',
    timestamp: at.toISOString(),
  };
  const lines = [
    { ...common, type: 'user', uuid: `${name}-u`, message: { role: 'user', content: title } },
    ...requests.map(({ input, read, written, output, text }, index) => ({
      ...common,
      timestamp: new Date(at.getTime() + index * pause).toISOString(),
      type: 'assistant',
      uuid: `${name}-${index}`,
      parentUuid: index === 0 ? `${name}-u` : `${name}-${index - 1}`,
      message: {
        id: `msg_${name}_${index}_0123456789`,
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5-20250929',
        content: [{ type: 'text', text: text ?? `Answer ${index}.` }],
        usage: {
          input_tokens: input,
          cache_read_input_tokens: read,
          cache_creation_input_tokens: written,
          output_tokens: output,
        },
      },
    })),
  ];
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}.jsonl`);
  writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
  return vscode.Uri.file(path);
}

const yesterday: readonly Request[] = [
  { input: 1200, read: 90_000, written: 40_000, output: 30_000 },
  { input: 300, read: 140_000, written: 9000, output: 12_000 },
];
const earlier: readonly Request[] = [{ input: 20_000, read: 100_000, written: 60_000, output: 22_000 }];

/** The sessions that other tests in this window have left would count too. */
function removeOtherSessions(): void {
  for (const name of readdirSync(projects).filter(each => each !== ownFolder)) {
    rmSync(join(projects, name), { recursive: true });
  }
}

async function withSessions(use: (opened: vscode.Uri) => Promise<void>): Promise<void> {
  await closeEverything();
  const uri = writeSession('Water the roses', noon(1), yesterday);
  writeSession('Trim the hedges', noon(3), earlier);
  removeOtherSessions();
  try {
    await vscode.commands.executeCommand(commandIds.usage);
    await use(uri);
  } finally {
    rmSync(folder, { recursive: true });
    await closeEverything();
  }
}

test(
  'shows what the sessions of a project used, as their records say',
  () =>
    withSessions(async () => {
      const cells = await ui(async ({ webview }, name) => {
        const row = webview.getByRole('row').filter({ hasText: name });
        await row.getByRole('cell').filter({ hasText: '$' }).first().waitFor({ timeout: 60_000 });
        return [
          ...(await row.getByRole('rowheader').allInnerTexts()),
          ...(await row.getByRole('cell').allInnerTexts()),
        ];
      }, project);
      // The parts of a bar fill it, except for a line between two of them.
      const unfilled = await ui(async ({ webview }) => {
        const bar = webview.locator('.chart__day[aria-pressed="true"] .chart__bar');
        const parts = await bar.locator('.chart__part').all();
        const boxes = await Promise.all(parts.map(part => part.boundingBox()));
        const drawn = boxes.reduce((sum, box) => sum + (box?.height ?? 0), boxes.length - 1);
        return Math.round(((await bar.boundingBox())?.height ?? 0) - drawn);
      });
      assert.equal(unfilled, 0);
      const all = [...yesterday, ...earlier];
      const read = sumOf(all.map(request => request.read));
      const whole = sumOf(all.map(({ input, written }) => input + written)) + read;
      assert.ok(Array.isArray(cells));
      assert.deepEqual(
        // Losses are known later than usage.
        [0, 1, 2, 3, 6].map(column => String(cells[column]).trim()),
        [
          project,
          '',
          '2',
          `${((read / whole) * 100).toFixed(1).replace(/\.0$/, '')} %`,
          dollars(sumOf(all.map(cost))),
        ],
      );
    }),
  needsWindow,
);

const lost = 132_000;

/** A session two days ago with a credential and an address, and one cache loss. */
function writeLoss(): readonly Request[] {
  const text = `The key of ada.lovelace@orchard.acme.io is ${new PlantedSecrets().token()}.`;
  const requests = [
    { input: 10, read: 0, written: 120_000, output: 20 },
    { input: 10, read: 120_000, written: 12_000, output: 20, text },
    { input: 10, read: 0, written: 12_000 + lost, output: 20 },
  ];
  writeSession('Prune the apples', noon(2), requests, 2 * 3_600_000);
  return requests;
}

test(
  'says what the cache lost and why, and how many credentials the files hold',
  () =>
    withSessions(async () => {
      writeLoss();
      await closeEverything();
      await vscode.commands.executeCommand(commandIds.usage);
      // Written again instead of read.
      const money = dollars((lost * (3.75 - 0.3)) / 1e6);
      const shown = await ui(
        async ({ webview }, wanted) => {
          const row = webview.getByRole('row').filter({ hasText: wanted.project });
          await row.getByRole('cell', { name: wanted.money, exact: true }).waitFor({ timeout: 60_000 });
          const cause = webview.getByRole('listitem').filter({ hasText: 'idle too long' });
          const sum = webview.getByRole('term').filter({ hasText: 'lost from the cache' });
          return [
            await row.getByRole('cell').nth(4).innerText(),
            await cause.innerText(),
            await sum.innerText(),
            await webview.locator('.whither__entry').filter({ hasText: 'cache losses' }).innerText(),
          ].map(text => text.replaceAll(/\s+/g, ' ').trim());
        },
        { project, money },
      );
      assert.deepEqual(shown, [
        '1',
        `idle too long 1 × ${money}`,
        'lost from the cache, once',
        `cache losses ${money}`,
      ]);
    }),
  needsWindow,
);

test(
  'lists the versions of an agent with their figures, over all sessions',
  () =>
    withSessions(async () => {
      writeLoss();
      await closeEverything();
      await vscode.commands.executeCommand(commandIds.usage);
      const cells = await ui(async ({ webview }) => {
        const versions = webview.getByRole('table', { name: 'Versions of Claude Code' });
        const row = versions.getByRole('row').filter({ has: webview.getByText('2.1.0', { exact: true }) });
        await row.waitFor({ timeout: 60_000 });
        return row.getByRole('cell').allInnerTexts();
      });
      assert.ok(isArray(cells));
      const [sessions, share, losses] = cells.map(String);
      const all = [...yesterday, ...earlier, ...writeLoss()];
      const read = sumOf(all.map(request => request.read));
      const whole = sumOf(all.map(({ input, written }) => input + written)) + read;
      assert.deepEqual(
        [sessions, share, losses],
        ['3', `${((read / whole) * 100).toFixed(1)} %`, `${Math.round((lost / whole) * 100)} %`],
      );
    }),
  needsWindow,
);

test(
  'names the sessions that used most of a recorded limit',
  () =>
    withSessions(async () => {
      const id = '0e000000-0000-7000-8000-000000000000';
      const sessions = join(process.env['CODEX_HOME'] ?? '', 'sessions');
      const end = new Date(noon(1).getTime() + 3_600_000);
      mkdirSync(sessions, { recursive: true });
      const write = (name: string, title: string, input: number): void =>
        writeFileSync(
          join(sessions, `rollout-2026-03-02T08-00-00-${name}.jsonl`),
          limitedSession(name, title, [{ at: noon(1), input, output: 10, limits: [[300, 86, end]] }]),
        );
      write(id, 'Count the stars', 200_000);
      write(id.replace('0e', '0f'), 'Count the clouds', 100_000);
      try {
        await closeEverything();
        await vscode.commands.executeCommand(commandIds.usage);
        const shown = await ui(async ({ webview }) => {
          const window = webview
            .getByRole('region', { name: 'Limits of subscriptions' })
            .getByRole('region', { name: /^Codex, 5-hour limit until .*: 86 % used/ });
          await window.waitFor({ timeout: 60_000 });
          return [
            await window.getByRole('heading').innerText(),
            ...(await window.getByRole('button').allInnerTexts()),
          ];
        });
        assert.ok(isArray(shown));
        const [heading, first, second, ...rest] = shown.map(text => String(text).replaceAll(/\s+/g, ' '));
        assert.match(heading ?? '', / 2 sessions: \$\d/);
        assert.match(first ?? '', /Count the stars.*\$\d/);
        assert.match(second ?? '', /Count the clouds.*\$\d/);
        assert.deepEqual(rest, []);
      } finally {
        rmSync(sessions, { recursive: true });
      }
    }),
  needsWindow,
);

test(
  'shows the days as a table, reads what is new when it is told to, and saves the table of groups',
  () =>
    withSessions(async () => {
      const day = (daysAgo: number): string =>
        noon(daysAgo)
          .toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })
          .replace(',', '');
      const sums = async (): Promise<unknown> =>
        ui(
          async ({ webview }, names) => {
            const table = webview.getByRole('table', { name: 'Usage by day' });
            const rows = names.map(name => table.getByRole('row').filter({ hasText: name }));
            return Promise.all(rows.map(row => row.getByRole('cell').last().innerText()));
          },
          [day(1), day(2), day(3)],
        );
      await ui(({ webview }) =>
        webview.getByRole('button', { name: 'Days as a table' }).click({ timeout: 60_000 }),
      );
      const of = (requests: readonly Request[]): string => dollars(sumOf(requests.map(cost)));
      await waitUntil('the table has both days', async () => {
        const shown = await sums();
        return JSON.stringify(shown) === JSON.stringify([of(yesterday), '$0.00', of(earlier)]);
      });
      const added: readonly Request[] = [{ input: 9000, read: 0, written: 70_000, output: 9000 }];
      writeSession('Rake the leaves', noon(2), added);
      await ui(({ webview }) => webview.getByRole('button', { name: 'Read sessions again' }).click());
      await waitUntil('the table has the new day', async () => {
        const shown = await sums();
        return JSON.stringify(shown) === JSON.stringify([of(yesterday), of(added), of(earlier)]);
      });
      for (const form of ['csv', 'json'] as const) {
        const path = temporaryPath(`saved-usage.${form}`);
        await ui(async ({ page, webview }) => {
          await page.mouse.move(0, 0);
          await webview.getByRole('button', { name: 'Export table…' }).press('Enter');
        });
        await saveAt(path);
        const text = readFileSync(path, 'utf8');
        const money = sumOf([...yesterday, ...earlier, ...added].map(cost));
        if (form === 'json') {
          const value = parseJson(text);
          const rows = isObject(value) && isArray(value['rows']) ? value['rows'] : [];
          const row = rows.find(each => stringAt(each, 'key') === `/home/ada/${project}`);
          assert.ok(isObject(row) && Math.abs(Number(row['money']) - money) < 1e-9, text);
        } else {
          const [names, ...rows] = text.trim().split('\n');
          assert.equal(
            names,
            'key,sessions,requests,input,cacheRead,cacheWrite,output,money,unpriced,lowOutput,withoutInput,recordedMoney,recordedCosts,unpricedTerms,unpricedExtras,doubtedInput',
          );
          const row = rows.find(each => each.startsWith(`/home/ada/${project},`))?.split(',') ?? [];
          assert.deepEqual(row.slice(1, 3), ['3', '4']);
          assert.ok(Math.abs(Number(row[7]) - money) < 1e-9, text);
        }
      }
      await ui(({ webview }) => webview.getByRole('button', { name: 'Days as a table' }).click());
      await ui(({ webview }) => webview.locator('.chart__day').first().waitFor());
    }),
  needsWindow,
);

test(
  'lists the sessions of a day that is chosen, and opens one',
  () =>
    withSessions(async uri => {
      const day = noon(3).toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
      const names = await ui(async ({ webview }, text) => {
        await webview.getByRole('button', { name: text.replace(',', '') }).click({ timeout: 60_000 });
        const item = webview.getByRole('button', { name: /Trim the hedges/ });
        await item.waitFor();
        return item.innerText();
      }, `${day}: `);
      assert.ok(String(names).includes(dollars(sumOf(earlier.map(cost)))), String(names));
      await ui(
        async ({ webview }, text) => {
          await webview.getByRole('button', { name: text.replace(',', '') }).click();
          await webview.getByRole('button', { name: /Water the roses/ }).click();
        },
        `${noon(1).toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' })}: `,
      );
      await waitUntil('the session is open', () => isActiveInInspector(uri));
    }),
  needsWindow,
);

test(
  'says the same of the week at the foot of the sessions, and marks those with findings',
  async () => {
    await closeEverything();
    await vscode.commands.executeCommand(commandIds.deleteIndex);
    await answerMessage('The session index was deleted.');
    const requests = writeLoss();
    // Nothing is known, and no file is read to find out.
    await vscode.commands.executeCommand(`${sessionsViewId}.focus`);
    const row = 'role=treeitem[name=/^Prune the apples/]';
    const unknown = await ui(async ({ view }, name) => {
      // Newer sessions of other tests may fill the view, which holds only the rows in it.
      await view.getByRole('textbox', { name: /^Search in/ }).fill('apples');
      await view.locator(name).waitFor();
      return [await view.locator('.foot').innerText(), await view.locator('.marks').count()];
    }, row);
    assert.deepEqual(unknown, ['Usage of all sessions\nUsage', 0]);
    assert.equal(existsSync(database), false);
    await withSessions(async () => {
      const shown = await ui(async ({ webview, view }, name) => {
        await webview.getByRole('radio', { name: 'Week', exact: true }).check();
        await webview
          .getByRole('button', { name: 'Read sessions again', disabled: false })
          .waitFor({ timeout: 60_000 });
        await webview.getByRole('term').filter({ hasText: 'lost from the cache' }).waitFor();
        const sums = await webview.locator('.sums__value').allInnerTexts();
        const mark = (title: RegExp) => view.locator(name).getByTitle(title).innerText();
        await view
          .locator('.foot__money')
          .getByText(sums[0] ?? '', { exact: true })
          .waitFor();
        const marks = [
          await mark(/^1 kind of credentials$/),
          await mark(/^1 kind of personal data$/),
          await mark(/^1 cache loss$/),
        ];
        await webview.getByRole('radio', { name: '4 weeks' }).check();
        return { sums, foot: await view.locator('.foot').innerText(), marks };
      }, row);
      assert.ok(isObject(shown) && isArray(shown['sums']) && isArray(shown['marks']));
      const [money, sessions, count] = shown['sums'].map(String);
      assert.equal(money, dollars(sumOf([...requests, ...yesterday, ...earlier].map(cost))));
      assert.equal(shown['foot'], `This week\n${money}\n${sessions} sessions · ${count} requests\nUsage`);
      assert.deepEqual(
        shown['marks'].map(text => String(text).slice(0, 1)),
        ['1', '1', '1'],
      );
      // With the page closed, the figures stay.
      await closeEverything();
      await vscode.commands.executeCommand('workbench.view.explorer');
      await vscode.commands.executeCommand(`${sessionsViewId}.focus`);
      await ui(async ({ view }, text) => {
        await view.locator('.foot__money').getByText(text, { exact: true }).waitFor();
        await view.getByRole('button', { name: 'Clear search' }).click();
        await view.getByRole('button', { name: 'Usage' }).click();
      }, money);
      await ui(({ webview }) => webview.getByRole('heading', { name: 'Usage', exact: true }).waitFor());
      await vscode.commands.executeCommand('workbench.view.explorer');
    });
  },
  needsWindow,
);

/** The answer of the command, from the index of this window. */
async function whatIfByCommand(...words: readonly string[]): Promise<unknown> {
  const program = join(__dirname, '..', 'cli.js');
  const { stdout } = await promisify(execFile)(process.execPath, [program, 'what-if', '--json', ...words], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    maxBuffer: 1 << 26,
  });
  return parseJson(stdout);
}

const differenceIn = (sum: unknown, name: 'money' | 'tokens'): Difference => {
  const difference = member(sum, name);
  const at = (bound: 'value' | 'low' | 'high'): number => numberAt(difference, bound) ?? Number.NaN;
  return { value: at('value'), low: at('low'), high: at('high') };
};

test(
  'says what the command says of other settings, in all and for a session',
  () => {
    writeLoss();
    return withSessions(async () => {
      await vscode.commands.executeCommand(commandIds.whatIf);
      const shown = await ui(async ({ webview }) => {
        await webview
          .getByRole('button', { name: 'Read sessions again', disabled: false })
          .waitFor({ timeout: 60_000 });
        await webview.getByRole('radio', { name: 'Week', exact: true }).check();
        await webview.getByRole('combobox', { name: 'Add a setting' }).selectOption('Cache lifetime');
        await webview.getByRole('combobox', { name: 'Value of Cache lifetime' }).selectOption('1h');
        await webview.getByRole('button', { name: 'Compute' }).click();
        const table = webview.getByRole('table', { name: 'Sessions' });
        await table.waitFor({ timeout: 60_000 });
        const cells = (row: ReturnType<typeof table.getByRole>) => row.getByRole('cell').allInnerTexts();
        return {
          headline: await webview.getByRole('heading', { level: 2 }).first().innerText(),
          total: await cells(table.getByRole('row').last()),
          session: await cells(table.getByRole('row').filter({ hasText: 'Prune the apples' })),
        };
      });
      const first = noon(6);
      const since = [first.getFullYear(), first.getMonth() + 1, first.getDate()]
        .map(part => String(part).padStart(2, '0'))
        .join('-');
      const answer = await whatIfByCommand('--since', since, 'lifetime=1h');
      const rows = isObject(answer) && isArray(answer['rows']) ? answer['rows'] : [];
      const saidOf = (sum: unknown): readonly string[] => [
        ...(['recorded', 'changed'] as const).map(name =>
          formatMoney(numberAt(member(sum, name), 'money') ?? Number.NaN),
        ),
        moneyDifference(differenceIn(sum, 'money')),
        moneyInterval(differenceIn(sum, 'money')),
        tokenDifference(differenceIn(sum, 'tokens')),
      ];
      const total = member(answer, 'total');
      const session = rows.find(row => stringAt(row, 'title') === 'Prune the apples');
      const cellsOf = (name: string): unknown => {
        const cells = member(shown, name);
        return isArray(cells) ? cells.slice(0, 5) : cells;
      };
      assert.deepEqual([cellsOf('total'), cellsOf('session')], [saidOf(total), saidOf(session)]);
      assert.notEqual(differenceIn(session, 'money').value, 0);
      const headline = stringAt(shown, 'headline') ?? '';
      assert.match(headline, /^With a cache lifetime of 1 hour: about .* over \d+ sessions$/);
      assert.ok(headline.includes(`over ${numberAt(total, 'sessions')} sessions`), headline);
    });
  },
  needsWindow,
);

test(
  'opens no index while the setting is off, and deletes what is there',
  async () => {
    await withSessions(async () => {
      // A page that is still opening brings the index up to date after it was deleted.
      await ui(({ webview }) =>
        webview.getByRole('button', { name: 'Read sessions again', disabled: false }).waitFor(),
      );
      await waitUntil('the index is there', () => existsSync(database));
      await vscode.commands.executeCommand(commandIds.deleteIndex);
      await answerMessage('The session index was deleted.');
      assert.equal(existsSync(database), false);
    });
    await withSettings({ 'contextInspector.index.enabled': false }, () =>
      withSessions(async () => {
        await ui(({ webview }) => webview.getByText('turned off in the settings').waitFor());
        assert.equal(existsSync(database), false);
      }),
    );
  },
  needsWindow,
);
