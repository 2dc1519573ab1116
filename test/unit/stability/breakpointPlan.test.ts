import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type BreakpointPlan,
  planBreakpoints,
  type PlanInput,
  type PlannedBlock,
} from '../../../src/core/stability/breakpointPlan';
import { lookUpModel } from '../../../src/core/tokens/modelTable';

const prices = { input: 4, cacheRead: 0.4, cacheWrite: 5, output: 20 };
const rules = {
  minimumTokens: 1024,
  lifetimeSeconds: 300,
  lookbackBlocks: 20,
  maximumBreakpoints: 4,
  explicit: true,
};

function block(tokens: number, confidence: number, rest: Partial<PlannedBlock> = {}): PlannedBlock {
  return { tokens, score: 1, confidence, class: 'stable', kind: 'generic', isInsideTools: false, ...rest };
}

function plan(
  observations: number,
  blocks: readonly PlannedBlock[],
  rest: Partial<PlanInput> = {},
): BreakpointPlan {
  return planBreakpoints({ observations, blocks, tokensBefore: 0, rules, prices, ...rest });
}

function places(found: BreakpointPlan): readonly number[] | string {
  return found.ok ? found.breakpoints.map(({ position }) => position) : found.reason;
}

describe('planBreakpoints', () => {
  it('plans nothing with two observations, and something with three', () => {
    // Two: 1 read × 2/20 = 0.1, below 0.2778. Three: 2 × 3/20 = 0.3.
    assert.equal(places(plan(2, [block(2000, 2 / 20)])), 'notWorthIt');
    const three = plan(3, [block(2000, 3 / 20)]);
    assert.deepEqual(places(three), [0]);
    // 2,000 × (0.9 × 0.3 − 0.25) = 40 tokens of fresh input.
    assert.ok(three.ok && Math.abs(three.worth - 40) < 1e-6);
  });

  it('places one breakpoint at the end where all is equally stable', () => {
    const found = plan(20, [block(1500, 1), block(1500, 1), block(1500, 1)]);
    assert.deepEqual(places(found), [2]);
    // 4,500 × (0.9 × 19 − 0.25).
    assert.ok(found.ok && Math.abs(found.worth - 75_825) < 1e-6);
  });

  it('places one more where the signal falls', () => {
    // 19 reads of the first 2,000 tokens are worth 2,000 × (17.1 − 0.25); of the other 1,000, sent half as often, 1,000
    // × (8.55 − 0.25). A single one at the end would be worth 3,000 × 8.3 = 24,900.
    const found = plan(20, [block(2000, 1), block(1000, 0.5)]);
    assert.deepEqual(places(found), [0, 1]);
    assert.ok(found.ok && Math.abs(found.worth - (33_700 + 8_300)) < 1e-6);
  });

  it('takes the best of more places than are allowed', () => {
    const falling = [1, 0.8, 0.6, 0.4].map(confidence => block(2000, confidence));
    assert.deepEqual(places(plan(20, falling)), [0, 1, 2, 3]);
    // Reads 19, 15.2, 11.4, 7.6 make gains of 16.85, 13.43, 10.01, 6.59. Two breakpoints, in thousands of tokens:
    // 0+3: 2 × 16.85 + 6 × 6.59 = 73.24; 1+3: 4 × 13.43 + 4 × 6.59 = 80.08; 2+3: 6 × 10.01 + 2 × 6.59 = 73.24;
    // 0+2: 33.7 + 4 × 10.01 = 73.74; 1+2: 53.72 + 20.02 = 73.74; 0+1: 33.7 + 26.86 = 60.56.
    assert.deepEqual(places(plan(20, falling, { rules: { ...rules, maximumBreakpoints: 2 } })), [1, 3]);
  });

  it('stops at the first block that is not stable, and stays above the minimum', () => {
    const variable = block(9000, 1, { class: 'variable', score: 0.1 });
    assert.deepEqual(places(plan(20, [block(1200, 1), variable, block(3000, 1)])), [0]);
    assert.equal(places(plan(20, [block(1023, 1), variable])), 'notWorthIt');
    assert.equal(places(plan(20, [variable])), 'emptyPrefix');
    // Unrecorded content comes before the first block.
    assert.deepEqual(places(plan(20, [block(1023, 1), variable], { tokensBefore: 1 })), [0]);
  });

  it('marks no place inside a run of tools but the one that reaches the minimum', () => {
    const tool = (confidence: number, isInsideTools = true): PlannedBlock =>
      block(600, confidence, { isInsideTools, kind: 'toolCluster' });
    // The second tool reaches 1,200 tokens; the third ends the run. Signals fall, so both breakpoints pay off.
    assert.deepEqual(places(plan(20, [tool(1), tool(1), tool(0.9), tool(0.8, false)])), [1, 3]);
  });

  it('prefers the higher kind among places of equal worth', () => {
    const found = plan(20, [block(2000, 1, { kind: 'user' }), block(0, 1)]);
    assert.deepEqual(places(found), [0]);
    assert.deepEqual(places(plan(20, [block(2000, 1), block(0, 1)])), [1]);
  });

  it('says why no plan is made', () => {
    const blocks = [block(2000, 1)];
    assert.equal(places(plan(1, blocks)), 'noReuse');
    assert.equal(places(plan(20, blocks, { rules: undefined })), 'noBreakpoints');
    assert.equal(places(plan(20, blocks, { rules: { ...rules, explicit: false } })), 'noBreakpoints');
    assert.equal(
      places(plan(20, blocks, { rules: { ...rules, minimumTokens: undefined } })),
      'minimumUnknown',
    );
    assert.equal(places(plan(20, blocks, { prices: undefined })), 'pricesUnknown');
    assert.equal(places(plan(20, [])), 'emptyPrefix');
  });

  it('takes the minimum of the model itself, where the upstream takes that of an older one', () => {
    // The upstream resolves claude-opus-4-6 to claude-opus-4 with 1,024 tokens; its own minimum is 4,096.
    const opus = lookUpModel('claude-opus-4-6');
    assert.equal(
      places(plan(20, [block(2000, 1)], { rules: opus?.cache, prices: opus?.prices })),
      'notWorthIt',
    );
  });
});
