import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tabTitles } from '../../../src/host/editor/tabTitle';

const one = { uri: 'file:///a/one.jsonl', fileName: 'one.jsonl' };
const two = { uri: 'file:///b/two.jsonl', fileName: 'two.jsonl' };

test('names a tab as the session, and leaves sessions without a title to VS Code', () => {
  assert.deepEqual(
    tabTitles([
      { ...one, title: 'Mend the\n  price' },
      { ...two, title: 'two.jsonl' },
      { ...two, title: undefined },
    ]),
    ['Mend the price', undefined, undefined],
  );
});

test('adds the name of the file to a title that two sessions share', () => {
  assert.deepEqual(
    tabTitles([
      { ...one, title: 'Mend the price' },
      { ...two, title: 'Mend the price' },
    ]),
    ['Mend the price · one.jsonl', 'Mend the price · two.jsonl'],
  );
  const split = { ...one, title: 'Mend the price' };
  assert.deepEqual(tabTitles([split, split]), ['Mend the price', 'Mend the price']);
});

test('cuts a long title, and compares titles as they are shown', () => {
  const long = `Mend the price ${'of everything '.repeat(9)}`;
  const [first, second] = tabTitles([
    { ...one, title: `${long} now` },
    { ...two, title: `${long} later` },
  ]);
  assert.equal(first, 'Mend the price of everything of everyth… · one.jsonl');
  assert.equal(second, 'Mend the price of everything of everyth… · two.jsonl');
});

test('makes no icon of a title, and names what is masked', () => {
  assert.equal(tabTitles([{ ...one, title: 'Why $(bug)?' }])[0], 'Why $\u2060(bug)?');
});
