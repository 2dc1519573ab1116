import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TextTable } from '../../../src/core/model/textTable';
import { VisibleTexts } from '../../../src/core/model/visibleTexts';
import { PackedTexts, PatchedTexts } from '../../../src/protocol/packedTexts';

/** Units of one, two and three bytes, a surrogate pair, and lone surrogates. */
const texts = ['read', 'Käse', 'cut…', '👋', 'half \ud83d', '\udc4b half', '', '\0', 'a'.repeat(10_000)];

describe('a table of texts', () => {
  it('keeps every text as it is, once, and says 0 for none', () => {
    const table = new TextTable();
    const numbers = texts.map(text => table.add(text));
    assert.deepEqual(numbers, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert.deepEqual(
      texts.map(text => table.add(text)),
      numbers,
    );
    assert.deepEqual([...table], ['', ...texts]);
    assert.deepEqual(
      [table.length, table.add(undefined), table.at(-1), table.at(10)],
      [10, 0, undefined, undefined],
    );
  });

  it('finds texts among very many', () => {
    const table = new TextTable();
    const numbers = Array.from({ length: 5_000 }, (_, index) => table.add(`text ${index * 7}`));
    numbers.forEach((number, index) => assert.equal(table.add(`text ${index * 7}`), number));
    assert.equal(table.at(numbers[4_321] ?? 0), 'text 30247');
    assert.equal(table.length, 5_001);
  });
});

describe('texts that are shown', () => {
  it('are those that were marked, as far as there were any then', () => {
    const table = new TextTable();
    const [shown, hidden] = [table.add('shown'), table.add('a secret')];
    const list = new VisibleTexts(table, Uint8Array.of(0, 1, 0));
    table.add('later');
    assert.deepEqual([...list], ['', 'shown', '']);
    assert.deepEqual([list.at(shown), list.at(hidden), list.at(3)], ['shown', '', undefined]);
    const other = new VisibleTexts(table, Uint8Array.of(0, 1, 1, 1));
    assert.deepEqual([other.changedSince(list), list.changedSince(other)], [[2], [2, 3]]);
    assert.deepEqual(list.changedSince(['', 'other', '']), [1]);
  });
});

describe('packed texts', () => {
  it('are read from their bytes, and patched', () => {
    // 'é' is U+00E9: two bytes, 0xC3 and 0xA9.
    const packed = new PackedTexts(Uint32Array.of(0, 2, 4), Uint8Array.of(0x61, 0x62, 0xc3, 0xa9));
    assert.deepEqual([...packed, packed.at(3), packed.at(-1)], ['', 'ab', 'é', undefined, undefined]);
    const once = new PatchedTexts(packed, ['new'], [{ index: 1, text: 'masked' }]);
    const twice = new PatchedTexts(once, ['newer'], [{ index: 3, text: '' }]);
    assert.deepEqual([...once], ['', 'masked', 'é', 'new']);
    assert.deepEqual([...twice], ['', 'masked', 'é', '', 'newer']);
    assert.deepEqual([twice.length, twice.at(5)], [5, undefined]);
  });
});
