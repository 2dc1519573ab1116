/// <reference types="node" />
import assert from 'node:assert/strict';
import { readFileSync, rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { doorPaths, usageAddress } from '../../src/protocol/doorAddresses';
import { ClaudeCodeSession, type ReplyRecord } from '../fixtures/claudeCodeSession';
import { limitedSession } from '../fixtures/codexQuota';
import { expectNoViolations, expectNoViolationsInThemes } from './axe';
import { openAddress, type OpenAddress } from './door';
import { holdMessage } from './heldMessage';
import { claudeFolder, clear, codexFolder, projectFolder, writeAtHome } from './inventory/sessionPlaces';
import { untilStill } from './still';

/** US dollars per million tokens, so that costs are round. */
const prices = { input: 10, cacheRead: 1, cacheWrite: 11, output: 50 };
const settings = {
  'contextInspector.models': {
    'claude-sonnet-4-5': { prices },
    'claude-haiku-4-5': { prices },
    'gpt-5.5': { prices: { input: 1, output: 100 } },
  },
};

/** Nine o'clock some days ago. */
function morning(daysAgo: number): number {
  const now = new Date();
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo, 9).getTime();
}

/** The name of a day in the page: `Thu 5 Mar`. */
function nameOf(time: number): string {
  const [weekday = '', month = '', day = ''] = new Date(time).toDateString().split(' ');
  return `${weekday} ${Number(day)} ${month === 'Sep' ? 'Sept' : month}`;
}

const [first, second, third] = [morning(3), morning(2), morning(1)];
const hour = 3600;

let sessions = 0;
function newSession(project: string, begin: number): ClaudeCodeSession {
  sessions += 1;
  const id = `00000000-0000-4000-8000-${String(sessions).padStart(12, '0')}`;
  return new ClaudeCodeSession(id, `/home/ada/${project}`, begin);
}

const keep = (name: string, session: ClaudeCodeSession): Promise<string> =>
  writeAtHome(`${projectFolder(name)}/session.jsonl`, session.toString());

