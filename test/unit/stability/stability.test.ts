import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SessionColumns } from '../../../src/core/model/columns';
import { idealLayout } from '../../../src/core/stability/idealLayout';
import { requiredObservations, stabilityAt } from '../../../src/core/stability/stability';
import { stabilityReport } from '../../../src/core/stability/stabilityReport';
import { lookUpModel } from '../../../src/core/tokens/modelTable';
import { assertLinear } from '../../fixtures/linearWork';
import { HandMade, measuresOf, toColumns } from '../session/handMade';

const model = 'claude-opus-4-5';
const row = lookUpModel(model);
const models = row === undefined ? [] : [{ id: model, row }];

interface Turn {
  /** Labels of the context's blocks; `state:` and `system:` give a block's place. */
  readonly blocks: readonly string[];
  readonly breakpoints?: readonly number[];
  readonly model?: string;
}

/**
 * A thread whose requests have separate contexts. Blocks with the same label have the same content, each of `size`
 * tokens.
 */
function threadOf(turns: readonly Turn[], size = 5000): SessionColumns {
  const made = new HandMade();
  turns.forEach(({ blocks, breakpoints, model: own = model }, index) => {
    made.builder.contexts.push(
      blocks.map(label =>
        label.startsWith('system:')
          ? made.block({
              label,
              role: 'system',
              kind: 'systemPrompt',
              provenance: 'system',
              partition: 'system',
            })
          : made.block({
              label,
              ...(label.startsWith('state:') ? { kind: 'injected', partition: 'state' } : {}),
            }),
      ),
    );
    made.request(index, blocks.length, {
      model: own,
      timestamp: index * 60_000,
      complete: true,
      usage: { input: blocks.length * size, cacheRead: 0, cacheWrite: 0, output: 1 },
      ...(breakpoints === undefined ? {} : { breakpoints }),
    });
  });
  const transcript = made.build();
  return toColumns(
    transcript,
    measuresOf(transcript, () => size),
  );
}

describe('stabilityAt', () => {
  it('scores spans by the content seen most often', () => {
    const columns = threadOf([
      { blocks: ['a', 'time 1'] },
      { blocks: ['a', 'time 2', 'b'] },
      { blocks: ['a', 'time 2', 'b', 'c'] },
      { blocks: ['a', 'time 3', 'x'] },
    ]);
    const { spans, observed, stablePrefixBlocks } = stabilityAt(columns, 3);
    assert.deepEqual(observed, [0, 1, 2, 3]);
    assert.deepEqual(
      spans.map(({ spanId, score, class: kind, present, confidence }) => [
        spanId,
        score,
        kind,
        present,
        confidence,
      ]),
      [
        // 4 of 4; 2 of 4 (time 2); 2 of 4 (b), present in 3; 1 of 4. Confidence is present / 20.
        ['user-0', 1, 'stable', 4, 0.2],
        ['user-1', 0.5, 'semi_stable', 4, 0.2],
        ['user-2', 0.5, 'semi_stable', 3, 0.15],
        ['user-3', 0.25, 'variable', 1, 0.05],
      ],
    );
    // Three of four would have to agree (more than half, and 95 % rounded up: four).
    assert.equal(stablePrefixBlocks, 1);
  });

  it('needs a dominant share, and more than half', () => {
    // ceil(0.95 n), at least floor(n / 2) + 1, at most n.
    assert.deepEqual([1, 2, 3, 19, 20, 40, 100].map(requiredObservations), [1, 2, 3, 19, 19, 38, 95]);
  });

  it('lets two observations agree both or not at all', () => {
    assert.equal(
      stabilityAt(threadOf([{ blocks: ['a', 'b'] }, { blocks: ['a', 'c'] }]), 1).stablePrefixBlocks,
      1,
    );
    assert.equal(stabilityAt(threadOf([{ blocks: ['a'] }, { blocks: ['b'] }]), 1).stablePrefixBlocks, 0);
  });

  it('outlives one of twenty that differs', () => {
    const turns = Array.from({ length: 20 }, (_, index) => ({ blocks: [index === 7 ? 'odd' : 'a', 'b'] }));
    const { stablePrefixBlocks, spans } = stabilityAt(threadOf(turns), 19);
    // 19 of 20 agree on both blocks: 95 %.
    assert.equal(stablePrefixBlocks, 2);
    assert.deepEqual(
      spans.map(({ score, class: kind }) => [score, kind]),
      [
        [0.95, 'stable'],
        [1, 'stable'],
      ],
    );
  });

  it('looks at the last hundred requests of the same model, up to the one in question', () => {
    const turns = Array.from({ length: 130 }, (_, index) => ({
      blocks: [index < 40 ? 'old' : 'new'],
      ...(index === 125 ? { model: 'claude-haiku-4-5' } : {}),
    }));
    const columns = threadOf(turns);
    const { observed, spans } = stabilityAt(columns, 129);
    // 100 requests without number 125 begin at 29: eleven of them are old.
    assert.deepEqual([observed.length, observed[0], spans[0]?.score], [100, 29, 0.89]);
    assert.deepEqual(stabilityAt(columns, 125).observed, [125]);
  });

  it('takes time linear in the length of one growing context', async () => {
    const growing = (size: number): SessionColumns => {
      const made = new HandMade();
      made.builder.contexts.push(Array.from({ length: size }, (_, index) => made.prompt(`block ${index}`)));
      for (let request = 0; request < size; request += 1) {
        made.request(0, request + 1, { model });
      }
      const transcript = made.build();
      return toColumns(
        transcript,
        measuresOf(transcript, () => 1),
      );
    };
    await assertLinear(8_000, growing, columns => stabilityAt(columns, columns.requests.line.length - 1));
  });
});

