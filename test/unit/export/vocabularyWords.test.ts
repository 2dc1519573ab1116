import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadVocabularyWords } from '../../../src/core/export/twin/vocabularyWords';

describe('the words of a vocabulary', () => {
  it('have a capital where a word follows another one without a blank, so that o200k cuts them there', async () => {
    const words = await loadVocabularyWords('o200k_base');
    const inside = words.ofLength('This', '');
    assert.ok(inside.length > 100);
    assert.deepEqual(
      inside.filter(word => !/^[A-Z][A-Za-z]{2}[a-z]$/.test(word)),
      [],
    );
    assert.ok(words.ofLength('This', ' ').some(word => /^[a-z]{4}$/.test(word)));
    const other = await loadVocabularyWords('cl100k_base');
    assert.ok(other.ofLength('This', '').some(word => /^[a-z]{4}$/.test(word)));
  });
});
