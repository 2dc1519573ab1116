import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { formatExactShare, formatNumber } from '../../src/core/base/format';
import { arrayAt, member, numberAt, objectAt, parseJson, stringAt } from '../../src/core/base/json';
import { requests as requestCount } from '../../src/core/base/countWords';
import { cacheShare, costText, knownCost, type UsageFigures } from '../../src/core/tokens/usageFigures';
import { commandIds, sessionsViewId } from '../../src/host/manifest';
import { surfaceSession } from '../fixtures/surfaceSessions';
import { ui, waitUntil, windowMissing } from './driver';
import { test } from './index';
import { closeEverything, finalEditor, temporaryPath, workspaceFolder } from './inspector';
import { isComparisonShown, chooseSession } from './inventory/comparePlaces';

/** The figures of a session as text. A member is absent where a surface has no place for it. */
interface Said {
  /** Empty where none is known. */
  readonly cost?: string;
  readonly requests?: string;
  readonly age?: string;
  /** Of the input of all requests, from the cache; empty where none is recorded. */
  readonly share?: string;
  /** Of all requests: in full, read from the cache, written to it, output. */
  readonly tokens?: string;
}

const needsWindow = { skip: windowMissing };
const hour = 3_600_000;
const folder = temporaryPath('surfaces');
const program = join(__dirname, '..', 'cli.js');

/** At noon three days ago, so that all records are of one day. */
const day = new Date(new Date().setHours(12, 0, 0, 0) - 72 * hour);

const names = [
  'plain',
  'low',
  'partly',
  'codex',
  'gemini',
  'recorded',
  'both',
  'copilot',
  'pi',
  'kimi',
] as const;
const sessions = names.map(name => {
  const { fileName, title, text } = surfaceSession(name, day.getTime());
  return { title, text, path: join(folder, fileName), isHere: text.includes('/shop"') };
});

/** The folder of another machine, whose `/shop` is the workspace here. */
const folders = () => [{ folder, paths: { '/shop': workspaceFolder().fsPath } }];
const live = (): vscode.WorkspaceConfiguration => vscode.workspace.getConfiguration('contextInspector');

/** Sets when a file was written, in milliseconds before now. */
function age(path: string, milliseconds: number): void {
  const time = new Date(Date.now() - milliseconds);
  utimesSync(path, time, time);
}

async function cli(...words: readonly string[]): Promise<string> {
  const home = temporaryPath('surfaces-home');
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], {
    env: {
      ...process.env,
      ELECTRON_RUN_AS_NODE: '1',
      // Without sessions of its own, and with an index of its own.
      HOME: home,
      USERPROFILE: home,
      CONTEXT_INSPECTOR_INDEX: join(home, 'index'),
      CONTEXT_INSPECTOR_FOLDERS: JSON.stringify(folders()),
      LC_ALL: 'en_US.UTF-8',
    },
  });
  return stdout;
}

function figuresOf(usage: unknown): UsageFigures {
  const at = (name: string): number => numberAt(usage, name) ?? Number.NaN;
  return {
    requests: at('requests'),
    input: at('input'),
    cacheRead: at('cacheRead'),
    cacheWrite: at('cacheWrite'),
    output: at('output'),
    money: at('money'),
    unpriced: at('unpriced'),
    lowOutput: at('lowOutput'),
    withoutInput: at('withoutInput'),
    recordedMoney: at('recordedMoney'),
    recordedCosts: at('recordedCosts'),
    unpricedTerms: at('unpricedTerms'),
    unpricedExtras: at('unpricedExtras'),
    doubtedInput: at('doubtedInput'),
  };
}

const tokensOf = (usage: unknown): string =>
  ['input', 'cacheRead', 'cacheWrite', 'output']
    .map(name => formatNumber(numberAt(usage, name) ?? -1))
    .join(' ');
const shareText = (share: number | undefined): string => (share === undefined ? '' : formatExactShare(share));

const saidBy = (usage: unknown): Said => ({
  cost: costText(knownCost(figuresOf(usage))),
  tokens: tokensOf(usage),
  share: shareText(cacheShare(figuresOf(usage))),
});

