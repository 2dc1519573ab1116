/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CacheReport, RequestBoundary } from '../../src/core/cache/cacheFinding';
import type { Session } from '../../src/core/model/columns';
import { openInspector } from './harness';
import { makeColumns, makeSummary } from './sessionBuilder';

/** Three requests that each add a block. The third read nothing of the 30,000 readable tokens. */
function session(): Session {
  return {
    summary: makeSummary(),
    columns: makeColumns(
      [
        { kind: 'prompt', label: 'the prompt', tokens: 20_000 },
        { kind: 'assistant', label: 'the reply', tokens: 10_000 },
        { kind: 'prompt', label: 'another prompt', tokens: 5_000 },
      ],
      [[0, 1, 2]],
      [
        { length: 1, usage: { input: 0, cacheRead: 0, cacheWrite: 20_000 }, complete: true },
        { length: 2, usage: { input: 0, cacheRead: 20_000, cacheWrite: 10_000 }, complete: true },
        { length: 3, usage: { input: 0, cacheRead: 0, cacheWrite: 35_000 }, complete: true },
      ],
    ),
  };
}

const boundary = (request: number, recorded: number, readable: number): RequestBoundary => ({
  request,
  recorded,
  readable,
  conservation: recorded === readable ? 'kept' : 'short',
  predicted: { tokens: readable, blocks: request, quality: 'calibrated', reason: 'extendsPrevious' },
  agreement: recorded === readable ? 'agrees' : 'short',
});

const report: CacheReport = {
  findings: [
    {
      request: 2,
      previous: 1,
      causes: ['volatileValue', 'lifetimeExpired'],
      certainty: 'narrowed',
      possible: ['systemChanged', 'toolsChanged'],
      recorded: { type: 'system_changed', tokens: 11_689 },
      readable: 30_000,
      read: 0,
      tokensLost: 30_000,
      moneyLost: 0.1035,
      place: { position: 0, before: 0, after: 2 },
      evidence: ['A time of day stands in the first block.', 'The request before was 400 seconds earlier.'],
    },
  ],
  diagnostics: { system_changed: 1 },
  causes: [{ cause: 'volatileValue', requests: 1, tokensLost: 30_000, moneyLost: 0.1035 }],
  boundaries: [
    boundary(0, 0, 0),
    boundary(1, 20_000, 20_000),
    { ...boundary(2, 0, 30_000), diagnosis: { type: 'system_changed', tokens: 11_689 } },
  ],
  input: { read: 20_000, written: 65_000, fresh: 0 },
  lost: { tokens: 30_000, money: 0.1035 },
  conservation: { checked: 2, kept: 1 },
  agreement: { compared: 2, agreeing: 1 },
};

