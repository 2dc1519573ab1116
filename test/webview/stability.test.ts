/// <reference types="node" />
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Session } from '../../src/core/model/columns';
import type { StabilityAnswer } from '../../src/core/questions/answers';
import { expectNoViolations } from './axe';
import { openInspector, type OpenInspector } from './harness';
import { makeColumns, makeSummary } from './sessionBuilder';

/** Two requests: a system text, a reminder, a prompt, and a reply in the second. */
function session(): Session {
  return {
    summary: makeSummary(),
    columns: makeColumns(
      [
        { kind: 'systemPrompt', label: 'the rules', tokens: 6_000 },
        { kind: 'injected', label: 'the time of day', tokens: 50 },
        { kind: 'prompt', label: 'the prompt', tokens: 3_000 },
        { kind: 'assistant', label: 'the reply', tokens: 1_000 },
      ],
      [[0, 1, 2, 3]],
      [{ length: 3 }, { length: 4 }],
    ),
  };
}

const span = (position: number, kind: 'stable' | 'semi_stable' | 'variable') => ({
  spanId: `user-${position}` as const,
  position,
  block: position,
  present: 2,
  score: 1,
  class: kind,
  confidence: 0.1,
});

const answer: StabilityAnswer = {
  planner: 'own',
  report: {
    request: 1,
    observed: [0, 1],
    spans: [span(0, 'stable'), span(1, 'variable'), span(2, 'stable'), span(3, 'semi_stable')],
    stablePrefixBlocks: 1,
    stablePrefixTokens: 6_400,
    notRecordedTokens: 400,
    plan: {
      ok: true,
      breakpoints: [{ position: 0, kind: 'system', prefixTokens: 6_400, expectedReads: 1, worth: 4_160 }],
      worth: 4_160,
    },
    usedBreakpoints: [2, 3],
    comparison: {
      used: { cacheRead: 0, cacheWrite: 19_450, fresh: 0, dollars: 0.3 },
      planned: { cacheRead: 6_400, cacheWrite: 6_400, fresh: 6_650, dollars: 0.175 },
      plannedAndLast: { cacheRead: 6_400, cacheWrite: 13_050, fresh: 0, dollars: 0.21 },
      tokensSaved: 6_400,
      dollarsSaved: 0.125,
    },
  },
  layout: {
    request: 1,
    previous: 0,
    early: [{ position: 1, block: 1, tokens: 50, reason: 'state', tokensBehind: 4_000 }],
    frozen: 6_400,
    frozenStateLast: 9_400,
    frozenFourSlots: 9_400,
    dollarsSaved: 0.25,
  },
  fingerprint: `sha256:${'ab'.repeat(32)}`,
};

async function openCache(stability?: StabilityAnswer): Promise<OpenInspector> {
  const inspector = await openInspector(
    stability === undefined ? {} : { answers: { stability: () => stability } },
  );
  await inspector.show(session());
  await inspector.page.getByRole('tab', { name: 'Cache' }).click();
  await inspector.page.locator('[data-testid=stability][aria-busy=false]').waitFor();
  return inspector;
}

async function open(inspector: OpenInspector, title: string): Promise<string> {
  const fold = inspector.page.locator('details', { hasText: title }).first();
  await fold.locator('summary').press('Enter');
  return fold.innerText();
}

