import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { base64Texts, type DecodedText, writtenTexts } from '../../../src/core/sensitivity/encodedText';

/** The decoded texts, and the encoded text of each. */
function told(text: string, found: Iterable<DecodedText>): readonly (readonly [string, string])[] {
  return Array.from(found, ({ text: decoded, rangeOf }) => {
    const { start, end } = rangeOf({ start: 0, end: decoded.length });
    return [decoded, text.slice(start, end)];
  });
}

const encoded = (text: string, encoding: BufferEncoding = 'base64'): string =>
  Buffer.from(text, 'latin1').toString(encoding);

describe('a text in base64', () => {
  const sentence = 'The password of the shop is Maple!2041abc.';
  const decoded = (text: string, ...runs: readonly number[]) => told(text, base64Texts(text, runs));

  it('is decoded with its end marks, in both alphabets', () => {
    for (const text of [sentence, `${sentence}.`, `${sentence}..`, 'Are you sure?????>>>>> Yes, I am.']) {
      const base64 = encoded(text);
      assert.deepEqual(decoded(`data:${base64};`, 5), [[text, base64]]);
      const url = encoded(text, 'base64url');
      assert.deepEqual(decoded(`data:${url};`, 5), [[text, url]]);
    }
    const last = encoded(sentence);
    assert.deepEqual(decoded(last, 0), [[sentence, last]]);
    assert.deepEqual(decoded(`\\n${last}`, 1), [[sentence, last]]);
    assert.deepEqual(decoded(last), []);
  });

  it('is none with control characters, or with other bytes at its beginning', () => {
    const withCharacter = (character: string, place: number): number =>
      decoded(encoded(`${'a'.repeat(place)}${character}${'b'.repeat(60)}`), 0).length;
    assert.deepEqual(
      ['\0', '\x08', '\t', '\n', '\x0b', '\r', '\x1f', ' ', '~', '\x7f'].map(each => withCharacter(each, 20)),
      [0, 0, 1, 1, 0, 1, 0, 1, 1, 0],
    );
    assert.deepEqual(
      [0, 11, 12, 40].map(place => withCharacter('\xe9', place)),
      [0, 0, 1, 1],
    );
  });

  it('is joined from long lines of whole groups', () => {
    const text = `${'0123456789'.repeat(11)} and the password.`;
    const lines = (width: number): readonly string[] =>
      encoded(text).match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
    for (const lineBreak of ['\n', '\r\n', '\\n', '\\\\n']) {
      const whole = lines(76).join(lineBreak);
      assert.deepEqual(decoded(`${whole} more`, 0), [[text, whole]], JSON.stringify(lineBreak));
      // The later lines are starts of runs too, which have been read.
      assert.equal(decoded(whole, 0, 76 + lineBreak.length).length, 1);
    }
    const first = (width: number): string | undefined => decoded(lines(width).join('\n'), 0)[0]?.[1];
    assert.equal(first(60), lines(60).join('\n'));
    assert.equal(first(56), lines(56)[0]);
    assert.equal(first(66), lines(66)[0]);
    // A break is one line end, and what follows must be text.
    assert.equal(decoded(lines(76).join('\n\n'), 0)[0]?.[1], lines(76)[0]);
    const [line = ''] = lines(76);
    assert.equal(decoded(`${line}\nabc`, 0)[0]?.[1], line);
    assert.equal(decoded(`${line}\n${encoded('\0'.repeat(30))}`, 0)[0]?.[1], line);
  });
});

describe('a text with characters written by their number', () => {
  const decoded = (text: string, ...places: readonly number[]) => told(text, writtenTexts(text, places));

  it('is decoded up to the next blanks', () => {
    assert.deepEqual(decoded('see a%22b%3Dc d', 5), [['a"b=c', 'a%22b%3Dc']]);
    assert.deepEqual(decoded('x &quot;A&#39;B&lt;&#x3e;&amp;&apos;&gt; y', 2), [
      [`"A'B<>&'>`, '&quot;A&#39;B&lt;&#x3e;&amp;&apos;&gt;'],
    ]);
    assert.deepEqual(decoded(String.raw`{\u0022A\x3D\\\u0062}`, 1), [
      ['{"A=b}', String.raw`{\u0022A\x3D\\\u0062}`],
    ]);
    // Numbers of control characters, and those above ASCII, stay as they are.
    assert.deepEqual(decoded('a%22%0A%C3', 1), [['a"%0A%C3', 'a%22%0A%C3']]);
    assert.deepEqual(decoded('nothing here', 3), []);
    assert.deepEqual(decoded('a%22b'), []);
  });

  it('has the places of each part', () => {
    const text = '- a%22b%3Dc';
    const [found = assert.fail()] = writtenTexts(text, [3]);
    const placeOf = (start: number, end: number): string => {
      const range = found.rangeOf({ start, end });
      return text.slice(range.start, range.end);
    };
    assert.equal(found.text, 'a"b=c');
    assert.deepEqual(
      [placeOf(0, 1), placeOf(1, 2), placeOf(2, 3), placeOf(1, 4), placeOf(4, 5)],
      ['a', '%22', 'b', '%22b%3D', 'c'],
    );
  });

  it('is decoded once, and its parts one after the other', () => {
    const text = 'a%22b c d%22e%22 f%22';
    assert.deepEqual(decoded(text, 1, 9, 13, 18), [
      ['a"b', 'a%22b'],
      ['d"e"', 'd%22e%22'],
      ['f"', 'f%22'],
    ]);
  });
});
