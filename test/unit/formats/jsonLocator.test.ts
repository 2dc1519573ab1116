import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLocator } from '../../../src/core/reading/jsonLocator';
import { assertLinear } from '../../fixtures/linearWork';

describe('createLocator', () => {
  const text = '{\n  "naïve": ["é", {"😀": "b😀"}],\r\n  "last": 12\n}\n';

  it('gives line and bytes of a value', () => {
    const bytes = Buffer.from(text);
    const locate = createLocator(text);
    const textAt = (path: (string | number)[]): string => {
      const { offset, length } = locate(path);
      return bytes.subarray(offset, offset + length).toString();
    };
    assert.equal(textAt(['naïve', 0]), '"é"');
    assert.equal(textAt(['naïve', 1, '😀']), '"b😀"');
    assert.equal(textAt(['last']), '12');
    assert.equal(textAt([]), text.trimEnd());
    assert.equal(locate(['last']).line, 3);
    assert.equal(locate(['naïve', 1]).line, 2);
  });

  it('gives the part around a path that leads nowhere', () => {
    const locate = createLocator(text);
    assert.deepEqual(locate(['naïve', 7]), locate(['naïve']));
    assert.deepEqual(locate(['missing', 'deep']), locate([]));
  });

  it('adds the place where the text begins in its file', () => {
    assert.deepEqual(createLocator('[1]', { line: 4, offset: 3 })([0]), { line: 4, offset: 4, length: 1 });
  });

  it('survives text that is no JSON', () => {
    assert.deepEqual(createLocator('')([0]), { line: 1, offset: 0, length: 0 });
  });

  it('is right across the strides of a long text, with a pair on every edge', () => {
    for (const shift of ['', 'x']) {
      const long = JSON.stringify([shift + '😀'.repeat(3000), 'end']);
      const { offset, length } = createLocator(long)([1]);
      assert.equal(
        Buffer.from(long)
          .subarray(offset, offset + length)
          .toString(),
        '"end"',
      );
    }
  });

  it('answers ten thousand questions on five megabytes without reading it again', async () => {
    const documentOf = (count: number): string =>
      JSON.stringify({
        messages: Array.from({ length: count }, (_, index) => ({
          role: 'user',
          content: `${index} `.repeat(90),
        })),
      });
    await assertLinear(
      10_000,
      count => ({ count, big: documentOf(count) }),
      ({ count, big }) => {
        const locate = createLocator(big);
        const places = Array.from({ length: count }, (_, index) => locate(['messages', index, 'content']));
        const last = places.at(-1);
        assert.equal(last && last.offset + last.length, big.length - '}]}'.length);
      },
    );
  });
});