describe('stability in the cache panel', () => {
  it('says how much is stable, by class and with its fingerprint', async () => {
    const inspector = await openCache(answer);
    const text = await open(inspector, 'Stability');
    assert.match(text, /^Stability\s+the first block, 6,400 tokens/);
    assert.match(text, /Based on\s+2 requests of this conversation and model/);
    assert.match(text, /Stable prefix\s+1 block · 6,400 tokens · 400 not recorded\s+≈\s+calibrated/);
    assert.match(text, /sha256:abab/);
    // Two of four spans are stable.
    assert.match(text, /stable\s+2 · 50 %\s+sometimes changes\s+1 · 25 %\s+volatile or new\s+1 · 25 %/);
    await inspector.close();
  });

  it('sets the planned breakpoints beside the used ones, and says what they would have saved', async () => {
    const inspector = await openCache(answer);
    const { page } = inspector;
    const text = await open(inspector, 'Breakpoints');
    assert.match(text, /^Breakpoints\s+1 breakpoint planned/);
    assert.match(text, /After block\s+Tokens up to it\s+Reads\s+Value\s+1\s+6,400\s+1\s+4,160/);
    assert.match(text, /Used here\s+3\s+4/);
    assert.match(text, /As sent\s+0\s+19,450\s+0\s+\$0\.30\s+Plan\s+6,400\s+6,400\s+6,650\s+\$0\.18/);
    // 0.3 − 0.175 dollars.
    assert.match(
      text,
      /The better plan would have read 6,400 tokens more from the cache and saved \$0\.13\./,
    );
    await page.getByRole('button', { name: '3', exact: true }).press('Enter');
    assert.match(await page.getByTestId('block-details').innerText(), /the prompt/);
    await inspector.close();
  });

  it('names the blocks that stand in the way of the cache, and what moving them is worth', async () => {
    const inspector = await openCache(answer);
    const { page } = inspector;
    const text = await open(inspector, 'Order of the blocks');
    assert.match(text, /^Order of the blocks\s+1 volatile block comes before stable ones/);
    assert.match(text, /Cached, as sent\s+6,400\s+≈\s+calibrated/);
    assert.match(text, /State sent last\s+9,400\s+· 3,000 more\s+Sent in lane order\s+9,400\s+· 3,000 more/);
    assert.match(text, /If the state were sent last, this request would have cost \$0\.25 less\./);
    await expectNoViolations(page, 'stability');
    await page.getByRole('button', { name: /the time of day\s*4,000/ }).press('Enter');
    assert.match(await page.getByTestId('block-details').innerText(), /the time of day/);
    await inspector.close();
  });

  it('keeps open what was opened while the user goes through the requests', async () => {
    const inspector = await openCache(answer);
    const { page } = inspector;
    await open(inspector, 'Breakpoints');
    await page.getByRole('slider', { name: 'Request' }).press('Home');
    const fold = page.locator('details', { hasText: 'Breakpoints' }).first();
    await page.locator('[data-testid=stability][aria-busy=true]').waitFor();
    assert.match(await fold.innerText(), /^Breakpoints\s+Loading…/);
    await page.locator('[data-testid=stability][aria-busy=false]').waitFor();
    assert.match(await fold.innerText(), /Used here/);
    await inspector.close();
  });

  it('switches to the plan of NeMo Relay by keyboard, says what is shown, and remembers the choice', async () => {
    const relayed: StabilityAnswer = {
      ...answer,
      planner: 'relay',
      report: { ...answer.report, observed: [0], plan: { ok: false, reason: 'otherRequest' } },
    };
    const inspector = await openInspector({
      answers: { stability: (_, { planner }) => (planner === 'own' ? answer : relayed) },
    });
    await inspector.show(session());
    const { page } = inspector;
    await page.getByRole('tab', { name: 'Cache' }).click();
    const planner = page.getByTestId('planner');
    await page.locator('[data-testid=stability][aria-busy=false]').waitFor();
    await open(inspector, 'Breakpoints');
    assert.match(await planner.innerText(), /This plan saves the most/);
    assert.equal(
      await planner.getByText('NeMo Relay’s plan').locator('..').getAttribute('title'),
      'The Adaptive Cache Governor (ACG) of NeMo Relay 0.9.2',
    );
    await planner.getByRole('radio', { name: 'Best plan' }).press('ArrowRight');
    await page.getByText('no plan').waitFor();
    assert.match(await planner.innerText(), /What NeMo Relay 0.9.2 would do/);
    assert.match(
      await page.locator('details[open]').innerText(),
      /NeMo Relay plans only for requests that it has seen before/,
    );
    assert.match(await open(inspector, 'Stability'), /Based on\s+1 earlier request with the same model/);
    await expectNoViolations(page, 'stability as NeMo Relay plans');
    assert.match(
      await page.evaluate(() => sessionStorage.getItem('fakeHost.state') ?? ''),
      /"planner":"relay"/,
    );
    await inspector.close();
  });

  it('says in words why there is no plan', async () => {
    const inspector = await openCache();
    const text = await open(inspector, 'Breakpoints');
    assert.match(text, /^Breakpoints\s+no plan[^]*\sWith only one request, no breakpoint pays for itself/);
    const layout = await open(inspector, 'Order of the blocks');
    assert.match(layout, /First request of its conversation/);
    await inspector.close();
  });
});
