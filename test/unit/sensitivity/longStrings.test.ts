import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutLongStrings } from '../../../src/core/sensitivity/longStrings';

const longest = 40;
const words = 'words, 中文 and "more" \\ 😀\n'.repeat(3);

describe('the long strings of a JSON text', () => {
  it('are taken out as what they say, and all else stays as it is written', () => {
    for (const written of [
      JSON.stringify(words),
      JSON.stringify(JSON.stringify({ words })),
      escaped(words),
    ]) {
      const says: unknown = JSON.parse(written);
      assert.deepEqual(withoutLongStrings(`{"a": "short", "b":${written},"c":[1, ${written}]}`, longest), {
        rest: '{"a": "short", "b":"","c":[1, ""]}',
        strings: [says, says],
      });
    }
  });

  it('are those with more units than the longest that stays, quotes and escapes counted', () => {
    const lengthOf = (text: string): number => withoutLongStrings(`[${text},"a","b","c"]`, 40).strings.length;
    assert.deepEqual(
      [38, 39].map(length => lengthOf(`"${'x'.repeat(length)}"`)),
      [0, 1],
    );
    assert.deepEqual(
      [6, 7].map(length => lengthOf(escaped('x'.repeat(length)))),
      [0, 1],
    );
  });

  it('leave a text as it is if a string is not closed or is not valid JSON', () => {
    const filler = 'words '.repeat(10);
    for (const text of [`{"text":"${filler}`, `{"text":"${filler}\\x41"}`, `{"text":"${filler}\u0001"}`]) {
      assert.deepEqual(withoutLongStrings(text, longest), { rest: text, strings: [] });
    }
  });
});

/** A JSON string with every character written by its number. */
function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return `"${units.map(unit => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
}
