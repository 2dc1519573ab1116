import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TranscriptBuilder } from '../../../src/core/content/transcriptBuilder';
import { cline } from '../../../src/core/formats/cline/cline';
import { assertLinear } from '../../fixtures/linearWork';

const range = { line: 1, offset: 0, length: 0 };

describe('the time that reading takes grows with the session alone', () => {
  it('Roo Code with a summary of everything', async () => {
    const summarised = (count: number): readonly object[] => [
      ...Array.from({ length: count - 1 }, (_, index) => ({
        role: index % 2 === 0 ? 'user' : 'assistant',
        ts: index,
        content: `${index}`,
        condenseParent: 'c',
      })),
      { role: 'user', ts: count, content: 'The story so far', isSummary: true, condenseId: 'c' },
    ];
    await assertLinear(12_000, summarised, value => {
      const builder = new TranscriptBuilder();
      cline.read({ value, range }, () => range, builder);
      assert.equal(builder.blocks.length, value.length);
    });
  });
});