/** Lines that people read: the second one has the requests and the age. */
async function statusOf(path: string): Promise<Said> {
  const text = await cli('status', path);
  const facts = text.split('\n')[1]?.split(' · ') ?? [];
  return {
    cost: /^Cost: (.*), of which/m.exec(text)?.[1] ?? '',
    requests: facts.at(-2) ?? '',
    age: facts.at(-1) ?? '',
  };
}

async function inspectOf(path: string): Promise<Said> {
  const report = parseJson(await cli('inspect', path, '--json'));
  const file = objectAt(report, 'file');
  const recorded = objectAt(file, 'recordedCost');
  return {
    cost: costText({
      money: numberAt(file, 'cost'),
      isLeast: member(file, 'isLeast') === true,
      recorded: recorded && {
        money: numberAt(recorded, 'money') ?? Number.NaN,
        isLeast: member(recorded, 'isLeast') === true,
      },
    }),
    requests: requestCount(numberAt(report, 'requests') ?? -1),
    share: shareText(numberAt(file, 'cacheShare')),
    tokens: tokensOf(file),
  };
}

async function reportOf(path: string): Promise<Said> {
  const out = `${path}.report.json`;
  await cli('report', path, '--out', out);
  const report = objectAt(parseJson(readFileSync(out, 'utf8')), 'report');
  rmSync(out);
  return { ...saidBy(objectAt(report, 'usage')), requests: requestCount(numberAt(report, 'requests') ?? -1) };
}

type Surfaces = ReadonlyMap<string, Said>;

/**
 * Computed by hand from the records of two sessions: one at $3, $3.75, $0.30 and $15 for a million tokens in full, written to the
 * cache, read from it and of output, and one with $0.25 recorded for each of its two requests.
 */
const byHand: Surfaces = new Map([
  [
    'Surface of plain',
    { cost: '$0.12', requests: '3 requests', share: '62.7 %', tokens: '9 44,041 26,138 649' },
  ],
  ['Surface of recorded', { cost: '$0.50 recorded', requests: '2 requests' }],
]);

async function usageOf(): Promise<Surfaces> {
  const rows = arrayAt(parseJson(await cli('usage', '--by', 'session', '--json')), 'rows');
  return new Map(rows.map(row => [stringAt(row, 'title') ?? '', saidBy(row)]));
}

/** The output of the commands. Two run at a time, because each takes a core. */
async function printed(): Promise<Readonly<Record<'status' | 'inspect' | 'report' | 'usage', Surfaces>>> {
  const status = new Map<string, Said>();
  const inspect = new Map<string, Said>();
  const report = new Map<string, Said>();
  const left = sessions.values();
  const work = async (): Promise<void> => {
    for (const { title, path } of left) {
      status.set(title, await statusOf(path));
      inspect.set(title, await inspectOf(path));
      report.set(title, await reportOf(path));
    }
  };
  const [usage] = await Promise.all([usageOf(), work(), work()]);
  return { status, inspect, report, usage };
}

/** Rows of texts from the page. */
const texts = (found: unknown): readonly (readonly string[])[] =>
  Array.isArray(found) ? found.map((row: unknown) => (Array.isArray(row) ? row.map(String) : [])) : [];

/** Waits until a place shows the wanted figures of each session; fails with the differences if it never does. */
async function settled(
  what: string,
  wanted: Surfaces,
  read: () => Promise<readonly (readonly [title: string, said: Said])[]>,
): Promise<void> {
  let found: Surfaces = new Map();
  /** Those members that the place has. */
  const expected = (): Surfaces =>
    new Map(
      [...wanted].map(([title, all]) => {
        const has = found.get(title) ?? {};
        return [
          title,
          {
            ...('cost' in has ? { cost: all.cost } : {}),
            ...('requests' in has ? { requests: all.requests } : {}),
            ...('age' in has ? { age: all.age } : {}),
            ...('share' in has ? { share: all.share } : {}),
            ...('tokens' in has ? { tokens: all.tokens } : {}),
          },
        ];
      }),
    );
  await waitUntil(
    what,
    async () => {
      found = new Map((await read()).filter(([title]) => wanted.has(title)));
      try {
        assert.deepEqual(found, expected());
        return [...found.values()].every(said => Object.keys(said).length > 0);
      } catch {
        return false;
      }
    },
    60_000,
  ).catch((error: unknown) => {
    assert.deepEqual(found, expected(), `${what}: ${String(error)}`);
    throw error;
  });
}

