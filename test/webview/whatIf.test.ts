/// <reference types="node" />
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { usageAddress } from '../../src/protocol/doorAddresses';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { limitedSession } from '../fixtures/codexQuota';
import { expectNoViolations, expectNoViolationsInThemes } from './axe';
import { openAddress, type OpenAddress } from './door';
import { holdMessage } from './heldMessage';
import { claudeFolder, clear, codexFolder, projectFolder, writeAtHome } from './inventory/sessionPlaces';

/** US dollars per million tokens, so that costs are round. */
const settings = {
  'contextInspector.models': {
    'claude-sonnet-4-5': {
      prices: { input: 10, cacheRead: 1, cacheWrite: 11, cacheWriteHour: 20, output: 50 },
    },
  },
};

/** In the period of four weeks, and not in that of one. */
const begin = Date.now() - 10 * 24 * 3_600_000;

/** A session whose pauses are longer than five minutes and shorter than an hour. */
function paused(number: number, prompt: string): Promise<string> {
  const id = `00000000-0000-4000-8000-00000000000${number}`;
  const session = new ClaudeCodeSession(id, '/home/ada/shop', begin).prompt(prompt);
  for (const cacheWrite of [100_000, 101_000, 102_000]) {
    session
      .recordedReply({ input: 0, cacheRead: 0, cacheWrite, output: 0 }, { text: 'No frost yet.' })
      .pause(1200)
      .prompt('And now?');
  }
  return writeAtHome(`${projectFolder('shop')}/${number}.jsonl`, session.toString());
}

async function clearAll(): Promise<void> {
  await clear(claudeFolder);
  await clear(codexFolder);
}

/** Shows the part of the page once all sessions are read. */
async function openWhatIf(): Promise<OpenAddress> {
  const opened = await openAddress(usageAddress('whatIf'), {
    ...{ width: 1280, height: 900, settings, stays: true },
  });
  await opened.page.getByRole('heading', { level: 1, name: 'What if', exact: true }).waitFor();
  await opened.page.getByRole('button', { name: 'Read sessions again', disabled: false }).waitFor();
  return opened;
}

const lifetime = 'Value of Cache lifetime';

/** Chooses a cache lifetime of an hour. */
async function chooseHour(page: Page): Promise<void> {
  await page.getByRole('combobox', { name: 'Add a setting' }).selectOption('Cache lifetime');
  await page.getByRole('combobox', { name: lifetime }).selectOption('1h');
}

const compute = (page: Page): Locator => page.getByRole('button', { name: 'Compute' });
/** The first figures of a table's rows, without their names. */
const figuresOf = (page: Page, name: string): Promise<readonly (readonly string[])[]> =>
  page
    .getByRole('table', { name })
    .getByRole('row')
    .evaluateAll(rows => rows.map(row => [...row.children].slice(1).map(cell => cell.textContent)));

