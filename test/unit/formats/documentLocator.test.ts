import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isArray, isObject, valueAt, type ValuePath } from '../../../src/core/base/json';
import { createDocumentLocator } from '../../../src/core/reading/documentLocator';
import { assertLinear } from '../../fixtures/linearWork';

const start = { line: 1, offset: 0 };
const encoder = new TextEncoder();

function locatorOf(text: string): ReturnType<typeof createDocumentLocator> {
  return createDocumentLocator(encoder.encode(text), start);
}

/** The paths of all parts of a value. */
function pathsOf(value: unknown, path: ValuePath = []): readonly ValuePath[] {
  const inner = isArray(value)
    ? value.flatMap((item, index) => pathsOf(item, [...path, index]))
    : isObject(value)
      ? Object.entries(value).flatMap(([name, item]) => pathsOf(item, [...path, name]))
      : [];
  return [path, ...inner];
}

describe('the places in a document', () => {
  const text = '{\n  "naïve": ["é", {"😀": "b😀"}],\r\n  "last": 12\n}\n';

  it('are lines and bytes', () => {
    const locate = locatorOf(text);
    // {⏎ is 2 bytes, two spaces 2, "naïve" 8, colon and space 2: the list begins at byte 14.
    assert.deepEqual(locate(['naïve']), { line: 2, offset: 14, length: 25 });
    assert.deepEqual(locate(['naïve', 0]), { line: 2, offset: 15, length: 4 });
    assert.equal(locate(['last']).line, 3);
    assert.equal(locate(['last']).length, 2);
    assert.deepEqual(locate([]), { line: 1, offset: 0, length: encoder.encode(text.trimEnd()).length });
  });

  it('are those of the part around a path that leads nowhere', () => {
    const locate = locatorOf(text);
    for (const path of [
      ['naïve', 7],
      ['naïve', 'x'],
      ['naïve', 0, 'x'],
    ]) {
      assert.deepEqual(locate(path), locate(path.slice(0, -1)));
    }
    assert.deepEqual(locate(['missing', 'deep']), locate([]));
    assert.deepEqual(locate([0]), locate([]));
  });

  it('count from where the document begins in its file', () => {
    const locate = createDocumentLocator(encoder.encode('[1]'), { line: 4, offset: 3 });
    assert.deepEqual(locate([0]), { line: 4, offset: 4, length: 1 });
  });

  it('hold what a parser finds, however it is written', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(0, 1, 3), (json, indent) => {
        const value: unknown = JSON.parse(json);
        const written = indent === 0 ? json : JSON.stringify(value, null, indent);
        const bytes = encoder.encode(written);
        const locate = locatorOf(written);
        for (const path of pathsOf(value)) {
          const { offset, length, line } = locate(path);
          const found: unknown = JSON.parse(
            new TextDecoder().decode(bytes.subarray(offset, offset + length)),
          );
          assert.deepEqual(found, valueAt(value, path));
          const before = new TextDecoder().decode(bytes.subarray(0, offset));
          assert.equal(line, before.split('\n').length);
        }
      }),
      { numRuns: 300 },
    );
  });

  it('tell escaped names, long strings with quotes in them and repeated names', () => {
    const long = JSON.stringify(`${'x'.repeat(60)}"${'\\'.repeat(5)}"${'y'.repeat(60)}\\`);
    const written = `{"a\\"b\\u00e9": [${long}, 1], "twice": 1, "twice": [2]}`;
    const locate = locatorOf(written);
    const at = (path: ValuePath): string => {
      const { offset, length } = locate(path);
      return written.slice(offset, offset + length);
    };
    assert.equal(at(['a"bé', 0]), long);
    assert.equal(at(['a"bé', 1]), '1');
    assert.equal(at(['twice', 0]), '2');
  });

  it('are found ten thousand times in five megabytes without reading them again', async () => {
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
        const locate = locatorOf(big);
        const places = Array.from({ length: count }, (_, index) => locate(['messages', index, 'content']));
        const last = places.at(-1);
        assert.equal(last && last.offset + last.length, big.length - '}]}'.length);
      },
    );
  });
});
