import type { ModelRow } from '../../src/core/model/modelRow';
/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { unknownPrior } from '../../src/core/tokens/tokenizerPrior';
import { openInspector } from './harness';
import { makeColumns, makeSummary } from './sessionBuilder';

/** $1 per million tokens of input, $5 per million of output. */
const row: ModelRow = {
  match: 'claude-sonnet-4-5',
  family: 'claude',
  tokenizerPrior: unknownPrior,
  contextWindow: 2_000_000,
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

describe('output that is recorded too low', () => {
  it('is said beside the request and the cost, with an estimate by the reply', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    const usage = { input: 990_000, cacheRead: 0, cacheWrite: 0 };
    await inspector.show({
      summary: makeSummary({ models: [{ id: 'claude-sonnet-4-5', row }] }),
      columns: makeColumns(
        [{ kind: 'prompt', label: 'go', tokens: 900_000 }],
        [[0]],
        [
          { length: 1, usage },
          { length: 1, usage, doubtfulReply: 2_000 },
        ],
      ),
    });
    assert.equal(
      await page.getByTestId('doubtful-output').textContent(),
      '⚠ output: 400 recorded, about 2,000 (estimated)',
    );
    assert.match(
      (await page.getByRole('slider', { name: 'Request' }).getAttribute('aria-valuetext')) ?? '',
      /about 2,000 \(estimated\)/,
    );
    // 2 × 0.99 + 400 × 5 / 1,000,000 + 2,000 × 5 / 1,000,000 = 1.992; as recorded 1.98 + 2 × 0.002 = 1.984.
    const cost = page.getByTestId('cost');
    assert.match((await cost.textContent()) ?? '', /≥ \$1\.98.*about \$1\.99/s);
    const ofRequest = page.getByTestId('request-cost');
    assert.equal(await ofRequest.textContent(), '≥ $0.99');
    await page.getByRole('slider', { name: 'Request' }).press('ArrowLeft');
    assert.equal(await page.getByTestId('doubtful-output').count(), 0);
    assert.equal(await ofRequest.textContent(), '$0.99');
    assert.deepEqual(inspector.errors, []);
    await inspector.close();
  });

  it('is not said where the reply confirms the record', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    const usage = { input: 990_000, cacheRead: 0, cacheWrite: 0 };
    const made = { length: 1, usage, scaleError: 0.14 };
    await inspector.show({
      summary: makeSummary(),
      columns: makeColumns(
        [{ kind: 'prompt', label: 'go', tokens: 900_000 }],
        [[0]],
        [
          { ...made, doubtfulReply: 460 },
          { ...made, doubtfulReply: 470 },
        ],
      ),
    });
    await page.getByTestId('doubtful-output').waitFor();
    await page.getByRole('slider', { name: 'Request' }).press('ArrowLeft');
    await page.getByText('Request 1 of 2').waitFor();
    assert.equal(await page.getByTestId('doubtful-output').count(), 0);
    await inspector.close();
  });

  it('leaves the steps from request to request in view beside the chat of a laptop', async () => {
    const inspector = await openInspector();
    const { page } = inspector;
    await page.setViewportSize({ width: 600, height: 620 });
    const usage = { input: 300, cacheRead: 101_863, cacheWrite: 0 };
    await inspector.show({
      summary: makeSummary({
        models: [{ id: 'claude-sonnet-4-5', row }],
        conversations: ['Arles', 'Bergen'].map((town, thread) => ({
          thread,
          title: `Question about ${town}`,
        })),
      }),
      columns: makeColumns(
        [{ kind: 'prompt', label: 'go', tokens: 100_000 }],
        [[0], [0]],
        [0, 1].map(thread => ({ context: thread, length: 1, thread, usage, doubtfulReply: 2_000 })),
      ),
    });
    const caption = page.locator('.timeline__caption');
    await caption.getByTestId('request-cost').waitFor();
    const outer = await caption.boundingBox();
    const steps = await caption.locator('.timeline__steps').boundingBox();
    assert.ok(outer !== null && steps !== null);
    assert.ok(steps.x + steps.width <= outer.x + outer.width, JSON.stringify({ outer, steps }));
    await inspector.close();
  });
});
