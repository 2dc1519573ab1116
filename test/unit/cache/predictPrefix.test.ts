import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CacheRules } from '../../../src/core/model/modelRow';
import { predictPrefixes } from '../../../src/core/view/predictPrefix';
import { HandMade } from '../session/handMade';

const rules: CacheRules = {
  minimumTokens: 100,
  lifetimeSeconds: 300,
  lookbackBlocks: 20,
  maximumBreakpoints: 4,
  explicit: true,
};

/** Every block has 50 tokens. */
function predict(made: HandMade, changed: Partial<CacheRules> = {}): readonly (readonly [number, string])[] {
  return predictPrefixes({
    transcript: made.build(),
    rulesOf: () => ({ ...rules, ...changed }),
    holds: (_, blocks, tokens) => 50 * blocks >= tokens,
  }).map(({ blocks, reason }) => [blocks, reason]);
}

describe('predicted prefix', () => {
  it('is the whole request before, where a request only adds to it', () => {
    const made = new HandMade();
    const context = made.builder.startContext([
      made.prompt('a'),
      made.assistant('b'),
      made.prompt('c'),
      made.assistant('d'),
    ]);
    made.request(context, 2);
    made.request(context, 4);
    assert.deepEqual(predict(made), [
      [0, 'firstRequest'],
      [2, 'extendsPrevious'],
    ]);
  });

  it('ends at the first block that differs, and equal content counts wherever it was recorded', () => {
    const made = new HandMade();
    made.request(made.builder.startContext(['a', 'b', 'c', 'd'].map(label => made.prompt(label))), 4);
    made.request(made.builder.startContext(['a', 'b', 'changed', 'd'].map(label => made.prompt(label))), 4);
    assert.deepEqual(predict(made)[1], [2, 'contentChanged']);
  });

  it('names the compaction that rewrote the context', () => {
    const made = new HandMade();
    made.request(made.builder.startContext(['a', 'b', 'c'].map(label => made.prompt(label))), 3);
    made.builder.compactions.push({ kind: 'compaction', request: 1, thread: 0, line: 5 });
    made.request(made.builder.startContext([made.prompt('summary')]), 1);
    assert.deepEqual(predict(made, { minimumTokens: 0 })[1], [0, 'compaction']);
  });

  it('is nothing for another model', () => {
    const made = new HandMade();
    const context = made.builder.startContext([made.prompt('a'), made.prompt('b'), made.prompt('c')]);
    made.request(context, 2, { model: 'claude-opus-4-5' });
    made.request(context, 3, { model: 'claude-haiku-4-5' });
    assert.deepEqual(predict(made)[1], [0, 'modelChanged']);
  });

  it('lives as long as the provider says, or as long as was asked for when it was written', () => {
    const made = new HandMade();
    const context = made.builder.startContext([made.prompt('a'), made.prompt('b'), made.prompt('c')]);
    const hour = { input: 1, cacheRead: 0, cacheWrite: 100, output: 1, cacheLifetime: 3_600 };
    made.request(context, 2, { timestamp: 0 });
    made.request(context, 2, { timestamp: 300_000 });
    made.request(context, 2, { timestamp: 600_001, usage: hour });
    made.request(context, 3, { timestamp: 4_200_001 });
    made.request(context, 3, { timestamp: 7_800_002 });
    assert.deepEqual(
      predict(made).map(([, reason]) => reason),
      ['firstRequest', 'extendsPrevious', 'lifetimeExpired', 'extendsPrevious', 'lifetimeExpired'],
    );
  });

  it('is nothing below the minimum', () => {
    const made = new HandMade();
    const context = made.builder.startContext([made.prompt('a'), made.prompt('b'), made.prompt('c')]);
    made.request(context, 1);
    made.request(context, 2);
    made.request(context, 3);
    assert.deepEqual(predict(made).slice(1), [
      [0, 'belowMinimum'],
      [2, 'extendsPrevious'],
    ]);
  });

  it('reaches back 20 blocks from a recorded breakpoint, its own block counted', () => {
    const blocksBehind = (count: number) => {
      const made = new HandMade();
      const labels = Array.from({ length: 5 + count }, (_, index) => `block ${index}`);
      const context = made.builder.startContext(labels.map(label => made.prompt(label)));
      made.request(context, 5, { breakpoints: [4] });
      made.request(context, 5 + count, { breakpoints: [4 + count] });
      return predict(made)[1];
    };
    assert.deepEqual(blocksBehind(19), [5, 'extendsPrevious']);
    assert.deepEqual(blocksBehind(20), [0, 'lookbackExceeded']);
  });

  it('keeps the threads apart', () => {
    const made = new HandMade();
    const main = made.builder.startContext([made.prompt('a'), made.prompt('b'), made.prompt('c')]);
    const child = made.builder.startContext([made.prompt('task')]);
    made.request(main, 2);
    made.request(child, 1, { thread: 1 });
    made.request(main, 3);
    assert.deepEqual(predict(made), [
      [0, 'firstRequest'],
      [0, 'firstRequest'],
      [2, 'extendsPrevious'],
    ]);
  });

  it('reads on from an earlier request after a rewind, and after a switch of models and back', () => {
    const rewound = new HandMade();
    const [a, b, c, d, e] = ['a', 'b', 'c', 'd', 'e'].map(label => rewound.prompt(label));
    const lists = [
      [a, b, c, d],
      [a, e],
      [a, b, c, e],
    ].map(list => list.flatMap(block => block ?? []));
    for (const list of lists) {
      rewound.request(rewound.builder.startContext(list), list.length);
    }
    // The second shares one block with the first, below the minimum of 100 tokens; the third shares three with the
    // first.
    assert.deepEqual(predict(rewound).slice(1), [
      [0, 'belowMinimum'],
      [3, 'earlierRequest'],
    ]);

    const switched = new HandMade();
    const context = switched.builder.startContext(['a', 'b', 'c', 'd'].map(label => switched.prompt(label)));
    switched.request(context, 2, { model: 'claude-opus-4-5', timestamp: 0 });
    switched.request(context, 3, { model: 'claude-haiku-4-5', timestamp: 60_000 });
    switched.request(context, 4, { model: 'claude-opus-4-5', timestamp: 120_000 });
    switched.request(context, 4, { model: 'claude-haiku-4-5', timestamp: 400_000 });
    assert.deepEqual(predict(switched).slice(1), [
      [0, 'modelChanged'],
      [2, 'earlierRequest'],
      // The other model's entry is now 340 seconds old.
      [0, 'modelChanged'],
    ]);
  });

  it('lets a complete request read what another thread wrote, and no other', () => {
    const threads = (complete: boolean) => {
      const made = new HandMade();
      const head = ['tools', 'rules', 'style'].map(label => made.prompt(label));
      for (const thread of [0, 1]) {
        const list = [...head, made.prompt(`task ${thread}`)];
        made.request(made.builder.startContext(list), list.length, { thread, complete });
      }
      return predict(made)[1];
    };
    assert.deepEqual(threads(true), [3, 'earlierRequest']);
    assert.deepEqual(threads(false), [0, 'firstRequest']);
  });

  it('reads the nearer entry where the last one lies beyond the lookback', () => {
    const made = new HandMade();
    const labels = Array.from({ length: 40 }, (_, index) => `block ${index}`);
    const context = made.builder.startContext(labels.map(label => made.prompt(label)));
    made.request(context, 10, { breakpoints: [3, 9] });
    made.request(context, 40, { breakpoints: [3, 39] });
    assert.deepEqual(predict(made)[1], [4, 'lookbackExceeded']);
  });

  it('lives on where it is read, though what was written later has expired', () => {
    const made = new HandMade();
    const head = ['a', 'b', 'c'].map(label => made.prompt(label));
    const seconds = [0, 200, 400, 600];
    seconds.forEach((at, index) => {
      const list = [...head, made.prompt(`question ${index}`)];
      made.request(made.builder.startContext(list), list.length, {
        timestamp: at * 1000,
        breakpoints: [2, 3],
      });
    });
    assert.deepEqual(predict(made), [
      [0, 'firstRequest'],
      [3, 'contentChanged'],
      [3, 'contentChanged'],
      [3, 'contentChanged'],
    ]);
  });
});
