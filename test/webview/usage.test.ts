/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { UsageLosses } from '../../src/core/index/usageLosses';
import type { UsageResult } from '../../src/protocol/indexService';
import { expectNoViolations, expectNoViolationsInThemes } from './axe';
import { openUsage } from './usageHarness';

type Period = UsageResult<'usage'>;

const sum = (sessions: number, money: number) => ({
  sessions,
  requests: 10 * sessions,
  input: 1000,
  cacheRead: 9000,
  cacheWrite: 0,
  output: 500,
  money,
  unpriced: 0,
  lowOutput: 0,
  withoutInput: 0,
  recordedMoney: 0,
  recordedCosts: 0,
  unpricedTerms: 0,
  unpricedExtras: 0,
  doubtedInput: 0,
});

type Cause = UsageLosses['cache']['causes'][number];
const lost = (requests: number, money: number) => ({ requests, tokens: 1000 * requests, money, unpriced: 0 });

function losses(secrets: number, causes: readonly Cause[], unread = 0) {
  const whole = causes.reduce((all, { requests }) => all + requests, 0);
  const money = causes.reduce((all, cause) => all + cause.money, 0);
  const findings = secrets === 0 ? [] : [{ rule: 'github', label: 'restricted' as const, count: secrets }];
  const waste = {
    ...lost(5, 1.5),
    kinds: [
      { kind: 'readAgain' as const, ...lost(4, 1) },
      { kind: 'image' as const, ...lost(2, 0.5) },
    ],
  };
  return { unread, cache: { ...lost(whole, money), causes: [...causes] }, waste, findings };
}

const days = ['2026-03-05', '2026-03-06', '2026-03-07'];
const idle = { cause: 'lifetimeExpired' as const, ...lost(3, 6) };
const tools = { cause: 'toolsChanged' as const, ...lost(1, 2) };

const period: Period = {
  days,
  groups: [
    {
      key: '/w/shop',
      ...sum(2, 30),
      moneyByDay: [10, 0, 20],
      tokensByDay: [5000, 0, 5500],
      losses: losses(2, [idle]),
    },
    {
      key: '/w/mail',
      ...sum(1, 10),
      moneyByDay: [10, 0, 0],
      tokensByDay: [10_500, 0, 0],
      losses: losses(0, [tools], 4),
    },
    { key: '/w/site', ...sum(1, 0), moneyByDay: [0, 0, 0], tokensByDay: [0, 0, 0] },
  ],
  total: { ...sum(4, 40), losses: losses(2, [idle, tools], 14) },
  before: sum(4, 20),
  parts: {
    money: { input: 4, cacheRead: 16, cacheWrite: 5, output: 7, lost: 8, tools: 0 },
    tokens: { input: 400, cacheRead: 16_000, cacheWrite: 500, output: 700, lost: 800, tools: 0 },
  },
  lostByDay: { money: [0, 0, 5], tokens: [0, 0, 500] },
  known: { projects: 3, agents: 1, sessions: 4 },
};

const day: UsageResult<'bar'> = {
  sessions: [
    {
      file: 7,
      conversation: 0,
      key: 'one',
      title: '<b>Mend</b> the cart',
      agent: 'Claude Code',
      project: '/w/shop',
      ...sum(1, 20),
    },
  ],
};

const noHits = {
  hits: [],
  hasMore: false,
  milliseconds: 3,
  counts: { sources: [], sessions: 0, isLeast: false },
};

