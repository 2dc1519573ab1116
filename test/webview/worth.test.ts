import type { ModelRow } from '../../src/core/model/modelRow';
/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Session } from '../../src/core/model/columns';
import { defaultPruneOptions } from '../../src/core/model/pruneConfig';
import { unknownPrior } from '../../src/core/tokens/tokenizerPrior';
import { openInspector, type OpenOptions } from './harness';
import { untilStill } from './still';
import { makeColumns, makeSummary, type MadeBlock } from './sessionBuilder';

/** Per million tokens: $1 for fresh input, $2 for writing, $0.1 for reading. */
const row: ModelRow = {
  match: 'claude-sonnet-4-5',
  family: 'claude',
  tokenizerPrior: unknownPrior,
  contextWindow: 200_000,
  cache: {
    minimumTokens: 1_024,
    lifetimeSeconds: 300,
    lookbackBlocks: 20,
    maximumBreakpoints: 4,
    explicit: true,
  },
  prices: { input: 1, cacheRead: 0.1, cacheWrite: 2, output: 5 },
  source: 'made for the test',
  asOf: '2026-01',
};

const pair = (number: number, tokens: number): readonly MadeBlock[] =>
  (['toolCall', 'toolResult'] as const).map(kind => ({
    kind,
    label: `Read ${number}`,
    tool: 'Read',
    callId: `call${number}`,
    tokens: kind === 'toolCall' ? 0 : tokens,
    message: number,
  }));

/** Two results of 50,000 tokens. opencode's rules prune both: the newer one crosses the protected 40,000. */
function session(models: Session['summary']['models']): Session {
  const blocks: readonly MadeBlock[] = [
    { kind: 'prompt', label: 'first', tokens: 10_000 },
    ...pair(1, 50_000),
    ...pair(2, 50_000),
    { kind: 'prompt', label: 'second', tokens: 5_000 },
    { kind: 'assistant', label: 'done', tokens: 0 },
    { kind: 'prompt', label: 'third', tokens: 5_000 },
  ];
  const length = blocks.length;
  const request = {
    length,
    usage: { input: 0, cacheRead: 120_000, cacheWrite: 0 },
    complete: true,
    predictedBlocks: length,
    predictionReason: 'extendsPrevious',
  } as const;
  return {
    summary: makeSummary({ models }),
    columns: makeColumns(blocks, [blocks.map((_, index) => index)], [request, request, request]),
  };
}

const priced = (): Session => session([{ id: 'claude-sonnet-4-5', row }]);

async function openPanel(options: OpenOptions, made: Session) {
  const inspector = await openInspector(options);
  await inspector.show(made);
  await inspector.page.getByRole('tab', { name: 'Prune' }).click();
  return inspector;
}

