import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { liveText } from '../../../src/host/statusBar/liveText';
import type { LiveStatus } from '../../../src/protocol/sessionReading';

const now = Date.UTC(2026, 10, 23, 9);
const status: LiveStatus = {
  title: 'Sort the shelves',
  agent: 'Claude Code',
  model: 'claude-opus-4-6',
  requests: 12,
  tokens: { value: 80_000, quality: 'exact' },
  window: 200_000,
  cacheRead: 60_000,
  coldAt: now + 249_100,
  cost: 4.1834,
  isLeast: false,
  after: [],
};

describe('the entry of the status bar', () => {
  it('says fill, cost, and the time until the cache goes cold', () => {
    const shown = liveText(status, now);
    assert.equal(shown.text, '40 % · $4.18 · cold in 4:10');
    assert.equal(shown.icon, 'pulse');
    assert.equal(shown.isCounting, true);
    assert.deepEqual(shown.tooltip.slice(0, 4), [
      'Sort the shelves',
      'Claude Code · claude-opus-4-6',
      '80,000 of 200,000 tokens',
      '75 % read from the cache',
    ]);
    assert.equal(
      liveText({ ...status, coldAt: now + 3_661_000 }, now).text,
      '40 % · $4.18 · cold in 1:01:01',
    );
  });

  it('says the recorded limits of a subscription, with their age if a window is past or the record old', () => {
    const hour = 3_600_000;
    const quota = (at: number, ends: number) =>
      liveText(
        {
          ...status,
          quota: {
            at,
            windows: [
              { minutes: 300, used: 0.2, resetsAt: ends },
              { minutes: 10_080, used: 0.55, resetsAt: now + 48 * hour },
            ],
          },
        },
        now,
      ).tooltip.slice(-3, -1);
    assert.deepEqual(quota(now - 1000, now + 3 * hour), [
      '5-hour limit: 20 % used, begins again in 3 h',
      'weekly limit: 55 % used, begins again in 48 h',
    ]);
    const [past = '', old = ''] = quota(now - 9 * hour, now - hour);
    assert.match(past, /^5-hour limit: has begun again since; 20 % were used, recorded \d/);
    assert.match(old, /^weekly limit: 55 % used, begins again in 48 h, recorded \d/);
  });

  it('says that the cache is cold, and counts no more', () => {
    const shown = liveText({ ...status, coldAt: now }, now);
    assert.equal(shown.text, '40 % · $4.18 · cold');
    assert.equal(shown.isCounting, false);
  });

  it('leaves out what is not known', () => {
    const { window, cacheRead, coldAt, cost, ...known } = status;
    const shown = liveText(known, now);
    assert.equal(shown.text, '80,000 tokens');
    assert.equal(shown.isWarning, false);
    assert.equal(liveText({ ...status, isLeast: true }, now).text, '40 % · ≥ $4.18 · cold in 4:10');
  });

  it('warns before the input at which the agent compacted last, and before the end of the window', () => {
    for (const [compactedAt, input, isWarning] of [
      [160_000, 143_000, false],
      [160_000, 144_000, true],
      [undefined, 179_000, false],
      [undefined, 180_000, true],
    ] as const) {
      const shown = liveText(
        {
          ...status,
          tokens: { value: input, quality: 'exact' },
          ...(compactedAt === undefined ? {} : { compactedAt }),
        },
        now,
      );
      assert.equal(shown.isWarning, isWarning, `${compactedAt} ${input}`);
      assert.equal(shown.icon, isWarning ? 'warning' : 'pulse');
    }
  });
});
