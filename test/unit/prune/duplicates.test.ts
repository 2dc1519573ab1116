import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPruneOptions, type PruneOptions } from '../../../src/core/model/pruneConfig';
import { assistant, planOf, type PruneResult, reasons, result, user } from './transcripts';

function plan(results: readonly PruneResult[], changed: Partial<PruneOptions> = {}) {
  const options = { ...defaultPruneOptions('duplicates'), ...changed };
  return planOf([user, assistant(...results)], options, () => 8);
}

const outcome = (...results: readonly PruneResult[]) => reasons(plan(results).decisions);

/** The same call with the same output, unless stated otherwise. */
const same = (block: number, other: Partial<PruneResult> = {}) =>
  result(block, 100, { callHash: 'same', contentHash: 'same', ...other });

const read = (block: number, other: Partial<PruneResult> = {}) =>
  result(block, 100, { tool: 'Read', path: '/a.ts', ...other });

describe('rule set duplicates', () => {
  it('keeps the newest of equal calls with equal outputs', () => {
    const { decisions, executes, tokensFreed, candidates } = plan([
      same(1),
      result(2, 100),
      same(3),
      same(4),
    ]);
    assert.deepEqual(reasons(decisions), ['pruned', 'notRepeated', 'pruned', 'notRepeated']);
    assert.deepEqual(candidates, [3, 1]);
    assert.equal(executes, true);
    assert.equal(tokensFreed, 2 * (100 - 8));
  });

  it('keeps calls that differ in tool, arguments or output, and calls that are not on record', () => {
    assert.deepEqual(outcome(same(1), same(2, { tool: 'other' })), ['notRepeated', 'notRepeated']);
    assert.deepEqual(outcome(same(1), same(2, { callHash: 'other' })), ['notRepeated', 'notRepeated']);
    assert.deepEqual(outcome(same(1), same(2, { contentHash: 'other' })), ['notRepeated', 'notRepeated']);
    assert.deepEqual(outcome(same(1, { callHash: '' }), same(2, { callHash: '' })), [
      'notRepeated',
      'notRepeated',
    ]);
  });

  it('takes out a read that was done again, whatever it gave, but not that of another part', () => {
    const again = { tool: 'Read', path: '/a.ts' };
    assert.deepEqual(outcome(same(1, again), same(2, { ...again, contentHash: 'changed' })), [
      'pruned',
      'notRepeated',
    ]);
    assert.deepEqual(outcome(read(1), read(2)), ['notRepeated', 'notRepeated']);
  });

  it('takes out a read of a file that was changed later, by whatever writes', () => {
    for (const tool of ['Edit', 'write_file', 'mcp__files__edit_file']) {
      assert.deepEqual(outcome(read(1), read(2, { tool })), ['pruned', 'notRepeated'], tool);
    }
    assert.deepEqual(outcome(read(1, { tool: 'mcp__files__read_text_file' }), read(2, { tool: 'Write' })), [
      'pruned',
      'notRepeated',
    ]);
    assert.deepEqual(outcome(read(1, { tool: 'Write' }), read(2, { tool: 'Edit' })), [
      'notRepeated',
      'notRepeated',
    ]);
    assert.deepEqual(outcome(read(1), read(2, { tool: 'Edit', path: '/b.ts' })), [
      'notRepeated',
      'notRepeated',
    ]);
    assert.deepEqual(outcome(read(1, { tool: 'Edit' }), read(2)), ['notRepeated', 'notRepeated']);
  });

  it('counts completed calls only, on both sides', () => {
    assert.deepEqual(outcome(read(1), read(2, { tool: 'Edit', status: 'error' })), [
      'notRepeated',
      'notCompleted',
    ]);
    assert.deepEqual(outcome(same(1, { status: 'error' }), same(2)), ['notCompleted', 'notRepeated']);
    assert.deepEqual(outcome(same(1, { alreadyPruned: true }), same(2)), ['alreadyPruned', 'notRepeated']);
  });

  it('leaves protected tools and the newest tokens alone, and asks for the minimum', () => {
    const results = [same(1), same(2), same(3)];
    assert.deepEqual(reasons(plan(results, { protectedTools: ['bash'] }).decisions), [
      'protectedTool',
      'protectedTool',
      'notRepeated',
    ]);
    assert.deepEqual(reasons(plan(results, { protectTokens: 200 }).decisions), [
      'pruned',
      'withinProtectedTokens',
      'notRepeated',
    ]);
    assert.equal(plan(results, { minimumTokens: 200 }).executes, true);
    assert.equal(plan(results, { minimumTokens: 201 }).executes, false);
  });
});
