import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textKindOf } from '../../../src/core/content/textKind';
import { textKinds } from '../../../src/core/model/textKind';

const kindOf = (text: string): string | undefined => textKinds[textKindOf(text)];

describe('the kind of a text', () => {
  it('is told by the shares of its characters', () => {
    assert.equal(kindOf('The quick brown fox, as they say, jumps.'), 'prose');
    assert.equal(kindOf('if (a < b) { return c(); } else { d = e; }'), 'code');
    assert.equal(kindOf('[1, 22, 333, {"a": 4}]'), 'data');
    assert.equal(kindOf('Привет, мир'), 'otherScript');
  });

  it('is another from a share on', () => {
    const mixed = (marks: string, count: number): string => marks.repeat(count) + 'a'.repeat(100 - count);
    // More than 12 of 100 foreign letters, more than 20 digits, at least 93 letters.
    assert.deepEqual([mixed('я', 12), mixed('я', 13)].map(kindOf), ['code', 'otherScript']);
    assert.deepEqual([mixed('7', 20), mixed('7', 21)].map(kindOf), ['code', 'data']);
    assert.deepEqual([mixed('#', 7), mixed('#', 8)].map(kindOf), ['prose', 'code']);
    assert.equal(kindOf(''), 'prose');
  });

  it('of a long text is that of its beginning, its middle and its end', () => {
    const around = (middle: string): string =>
      `${'a'.repeat(64)}${'7'.repeat(300)}${middle}${'7'.repeat(300)}${'a'.repeat(64)}`;
    assert.equal(kindOf(around('a'.repeat(64))), 'prose');
    // 39 of 192 are more than a fifth, 38 are not.
    assert.equal(kindOf(around(`${'7'.repeat(39)}${'a'.repeat(25)}`)), 'data');
    assert.equal(kindOf(around(`${'7'.repeat(38)}${'a'.repeat(26)}`)), 'code');
    // Up to 192, all of it counts.
    assert.equal(kindOf(`${'a'.repeat(70)}${'7'.repeat(45)}${'a'.repeat(77)}`), 'data');
  });
});
