import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AskPlan } from '../../../src/protocol/askMessages';
import { actionTally, afterNews, type AskRun, noAsks } from '../../../webview/state/asks';

const plan: AskPlan = {
  plan: 7,
  order: {
    form: 'replay',
    request: 0,
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    keepSecrets: false,
    times: 1,
    question: '',
  },
  provider: 'Anthropic',
  destination: 'https://api.anthropic.com:443',
  isLocal: false,
  calls: 1,
  bytes: 2048,
  tokens: { value: 1234, quality: 'calibrated', error: 0.02 },
  outputTokens: 4096,
  cost: 1.5,
  notes: [],
  lacksKey: false,
};

describe('the state of asking', () => {
  it('forgets a plan that is discarded, and keeps what had arrived when a run is cancelled', () => {
    const discarded = (
      [
        { kind: 'plan', plan },
        { kind: 'ended', isCancelled: false },
      ] as const
    ).reduce(afterNews, noAsks);
    assert.deepEqual([discarded.phase, discarded.plan], ['idle', undefined]);
    const cancelled = (
      [
        { kind: 'running', plan },
        { kind: 'began', run: 0, of: 1, side: 'recorded' },
        { kind: 'piece', run: 0, piece: { kind: 'content', text: 'Half' } },
        { kind: 'ended', isCancelled: true },
      ] as const
    ).reduce(afterNews, noAsks);
    assert.deepEqual(
      [cancelled.phase, cancelled.isCancelled, cancelled.runs.map(({ content }) => content)],
      ['ended', true, ['Half']],
    );
  });

  it('tells how often the next action was the same', () => {
    const run = (side: 'recorded' | 'pruned', isSameAction: boolean, isSameAsOther?: boolean): AskRun => ({
      side,
      of: 4,
      thinking: '',
      content: '',
      result: {
        duration: 1,
        isSameAsOther,
        comparison: { hasRecorded: true, isSameAction, isSameTools: true, calls: [], texts: ['', ''] },
      },
    });
    assert.deepEqual(
      actionTally([
        run('recorded', true),
        run('pruned', false, false),
        run('recorded', true),
        run('pruned', true, true),
      ]),
      { recorded: { count: 2, of: 2 }, pruned: { count: 1, of: 2 }, alike: { count: 1, of: 2 } },
    );
  });
});
