import { blockFlags } from '../../src/core/model/block';
/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Session } from '../../src/core/model/columns';
import { expectNoViolations } from './axe';
import { openInspector, plainText, type OpenInspector } from './harness';
import { makeColumns, makeSummary } from './sessionBuilder';

const memory = 2;
const [prompt, answer, firstOf14] = [0, 1, 4];
const summaryBlock = 18;

/**
 * Three requests, each complete and as large as its blocks. The second follows a compaction of 16 prompts and replies,
 * with the memory file added again. The third follows a clearing of the result that the second still had.
 */
function session(): Session {
  const talk = Array.from({ length: 14 }, (_, index) => ({
    kind: 'assistant' as const,
    label: `step ${index + 1}`,
    tokens: 1_000,
  }));
  const read = { tool: 'Read', callId: 'c1' };
  return {
    summary: makeSummary({
      compactions: [
        { kind: 'compaction', request: 1, thread: 0, trigger: 'auto', line: 30 },
        { kind: 'clearing', request: 2, thread: 0, line: 40 },
      ],
    }),
    columns: makeColumns(
      [
        { kind: 'prompt', label: 'the prompt', tokens: 4_000 },
        { kind: 'assistant', label: 'the answer', tokens: 2_000 },
        { kind: 'injected', label: 'MEMORY.md', tokens: 500, partition: 'knowledge' },
        { kind: 'injected', label: 'reminder', tokens: 300 },
        ...talk,
        { kind: 'summary', label: 'Summary', tokens: 1_200, flags: blockFlags.summary },
        { kind: 'injected', label: 'zones.md', tokens: 700, partition: 'knowledge' },
        { kind: 'toolCall', label: 'Read big.txt', tokens: 100, ...read },
        { kind: 'toolResult', label: 'Read big.txt', tokens: 9_000, ...read },
        { kind: 'toolResult', label: 'Read big.txt', tokens: 20, flags: blockFlags.cleared, ...read },
        { kind: 'prompt', label: 'go on', tokens: 80 },
      ],
      [
        [memory, prompt, answer, 3, ...talk.map((_, index) => firstOf14 + index)],
        [memory, summaryBlock, 19, 20, 21],
        [memory, summaryBlock, 19, 20, 22, 23],
      ],
      [
        { length: 18, usage: { input: 20_800, cacheRead: 0, cacheWrite: 0 }, complete: true },
        {
          context: 1,
          length: 5,
          usage: { input: 11_500, cacheRead: 0, cacheWrite: 0 },
          complete: true,
        },
        { context: 2, length: 6, usage: { input: 2_600, cacheRead: 0, cacheWrite: 0 }, complete: true },
      ],
    ),
  };
}

async function openAt(request: number): Promise<OpenInspector> {
  const inspector = await openInspector({
    answers: {
      blockText: (_, { block }) =>
        plainText(block === summaryBlock ? 'We repaired the parser.' : `text ${block}`),
    },
  });
  await inspector.show(session());
  const slider = inspector.page.getByRole('slider', { name: 'Request' });
  await slider.press('Home');
  for (let step = 1; step < request; step += 1) {
    await slider.press('ArrowRight');
  }
  return inspector;
}