const rowsInList = async (): Promise<readonly (readonly [string, Said])[]> =>
  texts(
    await ui(async ({ view }) => {
      const rows = await view.locator('.session').all();
      return Promise.all(
        rows.map(async row => [
          await row.locator('.session__title').innerText(),
          await row.locator('.session__cost').innerText(),
          await row.locator('.session__age').innerText(),
          String(await row.getAttribute('title')),
        ]),
      );
    }),
  ).map(([title = '', cost = '', last = '', tooltip = '']) => [
    title,
    {
      cost,
      // A row that is not drawn has its spoken words in the same line.
      age: last.replace(/^[^]*:\s*/, ''),
      requests:
        tooltip
          .split('\n')
          .find(line => line.includes(' request'))
          ?.split(' · ')[0] ?? '',
    },
  ]);

const header = async (title: string): Promise<readonly (readonly [string, Said])[]> =>
  texts([
    await ui(async ({ webview }) => {
      const folded = webview.locator('[aria-controls=session-figures][aria-expanded=false]');
      if (await folded.isVisible()) {
        await folded.click();
      }
      return [
        await webview.locator('h1.title').innerText(),
        await webview.getByTestId('cost').locator('.figure__value, strong').first().innerText(),
        await webview.locator('.header__facts').innerText(),
        (await webview.locator('.key-figures .figure').allInnerTexts()).join('|'),
      ];
    }),
  ]).map(([shown = '', cost = '', facts = '', figures = '']) => [
    shown === title ? title : '',
    {
      // A reason stands in place of a cost that is not known.
      cost: cost.includes('$')
        ? cost
        : /^(no price known|usage is not|the model is not)/.test(cost)
          ? ''
          : cost,
      requests: facts.split(' · ').find(fact => / requests?$/.test(fact)) ?? '',
      share: /(?:^|\|)([^|]*?)\s*\n?\s*read from the cache/.exec(figures)?.[1]?.trim() ?? '',
    },
  ]);

/** Two columns of facts. */
async function compared(first: string, second: string): Promise<readonly (readonly [string, Said])[]> {
  const rows = texts(
    await ui(async ({ webview }) => {
      const all = await webview.getByRole('table', { name: 'Facts' }).locator('tbody tr').all();
      return Promise.all(all.map(row => row.locator('th, td').allInnerTexts()));
    }),
  );
  const of = (column: number): Said => {
    const cell = (name: string): string =>
      (rows.find(([head]) => head === name)?.[column] ?? '').replace(/^–$/, '');
    const tokens = ['Not cached', 'Read from the cache', 'Written to the cache', 'Output'].map(name =>
      cell(name).replace('≥ ', ''),
    );
    return {
      cost: cell('Cost'),
      requests: cell('Requests'),
      share: cell('Cached share'),
      ...(tokens.includes('') ? {} : { tokens: tokens.join(' ') }),
    };
  };
  return [
    [first, of(1)],
    [second, of(2)],
  ];
}

/** The sessions of the day that is chosen. */
const daySessions = async (): Promise<readonly (readonly [string, Said])[]> =>
  texts(
    await ui(async ({ webview }) => {
      const more = webview.locator('.day-sessions + button');
      if (await more.isVisible()) {
        await more.click();
      }
      const all = await webview.locator('.day-session').all();
      return Promise.all(
        all.map(async each => [
          await each.locator('.day-session__name .ellipsis').first().innerText(),
          await each.locator('.strong').innerText(),
        ]),
      );
    }),
  ).map(([title = '', cost = '']) => [title, { cost: cost.replace(/^–$/, '') }]);

const foundSessions = async (): Promise<readonly (readonly [string, Said])[]> =>
  texts(
    await ui(async ({ webview }) => {
      const all = await webview.locator('.all-search__session').all();
      return Promise.all(all.map(each => each.locator('.ellipsis').allInnerTexts()));
    }),
  ).map(([title = '', facts = '']) => [title, { age: facts.split(' · ').at(-1) ?? '' }]);

const statusBar = async (title: string): Promise<readonly (readonly [string, Said])[]> =>
  texts([
    await ui(
      ({ page }, text) =>
        page
          .locator(
            `[id$=".live"][aria-label*="${text}"] a:visible, [id$=".live"] a[aria-label*="${text}"]:visible`,
          )
          .allInnerTexts(),
      title,
    ),
  ])
    .filter(([entry]) => entry !== undefined)
    .map(([entry = '']) => [title, { cost: entry.split(' · ').find(part => part.includes('$')) ?? '' }]);

