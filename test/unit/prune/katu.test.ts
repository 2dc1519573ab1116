import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defaultPruneOptions, type PruneOptions } from '../../../src/core/model/pruneConfig';
import { assistant, planOf, type PruneMessage, result, summary, twoTurns, user } from './transcripts';

const options = { ...defaultPruneOptions('katu'), measure: 'tokens' } as const;

function plan(messages: readonly PruneMessage[], changed: Partial<PruneOptions> = {}) {
  return planOf(messages, { ...options, ...changed }, () => 10);
}

function reasons(messages: readonly PruneMessage[], changed: Partial<PruneOptions> = {}) {
  return plan(messages, changed).decisions.map(decision =>
    decision.verdict === 'kept' ? decision.reason : decision.verdict,
  );
}

describe('rule set katu', () => {
  it('protects the result that crosses 40,000 tokens', () => {
    const messages = [assistant(result(1, 30_000), result(2, 90_000), result(3, 39_999)), ...twoTurns];
    assert.deepEqual(reasons(messages), ['pruned', 'withinProtectedTokens', 'withinProtectedTokens']);
  });

  it('prunes after exactly 40,000 tokens', () => {
    const messages = [assistant(result(1, 30_000), result(2, 40_000)), ...twoTurns];
    assert.deepEqual(reasons(messages), ['pruned', 'withinProtectedTokens']);
  });

  it('executes from exactly 20,000 queued tokens on', () => {
    const session = (oldest: number) => [assistant(result(1, oldest), result(2, 40_000)), ...twoTurns];
    assert.equal(plan(session(20_000)).executes, true);
    assert.equal(plan(session(19_999)).executes, false);
    assert.deepEqual(plan(session(19_999)).candidates, [1]);
  });

  it('takes only outputs of more bytes than the limit', () => {
    const messages = [
      assistant(
        result(1, 25_000, { bytes: 2_000 }),
        result(2, 25_000, { bytes: 2_001, characters: 700 }),
        result(3, 40_000),
      ),
      ...twoTurns,
    ];
    assert.deepEqual(reasons(messages), ['tooSmall', 'pruned', 'withinProtectedTokens']);
  });

  it('prunes errors, but not what has no result yet', () => {
    const messages = [
      assistant(
        result(1, 25_000, { status: 'error' }),
        result(2, 25_000, { status: 'pending' }),
        result(3, 40_000),
      ),
      ...twoTurns,
    ];
    assert.deepEqual(reasons(messages), ['pruned', 'notCompleted', 'withinProtectedTokens']);
  });

  it('protects no tool by default, and those that are named', () => {
    const messages = [assistant(result(1, 25_000, { tool: 'skill' }), result(2, 40_000)), ...twoTurns];
    assert.deepEqual(reasons(messages), ['pruned', 'withinProtectedTokens']);
    assert.deepEqual(reasons(messages, { protectedTools: ['skill'] }), [
      'protectedTool',
      'withinProtectedTokens',
    ]);
  });

  it('walks through summaries and earlier prunes', () => {
    const messages = [
      assistant(result(1, 25_000)),
      summary(),
      assistant(result(2, 90_000, { alreadyPruned: true }), result(3, 40_000)),
      ...twoTurns,
    ];
    assert.deepEqual(reasons(messages), ['pruned', 'alreadyPruned', 'withinProtectedTokens']);
  });

  it('protects two user turns, or none with fewer user messages', () => {
    const older = [assistant(result(1, 25_000), result(2, 40_000))];
    assert.deepEqual(reasons([...older, user, assistant(result(3, 90_000)), user]), [
      'pruned',
      'withinProtectedTokens',
      'recentTurn',
    ]);
    assert.deepEqual(reasons([user, ...older]), ['pruned', 'withinProtectedTokens']);
  });

  it('goes by the order in which results were sent', () => {
    const messages = [
      assistant(result(1, 40_000, { resultMessage: 8 }), result(2, 25_000, { resultMessage: 7 })),
      ...twoTurns,
    ];
    assert.deepEqual(reasons(messages), ['withinProtectedTokens', 'pruned']);
  });

  it('estimates by bytes, rounded down, and 1,000 for an image', () => {
    const messages = [
      assistant(
        result(1, 7, { bytes: 90_003, characters: 30_001 }),
        result(2, 7, { bytes: 0, characters: 0, imageCount: 40 }),
      ),
      ...twoTurns,
    ];
    const measured = plan(messages, { measure: 'chars4' });
    assert.equal(measured.candidateTokens, 22_500);
    assert.equal(measured.scannedTokens, 62_500);
    assert.deepEqual(measured.candidates, [1]);
  });

  it('names the limit in its notice', () => {
    const notices: string[] = [];
    planOf(
      [assistant(result(1, 50_000), result(2, 50_000)), ...twoTurns],
      { ...options, toolOutputMaxChars: 1_500 },
      notice => notices.push(notice),
    );
    assert.deepEqual(notices, ['[内容已修剪 - 原文超过 1500 字符]']);
  });
});