describe('the page with the usage of all sessions', () => {
  it('has its choices in one line in the default layout of a small screen', async () => {
    const usage = await openUsage(period, day);
    const { page } = usage;
    for (const width of [628, 750, 1000, 1280]) {
      await page.setViewportSize({ width, height: 596 });
      const box = await page.locator('.usage__controls').boundingBox();
      assert.ok((box?.height ?? 100) < 40, `${width}`);
    }
    await usage.close();
  });

  it('says what the cache lost, by group and cause, and what is not known', async () => {
    const usage = await openUsage(period, day);
    const { page } = usage;
    const rows = await page
      .getByRole('row')
      .evaluateAll(all =>
        all.map(row => [...row.children].map(cell => cell.textContent.replaceAll(/\s+/gu, ' ').trim())),
      );
    assert.deepEqual(
      rows.map(cells => [cells[0], cells[4], cells[5]]),
      [
        ['Project', 'Lost', 'Secrets'],
        ['shop', '$6.00', '2'],
        // Some requests were not read for it.
        ['mail', '≥ $2.00', '–'],
        ['site', '–', '–'],
        ['Total', '≥ $8.00', '≥ 2'],
      ],
    );
    const causes = page.locator('.cause');
    assert.deepEqual(await causes.evaluateAll(all => all.map(cause => cause.textContent)), [
      'idle too long3 ×$6.00',
      'tools changed1 ×$2.00',
      'Files read again, unchanged4 ×$1.00',
      'Images kept in the context2 ×$0.50',
    ]);
    // Next to the cache losses, and in a separate list.
    const sums = await page.locator('.sums__value').allInnerTexts();
    assert.deepEqual(sums.slice(-2), ['≥ $8.00', '≥ $1.50']);
    const wasted = page.getByRole('region', { name: 'Waste' });
    assert.equal(await wasted.getByRole('listitem').count(), 2);
    assert.match(await page.locator('.whither__legend').innerText(), /cache losses\s*\$8\.00/);
    const widths = await page.locator('.cause__bar').evaluateAll(all => all.map(bar => bar.clientWidth));
    assert.equal(Math.round((widths[0] ?? 0) / (widths[1] ?? 1)), 3);
    assert.equal(await page.getByText('Cache losses are not computed yet for 14 requests').count(), 1);
    // The title is shown as text, whatever it contains.
    assert.equal(await page.locator('.day-session b').count(), 0);
    await page.getByRole('radio', { name: 'Tokens' }).check();
    const inTokens = page.getByRole('row').filter({ hasText: 'shop' }).getByRole('cell').nth(3);
    assert.equal(await inTokens.innerText(), '3k');
    await usage.close();
  });

  it('lists the windows of limits with the sessions that used most of each', async () => {
    const usage = await openUsage(period, day);
    const { page } = usage;
    const [session] = day.sessions;
    const used = (key: string, money: number, tokens: number) => ({
      ...(session ?? assert.fail()),
      key,
      title: `Session ${key}`,
      ...sum(1, money),
      input: tokens,
    });
    const window = (minutes: number, resetsAt: number) => ({
      agent: '<b>Codex</b>',
      minutes,
      used: 0.86,
      resetsAt,
      at: resetsAt - 3_600_000,
      total: sum(4, 9.5),
      sessions: [used('a', 5, 10), used('b', 3, 20), used('c', 1, 30), used('d', 0.5, 40)],
    });
    const end = Date.UTC(2026, 2, 6, 12);
    const region = page.getByRole('region', { name: 'Limits of subscriptions' });
    await usage.answer(await usage.asked('"quotas"'), {
      windows: [10_080, 300, 300, 300, 300].map((minutes, place) =>
        window(minutes, end - place * 18_000_000),
      ),
    });
    const windows = region.getByRole('region');
    await windows.first().waitFor();
    assert.equal(await windows.count(), 4);
    assert.equal(await region.locator('b').count(), 0);
    assert.match(
      await windows.first().getByRole('heading').innerText(),
      /^<b>Codex<\/b>, weekly limit until .*6 Mar.*: 86 % used, recorded .* 4 sessions: \$9\.50$/,
    );
    const names = () => windows.nth(1).locator('.day-session__name .ellipsis:first-child').allInnerTexts();
    assert.deepEqual(await names(), ['Session a', 'Session b', 'Session c']);
    await page.getByRole('radio', { name: 'Tokens' }).check();
    assert.deepEqual(await names(), ['Session d', 'Session c', 'Session b']);
    await region.getByRole('button', { name: 'Show all 5' }).click();
    assert.equal(await windows.count(), 5);
    await windows.last().getByRole('button').first().click();
    assert.ok((await usage.sent()).some(message => message.type === 'act' && message.act.kind === 'open'));
    await usage.answer(await usage.asked('"quotas"'), { windows: [] });
    await expectNoViolations(page, 'limits');
    await usage.close();
  });

  it('lists the versions of agents with what changed, once everything is read', async () => {
    const usage = await openUsage(period, day);
    const { page } = usage;
    const version = (name: string, lostShare: number | null) => ({
      version: name,
      sessions: 20,
      tested: 18,
      requests: 400,
      cacheShare: 0.915,
      losses: lostShare,
      causes: [],
      notRecorded: 1200,
      compactions: 2,
      cost: 0.04,
    });
    const radar: UsageResult<'radar'> = {
      agents: [
        {
          agent: 'Claude <b>Code</b>',
          versions: ['2.1.1', '2.1.2', '2.1.3', '2.1.4', '2.1.5', '2.1.6', '2.1.7'].map(name =>
            version(name, name === '2.1.1' ? null : 0.03),
          ),
          changes: [
            {
              figure: 'losses',
              cause: null,
              version: '2.1.6',
              first: '2.1.5',
              last: '2.1.6',
              isWorse: true,
              before: 0.01,
              after: 0.031,
              ratio: 3.1,
              p: 0.004,
              sessions: { before: 90, after: 41 },
            },
          ],
        },
      ],
      withoutVersion: 0,
      unread: 0,
    };
    await usage.answer(await usage.asked('"radar"'), radar);
    const section = page.getByRole('region', { name: 'Versions of agents, over all sessions' });
    await section.waitFor();
    assert.equal(await section.locator('b').count(), 0);
    assert.match(
      await section.getByRole('listitem').innerText(),
      /^from 2\.1\.6 on: cache losses 3\.1 ×, 3\.1 % instead of 1 % \(p < 0\.005, 41 sessions\)\. began between 2\.1\.5 and 2\.1\.6 \(95 %\), compared with 90 sessions/,
    );
    const names = section.getByRole('rowheader');
    assert.deepEqual(await names.allInnerTexts(), ['2.1.7', '2.1.6', '2.1.5', '2.1.4', '2.1.3', '2.1.2']);
    await section.getByText('Show all 7').click();
    assert.equal(await names.count(), 7);
    assert.deepEqual(await section.getByRole('row').last().getByRole('cell').allInnerTexts(), [
      '20',
      '91.5 %',
      '–',
      '1,200',
      '2',
      '$0.04',
    ]);
    await expectNoViolations(page, 'versions');
    await usage.close();
  });

  it('has a table of the same days, and asks for a refresh and for an export', async () => {
    const usage = await openUsage(period, day);
    const { page } = usage;
    const button = page.getByRole('button', { name: 'Days as a table' });
    await button.click();
    const table = page.getByRole('table', { name: 'Usage by day' });
    assert.deepEqual(
      await table
        .getByRole('row')
        .evaluateAll(rows => rows.map(row => [...row.children].map(cell => cell.textContent))),
      [
        ['Day', 'shop', 'mail', 'site', 'Lost', 'Total'],
        ['Thu 5 Mar', '$10.00', '$10.00', '–', '–', '$20.00'],
        ['Fri 6 Mar', '–', '–', '–', '–', '$0.00'],
        ['Sat 7 Mar', '$20.00', '–', '–', '$5.00', '$20.00'],
      ],
    );
    assert.equal(await page.locator('.chart').count(), 0);
    await table.getByRole('button', { name: 'Thu 5 Mar' }).click();
    await usage.asked('"day":"2026-03-05"');
    await button.click();
    // Its height matches its share of the bar.
    const [bar, lost] = await page.locator('.chart__bar').evaluateAll(bars => {
      const last = bars.at(-1);
      return [last?.clientHeight ?? 0, last?.querySelector('.chart__lost')?.clientHeight ?? 0];
    });
    assert.ok(Math.abs(lost - bar / 4) <= 1, `${lost} of ${bar}`);
    await page.getByRole('button', { name: 'Read sessions again' }).click();
    await page.getByRole('button', { name: 'Export table…' }).click();
    assert.deepEqual((await usage.sent()).slice(-2), [
      { type: 'act', act: { kind: 'update' } },
      {
        type: 'act',
        act: { kind: 'export', period: { period: 'fourWeeks', stack: 'project', subagents: 'together' } },
      },
    ]);
    await usage.close();
  });

  it('is busy until the figures and the sessions of the newest reading are there', async () => {
    const { page, send, sent, asked, answer, close } = await openUsage(period, day);
    const busy = page.locator('[aria-busy="true"]');
    await busy.waitFor({ state: 'detached' });
    const before = (await sent()).length;
    const current = { files: 4, failed: 0 } as const;
    await send({ type: 'state', state: { kind: 'looking', revision: 1 } });
    await page.locator('main[aria-busy="true"]').waitFor();
    await send({ type: 'state', state: { kind: 'current', revision: 2, ...current } });
    await page.waitForFunction(count => window.fakeHost.sentByUsage.length >= count + 2, before);
    await answer(await asked('"usage"'), { ...period, known: { ...period.known, sessions: 5 } });
    await page.getByText('5 sessions').first().waitFor();
    assert.equal(await busy.count(), 1, 'the sessions of the day are asked for');
    await answer(await asked('"bar"'), day);
    await busy.waitFor({ state: 'detached' });
    await close();
  });

  it('walks through the days with the keyboard, and lists the sessions of one', async () => {
    const usage = await openUsage(period, day);
    const { page } = usage;
    const focused = (): Promise<string> =>
      page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    // The newest day with usage is chosen.
    const chosen = page.locator('.chart__day[aria-pressed=true]');
    assert.match(
      (await chosen.getAttribute('aria-label')) ?? '',
      /^Sat 7 Mar: \$20\.00, shop \$20\.00, \$5\.00 lost from the cache$/,
    );
    await chosen.focus();
    await page.keyboard.press('ArrowRight');
    assert.match(await focused(), /^Sat 7 Mar/);
    await page.keyboard.press('ArrowLeft');
    assert.match(await focused(), /^Fri 6 Mar: \$0/);
    await page.keyboard.press('Home');
    assert.match(await focused(), /^Thu 5 Mar: \$20\.00, shop \$10\.00, mail \$10\.00$/);
    await page.keyboard.press('Enter');
    await usage.answer(await usage.asked('"day":"2026-03-05"'), day);
    await page.getByRole('heading', { name: 'Thu 5 Mar: 1 session' }).waitFor();
    await page.getByRole('button', { name: /Mend/ }).click();
    assert.deepEqual((await usage.sent()).at(-1), {
      type: 'act',
      act: { kind: 'open', file: 7, place: {} },
    });
    await usage.close();
  });

  it('tells projects of one name apart, and says which money is not known', async () => {
    const whole = {
      ...sum(2, 30),
      unpriced: 10,
      moneyByDay: [0, 0, 30],
      tokensByDay: [0, 0, 10_500],
    };
    const { groups: _, ...others } = period;
    const usage = await openUsage(
      {
        ...others,
        groups: [
          { key: '/w/shop/repo', ...whole },
          { key: '/w/mail/repo', ...whole, money: 0, unpriced: whole.requests, moneyByDay: [0, 0, 0] },
        ],
        total: { ...sum(4, 30), unpriced: 30 },
      },
      {
        sessions: day.sessions.map(session => ({ ...session, title: 'Please read this '.repeat(12) })),
      },
    );
    const { page } = usage;
    // Next to a title that is too long for its place.
    const [name, project] = await page
      .locator('.day-session__name, .day-session__project')
      .evaluateAll(parts => parts.map(part => part.getBoundingClientRect()));
    assert.ok(name && project && project.width > 20 && project.right <= name.right);
    const rows = await page
      .getByRole('row')
      .evaluateAll(all =>
        all.map(row => [row.firstElementChild, row.children[6]].map(cell => cell?.textContent)),
      );
    assert.deepEqual(rows.slice(1), [
      ['shop / repo', '≥ $30.00'],
      ['mail / repo', '–'],
      ['Total', '≥ $30.00'],
    ]);
    // Bars are comparable only if their starts are aligned.
    const begins = await page
      .locator('.groups__track')
      .evaluateAll(tracks => tracks.map(track => Math.round(track.getBoundingClientRect().left)));
    assert.equal(new Set(begins).size, 1, String(begins));
    await usage.close();
  });

  it('searches in a page of its own title, with a way to the usage and back', async () => {
    const usage = await openUsage(period, day);
    const { page } = usage;
    const field = page.getByRole('combobox', { name: 'Search in all sessions' });
    await page.setViewportSize({ width: 640, height: 500 });
    assert.equal(await field.isVisible(), false, 'below the figures, nobody would find it');
    await page.getByRole('button', { name: 'Search in all sessions' }).press('Enter');
    await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'combobox');
    const heading = page.getByRole('heading', { level: 1 });
    assert.equal(await heading.innerText(), 'Search in all sessions');
    assert.equal(await page.locator('.usage__figures').count(), 0);
    const box = await page.locator('.usage__search').boundingBox();
    assert.deepEqual([box?.width, (box?.y ?? 0) + (box?.height ?? 0)], [640, 500]);
    await expectNoViolations(page, 'search');
    await page.getByRole('button', { name: 'Usage', exact: true }).press('Enter');
    assert.equal(await heading.innerText(), 'Usage');
    const turns = (await usage.sent()).flatMap(message =>
      message.type === 'act' && message.act.kind === 'turnTo' ? [message.act.part] : [],
    );
    assert.deepEqual(turns, ['search', 'usage']);
    await usage.send({ type: 'turnTo', part: 'search' });
    await page.getByRole('heading', { level: 1, name: 'Search in all sessions' }).waitFor();
    await usage.close();
  });

  it('keeps its head and what is said of a day in sight beside the search', async () => {
    const usage = await openUsage(period, day);
    const { page } = usage;
    const places = (): Promise<readonly (DOMRect | undefined)[]> =>
      page.evaluate(() =>
        ['.usage__head', '.usage__search', '.chart__tip', '.usage__figures'].map(name =>
          document.querySelector(name)?.getBoundingClientRect(),
        ),
      );
    for (const width of [1280, 1040]) {
      await page.setViewportSize({ width, height: 500 });
      await page.getByRole('combobox', { name: 'Search in all sessions' }).focus();
      const [head, search, tip, figures] = await places();
      assert.deepEqual([head?.top, search?.top, search?.bottom], [0, head?.bottom, 500]);
      assert.ok(tip && figures && tip.left >= figures.left && tip.right <= figures.right, String(width));
      // Content that does not fit is scrolled, not shrunk.
      assert.equal(await page.getByRole('rowheader', { name: 'Total' }).isVisible(), true);
    }
    await usage.close();
  });

  it('drops the answer to a search that is no longer wanted', async () => {
    const usage = await openUsage(period, day);
    const { page } = usage;
    const field = page.getByRole('combobox', { name: 'Search in all sessions' });
    await field.fill('first');
    const first = await usage.asked('"text":"first"');
    await field.fill('second');
    const second = await usage.asked('"text":"second"');
    await usage.answer(second, { ...noHits, milliseconds: 22 });
    await page.getByText('22 ms').waitFor();
    await usage.answer(first, { ...noHits, milliseconds: 11 });
    // The page sends its next message after that answer.
    await field.fill('');
    await page.getByText('22 ms').waitFor({ state: 'hidden' });
    await field.fill('second');
    await page.waitForFunction(
      () =>
        window.fakeHost.sentByUsage.filter(message => JSON.stringify(message).includes('second')).length ===
        2,
    );
    assert.equal(await page.getByText('11 ms').count(), 0);
    await usage.close();
  });

  it('breaks no rule of accessibility in any theme', async () => {
    const usage = await openUsage(period, day);
    await expectNoViolationsInThemes(usage.page, 'figures');
    await usage.close();
  });
});
