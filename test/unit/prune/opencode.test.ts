import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPruneOptions, type PruneOptions } from '../../../src/core/model/pruneConfig';
import { prunedByEstimate } from '../../../src/core/prune/plan';
import { assistant, planOf, type PruneMessage, result, summary, twoTurns, user } from './transcripts';

const options = { ...defaultPruneOptions('opencode'), measure: 'tokens' } as const;

function plan(messages: readonly PruneMessage[], changed: Partial<PruneOptions> = {}) {
  return planOf(messages, { ...options, ...changed }, () => 8);
}

function reasons(messages: readonly PruneMessage[], changed: Partial<PruneOptions> = {}) {
  return plan(messages, changed).decisions.map(decision =>
    decision.verdict === 'kept' ? decision.reason : decision.verdict,
  );
}

describe('rule set opencode', () => {
  it('keeps exactly 40,000 tokens', () => {
    const { executes, candidates, candidateTokens, scannedTokens } = plan([
      assistant(result(1, 40_000)),
      ...twoTurns,
    ]);
    assert.deepEqual(
      { executes, candidates, candidateTokens, scannedTokens },
      { executes: false, candidates: [], candidateTokens: 0, scannedTokens: 40_000 },
    );
  });

  it('queues the part that crosses 40,000 whole', () => {
    const { executes, candidates, candidateTokens } = plan([assistant(result(1, 40_001)), ...twoTurns]);
    assert.deepEqual(
      { executes, candidates, candidateTokens },
      { executes: true, candidates: [1], candidateTokens: 40_001 },
    );
  });

  it('does nothing for exactly 20,000 queued tokens, and prunes for 20,001', () => {
    const session = (oldest: number) => [
      assistant(result(1, oldest), result(2, 10_000), result(3, 40_000)),
      ...twoTurns,
    ];
    const equal = plan(session(10_000));
    assert.equal(equal.executes, false);
    assert.equal(equal.candidateTokens, 20_000);
    assert.deepEqual(equal.candidates, [2, 1]);
    assert.equal(equal.tokensFreed, 20_000 - 2 * 8);
    assert.deepEqual(reasons(session(10_000)), ['belowMinimum', 'belowMinimum', 'withinProtectedTokens']);
    const above = plan(session(10_001));
    assert.equal(above.executes, true);
    assert.equal(above.tokensFreed, 20_001 - 2 * 8);
    assert.deepEqual(above.decisions, [
      { block: 1, verdict: 'pruned', tokensFreed: 9_993 },
      { block: 2, verdict: 'pruned', tokensFreed: 9_992 },
      { block: 3, verdict: 'kept', reason: 'withinProtectedTokens', tokensFreed: 0 },
    ]);
  });

  it('neither prunes nor counts protected tools, pending calls and errors', () => {
    const messages = [
      assistant(
        result(1, 30_000),
        result(2, 90_000, { tool: 'skill' }),
        result(3, 90_000, { status: 'pending' }),
        result(4, 90_000, { status: 'error' }),
        result(5, 40_000),
      ),
      ...twoTurns,
    ];
    assert.deepEqual(reasons(messages), [
      'pruned',
      'protectedTool',
      'notCompleted',
      'notCompleted',
      'withinProtectedTokens',
    ]);
    assert.equal(plan(messages).scannedTokens, 70_000);
  });

  it('leaves the two newest user turns alone, and does not count them', () => {
    const messages = [
      assistant(result(1, 50_000)),
      user,
      assistant(result(2, 50_000)),
      user,
      assistant(result(3, 50_000)),
    ];
    assert.deepEqual(reasons(messages), ['pruned', 'recentTurn', 'recentTurn']);
    assert.equal(plan(messages).scannedTokens, 50_000);
  });

  it('never prunes with fewer than two user messages behind', () => {
    assert.deepEqual(reasons([assistant(result(1, 90_000)), user, assistant(result(2, 90_000))]), [
      'recentTurn',
      'recentTurn',
    ]);
  });

  it('stops at a summary', () => {
    const messages = [assistant(result(1, 90_000)), summary(), assistant(result(2, 70_000)), ...twoTurns];
    assert.deepEqual(reasons(messages), ['beyondStop', 'pruned']);
  });

  it('walks past a summary inside the newest turns', () => {
    const messages = [assistant(result(1, 90_000)), user, summary(), user, assistant(result(2, 10))];
    assert.deepEqual(reasons(messages), ['pruned', 'recentTurn']);
  });

  it('stops at an earlier prune, in the middle of a message', () => {
    const messages = [
      assistant(result(1, 90_000, { alreadyPruned: true }), result(2, 90_000)),
      assistant(result(3, 90_000), result(4, 50, { alreadyPruned: true }), result(5, 70_000)),
      ...twoTurns,
    ];
    assert.deepEqual(reasons(messages), [
      'alreadyPruned',
      'beyondStop',
      'beyondStop',
      'alreadyPruned',
      'pruned',
    ]);
  });

  it('does not stop at a protected or failed result of an earlier prune', () => {
    const messages = [
      assistant(result(1, 70_000), result(2, 5, { alreadyPruned: true, tool: 'skill' })),
      ...twoTurns,
    ];
    assert.deepEqual(reasons(messages), ['pruned', 'protectedTool']);
  });

  it('estimates by UTF-16 units, half a token rounded up', () => {
    const characters = (block: number, count: number, bytes: number) =>
      result(block, 1, { characters: count, bytes });
    const measured = (messages: readonly PruneMessage[]) => plan(messages, { measure: 'chars4' });
    // 40,002 / 4 = 10,000.5 -> 10,001
    const half = measured([assistant(characters(1, 40_002, 40_002)), ...twoTurns]);
    assert.equal(half.scannedTokens, 10_001);
    // 2,000 emoji: 4,000 UTF-16 units, 8,000 bytes
    const emoji = measured([assistant(characters(1, 4_000, 8_000)), ...twoTurns]);
    assert.equal(emoji.scannedTokens, 1_000);
    // Savings are in tokens whatever the measure.
    const large = measured([assistant(result(1, 500, { characters: 200_000 })), ...twoTurns]);
    assert.equal(large.candidateTokens, 50_000);
    assert.equal(large.tokensFreed, 492);
  });

  it('tells if the agent prunes others by its own estimate than with a tokenizer', () => {
    const session = (tokens: number) => [
      assistant(
        ...[1, 2, 3].map(block => result(block, tokens, { characters: 120_000 })),
        result(4, 40_000, { characters: 160_000 }),
      ),
      ...twoTurns,
    ];
    const other = (tokens: number, changed: Partial<PruneOptions> = {}) => {
      const chosen = { ...options, ...changed };
      const planWith = (wanted: PruneOptions) => planOf(session(tokens), wanted, () => 8);
      return prunedByEstimate(chosen, planWith(chosen), planWith);
    };
    // 3 × 4,000 tokens are too few; 3 × 30,000 quarters of characters are enough.
    assert.equal(other(4_000), 3);
    assert.equal(other(4_000, { measure: 'chars4' }), undefined);
    assert.equal(other(30_000), undefined);
    assert.equal(other(4_000, { enabled: false }), undefined);
  });

  it('prunes by default what opencode prunes by its own estimate', () => {
    const messages = [
      assistant(result(1, 14_000, { characters: 84_000 }), result(2, 38_000, { characters: 156_000 })),
      ...twoTurns,
    ];
    const planned = (chosen: PruneOptions) => planOf(messages, chosen, () => 8);
    // 84,000 and 156,000 characters are 21,000 and 39,000 tokens to opencode, and 14,000 are too few.
    assert.deepEqual(planned(defaultPruneOptions('opencode')).candidates, [1]);
    assert.equal(planned(defaultPruneOptions('opencode')).executes, true);
    assert.equal(planned(options).executes, false);
  });

  it('plans nothing when it is switched off', () => {
    const off = plan([assistant(result(1, 90_000)), ...twoTurns], { enabled: false });
    assert.equal(off.executes, false);
    assert.deepEqual(off.candidates, []);
    assert.equal(off.tokensFreed, 0);
    assert.deepEqual(off.decisions, [{ block: 1, verdict: 'kept', reason: 'disabled', tokensFreed: 0 }]);
  });
});
