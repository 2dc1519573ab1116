/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { themes } from '../../webview/door/themes';
import { cached, ClaudeCodeSession } from '../fixtures/claudeCodeSession';
import { claudeText } from '../fixtures/recordedCalls';
import { expectNoViolations, showTheme } from './axe';
import { type OpenDoor, openThroughDoor } from './door';

const memory = claudeText('Ferries are blue', 500);
const home = '/home/ada/ferries';
/**
 * Five requests, beside 15,000 tokens of system prompt and tools. The third follows a compaction of two prompts and 14
 * steps, with the memory file added again and another one. The fifth follows a clearing of the result that the fourth
 * still had.
 */
const text = new ClaudeCodeSession()
  .prompt(claudeText('the prompt', 4_000))
  .attach('nested_memory', memory, `${home}/CLAUDE.md`)
  .attach('critical_system_reminder', claudeText('Take care', 300))
  .recordedReply(
    cached(0, 19_800),
    ...Array.from({ length: 14 }, (_, step) => ({ text: claudeText(`step ${step + 1}`, 1_000) })),
  )
  .prompt(claudeText('the question', 2_000))
  .recordedReply(cached(19_800, 16_000), { text: 'Done.' })
  .compact(claudeText('We moved the ferries', 1_200))
  .attach('nested_memory', memory, `${home}/CLAUDE.md`)
  .attach('nested_memory', claudeText('Zones', 700), `${home}/zones/CLAUDE.md`)
  .prompt(claudeText('go on', 100))
  .recordedReply(cached(15_000, 2_500), {
    tool: 'Read',
    id: 'toolu_1',
    input: { file_path: `${home}/big.txt` },
  })
  .result('toolu_1', claudeText('tide', 9_000))
  .recordedReply(cached(17_500, 9_050), { text: 'I see.' })
  .clear('toolu_1')
  .prompt('And now?')
  .recordedReply(cached(17_500, 100), { text: 'Finished.' })
  .toString();

async function openAt(request: number): Promise<OpenDoor & { readonly view: Locator }> {
  const inspector = await openThroughDoor({ text });
  const slider = inspector.page.getByRole('slider', { name: 'Request', exact: true });
  await slider.press('Home');
  for (let step = 1; step < request; step += 1) {
    await slider.press('ArrowRight');
  }
  return { ...inspector, view: inspector.page.getByTestId('compaction') };
}

/** The figures of the view's table, by row: before and after. */
const figuresOf = async (view: Locator): Promise<Readonly<Record<string, readonly number[]>>> =>
  Object.fromEntries(
    (await view.getByRole('row').allInnerTexts()).slice(1).map(row => {
      const [part = '', before = '', after = ''] = row.replaceAll(/\n|exact|,/gu, '').split('\t');
      return [part, [before, after].map(figure => Number(figure.replace('–', '0')))];
    }),
  );

/** The parts are fitted to the recorded totals, so each may be off by a tenth. Their sums are exact. */
function expectParts(
  shown: Readonly<Record<string, readonly number[]>>,
  expected: Readonly<Record<string, readonly [before: number, after: number]>>,
): void {
  assert.deepEqual(Object.keys(shown), [...Object.keys(expected), 'Input']);
  for (const side of [0, 1]) {
    const parts = Object.entries(expected).map(([part, figures]) => {
      const [figure = 0, meant = 0] = [shown[part]?.[side], figures[side]];
      assert.ok(Math.abs(figure - meant) <= 0.1 * meant, `${part}: ${figure} instead of ${meant}`);
      return figure;
    });
    assert.equal(
      parts.reduce((sum, figure) => sum + figure, 0),
      shown['Input']?.[side],
    );
  }
}