const only = (wanted: Surfaces, ...titles: readonly string[]): Surfaces =>
  new Map([...wanted].filter(([title]) => titles.includes(title)));

test(
  'says the same of a session in the list, the editor, the status bar, Compare, Usage, the search and the command line',
  async () => {
    await closeEverything();
    mkdirSync(folder, { recursive: true });
    for (const { path, text } of sessions) {
      writeFileSync(path, text);
      // It is not being written, and so its age is that of its last record.
      age(path, hour / 2);
    }
    await live().update('sessions.folders', folders(), vscode.ConfigurationTarget.Global);
    try {
      const { status, inspect, ...others } = await printed();
      const wanted: Surfaces = new Map(
        sessions.map(({ title }) => [title, { ...inspect.get(title), ...status.get(title) }]),
      );
      for (const [title, said] of byHand) {
        assert.deepEqual({ ...wanted.get(title), ...said }, wanted.get(title));
      }
      for (const [name, said] of Object.entries({ inspect, ...others })) {
        await settled(name, wanted, () => Promise.resolve([...said]));
      }
      await vscode.commands.executeCommand(`${sessionsViewId}.focus`);
      await vscode.commands.executeCommand(commandIds.sessionsRefresh);
      await ui(({ view }) => view.getByRole('textbox').fill('surface of', { timeout: 60_000 }));
      await settled('the list', wanted, rowsInList);
      await ui(({ view }) => view.getByRole('textbox').fill(''));

      for (const { title, path } of sessions) {
        const uri = vscode.Uri.file(path);
        await vscode.commands.executeCommand(commandIds.open, uri);
        await finalEditor(uri);
        await settled(`the header of ${title}`, only(wanted, title), () => header(title));
      }

      await closeEverything();
      const dayText = day.toLocaleDateString('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
      await vscode.commands.executeCommand(commandIds.usage);
      await ui(
        ({ webview }, text) => webview.getByRole('button', { name: text }).click({ timeout: 60_000 }),
        `${dayText.replace(',', '')}: `,
      );
      await settled('the page Usage', wanted, daySessions);

      await vscode.commands.executeCommand(commandIds.searchAllSessions);
      await ui(async ({ webview }) => {
        // The page has turned to the search then.
        await webview.locator('[role=combobox]:focus').waitFor();
        await webview.getByRole('combobox', { name: 'Search in all sessions' }).fill('surface of');
      });
      await settled('the search', wanted, foundSessions).catch(async (error: unknown) => {
        const shown = await ui(({ webview }) => webview.locator('.usage__search').innerText());
        assert.fail(`${String(error)}\nThe page shows: ${String(shown)}`);
      });

      for (let index = 0; index < sessions.length; index += 2) {
        const [first, second] = sessions.slice(index, index + 2);
        assert.ok(first !== undefined && second !== undefined);
        const titles = [first.title, second.title] as const;
        // The command ends when the other session is chosen.
        const asked = vscode.commands.executeCommand(commandIds.compare, vscode.Uri.file(first.path));
        await ui(chooseSession, second.title);
        await asked;
        await isComparisonShown();
        await settled(`Compare of ${titles.join(' and ')}`, only(wanted, ...titles), () =>
          compared(...titles),
        );
        await closeEverything();
      }

      for (const { title, path } of sessions.filter(({ isHere }) => isHere)) {
        await live().update('live.statusBar', 'never', vscode.ConfigurationTarget.Global);
        age(path, 0);
        await live().update('live.statusBar', 'always', vscode.ConfigurationTarget.Global);
        await settled(`the status bar for ${title}`, only(wanted, title), () => statusBar(title));
        age(path, hour / 2);
      }
    } finally {
      await live().update('sessions.folders', undefined, vscode.ConfigurationTarget.Global);
      await live().update('live.statusBar', undefined, vscode.ConfigurationTarget.Global);
      rmSync(folder, { recursive: true });
      await closeEverything();
      await vscode.commands.executeCommand('workbench.view.explorer');
    }
  },
  needsWindow,
);
