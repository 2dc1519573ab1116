/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { recordedCalls, textOf } from '../fixtures/recordedCalls';
import { expectNoViolations } from './axe';
import { isFinal, type OpenDoor, openThroughDoor } from './door';

/**
 * Five calls. Each sends 8,000 tokens of rules, the time of day, which is another one each time, a prompt of 4,000
 * tokens, and two short messages more than the call before. Nothing is read from the cache, because the breakpoints are
 * after the time and at the end.
 */
const text = recordedCalls(
  Array.from({ length: 5 }, (_, call) => ({
    at: 60 * call,
    system: [textOf('You plan the ferries', 8_000), `It is 09:0${call}:00.`],
    messages: Array.from({ length: 2 * call + 1 }, (_, message) =>
      message === 0
        ? textOf('Read the tides', 4_000)
        : message % 2 === 0
          ? 'Go on.'
          : `Tide ${message} is high.`,
    ),
    read: 0,
    written: 12_020 + 10 * call,
  })),
);

async function openCache(transcript = text): Promise<OpenDoor> {
  const inspector = await openThroughDoor({ text: transcript });
  await inspector.page.getByRole('tab', { name: 'Cache' }).click();
  await isAnswered(inspector.page);
  return inspector;
}

const isAnswered = (page: Page): Promise<void> =>
  page.locator('[data-testid=stability][aria-busy=false]').waitFor();

async function open(page: Page, title: string): Promise<string> {
  const fold = page.locator('details', { hasText: title }).first();
  await fold.locator('summary').press('Enter');
  return fold.innerText();
}

/** The figures that a pattern finds in a text. They are fitted to the recorded sums, so each may be off by 1 %. */
function expectNear(shown: string, pattern: RegExp, ...expected: readonly number[]): void {
  const [, ...figures] = pattern.exec(shown) ?? [];
  const numbers = figures.map(figure => Number(figure.replaceAll(',', '')));
  const isNear = expected.map((figure, index) => Math.abs((numbers[index] ?? 0) - figure) <= 0.01 * figure);
  assert.ok(!isNear.includes(false), `${figures.join(' ')} instead of ${expected.join(' ')}: ${shown}`);
}