const used = (record: ReplyRecord): ReplyRecord => ({
  ...{ input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
  ...record,
});
const done = { text: 'Done.' };

async function clearAll(): Promise<void> {
  await clear(claudeFolder);
  await clear(codexFolder);
}

/** Four sessions in three projects. Returns the path of the last one. */
async function writeSessions(): Promise<string> {
  await clearAll();
  const file = { tool: 'Read', input: { file_path: '/home/ada/shop/shelf.ts' } };
  const shelf = Array.from({ length: 300 }, (_, line) => `export const shelf${line} = ${line * 37};`).join(
    '\n',
  );
  const secrets = ['16C7e42F292c6912E7710c838347Ae178B4a', '16C7e42F292c6912E7710c838347Ae178B4b'];
  // $0.70, $0.20 and $0.60. The file is in the last request twice.
  await keep(
    'count',
    newSession('shop', first)
      .prompt(`Count the shelves with ${secrets.map(secret => ['ghp', secret].join('_')).join(' and ')}`)
      .recordedReply(used({ cacheWrite: 50_000, output: 3000 }), { ...file, id: 'toolu_1' })
      .result('toolu_1', shelf)
      .recordedReply(used({ cacheRead: 50_000, cacheWrite: 10_000, output: 800 }), { ...file, id: 'toolu_2' })
      .result('toolu_2', shelf)
      .recordedReply(used({ cacheRead: 60_000, cacheWrite: 10_000, output: 8600 }), done),
  );
  // $1.00 each. The other model writes 50,000 tokens again, for $10 more a million than to read them: $0.50.
  await keep(
    'mail',
    newSession('mail/repo', first)
      .prompt('Write the mail')
      .recordedReply(used({ cacheWrite: 50_000, output: 9000 }), done)
      .prompt('Shorter')
      .recordedReply(used({ model: 'claude-haiku-4-5', cacheWrite: 60_000, output: 6800 }), done),
  );
  // $1.50 each. After an hour, 100,000 tokens are written again: $1.00.
  const cart = await keep(
    'cart',
    newSession('shop', third)
      .prompt('<b>Mend</b> the cart')
      .recordedReply(used({ cacheWrite: 100_000, output: 8000 }), done)
      .pause(hour)
      .prompt('And the bell')
      .recordedReply(used({ cacheWrite: 120_000, output: 3600 }), done),
  );
  await keep(
    'site',
    newSession('site/repo', third)
      .prompt('Please read this '.repeat(12))
      .recordedReply(used({ model: 'home-grown-1', input: 5000, output: 100 }), done),
  );
  return cart;
}

/** Opens a part of the page once all sessions are read. */
async function openUsage(part: 'usage' | 'search' = 'usage'): Promise<OpenAddress> {
  const opened = await openAddress(usageAddress(part), {
    ...{ width: 1280, height: 900, settings, stays: true },
  });
  await isRead(opened.page);
  return opened;
}

/** Waits until everything is read, and shown. */
async function isRead(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Read sessions again', disabled: false }).waitFor();
  await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' });
}

const cellsOf = (rows: readonly Element[]): readonly (readonly string[])[] =>
  rows.map(row => [...row.children].map(cell => cell.textContent.replaceAll(/\s+/gu, ' ').trim()));

describe('the page with the usage of all sessions', () => {
  let cart = '';
  before(async () => {
    cart = await writeSessions();
  });
  after(clearAll);

  it('says what was used and lost, by group, cause and day, and what is not known', async () => {
    const { page, deed, close } = await openUsage();
    // The default layout of a small screen, and others.
    for (const width of [628, 750, 1000, 1280]) {
      await page.setViewportSize({ width, height: 596 });
      const box = await page.locator('.usage__controls').boundingBox();
      assert.ok((box?.height ?? 100) < 40, `${width}`);
    }
    const rows = await page.getByRole('table', { name: 'Project' }).getByRole('row').evaluateAll(cellsOf);
    assert.deepEqual(
      rows.map(cells => [0, 2, 4, 5, 6, 7].map(column => cells[column])),
      [
        ['Project', 'Sessions', 'Lost', 'Secrets', 'Cost', 'Share'],
        ['shop', '2', '$1.00', '2', '$4.50', '69 %'],
        // Two projects have the same name.
        ['mail / repo', '1', '$0.50', 'none', '$2.00', '31 %'],
        // Its model has no price.
        ['site / repo', '1', '$0.00', 'none', '–', '0 %'],
        ['Total', '4', '$1.50', '2', '≥ $6.50', ''],
      ],
    );
    const causes = (name: string) =>
      page
        .getByRole('region', { name })
        .locator('.cause')
        .evaluateAll(all => all.map(cause => cause.textContent));
    assert.deepEqual(await causes('Why the cache was lost'), [
      'idle too long1 ×$1.00',
      'different model1 ×$0.50',
    ]);
    // The tokens of a text are not known by hand.
    const [waste = ''] = await causes('Waste');
    assert.match(waste, /^Files read again, unchanged1 ×\$0\.0\d+$/);
    // 50 + 60 of 50 + 60 + 70 + 50 + 60 + 100 + 120 + 5 thousand tokens are read from the cache.
    assert.deepEqual(await page.locator('.sums__value').allInnerTexts(), [
      ...['≥ $6.50', '4', '8', '21.4 %', '$1.50'],
      waste.replace(/^.* ×/u, ''),
    ]);
    assert.match(await page.locator('.whither__legend').innerText(), /cache losses\s*\$1\.50/);
    const widths = await page.locator('.cause__bar').evaluateAll(all => all.map(bar => bar.clientWidth));
    assert.equal(Math.round((widths[0] ?? 0) / (widths[1] ?? 1)), 2);
    // Bars are comparable only if their starts are aligned.
    const begins = await page
      .locator('.groups__track')
      .evaluateAll(tracks => tracks.map(track => Math.round(track.getBoundingClientRect().left)));
    assert.equal(new Set(begins).size, 1, String(begins));
    // The newest day with usage is chosen. A title is shown as text, and leaves its place to the project.
    await page.getByRole('heading', { name: `${nameOf(third)}: 2 sessions` }).waitFor();
    assert.equal(await page.locator('.day-session b').count(), 0);
    const [name, project] = await page
      .locator('.day-session')
      .filter({ hasText: 'Please read' })
      .locator('.day-session__name, .day-session__project')
      .evaluateAll(parts => parts.map(part => part.getBoundingClientRect()));
    assert.ok(name && project && project.width > 20 && project.right <= name.right);
    await page.getByRole('radio', { name: 'Tokens' }).check();
    const lostTokens = page.getByRole('row').filter({ hasText: 'shop' }).getByRole('cell').nth(3);
    assert.equal(await lostTokens.innerText(), '100k');
    await expectNoViolationsInThemes(page, 'figures');
    await page.getByRole('radio', { name: 'Cost' }).check();
    const focused = (): Promise<string> =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    const chosen = page.locator('.chart__day[aria-pressed=true]');
    await chosen.focus();
    assert.equal(
      await focused(),
      `${nameOf(third)}: $3.00, shop $3.00, $1.00 lost from the cache`,
      'the newest day with usage is chosen',
    );
    // The height of a loss is its share of the bar.
    const [bar = 0, lost = 0] = await chosen
      .locator('.chart__bar, .chart__lost')
      .evaluateAll(parts => parts.map(part => part.clientHeight));
    assert.ok(bar > 0 && Math.abs(lost - bar / 3) <= 1, `${lost} of ${bar}`);
    await page.keyboard.press('ArrowLeft');
    assert.equal(await focused(), `${nameOf(second)}: $0.00`);
    await page.keyboard.press('ArrowLeft');
    const label = `${nameOf(first)}: $3.50, shop $1.50, mail / repo $2.00, $0.50 lost from the cache`;
    assert.equal(await focused(), label);
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowRight');
    const today = await focused();
    await page.keyboard.press('Home');
    assert.notEqual(await focused(), today);
    await page.locator(`.chart__day[aria-label="${label}"]`).press('Enter');
    await page.getByRole('heading', { name: `${nameOf(first)}: 2 sessions` }).waitFor();
    await page.getByRole('radio', { name: 'Week', exact: true }).check();
    await page.getByRole('button', { name: 'Days as a table' }).click();
    const table = page.getByRole('table', { name: 'Usage by day' });
    await table.getByRole('row').nth(8).waitFor({ state: 'detached' });
    assert.equal(await page.locator('.chart').count(), 0);
    const dayRows = await table.getByRole('row').evaluateAll(cellsOf);
    const names = [first, second, third].map(nameOf);
    assert.deepEqual(
      dayRows.filter(([name = '']) => [...names, 'Day'].includes(name)),
      [
        ['Day', 'shop', 'mail / repo', 'site / repo', 'Lost', 'Total'],
        [names[0], '$1.50', '$2.00', '–', '$0.50', '$3.50'],
        [names[1], '–', '–', '–', '–', '$0.00'],
        [names[2], '$3.00', '–', '–', '$1.00', '$3.00'],
      ],
    );
    await table.getByRole('button', { name: nameOf(third) }).click();
    await page.getByRole('heading', { name: `${names[2]}: 2 sessions` }).waitFor();
    await page.getByRole('button', { name: 'Export table…' }).click();
    await page.getByRole('dialog').getByRole('option', { name: 'CSV' }).click();
    const [path] = (await deed('saved')).details;
    const [head, ...lines] = readFileSync(String(path), 'utf8').trim().split('\n');
    assert.match(head ?? '', /^key,sessions,requests,/);
    assert.deepEqual(
      lines.map(line => line.split(',').slice(0, 3)),
      [
        ['/home/ada/shop', '2', '5'],
        ['/home/ada/mail/repo', '1', '2'],
        ['/home/ada/site/repo', '1', '1'],
      ],
    );
    await page.getByRole('button', { name: /Mend/ }).click();
    assert.deepEqual((await deed('show')).details, [cart, {}, false]);
    await close();
  });

  it('is busy until the newest reading is there, and knows only a part if it is stopped', async () => {
    const { page, close } = await openUsage();
    const added = await keep(
      'new',
      newSession('shop', third)
        .prompt('Paint the door')
        .recordedReply(used({ output: 2000 }), done),
    );
    const shown = page.evaluate(
      () =>
        new Promise<readonly string[]>(resolve => {
          let wasBusy = false;
          new MutationObserver((_, observer) => {
            const isBusy = document.querySelector('[aria-busy=true], .usage__progress') !== null;
            wasBusy ||= isBusy;
            if (wasBusy && !isBusy) {
              observer.disconnect();
              resolve(
                ['.usage__known', '.sums__value', '.usage__pair h2'].map(
                  name => document.querySelector(name)?.textContent ?? '',
                ),
              );
            }
          }).observe(document.body, { attributes: true, childList: true, subtree: true });
        }),
    );
    await page.getByRole('button', { name: 'Read sessions again' }).click();
    // $0.10 more than before.
    assert.deepEqual(await shown, [
      '3 projects, 1 agent, 5 sessions on this machine',
      '≥ $6.60',
      `${nameOf(third)}: 3 sessions`,
    ]);
    rmSync(added);
    const session = newSession('quarry', third).prompt('Count the stones');
    for (let turn = 0; turn < 100; turn += 1) {
      const words = Array.from({ length: 10_000 }, (_, word) => ((turn * 10_000 + word) * 7919).toString(36));
      const id = `toolu_${turn}`;
      session
        .recordedReply(used({ cacheRead: 10_000 }), { tool: 'Read', id, input: { file_path: `${turn}.txt` } })
        .result(id, words.join(' '));
    }
    const large = await keep('quarry', session);
    await page.evaluate(() => {
      // Reading takes a second or two.
      new MutationObserver((_, observer) => {
        const strip = document.querySelector('.usage__strip');
        if (strip?.textContent.startsWith('Indexing') === true) {
          observer.disconnect();
          strip.querySelector<HTMLElement>('vscode-button')?.click();
        }
      }).observe(document.body, { childList: true, subtree: true });
    });
    await page.getByRole('button', { name: 'Read sessions again' }).click();
    await page.getByText('Indexing was stopped.').waitFor();
    await page.getByText('Cache losses are not computed yet for 100 requests').waitFor();
    const rows = await page.getByRole('table', { name: 'Project' }).getByRole('row').evaluateAll(cellsOf);
    assert.deepEqual(
      rows.flatMap(cells => (/quarry|Total/u.test(cells[0] ?? '') ? [[cells[0], cells[4], cells[5]]] : [])),
      [
        ['quarry', '–', '–'],
        ['Total', '≥ $1.50', '≥ 2'],
      ],
    );
    const sums = await page.locator('.sums__value').allInnerTexts();
    assert.match(sums.slice(-2).join(' '), /^≥ \$1\.50 ≥ \$0\.0\d+$/);
    rmSync(large);
    await close();
  });

  it('lists limits with the sessions that used most of each, and versions of agents with what changed', async () => {
    // From version 2.1.6 on, the second request loses 30,000 tokens instead of 10,000.
    const write = (version: number, number: number): Promise<string> => {
      const lost = version < 6 ? 10_000 : 30_000;
      const session = newSession('loft', first)
        .prompt('Air the loft')
        .recordedReply(used({ cacheWrite: 100_000 }), done)
        .prompt('And now?')
        .recordedReply(used({ cacheRead: 100_000 - lost, cacheWrite: 10_000 + lost }), done);
      for (let request = 2; request < 5; request += 1) {
        session.prompt('And now?').recordedReply(used({ cacheRead: 110_000 }), done);
      }
      return writeAtHome(
        `${projectFolder('loft')}/${version}-${number}.jsonl`,
        session.toString().replaceAll('"version":"2.1.62"', `"version":"2.1.${version}"`),
      );
    };
    for (let version = 1; version <= 7; version += 1) {
      for (let number = 0; number < (version < 6 ? 3 : 6); number += 1) {
        await write(version, number);
      }
    }
    const now = Date.now();
    const minutes = 60_000;
    const week = new Date(now + 2000 * minutes);
    // A window of five hours for each, and a week for all. $0.70, $1.20, $3.10 and $5.01.
    const written = [
      [500_000, 2000],
      [200_000, 10_000],
      [100_000, 30_000],
      [10_000, 50_000],
    ].map(([input = 0, output = 0], place) => {
      const id = `0e000000-0000-7000-8000-00000000000${place}`;
      const limits = [
        [300, 10, new Date(now + place * 20 * minutes)],
        [10_080, 83 + place, week],
      ] as const;
      const at = new Date(now - (4 - place) * minutes);
      return writeAtHome(
        `${codexFolder}/sessions/rollout-2026-03-02T08-00-00-${id}.jsonl`,
        limitedSession(id, `Session ${place}`, [{ at, input, output, limits }]),
      );
    });
    const [oldest] = await Promise.all(written);
    const { page, deed, close } = await openUsage();
    const region = page.getByRole('region', { name: 'Limits of subscriptions' });
    const windows = region.getByRole('region');
    await windows.first().waitFor();
    assert.equal(await windows.count(), 4);
    const day = nameOf(week.getTime()).replace(/^\w+ /u, '');
    assert.match(
      await windows.first().getByRole('heading').innerText(),
      new RegExp(
        `^Codex, weekly limit until .*${day}.*: 86 % used, recorded .* 4 sessions: \\$10\\.01$`,
        'u',
      ),
    );
    const names = () => windows.first().locator('.day-session__name .ellipsis:first-child').allInnerTexts();
    assert.deepEqual(await names(), ['Session 3', 'Session 2', 'Session 1']);
    await page.getByRole('radio', { name: 'Tokens' }).check();
    assert.deepEqual(await names(), ['Session 0', 'Session 1', 'Session 2']);
    await region.getByRole('button', { name: 'Show all 5' }).click();
    assert.equal(await windows.count(), 5);
    const section = page.getByRole('region', { name: 'Versions of agents, over all sessions' });
    // 10 and 30 of 100 + 4 * 110 thousand tokens.
    const change = section.getByRole('listitem').filter({ hasText: 'cache losses 3 ×' });
    assert.match(
      await change.innerText(),
      /^from 2\.1\.6 on: cache losses 3 ×, 5\.6 % instead of 1\.9 % \(p < 0\.001, 12 sessions\)\. compared with 15 sessions/,
    );
    const table = section.getByRole('table', { name: 'Versions of Claude Code' });
    const versions = table.getByRole('rowheader');
    assert.deepEqual(await versions.allInnerTexts(), ['2.1.62', '2.1.7', '2.1.6', '2.1.5', '2.1.4', '2.1.3']);
    await section.getByText('Show all 8').click();
    const cells = await table.getByRole('row').last().getByRole('cell').allInnerTexts();
    // 420 of 540 thousand tokens are read from the cache. They cost $0.42, the others $1.32, for five requests.
    assert.deepEqual(
      cells.filter((_, column) => column !== 3),
      ['3', '77.8 %', '1.9 %', '0', '$0.35'],
    );
    await expectNoViolations(page, 'limits and versions');
    await windows.last().getByRole('button').first().click();
    assert.deepEqual((await deed('show')).details, [oldest, {}, false]);
    await clear(codexFolder);
    await clear(projectFolder('loft'));
    await close();
  });

  it('searches in a page of its own title, and drops a late answer', async () => {
    const { page, close } = await openUsage();
    const field = page.getByRole('combobox', { name: 'Search in all sessions' });
    for (const width of [1280, 1040]) {
      await page.setViewportSize({ width, height: 500 });
      await field.focus();
      // The head and what is said of a day are in sight beside the search.
      const [head, search, tip, figures] = await page.evaluate(() =>
        ['.usage__head', '.usage__search', '.chart__tip', '.usage__figures'].map(name =>
          document.querySelector(name)?.getBoundingClientRect(),
        ),
      );
      assert.deepEqual([head?.top, search?.top, search?.bottom], [0, head?.bottom, 500]);
      assert.ok(tip && figures && tip.left >= figures.left && tip.right <= figures.right, String(width));
      // Content that does not fit is scrolled, not shrunk.
      assert.equal(
        await page.getByRole('rowheader', { name: 'Total', exact: true }).first().isVisible(),
        true,
      );
    }
    await page.setViewportSize({ width: 640, height: 500 });
    assert.equal(await field.isVisible(), false, 'below the figures, nobody would find it');
    await page.getByRole('button', { name: 'Search in all sessions' }).press('Enter');
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
    const heading = page.getByRole('heading', { level: 1 });
    const isTitled = (title: string): Promise<unknown> =>
      page.waitForFunction(wanted => document.title.startsWith(wanted), title);
    assert.equal(await heading.innerText(), 'Search in all sessions');
    await isTitled('Search in all sessions');
    assert.equal(await page.locator('.usage__figures').count(), 0);
    const box = await page.locator('.usage__search').boundingBox();
    assert.deepEqual([box?.width, (box?.y ?? 0) + (box?.height ?? 0)], [640, 500]);
    await expectNoViolations(page, 'search');
    await page.getByRole('button', { name: 'Usage', exact: true }).press('Enter');
    assert.equal(await heading.innerText(), 'Usage');
    await isTitled('Usage');
    await close();
    const direct = await openUsage('search');
    assert.equal(await direct.page.getByRole('heading', { level: 1 }).innerText(), 'Search in all sessions');
    // An answer that comes after that to a newer search is dropped.
    const held = await holdMessage(page, '"hits"');
    await field.fill('shelves');
    await held.come();
    await field.fill('shorter');
    await page.getByText('Write the mail').waitFor();
    await held.pass();
    await untilStill(page);
    const late = page.getByText('Count the shelves').first();
    assert.equal(await late.count(), 0);
    await field.fill('shelves');
    await late.waitFor();
    await direct.close();
  });
});

describe('worktrees and compactions', () => {
  before(async () => {
    await clearAll();
    const begun = (folder: string): ClaudeCodeSession =>
      newSession(folder, first)
        .prompt('Count the shelves')
        .recordedReply(used({ cacheWrite: 50_000, output: 1000 }), done);
    // $0.60 each: 50,000 tokens at $11 a million to write, 1,000 at $50.
    await keep('shop', begun('shop'));
    // $0.82 more: 20,000 tokens at $1 a million to read, 40,000 at $11 to write, 7,200 at $50.
    await keep(
      'red',
      begun('shop/.claude/worktrees/red')
        .compact('The shelves are counted.')
        .prompt('Go on')
        .recordedReply(used({ cacheRead: 20_000, cacheWrite: 40_000, output: 7200 }), done),
    );
  });
  after(clearAll);

  it('are below their project, and no losses', async () => {
    const { page, close } = await openUsage();
    const rows = await page.getByRole('table', { name: 'Project' }).getByRole('row').evaluateAll(cellsOf);
    assert.deepEqual(
      rows.slice(1).map(cells => [0, 2, 4, 6].map(column => cells[column])),
      [
        ['shop', '2', '$0.00', '$2.02'],
        ['red', '1', '$0.00', '$1.42'],
        ['Total', '2', '$0.00', '$2.02'],
      ],
    );
    await page.getByText(/^No loss, because it was meant: compaction: \$/).waitFor();
    await expectNoViolationsInThemes(page, 'worktrees in the usage');
    await close();
  });

  it('are named in the list of sessions', async () => {
    const { page, close } = await openAddress(doorPaths.sessions, {});
    await page.getByRole('treeitem').filter({ hasText: 'shop / red' }).waitFor();
    await close();
  });
});
