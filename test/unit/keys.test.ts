import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { keyPlaces, keyRows, keyWords, writtenKeysOf } from '../../webview/state/keyTable';

/** The table of keys in docs/keys.md. */
function keyTable(): string {
  const rows = keyPlaces.flatMap(place =>
    Object.values(keyRows)
      .filter(row => row.place === place)
      .map((row, index) => {
        const keys = writtenKeysOf(row).map(key => `\`${key}\``);
        return `| ${index === 0 ? keyWords.places[place] : ''} | ${keys.join(' ')} | ${row.does} |`;
      }),
  );
  return ['| Where | Key | |', '|---|---|---|', ...rows].join('\n');
}

describe('the keys of the page', () => {
  it('are listed in docs/keys.md as in their table', () => {
    assert.ok(readFileSync('docs/keys.md', 'utf8').includes(`\n${keyTable()}\n`), keyTable());
  });

  it('have one meaning each in one place, and none of a part hides one of the page but on purpose', () => {
    const meanings = Object.values(keyRows).flatMap(({ place, keys }) => keys.map(key => `${place} ${key}`));
    assert.deepEqual(meanings, [...new Set(meanings)]);
    const ofPage = new Set<string>(
      Object.values(keyRows).flatMap(({ place, keys }) => (place === 'page' ? keys : [])),
    );
    const hidden = Object.values(keyRows).flatMap(({ place, keys }) =>
      place === 'page' ? [] : keys.filter(key => ofPage.has(key)),
    );
    // Escape leaves the innermost thing first: a range before the details.
    assert.deepEqual(hidden, ['Escape']);
  });
});
