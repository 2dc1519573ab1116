import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { CarriedSums } from '../../../src/core/view/totals/carriedSums';
import { chapterAt, compactsAt, timelineEvents } from '../../../src/core/view/timelineEvents';
import { type MadeBlock, makeColumns } from '../../webview/sessionBuilder';

describe('the tokens of the prefixes of a context', () => {
  it('are those of the blocks that a request carries', () => {
    const block = fc.record({ tokens: fc.nat(50), left: fc.integer({ min: -1, max: 6 }) });
    fc.assert(
      fc.property(fc.array(block, { maxLength: 12 }), fc.nat(7), (blocks, request) => {
        // The context has the blocks in the opposite order of their numbers.
        const context = [...blocks.keys()].reverse();
        const sums = new CarriedSums(
          context,
          Uint32Array.from(blocks, ({ tokens }) => tokens),
          Int32Array.from(blocks, ({ left }) => left),
        );
        const carried = context.map(number => {
          const { tokens = 0, left = -1 } = blocks[number] ?? {};
          return left < 0 || request < left ? tokens : 0;
        });
        const all = sums.all(blocks.length, request);
        for (let length = 0; length <= blocks.length; length += 1) {
          const expected = carried.slice(0, length).reduce((sum, tokens) => sum + tokens, 0);
          assert.equal(sums.at(length, request), expected);
          assert.equal(all[length], expected);
        }
      }),
      { numRuns: 400 },
    );
  });
});

describe('the events of a conversation', () => {
  it('are its questions, and the highest label that each request added', () => {
    const prompt = (sensitivity: MadeBlock['sensitivity'] = 'public'): MadeBlock => ({
      kind: 'prompt',
      label: '',
      tokens: 1,
      sensitivity,
    });
    const blocks: readonly MadeBlock[] = [
      prompt('private'),
      prompt(),
      { kind: 'assistant', label: '', tokens: 1, sensitivity: 'restricted' },
      prompt('restricted'),
      prompt('private'),
      prompt('restricted'),
    ];
    const requests = [{ length: 2 }, { length: 3 }, { context: 1, length: 1, thread: 1 }, { length: 4 }];
    const columns = makeColumns(blocks, [[0, 1, 2, 4], [3]], requests);
    const events = timelineEvents(columns, Uint32Array.of(0, 1, 3));
    assert.deepEqual(events.chapters, [
      { slot: 0, block: 0 },
      { slot: 2, block: 4 },
    ]);
    assert.deepEqual([...events.sensitivity], [1, 2, 1]);
    assert.deepEqual([...timelineEvents(columns, Uint32Array.of(2)).sensitivity], [2]);
  });

  it('have the chapter of each request', () => {
    const chapters = [2, 5, 6].map(slot => ({ slot, block: 0 }));
    assert.deepEqual(
      [0, 1, 2, 4, 5, 6, 99].map(slot => chapterAt(chapters, slot)),
      [-1, -1, 0, 0, 1, 2, 2],
    );
    assert.equal(chapterAt([], 3), -1);
  });

  it('show where the agent compacts by itself', () => {
    const compaction = (tokensBefore: number, trigger = 'auto', kind = 'compaction') => ({
      kind,
      trigger,
      tokensBefore,
    });
    assert.equal(compactsAt([compaction(90), compaction(120), compaction(100)]), 120);
    assert.equal(
      compactsAt([compaction(90), compaction(120, 'manual'), compaction(130, 'auto', 'clearing')]),
      90,
    );
    assert.equal(compactsAt([compaction(120, 'manual'), { kind: 'compaction', trigger: 'auto' }]), undefined);
  });
});
