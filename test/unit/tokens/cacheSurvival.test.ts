import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CacheSurvival } from '../../../src/core/model/modelRow';
import {
  losesCaches,
  shareInterval,
  survivalAfter,
  usualLifetime,
} from '../../../src/core/tokens/cacheSurvival';
import { lookUpModel, modelTable } from '../../../src/core/tokens/modelTable';
import { lookUpWith } from '../../../src/core/tokens/userModels';
import { automaticCache } from '../../../src/core/tokens/models/modelRows';

const limits = [60, 300, 600, 1800];

/** Rules with consecutive ranges, each given as survived and observed. */
const rules = (
  promised: number | undefined,
  counts: readonly (readonly [number, number])[],
  { isOwn = true, asked = 0 }: Partial<CacheSurvival> = {},
) => ({
  ...automaticCache(1024, promised),
  survival: counts.map(([survived, of], place) => ({
    asked,
    from: limits[place - 1] ?? 0,
    to: limits[place] ?? 0,
    survived,
    of,
    isOwn,
  })),
});

describe('lifetimes of caches that were seen', () => {
  it('have an interval that narrows with the number seen', () => {
    assert.deepEqual(shareInterval(24, 37), [0.51, 0.77]);
    assert.deepEqual(shareInterval(0, 5), [0, 0.36]);
    assert.deepEqual(shareInterval(240, 370), [0.6, 0.69]);
  });

  it('lengthen or shorten what is promised only where the interval is clear', () => {
    assert.equal(usualLifetime(rules(300, [[100, 100]])), 300);
    assert.equal(
      usualLifetime(
        rules(300, [
          [100, 100],
          [90, 90],
          [24, 37],
        ]),
      ),
      600,
    );
    assert.equal(
      usualLifetime(
        rules(300, [
          [100, 100],
          [90, 90],
          [20, 42],
        ]),
      ),
      300,
    );
    const early = [
      [100, 100],
      [80, 100],
      [1, 20],
    ] as const;
    assert.equal(usualLifetime(rules(1800, early)), 300);
    assert.equal(usualLifetime(rules(1800, early, { isOwn: false })), 1800);
    assert.equal(usualLifetime(rules(undefined, early, { isOwn: false })), 300);
    assert.equal(
      usualLifetime(
        rules(undefined, [
          [100, 100],
          [80, 100],
        ]),
      ),
      undefined,
    );
    assert.equal(usualLifetime(rules(undefined, [[10, 100]])), undefined);
    assert.equal(
      usualLifetime(
        rules(
          300,
          [
            [0, 90],
            [0, 90],
          ],
          { asked: 3600 },
        ),
      ),
      300,
    );
  });

  it('name a pause as a cause only where it loses clearly more caches than the shortest', () => {
    assert.equal(
      losesCaches(
        rules(1800, [
          [990, 1000],
          [80, 100],
        ]),
        200,
      ),
      true,
    );
    assert.equal(
      losesCaches(
        rules(1800, [
          [990, 1000],
          [80, 100],
        ]),
        20,
      ),
      false,
    );
    assert.equal(
      losesCaches(
        rules(1800, [
          [850, 1000],
          [80, 100],
        ]),
        200,
      ),
      false,
    );
    assert.equal(
      losesCaches(
        rules(
          300,
          [
            [990, 1000],
            [80, 100],
          ],
          { asked: 3600 },
        ),
        200,
      ),
      false,
    );
  });

  it('stand in the table for each model that was seen, and for its family otherwise', () => {
    assert.ok(modelTable.some(({ cache }) => cache.survival?.some(({ isOwn }) => isOwn) === true));
    const own = survivalAfter(lookUpModel('gpt-5.6-sol')?.cache, undefined, 20);
    const family = survivalAfter(lookUpModel('gpt-6-sol')?.cache, undefined, 20);
    assert.deepEqual([own?.isOwn, family?.isOwn], [true, false]);
    assert.ok(own !== undefined && family !== undefined && family.of > own.of);
    assert.equal(survivalAfter(lookUpModel('claude-opus-4-6')?.cache, 3600, 1000)?.asked, 3600);
  });

  it('say nothing of a lifetime that a user has set', () => {
    const row = lookUpWith({ 'gpt-5.6-luna': { cache: { lifetimeSeconds: 1200 } } })('gpt-5.6-luna');
    assert.equal(usualLifetime(row?.cache), 1200);
    assert.equal(usualLifetime(lookUpModel('gpt-5.6-luna')?.cache), 300);
  });
});
