import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BreakdownNode } from '../../../src/core/breakdown/breakdown';
import type { BreakdownKind } from '../../../src/core/breakdown/breakdownKinds';
import { contextPicture, readPicture } from '../../../src/core/contextTools/contextPicture';

function node(
  kind: BreakdownKind,
  name: string,
  tokens: number,
  children: readonly BreakdownNode[] = [],
): BreakdownNode {
  return { name, kind, tokens, carried: { cached: 0, fresh: 0 }, money: tokens / 100, blocks: 1, children };
}

const tree = node('all', 'All', 100_000, [
  node('files', 'Files', 60_000, [
    node('folder', 'src', 60_000, [
      node('file', 'a.ts', 59_970, [node('block', 'a reading', 59_970)]),
      ...Array.from({ length: 3 }, (_, index) => node('file', `${index}.ts`, 10)),
    ]),
  ]),
  node('shell', 'Shell', 40_000, [node('program', 'git', 40_000, [node('command', 'git log', 40_000)])]),
]);

describe('the picture of a context', () => {
  it('has the parts of the breakdown, and its small parts as one', () => {
    const { parts } = contextPicture(tree, 'tokens', ['Tokens']);
    assert.deepEqual(
      parts.map(({ name, value, source, parent }) => [name, value, source, parent]),
      [
        ['All', 100_000, 'tools', -1],
        ['Files', 60_000, 'files', 0],
        ['src', 60_000, 'files', 1],
        ['a.ts', 59_970, 'files', 2],
        ['3 smaller', 30, 'files', 2],
        ['Shell', 40_000, 'shell', 0],
        ['git', 40_000, 'shell', 5],
        ['git log', 40_000, 'shell', 6],
      ],
    );
    parts.forEach(({ name, value }, index) => {
      const below = parts.filter(({ parent }) => parent === index);
      assert.ok(below.length === 0 || below.reduce((sum, each) => sum + each.value, 0) === value, name);
    });
    assert.deepEqual(
      contextPicture(tree, 'money', [])
        .parts.map(({ figure, share }) => `${figure} ${share}`)
        .slice(0, 2),
      ['$1,000.00 100 %', '$600.00 60 %'],
    );
  });

  it('is read from a message only if it is whole', () => {
    const picture = contextPicture(tree, 'tokens', ['Tokens']);
    assert.deepEqual(readPicture(JSON.parse(JSON.stringify(picture))), picture);
    const [first, ...others] = picture.parts;
    for (const parts of [
      [{ ...first, parent: 0 }, ...others],
      [{ ...first, value: -1 }, ...others],
      [{ ...first, source: 'constructor' }],
      [{ ...first, name: { toString: 1 } }],
    ]) {
      assert.equal(readPicture({ heading: [], parts }), undefined);
    }
    assert.equal(readPicture(undefined), undefined);
  });
});