describe('stabilityReport', () => {
  it('sets the plan beside the breakpoints that were used, and tells what it would have saved', () => {
    // 5,000 tokens per block. Marking the changing end writes everything and reads nothing; the plan marks the stable
    // beginning.
    const turns = Array.from({ length: 5 }, (_, index) => ({
      blocks: ['system:s', 'a', `state:now ${index}`],
      breakpoints: [2],
    }));
    const { plan, usedBreakpoints, comparison, stablePrefixTokens } = stabilityReport(
      threadOf(turns),
      models,
      4,
    );
    assert.deepEqual([usedBreakpoints, stablePrefixTokens], [[2], 10_000]);
    assert.ok(plan.ok);
    assert.deepEqual(
      plan.breakpoints.map(({ position, kind }) => [position, kind]),
      [[1, 'user']],
    );
    assert.ok(comparison);
    assert.deepEqual(
      [comparison.used, comparison.planned].map(({ cacheRead, cacheWrite, fresh }) => [
        cacheRead,
        cacheWrite,
        fresh,
      ]),
      [
        [0, 75_000, 0],
        // The first writes 10,000, the other four read them; each sends 5,000 uncached.
        [40_000, 10_000, 25_000],
      ],
    );
    assert.equal(comparison.tokensSaved, 40_000);
    // 75,000 × 6.25 − (40,000 × 0.5 + 10,000 × 6.25 + 25,000 × 5) = 468,750 − 207,500 millionths.
    assert.ok(Math.abs((comparison.dollarsSaved ?? 0) - 0.26125) < 1e-9);
  });

  it('finds rolling breakpoints no worse than they are', () => {
    // Each request adds a block and marks its end: the last one is read, one block written.
    const turns = Array.from({ length: 5 }, (_, index) => ({
      blocks: Array.from({ length: index + 1 }, (_unused, block) => `block ${block}`),
      breakpoints: [index],
    }));
    const { comparison } = stabilityReport(threadOf(turns), models, 4);
    // 5,000 + 10,000 + 15,000 + 20,000 are read.
    assert.deepEqual([comparison?.used.cacheRead, comparison?.used.cacheWrite], [50_000, 25_000]);
    assert.ok((comparison?.tokensSaved ?? 1) <= 0);
  });

  it('compares nothing where breakpoints are not on record or prices are not known', () => {
    const columns = threadOf(Array.from({ length: 5 }, () => ({ blocks: ['a'] })));
    assert.equal(stabilityReport(columns, models, 4).comparison, undefined);
    assert.deepEqual(stabilityReport(columns, [], 4).plan, { ok: false, reason: 'noBreakpoints' });
  });
});

describe('idealLayout', () => {
  const layoutOf = (turns: readonly Turn[]) => {
    const columns = threadOf(turns);
    return idealLayout(columns, models, stabilityAt(columns, turns.length - 1));
  };

  it('keeps frozen what stands behind a changing state block', () => {
    const layout = layoutOf([
      { blocks: ['system:s', 'state:now 1', 'a'] },
      { blocks: ['system:s', 'state:now 2', 'a', 'b'] },
    ]);
    assert.deepEqual(layout.early, [
      { position: 1, block: 4, tokens: 5000, reason: 'state', tokensBehind: 10_000 },
    ]);
    // As sent only the system block is shared; with the state last the system block and a.
    assert.deepEqual([layout.frozen, layout.frozenStateLast, layout.frozenFourSlots], [5000, 10_000, 10_000]);
    // 5,000 tokens × (6.25 − 0.5) millionths.
    assert.ok(Math.abs((layout.dollarsSaved ?? 0) - 0.02875) < 1e-9);
  });

  it('finds a changing block wherever it belongs', () => {
    const layout = layoutOf([
      { blocks: ['system:1', 'a'] },
      { blocks: ['system:2', 'a'] },
      { blocks: ['system:3', 'a', 'b'] },
    ]);
    assert.deepEqual(
      layout.early.map(({ position, reason, tokensBehind }) => [position, reason, tokensBehind]),
      [[0, 'changing', 10_000]],
    );
    assert.deepEqual([layout.frozen, layout.frozenStateLast], [0, 5000]);
  });

  it('tells a loss where the state blocks stay as they are', () => {
    const layout = layoutOf([{ blocks: ['state:x', 'a'] }, { blocks: ['state:x', 'a', 'b'] }]);
    assert.deepEqual([layout.frozen, layout.frozenStateLast], [10_000, 5000]);
    assert.ok((layout.dollarsSaved ?? 1) < 0);
  });

  it('has nothing to compare the first request with', () => {
    const layout = layoutOf([{ blocks: ['a'] }]);
    assert.deepEqual([layout.previous, layout.frozen, layout.dollarsSaved], [undefined, 0, undefined]);
  });
});