describe('compaction view', () => {
  it('opens from the first request after a compaction, and says what became of the tokens', async () => {
    const inspector = await openAt(2);
    const { page } = inspector;
    const slider = page.getByRole('slider', { name: 'Request' });
    assert.match((await slider.getAttribute('aria-valuetext')) ?? '', /compacted/);
    await page.getByRole('button', { name: 'Compacted here' }).click();
    const view = page.getByTestId('compaction');
    assert.match(await view.innerText(), /Compaction 1 of 2\s+9,300 tokens fewer, −45 % · trigger: auto/);
    // Kept: the memory. Summarised: 4,000 + 2,000 + 14 × 1,000. Dropped: the reminder. Added: call and result.
    assert.deepEqual(await view.getByRole('row').allInnerTexts(), [
      'Part of the request\tBefore, request 1\tAfter, request 2',
      'Kept\t500\t500',
      'Reinjected\t–\t700',
      'Summarised\t20,000\t1,200',
      'Dropped\t300\t–',
      'Added later\t–\t9,100',
      'Input\t\nexact\n20,800\t\nexact\n11,500',
    ]);
    await inspector.close();
  });

  it('sets the summary beside the blocks that it stands for, and goes to each of them', async () => {
    const inspector = await openAt(2);
    const { page } = inspector;
    await page.getByRole('button', { name: 'Compacted here' }).press('Enter');
    const summary = page.getByRole('region', { name: 'Summary', exact: true });
    await summary.getByText('We repaired the parser.').waitFor();
    const replaced = page.getByRole('region', { name: 'Replaced by the summary · 16 blocks' });
    // Twelve at first, then the other four.
    assert.equal(await replaced.getByRole('listitem').count(), 12);
    const [left, right] = [await replaced.boundingBox(), await summary.boundingBox()];
    assert.ok(left !== null && right !== null && left.x + left.width < right.x);
    assert.ok(Math.abs(left.y - right.y) < 60);
    await replaced.getByRole('button', { name: 'Show more (4 left)' }).press('Enter');
    assert.equal(await replaced.getByRole('listitem').count(), 16);
    await replaced.getByRole('button', { name: /the answer/ }).press('Enter');
    // The block is in the previous request, in its third place; the compaction stays in view.
    assert.match(await page.locator('.timeline').innerText(), /Request 1 of 3/);
    assert.match(await page.getByTestId('block-details').innerText(), /^the answer\s+Block 3 · reply/i);
    assert.match(await page.getByTestId('compaction').innerText(), /Compaction 1 of 2/);
    await page.getByRole('region', { name: 'Reinjected · 1 block' }).getByRole('button').press('Enter');
    assert.match(
      await page.getByTestId('block-details').innerText(),
      /^zones\.md\s+Block 3 · injected text/i,
    );
    await inspector.close();
  });

  it('shows cleared results with what their notices freed, and steps between the two', async () => {
    const inspector = await openAt(3);
    const { page } = inspector;
    await page.getByRole('button', { name: 'Results pruned here' }).click();
    const view = page.getByTestId('compaction');
    assert.match(await view.innerText(), /Pruning 2 of 2\s+8,900 tokens fewer, −77 %/);
    const cleared = page.getByRole('region', { name: 'Pruned results · 1 block' });
    // A notice of 20 tokens instead of a result of 9,000.
    assert.match(await cleared.innerText(), /5\s+Read big\.txt\s+−8,980/);
    assert.equal(await view.getByRole('button', { name: 'Next' }).isDisabled(), true);
    await view.getByRole('button', { name: 'Previous' }).click();
    assert.match(await view.innerText(), /Compaction 1 of 2/);
    assert.match(await page.locator('.timeline').innerText(), /Request 2 of 3/);
    await inspector.close();
  });

  it('is listed in the details of the session, and not offered where nothing was compacted', async () => {
    const inspector = await openAt(1);
    const { page } = inspector;
    await page.getByRole('button', { name: /No problems/ }).press('Enter');
    await page.getByRole('button', { name: 'Show: Pruning before request 3' }).press('Enter');
    assert.match(await page.getByTestId('compaction').innerText(), /Pruning 2 of 2/);
    assert.equal(
      await page.getByRole('button', { name: /No problems/ }).getAttribute('aria-expanded'),
      'false',
    );
    await page.getByRole('radio', { name: 'Lanes' }).check();
    await inspector.show({ ...session(), summary: makeSummary() });
    assert.equal(await page.getByRole('radio', { name: 'Compaction' }).count(), 0);
    await inspector.close();
  });

  it('has a visible colour for every fate in high contrast', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await inspector.show(session());
    await page.getByRole('radio', { name: 'Compaction' }).check();
    for (const theme of ['highContrast', 'highContrastLight'] as const) {
      await page.evaluate(name => window.fakeHost.applyTheme(name), theme);
      // VS Code's themes of this kind lack some of the colours for charts.
      const colours = await page
        .getByTestId('compaction')
        .locator('.fate-bar__part:not(.fate--notRecorded)')
        .evaluateAll(parts => parts.map(part => getComputedStyle(part).backgroundColor));
      assert.ok(colours.length > 0 && !colours.includes('rgba(0, 0, 0, 0)'), colours.join());
    }
    await inspector.close();
  });

  it('paints what was summarised in an orange that is not transparent', async () => {
    const inspector = await openInspector();
    await inspector.show(session());
    const colour = await inspector.page.evaluate(() => {
      // As VS Code 1.139 sets it in its dark theme.
      document.documentElement.style.setProperty('--vscode-charts-orange', 'rgba(234, 92, 0, 0.33)');
      const part = document.createElement('i');
      part.className = 'fate--summarised';
      document.body.append(part);
      return getComputedStyle(part).backgroundColor;
    });
    assert.match(colour, /^color\(srgb [\d.]+ [\d.]+ 0\)$/);
    await inspector.close();
  });

  it('has no accessibility violations on wide and narrow pages', async () => {
    const inspector = await openInspector({ theme: 'light' });
    const { page } = inspector;
    await inspector.show(session());
    await page.getByRole('radio', { name: 'Compaction' }).check();
    await page.getByTestId('compaction').waitFor();
    for (const width of [1440, 560]) {
      await page.setViewportSize({ width, height: 900 });
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width);
      await expectNoViolations(page, `compaction, ${width} wide`);
    }
    await inspector.close();
  });
});