describe('the page that asks what if', () => {
  const long = 'and cart '.repeat(20);
  let frost = '';
  before(async () => {
    await clearAll();
    await paused(1, `<img src=x onerror=alert(1)> \u202Ecart ${long}`);
    frost = await paused(2, 'Wait for the frost');
    const id = '0e000000-0000-7000-8000-000000000000';
    await writeAtHome(
      `${codexFolder}/sessions/rollout-2026-03-02T08-00-00-${id}.jsonl`,
      limitedSession(id, 'Paint the door', [{ at: new Date(begin), input: 1000, output: 10, limits: [] }], {
        cwd: '/home/ada/mail',
      }),
    );
  });
  after(clearAll);

  it('offers the settings of the table, and computes with those that are chosen', async () => {
    const { page, close } = await openWhatIf();
    const add = page.getByRole('combobox', { name: 'Add a setting' });
    assert.deepEqual(await add.getByRole('option').allInnerTexts(), [
      ...['Add a setting', 'Without memory file', 'Without MCP server', 'MCP tools', 'Thinking'],
      ...['Start of prompts', 'Compaction', 'Pruning', 'Breakpoints', 'Cache lifetime', 'Prices of model'],
    ]);
    assert.equal(await compute(page).isDisabled(), true);
    await add.selectOption('Without MCP server');
    assert.equal(await compute(page).isDisabled(), true, 'a name is missing');
    await page.getByRole('textbox', { name: 'Value of Without MCP server' }).fill('git<b>hub');
    await add.selectOption('Pruning');
    await page.getByRole('combobox', { name: 'Value of Pruning' }).selectOption('Another value…');
    const typed = page.getByRole('textbox', { name: 'Value of Pruning' });
    await typed.fill('katu,protect=');
    await page.getByText('katu,protect= is not a value here. The form is off|RULES').waitFor();
    assert.equal(await compute(page).isDisabled(), true);
    await typed.fill('katu,protect=30k');
    await page.getByRole('radio', { name: 'Week', exact: true }).check();
    await compute(page).click();
    await page.getByText('No usage was recorded in this period.').waitFor();
    assert.equal(await page.getByText('What this rests on').count(), 0);
    await page.getByRole('radio', { name: '4 weeks' }).check();
    await compute(page).click();
    // An agent's own record of a session does not have the tools.
    await page
      .getByRole('heading', {
        name: 'Without the MCP server git<b>hub, with pruning by katu (protect=30k): cannot be told for any session of this period',
      })
      .waitFor();
    await page.getByRole('button', { name: 'Remove Pruning' }).click();
    assert.equal(await typed.count(), 0);
    await expectNoViolations(page, 'settings');
    await close();
  });

  it('says in one sentence what the settings save, then of which sessions, and what it rests on', async () => {
    const gone = await paused(3, 'Gone');
    const { page, deed, close } = await openWhatIf();
    rmSync(gone);
    await chooseHour(page);
    await compute(page).click();
    const headline = page.getByRole('heading', { name: / less / });
    // Recorded: 303,000 tokens written, at $11 a million. With an hour: 102,000 written at $20, and 201,000 read at $1.
    const moved = ['0', '+201,000', '−201,000'];
    const rows = await headline.waitFor().then(() => figuresOf(page, 'Sessions'));
    const [interval = '', ofSum = ''] = [rows[1]?.[3], rows[3]?.[3]];
    assert.deepEqual(rows, [
      ['Recorded', 'Changed', 'Difference', 'Interval', 'Input tokens', 'Cache reads', 'Cache writes'],
      ['$3.33', '$2.24', '−$1.09', interval, ...moved],
      ['$3.33', '$2.24', '−$1.09', interval, ...moved],
      ['$6.67', '$4.48', '−$2.18', ofSum, '0', '+402,000', '−402,000'],
    ]);
    // An interval around the difference, which is measured.
    const [least = 0, most = 0] = [...ofSum.matchAll(/−\$(\d\.\d\d)/gu)].map(([, dollars]) =>
      Number(dollars),
    );
    assert.ok(least > 2.18 && most < 2.18 && most > 0, ofSum);
    assert.equal(
      await headline.innerText(),
      `With a cache lifetime of 1 hour: about $2.18 less ($${most} to $${least}) over 2 sessions`,
    );
    const notes = page.getByRole('region', { name: 'What this rests on' });
    const reason = 'The lifetime cannot be chosen for the models of this session.';
    assert.deepEqual(await notes.getByRole('listitem').allInnerTexts(), [
      'The intervals hold the true difference in 90 % of cases.',
      'Assumed: The model would have acted the same: same replies, calls and results at the same times. Everything that is written to the cache is written for this time.',
      `Cannot be told for 1 session: ${reason}`,
      '1 file could not be read.',
    ]);
    const untold = page.getByRole('region', { name: 'Cannot be told' });
    const listed = await untold.getByRole('listitem').innerText();
    assert.ok(listed.includes('Paint the door') && listed.includes(reason), listed);
    // Titles are text, whatever they contain.
    assert.equal(await page.locator('main img, main b').count(), 0);
    assert.equal(await page.getByText('\u202E').count(), 0);
    await expectNoViolationsInThemes(page, 'prices');
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
    await compute(page).click();
    await page.getByRole('button', { name: 'Wait for the frost' }).click();
    assert.deepEqual((await deed('show')).details, [frost, {}, false]);
    await close();
  });

  it('shows how far it is, stops, and says why it failed', async () => {
    const { page, close } = await openWhatIf();
    const [socket] = await Promise.all([page.waitForEvent('websocket'), page.reload()]);
    await page.getByRole('button', { name: 'Read sessions again', disabled: false }).waitFor();
    await chooseHour(page);
    const first = await holdMessage(page, '"coverage"');
    await compute(page).click();
    const bar = page.getByRole('progressbar', { name: /^Sessions: \d of 3$/u });
    await bar.waitFor();
    assert.equal(await bar.getAttribute('max'), '3');
    assert.equal(await page.locator('.usage__figures[aria-busy=true]').count(), 1);
    await first.come();
    const stopped = new Promise<void>(resolve => {
      socket.on('framesent', ({ payload }) => {
        if (payload.toString().includes('"stopPricing"')) {
          resolve();
        }
      });
    });
    await page.getByRole('button', { name: 'Stop' }).click();
    await bar.waitFor({ state: 'detached' });
    await stopped;
    await first.pass();
    const second = await holdMessage(page, '"coverage"');
    await compute(page).click();
    await second.come();
    assert.equal(await page.getByRole('table').count(), 0, 'the answer that was not wanted any more');
    await second.pass({ ok: false, value: undefined, sentence: 'The index is <b>broken</b>.' });
    assert.equal(await page.getByRole('alert').innerText(), 'The index is <b>broken</b>.');
    await close();
  });

  it('searches the best settings, and takes one of them', async () => {
    const { page, close } = await openWhatIf();
    await page.getByRole('button', { name: 'Find best settings' }).click();
    await page.getByRole('table', { name: 'Best settings' }).waitFor();
    const [, best, ...others] = await figuresOf(page, 'Best settings');
    // There is no result to prune.
    assert.deepEqual([best?.[0], best?.[2], best?.[3], others], ['−$2.18', '0', 'Use', []]);
    await page.getByRole('rowheader', { name: 'with a cache lifetime of 1 hour' }).waitFor();
    await expectNoViolations(page, 'best');
    await page.getByRole('button', { name: 'Use' }).click();
    assert.equal(await page.getByRole('combobox', { name: lifetime }).inputValue(), '1h');
    await page.getByRole('heading', { name: 'With a cache lifetime of 1 hour: about $2.18 less' }).waitFor();
    await close();
  });
});
