import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPruneOptions } from '../../../src/core/model/pruneConfig';
import { truncateOutput } from '../../../src/core/prune/replacement';
import { assistant, planOf, result, twoTurns } from './transcripts';

describe('truncateOutput', () => {
  it('keeps the beginning and says how much is gone', () => {
    assert.equal(truncateOutput('abcdefgh', 3), 'abc\n[Tool output truncated: 5 characters omitted]');
    assert.equal(truncateOutput('abc', 3), 'abc');
    assert.equal(truncateOutput('abc', 0), '\n[Tool output truncated: 3 characters omitted]');
  });

  it('does not cut a surrogate pair', () => {
    assert.equal(truncateOutput('a😀b', 2), 'a\n[Tool output truncated: 3 characters omitted]');
    assert.equal(truncateOutput('a😀b', 3), 'a😀\n[Tool output truncated: 1 characters omitted]');
    // The first and the last unit of the first half of a pair, and those beside them.
    const kept = ['\ud7ff', '\ud800', '\udbff', '\udc00'].map(
      unit => truncateOutput(`${unit}ab`, 1).indexOf('\n') === 1,
    );
    assert.deepEqual(kept, [true, false, false, true]);
  });
});

describe('planPrune with truncation', () => {
  const options = { ...defaultPruneOptions('opencode'), measure: 'tokens', replacement: 'truncate' } as const;

  it('frees the share of characters that goes, less the notice', () => {
    // 2,000 of 80,000 characters stay: 1/40 of 30,000 tokens is 750.
    const plan = planOf(
      [assistant(result(1, 30_000, { characters: 80_000 }), result(2, 40_000)), ...twoTurns],
      options,
      () => 12,
    );
    assert.equal(plan.tokensFreed, 30_000 - 750 - 12);
    assert.equal(plan.estimated, true);
    assert.equal(plan.executes, true);
  });

  it('leaves an output that fits, though the rule set weighs it', () => {
    const plan = planOf(
      [
        assistant(
          result(1, 30_000, { characters: 2_000 }),
          result(2, 30_000, { characters: 2_001 }),
          result(3, 40_000),
        ),
        ...twoTurns,
      ],
      options,
      () => 12,
    );
    assert.equal(plan.candidateTokens, 60_000);
    assert.deepEqual(plan.candidates, [2]);
    assert.deepEqual(plan.decisions[0], { block: 1, verdict: 'kept', reason: 'tooSmall', tokensFreed: 0 });
  });

  it('never frees a negative number of tokens', () => {
    for (const replacement of ['clear', 'truncate'] as const) {
      const plan = planOf(
        [assistant(result(1, 3, { characters: 2_001 }), result(2, 90_000)), ...twoTurns],
        { ...options, replacement },
        () => 12,
      );
      assert.deepEqual(plan.decisions[0], { block: 1, verdict: 'pruned', tokensFreed: 0 });
    }
  });
});