describe('worth of a prune', () => {
  it('weighs what is written again against what later requests save', async () => {
    const inspector = await openPanel({}, priced());
    const { page } = inspector;
    // The first request: two more requests follow that still contain the result.
    await page.getByRole('slider', { name: 'Request' }).press('Home');
    await page
      .getByTestId('verdict')
      .getByText('✓Worth it at request 1: saves $0.011 after a rewrite of $0.019, pays back in 1 request.')
      .waitFor();
    const curve = page.getByTestId('saving-curve');
    await curve
      .getByRole('img', { name: /until the session ends, 1: −\$0\.0090?, even at 2, 3: \+\$0\.011/u })
      .waitFor();
    await page.getByText('Costs and savings').click();
    const text = await page.getByTestId('prune-worth').innerText();
    // The notice of each result has 7 tokens: 100,000 less 14 are freed. Of the 120,000 that were read, 10,000 come
    // before the first result; the other 10,014 are written again: $2 less $0.1 per million is $0.0190.
    assert.equal(await page.getByTestId('freed').innerText(), '−99,986');
    assert.match(text, /One-time cost\s+\$0\.019 to rewrite 10,014 tokens to the cache/);
    // 99,986 tokens at $0.1 per million are $0.0100, and $0.2000 if they had been written.
    assert.match(text, /Saved per request\s+\$0\.01 · \$0\.20 with a cold cache/);
    // $0.0190 less the $0.0100 saved at once leaves $0.0090, which the next request saves: the second.
    assert.match(text, /Pays back\s+after 2 requests/);
    // Three requests save $0.0300 and one costs $0.0190.
    assert.match(text, /saves \$0\.011 · paid back in request 2 · 2 later requests until the session ends/);
    await inspector.close();
  });

  it('shows no money where the prices are not known', async () => {
    const inspector = await openPanel({}, session([]));
    await inspector.page.getByText('Costs and savings').click();
    const text = await inspector.page.getByTestId('prune-worth').innerText();
    assert.match(text, /The prices of this model are unknown, so only tokens are shown\./);
    assert.doesNotMatch(text, /\$/);
    await inspector.close();
  });

  it('tells what the rest of the session would have cost', async () => {
    const inspector = await openPanel(
      {
        answers: {
          pruneReplay: () => ({
            requests: 3,
            prunes: 2,
            unit: 'dollars',
            asSent: [1, 2.5, 4.31],
            pruned: [1.2, 2.4, 4.02],
            check: { recorded: 4.4, modelled: 4.31 },
          }),
        },
      },
      priced(),
    );
    const replay = inspector.page.getByTestId('prune-replay');
    await replay.getByText('Pruned 2 times in 3 requests').waitFor();
    const text = await replay.innerText();
    assert.match(text, /Input cost for the rest of this session: \$4\.31 → \$4\.02\./);
    assert.match(text, /the same calculation for the requests as sent gives \$4\.31; recorded: \$4\.40\./);
    assert.equal(await replay.getByRole('img', { name: /\$4\.31 → \$4\.02/ }).count(), 1);
    await inspector.close();
  });

  it('finds the best moment and the best settings, and takes them', async () => {
    const options = { ...defaultPruneOptions('katu'), protectTokens: 10_000, minimumTokens: 5_000 };
    const moment = {
      request: 1,
      gained: { money: 0.42, inputTokens: 0 },
      tokensFreed: 9,
      quality: 'exact',
      error: 0,
      results: 1,
    } as const;
    const choice = { options, gained: { money: -0.3, inputTokens: 0 }, prunes: 1 };
    const inspector = await openPanel(
      {
        answers: {
          bestMoment: () => ({ best: moment, ranked: [moment], considered: 1, unpriced: 0 }),
          bestOptions: () => ({ ranked: [choice], considered: 1, unpriced: 0 }),
        },
      },
      priced(),
    );
    const { page } = inspector;
    await page.getByRole('button', { name: 'Back to request 3' }).click();
    await page.getByRole('button', { name: 'Request 2 saves $0.42' }).waitFor();
    await page.getByRole('button', { name: 'Best at request 2: saves $0.42' }).click();
    assert.match(await page.locator('.timeline').innerText(), /Request 2 of 3/);
    await page.getByRole('button', { name: 'Best settings' }).click();
    await page.getByText('Best: don’t prune. No setting saves money here.').waitFor();
    await page
      .getByRole('button', { name: 'katu · protect 10,000 · minimum 5,000 costs $0.30 more' })
      .click();
    assert.equal(await page.getByRole('spinbutton', { name: 'Protect newest, value' }).inputValue(), '10000');
    await inspector.close();
  });

  const common = { tokensFreed: 9, quality: 'exact', error: 0, results: 1 } as const;
  const best = { ...common, request: 1, gained: { money: 0.42, inputTokens: 0 } };
  const answers: OpenOptions['answers'] = {
    bestMoment: () => ({ best, ranked: [best], considered: 1, unpriced: 0 }),
  };

  it('opens at the best request if nothing was chosen, with a way back', async () => {
    const inspector = await openPanel({ answers }, priced());
    const { page } = inspector;
    const caption = page.locator('.timeline');
    await caption.filter({ hasText: 'Request 2 of 3' }).waitFor();
    await page.getByText('This is the best request: saves $0.42').waitFor();
    await page.getByRole('button', { name: 'Back to request 3' }).click();
    await caption.filter({ hasText: 'Request 3 of 3' }).waitFor();
    // The panel goes there once.
    await page.getByRole('tab', { name: 'Cache' }).click();
    await page.getByRole('tab', { name: 'Prune' }).click();
    await page.getByRole('button', { name: 'Best at request 2: saves $0.42' }).waitFor();
    assert.match(await caption.innerText(), /Request 3 of 3/);
    await inspector.close();
  });

  it('stays at a chosen request, and at the newest one of a growing conversation', async () => {
    const inspector = await openInspector({ answers });
    const { page } = inspector;
    await inspector.show(priced());
    await page.getByRole('slider', { name: 'Request' }).press('Home');
    await page.getByRole('slider', { name: 'Request' }).press('End');
    await page.getByRole('tab', { name: 'Prune' }).click();
    await page.getByRole('button', { name: 'Best at request 2: saves $0.42' }).waitFor();
    assert.match(await page.locator('.timeline').innerText(), /Request 3 of 3/);
    await inspector.close();

    const made = priced();
    made.columns.requests.timestamp[2] = Date.now();
    const growing = await openPanel({ answers }, made);
    await growing.page.getByRole('button', { name: 'Best at request 2: saves $0.42' }).waitFor();
    assert.match(await growing.page.locator('.timeline').innerText(), /Request 3 of 3/);
    await growing.close();
  });

  it('says that a saving rests on a loss that nobody could foresee, and names the best moment without it', async () => {
    const common = { tokensFreed: 9, quality: 'exact', error: 0, results: 1 } as const;
    const worth = (money: number) => ({ money, inputTokens: 0 });
    const best = { ...common, request: 1, gained: worth(0.61), foreseen: worth(0.2), restsOn: 2 };
    const foreseen = { ...common, request: 0, gained: worth(0.4), foreseen: worth(0.3), restsOn: 2 };
    const inspector = await openPanel(
      { answers: { bestMoment: () => ({ best, foreseen, ranked: [best], considered: 2, unpriced: 0 }) } },
      priced(),
    );
    const { page } = inspector;
    const moment = page.getByTestId('best-moment');
    await moment.getByText('in hindsight: $0.20 without the loss at request 3').waitFor();
    await moment.getByRole('button', { name: 'Best without hindsight, at request 1: saves $0.30' }).click();
    assert.match(await page.locator('.timeline').innerText(), /Request 1 of 3/);
    await inspector.close();
  });

  it('says that the rewrite at the last request is never recovered', async () => {
    const inspector = await openPanel({}, priced());
    assert.equal(
      await inspector.page.getByTestId('verdict').innerText(),
      '✕Not worth it here: this is the last request, so the $0.019 rewrite is never recovered.',
    );
    await inspector.close();
  });

  it('keeps the settings in view at a laptop’s sizes', async () => {
    for (const [width, height] of [
      [950, 640],
      [630, 596],
    ] as const) {
      const inspector = await openPanel({ width, height }, priced());
      const { page } = inspector;
      await page.getByRole('slider', { name: 'Request' }).press('Home');
      const sliders = page.locator('.controls .slider');
      await sliders.first().waitFor();
      await untilStill(page);
      const bottoms = await sliders.evaluateAll(all => all.map(each => each.getBoundingClientRect().bottom));
      assert.ok(
        bottoms.length >= 2 && bottoms.every(bottom => bottom <= height),
        `${width}: ${bottoms.join(', ')}`,
      );
      await inspector.close();
    }
  });

  it('sets the rule sets beside each other', async () => {
    const inspector = await openPanel({}, priced());
    const { page } = inspector;
    await page.getByRole('button', { name: 'Rule sets for this request' }).click();
    const table = page.getByRole('table', { name: 'Rule sets for this request' });
    assert.equal(await table.getByRole('row').count(), 6);
    await table.getByRole('button', { name: 'katu' }).click();
    assert.equal(await table.getByRole('button', { name: 'katu', pressed: true }).count(), 1);
    await inspector.close();
  });
});
