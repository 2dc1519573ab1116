import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { breakdownTree, kindOfNode } from '../../../src/core/breakdown/breakdownTree';
import { pathTo } from '../../../src/core/breakdown/parts';
import {
  arrivalsIn,
  figuresIn,
  firstArrivals,
  formatMeasure,
  fullName,
  holdsBlock,
  litBlocks,
  nameOf,
  rootAt,
  selectedNode,
  selectNode,
  shownChildren,
  valuesOf,
} from '../../../webview/state/breakdown';
import type { Inspector } from '../../../webview/state/inspector';
import { notRecordedBlock } from '../../../webview/state/viewState';
import { type MadeBlock, makeColumns, makeSummary } from '../../webview/sessionBuilder';

const reading = (id: string, path: string): readonly MadeBlock[] => [
  { kind: 'toolCall', label: `Read ${path}`, tool: 'Read', callId: id, path, tokens: 5 },
  { kind: 'toolResult', label: `Read ${path}`, tool: 'Read', callId: id, path, tokens: 100 },
];

/** A prompt and readings of a.ts in the first, the second and the third request; then readings of b.ts and c.ts. */
const columns = makeColumns(
  [
    { kind: 'prompt', label: 'Look', tokens: 20 },
    ...reading('1', '/shop/src/a.ts'),
    ...reading('2', '/shop/src/a.ts'),
    ...reading('3', '/shop/src/b.ts'),
    ...reading('4', '/shop/lib/c.ts'),
  ],
  [[0, 1, 2, 3, 4, 5, 6, 7, 8]],
  [
    { length: 1, usage: { input: 50, cacheRead: 0, cacheWrite: 0 } },
    { length: 3, usage: { input: 155, cacheRead: 0, cacheWrite: 0 } },
    { length: 9, usage: { input: 470, cacheRead: 0, cacheWrite: 0 } },
  ],
);
const summary = makeSummary();
const tree = breakdownTree({ columns, summary }, 0, 'content');
const nodes = Array.from({ length: tree.count }, (_, node) => node);
const named = (name: string): number =>
  nodes.find(node => nameOf(tree, columns, node) === name) ?? assert.fail(name);
const file = named('a.ts');
const leaf = (block: number): number => nodes.find(node => tree.block[node] === block) ?? assert.fail();

describe('the breakdown of a page', () => {
  it('has names: a file with its folder, a reading with its request', () => {
    assert.equal(kindOfNode(tree, file), 'file');
    assert.equal(fullName(tree, columns, file), 'src/a.ts');
    const readings = [2, 4].map(block => nameOf(tree, columns, leaf(block)));
    assert.match(readings[0] ?? '', /2/);
    assert.match(readings[1] ?? '', /3/);
    assert.equal(fullName(tree, columns, leaf(2)), `${fullName(tree, columns, file)}, ${readings[0]}`);
    assert.equal(formatMeasure('money', 0.5), '$0.50');
    assert.equal(formatMeasure('tokens', 1500), '1.5k');
  });

  it('has the arrivals of a part, from 0 for the first request to 1 for the last', () => {
    const arrivals = arrivalsIn(tree, columns);
    assert.deepEqual([...new Set(Array.from(arrivals(file)))], [0.5, 1]);
    assert.deepEqual(Array.from(arrivals(leaf(0))), [0]);
    assert.deepEqual(firstArrivals(tree, columns, file, 1).length, 1);
    const first = firstArrivals(tree, columns, file, 99);
    assert.deepEqual(
      first,
      [...first].sort((one, other) => one - other),
    );
    assert.deepEqual(firstArrivals(tree, columns, file, 1), first.slice(0, 1));
  });

  it('highlights the blocks of a part', () => {
    const lit = litBlocks(tree, file, columns);
    assert.deepEqual([lit[2], lit[4], lit[6], lit[0]], [1, 1, 0, 0]);
    assert.deepEqual(
      [2, 6, -1].map(block => holdsBlock(tree, file, block)),
      [true, false, false],
    );
  });

  it('selects a leaf as its block, and any other part as a highlight', () => {
    const changeFor = (node: number): unknown => {
      const said: unknown[] = [];
      // @ts-expect-error -- Only this member is asked for.
      const inspector: Inspector = { changeView: change => said.push(change) };
      selectNode(inspector, tree, node);
      return said[0];
    };
    assert.deepEqual(changeFor(leaf(2)), { part: undefined, block: 2 });
    assert.deepEqual(changeFor(file), { part: pathTo(tree, file), block: undefined });
    assert.deepEqual(changeFor(0), { part: undefined, block: undefined });
    assert.deepEqual(changeFor(tree.notRecordedOf(0)), { part: undefined, block: notRecordedBlock });
  });

  it('knows the selected part, unless a block outside of it is selected', () => {
    const part = pathTo(tree, file);
    const selected = (block?: number, path?: readonly string[]): number | undefined =>
      selectedNode(tree, { block, part: path === undefined ? undefined : [...path] }, 0);
    assert.equal(selected(), undefined);
    assert.equal(selected(undefined, part), file);
    assert.equal(selected(2, part), file);
    assert.equal(selected(6, part), leaf(6));
    assert.equal(selected(6), leaf(6));
    assert.equal(selected(notRecordedBlock), tree.notRecordedOf(0));
    assert.equal(selected(undefined, ['nothing']), undefined);
  });

  it('has a root that exists, and children with a value, the largest first', () => {
    const path = pathTo(tree, file);
    assert.equal(rootAt(tree, path), file);
    assert.equal(rootAt(tree, [...path, 'gone', 'too']), file);
    assert.equal(rootAt(tree, ['gone']), 0);
    const figures = figuresIn(tree, columns, summary, 'request', 2);
    const values = valuesOf(figures, 'tokens');
    const children = shownChildren(tree, values, tree.parent[file] ?? 0);
    assert.deepEqual(
      children.map(child => nameOf(tree, columns, child)),
      ['a.ts', 'b.ts'],
    );
    assert.deepEqual(
      shownChildren(tree, () => 0, 0),
      [],
    );
    // Without prices, no part costs anything.
    assert.equal(valuesOf(figures, 'money')(file), 0);
    const before = figuresIn(tree, columns, summary, 'request', 1);
    assert.ok(valuesOf(before, 'tokens')(file) < values(file));
    assert.deepEqual(shownChildren(tree, valuesOf(before, 'tokens'), tree.parent[file] ?? 0), [file]);
  });
});