describe('cache panel', () => {
  it('shows the remedy of a loss without scrolling in the default layout of a small screen', async () => {
    const inspector = await openInspector({
      width: 630,
      height: 596,
      answers: {
        cacheReport: () => ({
          ...report,
          findings: report.findings.map(finding => ({ ...finding, certainty: 'shown' })),
        }),
      },
    });
    const { page } = inspector;
    await inspector.show(session());
    await page.getByRole('tab', { name: 'Cache' }).click();
    const remedy = page.getByTestId('break-remedy');
    assert.match(await remedy.innerText(), /^→\s+Remedy:\s+Keep values that change/);
    assert.equal(await page.getByTestId('break-certainty').count(), 0, 'it is shown by the transcript');
    const box = await remedy.boundingBox();
    assert.ok(box !== null && box.y + box.height <= 596, JSON.stringify(box));
    await inspector.close();
  });

  it('says why the cache broke at the selected request, and what it cost', async () => {
    const inspector = await openInspector({ answers: { cacheReport: () => report } });
    const { page } = inspector;
    await inspector.show(session());
    await page.getByRole('tab', { name: 'Cache' }).click();
    const found = page.getByTestId('cache-break');
    assert.match(
      await found.innerText(),
      /Cache lost: a value near the start changes every time, idle too long\s+30,000 tokens paid for again · \$0\.10 lost/,
    );
    assert.match(
      await found.innerText(),
      /the likeliest cause, not shown · also possible: system text changed, tools changed/,
    );
    assert.match(
      await page.getByTestId('cache-panel').innerText(),
      /Provider’s verdict\s+the system prompt changed, 11,689 tokens/,
    );
    assert.deepEqual(await found.locator('.bullets').getByRole('listitem').allInnerTexts(), [
      'A time of day stands in the first block.',
      'The request before was 400 seconds earlier.',
    ]);
    await inspector.close();
  });

  it('says how sure the cause is beside it, where the record does not show it', async () => {
    const inspector = await openInspector({
      width: 630,
      height: 596,
      answers: { cacheReport: () => report },
    });
    const { page } = inspector;
    await inspector.show(session());
    await page.getByRole('tab', { name: 'Cache' }).click();
    const certainty = page.getByTestId('break-certainty');
    assert.equal(
      await certainty.innerText(),
      'the likeliest cause, not shown · also possible: system text changed, tools changed',
    );
    const box = await certainty.boundingBox();
    assert.ok(box !== null && box.y + box.height <= 596, JSON.stringify(box));
    await inspector.close();
  });

  it('steps through the losses from the dearest on', async () => {
    const [dear] = report.findings;
    assert.ok(dear !== undefined);
    const cheap = { ...dear, request: 1, previous: 0, tokensLost: 855, moneyLost: 0.0029 };
    const inspector = await openInspector({
      answers: { cacheReport: () => ({ ...report, findings: [cheap, dear] }) },
    });
    const { page } = inspector;
    await inspector.show(session());
    await page.getByRole('slider', { name: 'Request', exact: true }).press('Home');
    await page.getByText('Request 1 of 3').waitFor();
    const next = page.getByRole('button', { name: '2 cache losses' });
    await next.click();
    await page.getByText('Request 3 of 3').waitFor();
    await next.click();
    await page.getByText('Request 2 of 3').waitFor();
    await inspector.close();
  });

  it('shows the three boundaries of the request with their quality', async () => {
    const inspector = await openInspector({ answers: { cacheReport: () => report } });
    const { page } = inspector;
    await inspector.show(session());
    await page.getByRole('tab', { name: 'Cache' }).click();
    const text = await page.getByTestId('cache-panel').innerText();
    assert.match(text, /Cached to here\s+0\s+exact/);
    assert.match(text, /Available\s+30,000 \(everything the previous request cached\) · less was used/);
    assert.match(text, /Expected\s+30,000\s+≈\s+calibrated\s+· continues the previous request/);
    assert.match(text, /Compared\s+less was read than expected/);
    await inspector.close();
  });

  it('goes to the blocks on both sides', async () => {
    const inspector = await openInspector({ answers: { cacheReport: () => report } });
    const { page } = inspector;
    await inspector.show(session());
    await page.getByRole('tab', { name: 'Cache' }).click();
    const sides = page.getByRole('region', { name: 'Request 2 and request 3 side by side' });
    await page.getByRole('button', { name: 'Side by side' }).click();
    await sides
      .getByRole('button', { name: /^the prompt/ })
      .first()
      .click();
    assert.match(await page.getByTestId('block-details').innerText(), /the prompt/);
    assert.match(await page.locator('.timeline').innerText(), /Request 2 of 3/);
    await page.getByRole('tab', { name: 'Cache' }).click();
    assert.match(
      await page.getByTestId('cache-panel').innerText(),
      /Cache lost once[^]*No cached tokens were lost in this request\.\s+Cached to here\s+20,000\s+exact\s+All requests/i,
    );
    await page.getByRole('button', { name: /^3 a value near the start/ }).click();
    assert.match(await page.locator('.timeline').innerText(), /Request 3 of 3/);
    await sides.getByRole('button', { name: /another prompt/ }).click();
    assert.match(await page.getByTestId('block-details').innerText(), /another prompt/);
    await inspector.close();
  });

  it('adds up how all input was paid for, and what breaks cost by cause', async () => {
    const inspector = await openInspector({ answers: { cacheReport: () => report } });
    const { page } = inspector;
    await inspector.show(session());
    await page.getByRole('tab', { name: 'Cache' }).click();
    const text = await page.getByTestId('cache-panel').innerText();
    // 20,000 of 85,000 is 23.5 %, 65,000 of 85,000 is 76.5 %.
    assert.match(text, /from the cache\s+20,000 · 23\.5 %\s+written to the cache\s+65,000 · 76\.5 %/);
    assert.match(text, /Paid for again\s+30,000 tokens · \$0\.10/);
    assert.match(text, /Read as expected\s+1 of 2 requests/);
    assert.deepEqual(
      await page.getByRole('table', { name: 'Why the cache was lost' }).getByRole('row').allInnerTexts(),
      ['Cause\tTimes\tTokens\tCost', 'a value near the start changes every time\t1\t30,000\t$0.10'],
    );
    await inspector.close();
  });

  it('tells of the break in the timeline: to the reader, under the pointer, and by a way to the panel', async () => {
    const inspector = await openInspector({ answers: { cacheReport: () => report } });
    const { page } = inspector;
    await inspector.show(session());
    const slider = page.getByRole('slider', { name: 'Request' });
    const lost =
      'cache lost: a value near the start changes every time, idle too long, 30,000 tokens paid for again';
    await page.getByRole('button', { name: /^cache lost · .*a value near the start/ }).click();
    assert.equal(await page.getByTestId('cache-break').count(), 1);
    assert.ok((await slider.getAttribute('aria-valuetext'))?.endsWith(lost));
    await slider.press('ArrowLeft');
    assert.ok((await slider.getAttribute('aria-valuetext'))?.endsWith('20,000 from the cache'));
    assert.equal(await page.getByRole('button', { name: /^cache lost · / }).count(), 0);
    // Columns are at most 28 pixels wide, after an inset of 16: the third is at 72 to 100.
    await slider.hover({ position: { x: 86, y: 60 } });
    const tip = await page.locator('.timeline__tip').innerText();
    assert.match(tip, /Request 3/);
    assert.match(tip, /35,000 tokens · 0 from the cache/);
    assert.ok(tip.endsWith(lost));
    await inspector.close();
  });

  it('asks for the report when the counts are final, and not before', async () => {
    const inspector = await openInspector({ answers: { cacheReport: () => report } });
    await inspector.show(session(), 'measuring');
    const asked = async (): Promise<number> =>
      (await inspector.sent()).filter(
        message => message.type === 'question' && message.question.name === 'cacheReport',
      ).length;
    assert.equal(await asked(), 0);
    await inspector.show(session());
    assert.equal(await asked(), 1);
    await inspector.close();
  });
});