describe('stability in the cache panel', () => {
  it('sets the planned breakpoints beside the used ones, and says what they would have saved', async () => {
    const inspector = await openCache();
    const { page } = inspector;
    const shown = await open(page, 'Breakpoints');
    assert.match(shown, /^Breakpoints\s+1 breakpoint planned/);
    // Five calls of twenty that would be certain, and four reads. A read saves 0.9 of the price, the write costs 0.25.
    expectNear(
      shown,
      /After block\s+Tokens up to it\s+Reads\s+Value\s+1\s+([\d,]+)\s+1\s+([\d,]+)/,
      8_000,
      0.65 * 8_000,
    );
    // The time and the last of eleven blocks.
    assert.match(shown, /Used here\s+2\s+11/);
    // 5 × 12,020 + 10 × (1 + 2 + 3 + 4), at 3.75 dollars a million.
    assert.match(shown, /As sent\s+0\s+60,200\s+0\s+\$0\.23/);
    // Four calls read the rules: 32,000 × 0.30 + 8,000 × 3.75 + 20,200 × 3 is 100,200.
    expectNear(shown, /\sPlan\s+([\d,]+)\s+([\d,]+)\s+([\d,]+)\s+\$0\.10/, 32_000, 8_000, 20_200);
    expectNear(
      shown,
      /The better plan would have read ([\d,]+) tokens more from the cache and saved \$0\.13\./,
      32_000,
    );
    await page.getByRole('button', { name: '2', exact: true }).press('Enter');
    assert.match(await page.getByTestId('block-details').innerText(), /^It is 09:04:00/);
    await inspector.close();
  });

  it('says how much is stable, names the blocks in the way of the cache, and what moving them is worth', async () => {
    const inspector = await openCache();
    const { page } = inspector;
    const stable = await open(page, 'Stability');
    expectNear(stable, /^Stability\s+the first block, ([\d,]+) tokens/, 8_000);
    assert.match(stable, /Based on\s+5 requests of this conversation and model/);
    expectNear(stable, /Stable prefix\s+1 block · ([\d,]+) tokens\s+≈\s+calibrated/, 8_000);
    assert.match(stable, /sha256:[\da-f]{64}/);
    // All five calls have the rules and the prompt; four and three of them the next four messages. The time differs, and
    // two calls and one have the last four messages.
    assert.match(
      stable,
      /stable\s+2 · 18\.2 %\s+sometimes changes\s+4 · 36\.4 %\s+volatile or new\s+5 · 45\.5 %/,
    );
    const shown = await open(page, 'Order of the blocks');
    assert.match(shown, /^Order of the blocks\s+1 volatile block comes before stable ones/);
    expectNear(shown, /Cached, as sent\s+([\d,]+)\s+≈\s+calibrated/, 8_000);
    // The prompt would be cached too, and six messages of about five tokens.
    expectNear(shown, /State sent last\s+([\d,]+)\s+· ([\d,]+) more/, 12_030, 4_030);
    expectNear(shown, /Sent in lane order\s+([\d,]+)\s+· ([\d,]+) more/, 12_030, 4_030);
    // 4,030 × (3.75 − 0.30) is 13,904.
    assert.match(shown, /If the state were sent last, this request would have cost \$0\.014 less\./);
    await expectNoViolations(page, 'stability');
    await page.getByRole('button', { name: /It is 09:04:00\.\s*4,0/ }).press('Enter');
    assert.match(await page.getByTestId('block-details').innerText(), /^It is 09:04:00/);
    await inspector.close();
  });

  it('keeps open what was opened while the user goes through the requests', async () => {
    const inspector = await openCache();
    const { page } = inspector;
    await open(page, 'Breakpoints');
    const fold = page.locator('details', { hasText: 'Breakpoints' }).first();
    await fold.evaluate(element => {
      new MutationObserver(() => {
        document.body.dataset['seen'] = `${document.body.dataset['seen'] ?? ''}${element.textContent}\n`;
      }).observe(element, { characterData: true, subtree: true, childList: true });
    });
    await page.getByRole('slider', { name: 'Request', exact: true }).press('Home');
    // The first call has three blocks.
    await page.getByRole('button', { name: '3', exact: true }).waitFor();
    await isAnswered(page);
    assert.match(await fold.innerText(), /^Breakpoints\s+no plan[^]*Used here\s+2\s+3/);
    const seen = (await page.evaluate(() => document.body.dataset['seen'])) ?? '';
    assert.match(seen, /^Breakpoints\s*Loading…/);
    await inspector.close();
  });

  it('switches to the plan of NeMo Relay by keyboard, says what is shown, and remembers the choice', async () => {
    const inspector = await openCache();
    const { page } = inspector;
    const planner = page.getByTestId('planner');
    await open(page, 'Breakpoints');
    assert.match(await planner.innerText(), /This plan saves the most/);
    assert.equal(
      await planner.getByText('NeMo Relay’s plan').locator('..').getAttribute('title'),
      'The Adaptive Cache Governor (ACG) of NeMo Relay 0.9.2',
    );
    await planner.getByRole('radio', { name: 'Best plan' }).press('ArrowRight');
    await page.getByText('no plan').waitFor();
    assert.match(await planner.innerText(), /What NeMo Relay 0.9.2 would do/);
    // The system prompt is another one in each call.
    assert.match(
      await page.locator('details[open]').innerText(),
      /Fewer than two earlier requests have the same model, system prompt/,
    );
    assert.match(await open(page, 'Stability'), /Based on\s+0 earlier requests with the same model/);
    await expectNoViolations(page, 'stability as NeMo Relay plans');
    await page.reload();
    await isFinal(page);
    await isAnswered(page);
    await open(page, 'Breakpoints');
    assert.equal(await planner.getByRole('radio', { name: 'NeMo Relay’s plan' }).isChecked(), true);
    await inspector.close();
  });

  it('says in words why there is no plan, and how much of the start is not recorded', async () => {
    const inspector = await openCache(
      new ClaudeCodeSession().prompt('Read it.').reply({ text: 'Fine.' }).toString(),
    );
    const { page } = inspector;
    const breakpoints = await open(page, 'Breakpoints');
    assert.match(
      breakpoints,
      /^Breakpoints\s+no plan[^]*\sWith only one request, no breakpoint pays for itself/,
    );
    // 18,000 tokens of system prompt and tools, and eight characters.
    expectNear(
      await open(page, 'Stability'),
      /Stable prefix\s+1 block · (18,002) tokens · ([\d,]+) not recorded/,
      18_002,
      18_000,
    );
    assert.match(await open(page, 'Order of the blocks'), /First request of its conversation/);
    await inspector.close();
  });
});
