/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { cached, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { claudeText, textOf } from '../fixtures/recordedCalls';
import { type DoorOptions, type OpenDoor, openThroughDoor } from './door';
import { untilStill } from './still';

/**
 * Seven requests: two results of 50,000 tokens, then prompts of 10,000 and three times 1,000. opencode's rules prune both
 * from the fifth on: the newer one crosses the protected 40,000, and two prompts follow.
 * @param read what the sixth reads from the cache, of its 122,000 tokens
 * @param begin when the session began, in milliseconds since 1970
 */
const textWith = (read: number, begin?: number): string =>
  new ClaudeCodeSession(undefined, undefined, begin)
    .prompt('first')
    .recordedReply(cached(0, 10_000), { tool: 'Bash', id: 'toolu_1', input: { command: 'list 1' } })
    .result('toolu_1', textOf('', 50_000))
    .recordedReply(cached(10_000, 50_000), { tool: 'Bash', id: 'toolu_2', input: { command: 'list 2' } })
    .result('toolu_2', textOf('', 50_000))
    .recordedReply(cached(60_000, 50_000), { text: 'Done.' })
    .prompt(claudeText('second', 10_000))
    .recordedReply(cached(110_000, 10_000), { text: 'Done.' })
    .prompt(claudeText('third', 1_000))
    .recordedReply(cached(120_000, 1_000), { text: 'Done.' })
    .prompt(claudeText('fourth', 1_000))
    .recordedReply(cached(read, 122_000 - read), { text: 'Done.' })
    .prompt(claudeText('fifth', 1_000))
    .recordedReply(cached(122_000, 1_000), { text: 'Done.' })
    .toString();
const text = textWith(121_000);

async function openPanel(options: DoorOptions = {}): Promise<OpenDoor> {
  const inspector = await openThroughDoor({ text, ...options });
  await inspector.page.getByRole('tab', { name: 'Prune' }).click();
  return inspector;
}

const caption = (page: Page, request: number): Locator =>
  page.locator('.timeline').filter({ hasText: `Request ${request} of 7` });

describe('worth of a prune', () => {
  it('opens at the best request if nothing was chosen, and weighs what is written again against what later requests save', async () => {
    const inspector = await openPanel();
    const { page } = inspector;
    // A million tokens cost 3.75 dollars to write and 0.30 to read. The notice of each result has 7 tokens, so each of the
    // three last requests reads 99,986 fewer: $0.030. The 10,000 of the second prompt and the notices are written again
    // instead of read: $0.0345. The tokens of the results and of the prompt are fitted to the totals, so they may be off
    // by 1 %.
    await caption(page, 5).waitFor();
    const verdict = page.getByTestId('verdict');
    assert.match(
      await verdict.innerText(),
      /^✓\s*Worth it at request 5: saves \$0\.05[56] after a rewrite of \$0\.03[45], pays back in 1 request\.$/,
    );
    const curve = page.getByTestId('saving-curve').getByRole('img');
    assert.match(
      (await curve.getAttribute('aria-label')) ?? '',
      /until the session ends, 5: −\$0\.00[45]\d*, even at 6, 7: \+\$0\.05[56]$/,
    );
    await page.getByText('Costs and savings').click();
    const shown = await page.getByTestId('prune-worth').innerText();
    assert.match(await page.getByTestId('freed').innerText(), /^−99,[89]\d\d$/);
    assert.match(shown, /One-time cost\s+\$0\.03[45] to rewrite 10,[01]\d\d tokens to the cache/);
    // Written instead of read: 99,986 × 3.75.
    assert.match(shown, /Saved per request\s+\$0\.03 · \$0\.37 with a cold cache/);
    assert.match(shown, /Pays back\s+after 2 requests/);
    assert.match(
      shown,
      /saves \$0\.05[56] · paid back in request 6 · 2 later requests until the session ends/,
    );
    // As sent, the three read 363,000 and write 3,000: $0.12. Pruned, they read 10,000, 21,014 and 22,014 and write 11,014
    // and twice 1,000: $0.065.
    const replay = page.getByTestId('prune-replay');
    await replay.getByText('Pruned once in 3 requests').waitFor();
    const sums = /\$0\.12 → \$0\.06[456]\b/;
    assert.match(
      await replay.innerText(),
      new RegExp(`Input cost for the rest of this session: ${sums.source}`),
    );
    assert.match(
      await replay.innerText(),
      /the same calculation for the requests as sent gives \$0\.12; recorded: \$0\.12\./,
    );
    assert.equal(await replay.getByRole('img', { name: sums }).count(), 1);
    await page.getByText(/This is the best request: saves \$0\.05[56]$/).waitFor();
    await page.getByRole('button', { name: 'Back to request 7' }).click();
    await caption(page, 7).waitFor();
    // 12,014 are written again.
    assert.match(
      await verdict.innerText(),
      /^✕\s*Not worth it here: this is the last request, so the \$0\.04[12] rewrite is never recovered\.$/,
    );
    // The panel goes there once.
    await page.getByRole('tab', { name: 'Cache' }).click();
    await page.getByRole('tab', { name: 'Prune' }).click();
    const best = page.getByRole('button', { name: /^Best at request 5: saves \$0\.05[56]$/ });
    await best.waitFor();
    await caption(page, 7).waitFor();
    await page.getByRole('button', { name: /^Request 6 saves \$0\.02\d$/ }).click();
    await caption(page, 6).waitFor();
    await best.click();
    await caption(page, 5).waitFor();
    await inspector.close();
  });

  it('finds the best settings, and takes them', async () => {
    const inspector = await openPanel();
    const { page } = inspector;
    await page.getByRole('button', { name: 'Back to request 7' }).click();
    await caption(page, 7).waitFor();
    await page.getByRole('button', { name: 'Best settings' }).click();
    await page.getByText('Best: don’t prune. No setting saves money here.').waitFor();
    // Writing 12,014 tokens again costs $0.041, and 99,986 are not read: $0.030.
    const choice = page.getByRole('button', {
      name: /^opencode · protect 10,000 · minimum 0 costs \$0\.01\d more$/,
    });
    await choice.click();
    assert.equal(await page.getByRole('spinbutton', { name: 'Protect newest, value' }).inputValue(), '10000');
    assert.equal(await page.getByRole('spinbutton', { name: 'Minimum tokens, value' }).inputValue(), '0');
    await inspector.close();
  });

  it('stays at a chosen request, and at the newest one of a growing conversation', async () => {
    const inspector = await openThroughDoor({ text });
    const { page } = inspector;
    const slider = page.getByRole('slider', { name: 'Request', exact: true });
    await slider.press('Home');
    await slider.press('End');
    await page.getByRole('tab', { name: 'Prune' }).click();
    const best = page.getByRole('button', { name: /^Best at request 5: saves/ });
    await best.waitFor();
    await caption(page, 7).waitFor();
    await inspector.close();
    const growing = await openPanel({ text: textWith(121_000, Date.now() - 60_000) });
    await best.waitFor();
    await untilStill(page);
    await caption(page, 7).waitFor();
    await growing.close();
  });

  it('says that a saving rests on a loss that nobody could foresee, and names the best moment without it', async () => {
    // Only the system prompt was read.
    const inspector = await openPanel({ text: textWith(9_000) });
    const { page } = inspector;
    const moment = page.getByTestId('best-moment');
    await caption(page, 6).waitFor();
    // 99,986 written tokens, which cost $0.375, and the same read once more.
    await moment.getByText(/This is the best request: saves \$0\.4[01]$/).waitFor();
    // Without the loss, 11,014 tokens would be written again, and two requests would read less.
    await moment.getByText(/in hindsight: \$0\.02[12] without the loss at request 6$/).waitFor();
    await moment
      .getByRole('button', { name: /^Best without hindsight, at request 5: saves \$0\.05[56]$/ })
      .click();
    await caption(page, 5).waitFor();
    await inspector.close();
  });

  it('shows no money where the prices are not known', async () => {
    const inspector = await openPanel({ text: text.replaceAll('claude-sonnet-4-5-20250929', 'ferry-1') });
    const { page } = inspector;
    await page.getByText('Costs and savings').click();
    const shown = await page.getByTestId('prune-worth').innerText();
    assert.match(shown, /The prices of this model are unknown, so only tokens are shown\./);
    assert.doesNotMatch(shown, /\$/);
    await inspector.close();
  });

  it('keeps the settings in view at a laptop’s sizes, and sets the rule sets beside each other', async () => {
    const inspector = await openPanel({ width: 950, height: 640 });
    const { page } = inspector;
    await page.getByTestId('saving-curve').waitFor();
    const sliders = page.locator('.controls .slider');
    for (const [width, height] of [
      [950, 640],
      [630, 596],
    ] as const) {
      await page.setViewportSize({ width, height });
      await untilStill(page);
      const bottoms = await sliders.evaluateAll(all => all.map(each => each.getBoundingClientRect().bottom));
      assert.ok(
        bottoms.length >= 2 && bottoms.every(bottom => bottom <= height),
        `${width}: ${bottoms.join(', ')}`,
      );
    }
    await page.getByRole('button', { name: 'Rule sets for this request' }).click();
    const table = page.getByRole('table', { name: 'Rule sets for this request' });
    assert.equal(await table.getByRole('row').count(), 6);
    await table.getByRole('button', { name: 'katu' }).click();
    assert.equal(await table.getByRole('button', { name: 'katu', pressed: true }).count(), 1);
    await inspector.close();
  });
});
