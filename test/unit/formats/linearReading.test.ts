import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TranscriptBuilder } from '../../../src/core/content/transcriptBuilder';
import { cline } from '../../../src/core/formats/cline/cline';
import { growthOfTime, linearGrowth } from '../../fixtures/growth';

const range = { line: 1, offset: 0, length: 0 };

describe('the time that reading takes grows with the session alone', () => {
  it('Roo Code with a summary of everything', () => {
    const growth = growthOfTime(count => {
      const value = [
        ...Array.from({ length: count - 1 }, (_, index) => ({
          role: index % 2 === 0 ? 'user' : 'assistant',
          ts: index,
          content: `${index}`,
          condenseParent: 'c',
        })),
        { role: 'user', ts: count, content: 'The story so far', isSummary: true, condenseId: 'c' },
      ];
      const builder = new TranscriptBuilder();
      cline.read({ value, range }, () => range, builder);
      assert.equal(builder.blocks.length, count);
    }, 1_500);
    assert.ok(growth < linearGrowth, `${growth}`);
  });
});