describe('compaction view', () => {
  it('opens from the first request after a compaction, and says what became of the tokens', async () => {
    const inspector = await openAt(3);
    const { page, view } = inspector;
    const slider = page.getByRole('slider', { name: 'Request', exact: true });
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /compacted/);
    await page.getByRole('button', { name: 'Compacted here' }).click();
    // From 35,800 to 17,500, as reported.
    assert.match(await view.innerText(), /Compaction 1 of 2\s+18,300 tokens fewer, −51 % · trigger: auto/);
    assert.deepEqual(await view.getByRole('columnheader').allInnerTexts(), [
      'Part of the request',
      'Before, request 2',
      'After, request 3',
    ]);
    const shown = await figuresOf(view);
    assert.deepEqual(shown['Input'], [35_800, 17_500]);
    expectParts(shown, {
      'Not recorded': [15_000, 15_000],
      // The memory file was there before, and comes back with another one.
      Reinjected: [500, 1_200],
      // 4,000 + 14 × 1,000 + 2,000.
      Summarised: [20_000, 1_200],
      Dropped: [300, 0],
      'Added later': [0, 110],
    });
    await inspector.close();
  });

  it('sets the summary beside the blocks that it stands for, and goes to each of them', async () => {
    const inspector = await openAt(3);
    const { page, view } = inspector;
    await page.getByRole('button', { name: 'Compacted here' }).press('Enter');
    const summary = page.getByRole('region', { name: 'Summary', exact: true });
    await summary.getByText('We moved the ferries').waitFor();
    const replaced = page.getByRole('region', { name: 'Replaced by the summary · 16 blocks' });
    // Twelve at first, then the other four.
    assert.equal(await replaced.getByRole('listitem').count(), 12);
    const [left, right] = [await replaced.boundingBox(), await summary.boundingBox()];
    assert.ok(left !== null && right !== null && left.x + left.width < right.x);
    assert.ok(Math.abs(left.y - right.y) < 60);
    await replaced.getByRole('button', { name: 'Show more (4 left)' }).press('Enter');
    assert.equal(await replaced.getByRole('listitem').count(), 16);
    await replaced.getByRole('button', { name: /the question/ }).press('Enter');
    // The block is in the previous request, after memory, reminder, prompt and 14 steps; the compaction stays in view.
    assert.match(await page.locator('.timeline').innerText(), /Request 2 of 5/);
    assert.match(
      await page.getByTestId('block-details').innerText(),
      /^the question[^]*\sBlock 18 · prompt/i,
    );
    assert.match(await view.innerText(), /Compaction 1 of 2/);
    const added = page.getByRole('region', { name: 'Reinjected · 2 blocks' }).getByRole('button');
    await added.nth(1).press('Enter');
    assert.match(await page.locator('.timeline').innerText(), /Request 3 of 5/);
    assert.match(
      await page.getByTestId('block-details').innerText(),
      /^nested memory\s+Block 2 · injected text/i,
    );
    await inspector.close();
  });

  it('shows cleared results with what their notices freed, and steps between the two', async () => {
    const inspector = await openAt(5);
    const { page, view } = inspector;
    await page.getByRole('button', { name: 'Results pruned here' }).click();
    // From 26,550 to 17,600, as reported.
    assert.match(await view.innerText(), /Pruning 2 of 2\s+8,950 tokens fewer, −34 %/);
    const shown = await figuresOf(view);
    const [before = 0, after = 0] = shown['Pruned'] ?? [];
    assert.ok(before > 8_900 && before < 9_100, String(before));
    const cleared = page.getByRole('region', { name: 'Pruned results · 1 block' });
    const freed = (before - after).toLocaleString('en');
    // After two memory files, the summary, the prompt and the call.
    assert.match(await cleared.innerText(), new RegExp(String.raw`6\s+Read big\.txt\s+−${freed}$`, 'u'));
    assert.equal(await view.getByRole('button', { name: 'Next' }).isDisabled(), true);
    await view.getByRole('button', { name: 'Previous' }).click();
    assert.match(await view.innerText(), /Compaction 1 of 2/);
    assert.match(await page.locator('.timeline').innerText(), /Request 3 of 5/);
    await inspector.close();
  });

  it('is listed in the details of the session, and not offered where nothing was compacted', async () => {
    const inspector = await openAt(1);
    const { page, view } = inspector;
    const problems = page.getByRole('button', { name: /No problems/ });
    await problems.press('Enter');
    await page.getByRole('button', { name: 'Show: Pruning before request 5' }).press('Enter');
    assert.match(await view.innerText(), /Pruning 2 of 2/);
    assert.equal(await problems.getAttribute('aria-expanded'), 'false');
    assert.equal(await page.getByRole('radio', { name: 'Compaction' }).isChecked(), true);
    await inspector.close();
    const plain = await openThroughDoor({
      text: new ClaudeCodeSession().prompt('Go.').reply({ text: 'Gone.' }).toString(),
    });
    await plain.page.getByRole('radio', { name: 'Lanes' }).waitFor();
    assert.equal(await plain.page.getByRole('radio', { name: 'Compaction' }).count(), 0);
    await plain.close();
  });

  it('is legible in high contrast, and for everyone on wide and narrow pages', async () => {
    const inspector = await openAt(5);
    const { page, view } = inspector;
    await page.getByRole('radio', { name: 'Compaction' }).check();
    await view.waitFor();
    for (const theme of ['highContrast', 'highContrastLight'] as const) {
      await showTheme(page, theme);
      await page.waitForFunction(name => document.body.className === name, themes[theme].bodyClass);
      // VS Code's themes of this kind lack some of the colours for charts.
      const colours = await view
        .locator('.fate-bar__part:not(.fate--notRecorded)')
        .evaluateAll(parts => parts.map(part => getComputedStyle(part).backgroundColor));
      assert.ok(colours.length > 0 && !colours.includes('rgba(0, 0, 0, 0)'), colours.join());
    }
    await showTheme(page, 'light');
    for (const width of [1440, 560]) {
      await page.setViewportSize({ width, height: 900 });
      await expectNoViolations(page, `compaction, ${width} wide`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
    }
    const colour = await page.evaluate(() => {
      // As VS Code 1.139 sets it in its dark theme.
      document.documentElement.style.setProperty('--vscode-charts-orange', 'rgba(234, 92, 0, 0.33)');
      const part = document.createElement('i');
      part.className = 'fate--summarised';
      document.body.append(part);
      return getComputedStyle(part).backgroundColor;
    });
    assert.match(colour, /^color\(srgb [\d.]+ [\d.]+ 0\)$/, 'what was summarised is not transparent');
    await inspector.close();
  });
});
