/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settingKinds } from '../../src/core/whatIf/settings';
import type { UsageResult } from '../../src/protocol/indexService';
import { expectNoViolations, expectNoViolationsInThemes } from './axe';
import { type OpenUsage, openUsage, usageOfNothing } from './usageHarness';

const difference = (value: number, low = value, high = value) => ({ value, low, high });
const used = (money: number, cacheRead: number) => ({
  ...{ requests: 10, input: 1000, cacheRead, cacheWrite: 2000, output: 500, money },
});
type Priced = UsageResult<'whatIf'>;
const priced: Priced = {
  settings: ['lifetime=1h'],
  assumptions: ['The model would have acted the same.', 'It is all for an hour.'],
  coverage: 0.9,
  failed: 1,
  rows: [
    ...[1, 2].map(number => ({
      file: number,
      id: `s${number}`,
      title:
        number === 1
          ? `<img src=x onerror=alert(1)> \u202Ecart ${'and cart '.repeat(20)}`
          : `Session ${number}`,
      agent: 'Claude Code',
      project: '/w/shop',
      conversation: number - 1,
      recorded: used(5, 1000),
      changed: used(4, 4000),
      money: difference(-1, -1.25, -0.75),
      tokens: difference(0),
      unpriced: 0,
      reasons: [],
      isTold: true,
    })),
    {
      file: 3,
      id: 's3',
      title: 'Paint the door',
      agent: 'Codex',
      project: '/w/mail',
      conversation: 0,
      recorded: used(0, 0),
      changed: used(0, 0),
      money: difference(0),
      tokens: difference(0),
      unpriced: 0,
      reasons: [{ kind: 'setting', sentence: 'The <b>lifetime</b> cannot be chosen.' }],
      isTold: false,
    },
  ],
  total: {
    recorded: used(10, 2000),
    changed: used(8, 8000),
    money: difference(-2, -2.5, -1.5),
    tokens: difference(0),
    unpriced: 0,
    sessions: 2,
    untold: 1,
  },
};
const searched: Priced = {
  ...priced,
  settings: [],
  best: [
    {
      settings: ['prune=opencode,protect=20k', 'lifetime=1h'],
      money: difference(-3, -3.5, -2.5),
      tokens: difference(-1000),
      lost: 4,
    },
  ],
};

/** Shows the part of the page. */
async function openWhatIf(): Promise<OpenUsage> {
  const usage = await openUsage(usageOfNothing, { sessions: [] });
  await usage.page.getByRole('button', { name: 'What if', exact: true }).click();
  await usage.page.getByRole('heading', { level: 1, name: 'What if', exact: true }).waitFor();
  return usage;
}

const lifetime = 'Value of Cache lifetime';

/** Chooses a cache lifetime of an hour, and asks. */
async function priceHour({ page }: OpenUsage): Promise<void> {
  await page.getByRole('combobox', { name: 'Add a setting' }).selectOption('Cache lifetime');
  await page.getByRole('combobox', { name: lifetime }).selectOption('1h');
  await page.getByRole('button', { name: 'Compute' }).click();
}

const textsOf = (all: readonly Element[]): readonly (readonly string[])[] =>
  all.map(row => [...row.children].map(cell => cell.textContent));

