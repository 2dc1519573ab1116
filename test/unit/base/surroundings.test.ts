import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { surroundings } from '../../../src/core/base/surroundings';
import { contextOf } from '../../../src/core/index/textContext';

const shown = (text: string, word: string, before: number, after: number): string => {
  const start = text.indexOf(word);
  return text.slice(...surroundings(text, { start, end: start + word.length }, { before, after }));
};

describe('the text around a hit', () => {
  it('begins and ends at whole words', () => {
    const text = "Merge branch 'main' into the storage of persistent strings";
    assert.equal(shown(text, 'into', 12, 12), "'main' into the storage");
    assert.equal(shown(text, 'storage', 6, 6), 'the storage of');
    assert.equal(shown(text, 'Merge', 60, 100), text);
  });

  it('prefers spaces to other ends of words', () => {
    assert.equal(shown('We don’t know-it at all', 'at', 10, 9), 'know-it at all');
    assert.equal(shown('read /usr/local/share/doc/index', 'doc', 8, 0), '/share/doc');
  });

  it('begins at the hit rather than within the word before it', () => {
    assert.equal(shown('internationalisation hit standardisation', 'hit', 10, 10).trim(), 'hit');
  });

  it('of a hit in all sessions has a sign where it was cut, at a whole word', () => {
    const words = `${'harbour '.repeat(20)}quay ${'lighthouse '.repeat(20)}`;
    const start = words.indexOf('quay');
    const { before, hit, after } = contextOf(words, { start, end: start + 4 }, []);
    assert.match(before, /^…(harbour ){2,}$/);
    assert.equal(hit, 'quay');
    assert.match(after, /^( lighthouse){2,}…$/);
    const whole = contextOf('at the quay', { start: 7, end: 11 }, []);
    assert.deepEqual(whole, { before: 'at the ', hit: 'quay', after: '' });
  });

  it('parts writing without spaces, but no character', () => {
    assert.equal(shown('打开完整链接', '完整', 1, 1), '开完整链');
    assert.equal(shown('😀😀hit😀😀', 'hit', 1, 1), 'hit');
    assert.equal(shown('😀😀hit😀😀', 'hit', 2, 2), '😀hit😀');
  });
});
