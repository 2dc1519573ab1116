import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LineBlocks } from '../../../src/core/formats/claudeCode/lineBlocks';
import { RecordIds } from '../../../src/core/formats/claudeCode/recordIds';

describe('the ids of records', () => {
  it('are numbered in the order in which they come, and known again', () => {
    const ids = new RecordIds();
    const all = Array.from(
      { length: 200_000 },
      (_, index) => `${index.toString(16).padStart(8, '0')}-4a1b-${index % 7}`,
    );
    for (const [number, id] of all.entries()) {
      assert.equal(ids.add(id), number, id);
    }
    assert.equal(ids.size, all.length);
    for (const [number, id] of all.entries()) {
      assert.equal(ids.find(id), number);
    }
    assert.equal(ids.add('00000007-4a1b-0'), -1);
    assert.equal(ids.find('no such id'), -1);
    assert.equal(ids.find(''), -1);
    assert.equal(ids.add(''), all.length);
    assert.equal(ids.find(''), all.length);
  });
});

describe('the blocks of lines', () => {
  it('are found by line and between lines, and forgotten again', () => {
    const lines = new LineBlocks();
    const added = [
      [3, [0, 1]],
      [900, [2]],
      [5, [3, 4, 5]],
      [901, [6]],
    ] as const;
    added.forEach(([line, blocks]) => lines.add(line, blocks));
    lines.add(7, []);
    lines.add(-1, [7]);
    assert.equal(lines.length, 4);
    assert.deepEqual(lines.blocksOf(5), [3, 4, 5]);
    assert.deepEqual(lines.blocksOf(7), []);
    assert.deepEqual(lines.blocksOf(-1), []);
    assert.deepEqual(lines.between(3, 5), [3, 900, 5]);
    assert.deepEqual(lines.between(5, 3), []);
    assert.deepEqual(lines.between(7, 901), []);
    assert.deepEqual(lines.between(900, 7), []);
    lines.truncate(2);
    assert.deepEqual(lines.blocksOf(5), []);
    assert.deepEqual(lines.between(3, 900), [3, 900]);
    lines.add(5, [3]);
    assert.deepEqual(lines.blocksOf(5), [3]);
    for (let line = 1_000; line < 3_000; line += 1) {
      lines.add(line, [line]);
    }
    assert.deepEqual(lines.between(2_998, 2_999), [2_998, 2_999]);
  });
});