describe('the page that asks what if', () => {
  it('offers the settings of the table, and asks for those that are chosen', async () => {
    const usage = await openWhatIf();
    const { page } = usage;
    const add = page.getByRole('combobox', { name: 'Add a setting' });
    const compute = page.getByRole('button', { name: 'Compute' });
    assert.deepEqual(await add.getByRole('option').allInnerTexts(), [
      'Add a setting',
      ...settingKinds.map(kind => kind.label()),
    ]);
    assert.equal(await compute.isDisabled(), true);
    await add.selectOption('Without MCP server');
    assert.equal(await compute.isDisabled(), true, 'a name is missing');
    await page.getByRole('textbox', { name: 'Value of Without MCP server' }).fill('git<hub>');
    await add.selectOption('Pruning');
    const pruning = page.getByRole('combobox', { name: 'Value of Pruning' });
    await pruning.selectOption('Another value…');
    const typed = page.getByRole('textbox', { name: 'Value of Pruning' });
    await typed.fill('katu,protect=');
    await page.getByText('katu,protect= is not a value here. The form is off|RULES').waitFor();
    assert.equal(await compute.isDisabled(), true);
    await typed.fill('katu,protect=30k');
    await page.getByRole('radio', { name: 'Week', exact: true }).check();
    await compute.click();
    const { question } = await usage.asked('"whatIf"');
    assert.deepEqual(question.params, {
      period: 'week',
      settings: ['without-server=git<hub>', 'prune=katu,protect=30k'],
      searches: false,
    });
    await page.getByRole('button', { name: 'Remove Pruning' }).click();
    assert.equal(await typed.count(), 0);
    await expectNoViolations(page, 'settings');
    await usage.close();
  });

  it('says in one sentence what the settings save, then of which sessions, and what it rests on', async () => {
    const usage = await openWhatIf();
    const { page } = usage;
    await priceHour(usage);
    await usage.answer(await usage.asked('"whatIf"'), priced);
    const headline = page.getByRole('heading', { name: / less / });
    await headline.waitFor();
    assert.equal(
      await headline.innerText(),
      'With a cache lifetime of 1 hour: about $2.00 less ($1.50 to $2.50) over 2 sessions',
    );
    const rows = await page.getByRole('table', { name: 'Sessions' }).getByRole('row').evaluateAll(textsOf);
    assert.deepEqual(
      rows.map(cells => cells.slice(1)),
      [
        ['Recorded', 'Changed', 'Difference', 'Interval', 'Input tokens', 'Cache reads', 'Cache writes'],
        ['$5.00', '$4.00', '−$1.00', '−$1.25 to −$0.75', '0', '+3,000', '0'],
        ['$5.00', '$4.00', '−$1.00', '−$1.25 to −$0.75', '0', '+3,000', '0'],
        ['$10.00', '$8.00', '−$2.00', '−$2.50 to −$1.50', '0', '+6,000', '0'],
      ],
    );
    const notes = page.getByRole('region', { name: 'What this rests on' });
    assert.deepEqual(await notes.getByRole('listitem').allInnerTexts(), [
      'The intervals hold the true difference in 90 % of cases.',
      'Assumed: The model would have acted the same. It is all for an hour.',
      'Cannot be told for 1 session: The <b>lifetime</b> cannot be chosen.',
      '1 file could not be read.',
    ]);
    const untold = page.getByRole('region', { name: 'Cannot be told' });
    assert.match(
      await untold.getByRole('listitem').innerText(),
      /Paint the door[^]*The <b>lifetime<\/b> cannot/,
    );
    // Titles are text, whatever they contain.
    assert.equal(await page.locator('main img, main b').count(), 0);
    assert.equal(await page.getByText('\u202E').count(), 0);
    await page.getByRole('button', { name: '<img src=x' }).click();
    await page.getByRole('button', { name: 'Session 2' }).click();
    assert.deepEqual(
      (await usage.sent()).flatMap(message =>
        message.type === 'act' && message.act.kind === 'open' ? [message.act] : [],
      ),
      [
        { kind: 'open', file: 1, place: {} },
        { kind: 'open', file: 2, place: { conversation: 1 } },
      ],
    );
    // A long title leaves the figures free.
    await page.setViewportSize({ width: 630, height: 720 });
    const [title, figure] = await page
      .getByRole('table', { name: 'Sessions' })
      .evaluate(table =>
        ['tbody .session-name', 'tbody td:nth-child(3)'].map(name =>
          table.querySelector(name)?.getBoundingClientRect(),
        ),
      );
    assert.ok(title && figure && title.right <= figure.left);
    const link = await page.getByRole('button', { name: '<img src=x' }).boundingBox();
    assert.ok(link && link.x + link.width <= title.right);
    // Figures of other settings would be taken for those of the new ones.
    await page.getByRole('combobox', { name: lifetime }).selectOption('5m');
    await headline.waitFor({ state: 'detached' });
    await usage.close();
  });

  it('shows how far it is, and stops', async () => {
    const usage = await openWhatIf();
    const { page } = usage;
    await priceHour(usage);
    const first = await usage.asked('"whatIf"');
    await usage.send({ type: 'pricing', progress: { done: 3, total: 12 } });
    const bar = page.getByRole('progressbar', { name: 'Sessions: 3 of 12' });
    await bar.waitFor();
    assert.equal(await bar.getAttribute('value'), '3');
    assert.equal(await page.locator('.usage__figures[aria-busy=true]').count(), 1);
    await page.getByRole('button', { name: 'Stop' }).click();
    await bar.waitFor({ state: 'detached' });
    await page.waitForFunction(() =>
      window.fakeHost.sentByUsage.some(
        message => message.type === 'act' && message.act.kind === 'stopPricing',
      ),
    );
    await usage.send({ type: 'answer', id: first.id, ok: false, sentence: 'Stopped.' });
    await page.getByRole('button', { name: 'Compute' }).click();
    await page.waitForFunction(
      id => window.fakeHost.sentByUsage.some(message => message.type === 'question' && message.id > id),
      first.id,
    );
    const second = await usage.asked('"whatIf"');
    await usage.send({ type: 'answer', id: second.id, ok: false, sentence: 'The index is <b>broken</b>.' });
    assert.equal(await page.getByRole('alert').innerText(), 'The index is <b>broken</b>.');
    await usage.close();
  });

  it('says of a period without sessions that there are none, and no more', async () => {
    const usage = await openWhatIf();
    const { page } = usage;
    await priceHour(usage);
    const total = { ...priced.total, sessions: 0, untold: 0 };
    await usage.answer(await usage.asked('"whatIf"'), { ...priced, rows: [], failed: 0, total });
    await page.getByText('No usage was recorded in this period.').waitFor();
    assert.equal(await page.getByText('What this rests on').count(), 0);
    await usage.close();
  });

  it('searches the best settings, and takes one of them', async () => {
    const usage = await openWhatIf();
    const { page } = usage;
    await page.getByRole('button', { name: 'Find best settings' }).click();
    await usage.answer(await usage.asked('"searches":true'), searched);
    const table = page.getByRole('table', { name: 'Best settings' });
    await table.waitFor();
    assert.deepEqual((await table.getByRole('row').evaluateAll(textsOf)).slice(1), [
      [
        'with pruning by opencode (protect=20k), with a cache lifetime of 1 hour',
        '−$3.00',
        '−$3.50 to −$2.50',
        '4',
        'Use',
      ],
    ]);
    await table.getByRole('button', { name: 'Use' }).click();
    const { question } = await usage.asked('"searches":false');
    assert.deepEqual(question.params, {
      period: 'fourWeeks',
      settings: ['prune=opencode,protect=20k', 'lifetime=1h'],
      searches: false,
    });
    assert.equal(
      await page.getByRole('textbox', { name: 'Value of Pruning' }).inputValue(),
      'opencode,protect=20k',
    );
    await expectNoViolations(page, 'best');
    await usage.close();
  });

  it('breaks no rule of accessibility in any theme', async () => {
    const usage = await openWhatIf();
    await priceHour(usage);
    await usage.answer(await usage.asked('"whatIf"'), priced);
    await usage.page.getByRole('table', { name: 'Sessions' }).waitFor();
    await expectNoViolationsInThemes(usage.page, 'prices');
    await usage.close();
  });
});
