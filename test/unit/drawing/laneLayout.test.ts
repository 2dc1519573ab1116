import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  boxAt,
  boxBeside,
  fitScale,
  type LaneBlocks,
  LaneLayout,
  type LaneStyle,
  notRecordedPosition,
  rowsWithin,
} from '../../../src/core/drawing/laneLayout';

/** Round numbers, so that every position can be worked out by hand. */
const style: LaneStyle = {
  left: 100,
  width: 200,
  top: 10,
  rowHeight: 20,
  rowGap: 5,
  laneGap: 30,
  smallestLane: 40,
  blockGap: 2,
  smallestBlock: 3,
  flagHeight: 15,
};

const blocksOf = (
  tokens: readonly number[],
  lanes: readonly number[],
  more: Partial<LaneBlocks> = {},
): LaneBlocks => ({
  tokens: Uint32Array.from(tokens),
  lanes: [0, 1, 2, 3].map(lane =>
    Uint32Array.from(lanes.flatMap((other, position) => (other === lane ? [position] : []))),
  ),
  notRecorded: 0,
  flagged: [],
  ...more,
});

/** All boxes, row by row. */
function boxesOf(layout: LaneLayout) {
  const rows = Array.from(layout.rowTops, (_, row) => layout.row(row));
  return {
    positions: rows.flatMap(({ positions }) => [...positions]),
    lefts: rows.flatMap(({ lefts }) => [...lefts]),
    widths: rows.flatMap(({ widths }) => [...widths]),
    rows: rows.flatMap(({ positions }, row) => [...positions].map(() => row)),
    indices: rows.flatMap(({ positions }) => [...positions.keys()]),
  };
}

describe('LaneLayout', () => {
  it('lets blocks flow in wire order and wrap', () => {
    // One pixel per token: widths 98, 98, 48 with gaps of 2. The third begins at 200 and does not fit.
    const layout = new LaneLayout(blocksOf([100, 100, 50], [3, 3, 3]), style, 1);
    const { positions, lefts, widths, rows } = boxesOf(layout);
    assert.deepEqual(positions, [0, 1, 2]);
    assert.deepEqual(lefts, [100, 200, 100]);
    assert.deepEqual(widths, [98, 98, 48]);
    assert.deepEqual(rows, [0, 0, 1]);
    // Lanes 0 to 2 are empty: each 40 high with 30 between. The history begins at 10 + 3 × 70.
    assert.deepEqual([...layout.rowTops], [220, 245]);
    assert.deepEqual(layout.lanes[3], { top: 220, bottom: 265, firstRow: 0, endRow: 2 });
    assert.equal(layout.height, 265 + 10);
  });

  it('puts what is not recorded first and each block in its lane', () => {
    const layout = new LaneLayout(blocksOf([30, 40, 20], [3, 0, 1], { notRecorded: 60 }), style, 1);
    // Lane 0 is a row with two boxes, lane 1 and lane 3 are rows with one.
    assert.deepEqual(boxesOf(layout).positions, [notRecordedPosition, 1, 2, 0]);
    assert.deepEqual(layout.boxOf(notRecordedPosition), { row: 0, index: 0, position: notRecordedPosition });
    assert.deepEqual(layout.boxOf(1), { row: 0, index: 1, position: 1 });
    assert.deepEqual(layout.boxOf(2), { row: 1, index: 0, position: 2 });
    assert.deepEqual(layout.boxOf(0), { row: 2, index: 0, position: 0 });
    assert.equal(layout.boxOf(3), undefined);
    assert.deepEqual([...layout.rowTops], [10, 80, 220]);
  });

  it('cuts a block that is wider than a row', () => {
    // 498 pixels: two full rows and 98 more.
    const layout = new LaneLayout(blocksOf([500, 10], [3, 3]), style, 1);
    const { positions, lefts, widths, rows } = boxesOf(layout);
    assert.deepEqual(positions, [0, 0, 0, 1]);
    assert.deepEqual(lefts, [100, 100, 100, 200]);
    assert.deepEqual(widths, [200, 200, 98, 8]);
    assert.deepEqual(rows, [0, 1, 2, 2]);
    assert.deepEqual(
      [0, 1, 2].map(row => [layout.row(row).continues, layout.row(row).goesOn]),
      [
        [false, true],
        [true, true],
        [true, false],
      ],
    );
    assert.deepEqual(layout.boxesOf(0), [
      { row: 0, index: 0, position: 0 },
      { row: 1, index: 0, position: 0 },
      { row: 2, index: 0, position: 0 },
    ]);
    assert.deepEqual(layout.boxesOf(1), [{ row: 2, index: 1, position: 1 }]);
  });

  it('makes room above a row for each flag', () => {
    const flagged = [
      { position: 0, fraction: 1 },
      { position: 1, fraction: 0.5 },
    ];
    const layout = new LaneLayout(blocksOf([50, 50], [0, 0], { flagged }), style, 1);
    assert.deepEqual([...layout.rowTops], [10 + 2 * 15]);
    // The name of a lane is next to its first row, so it needs room from there on.
    assert.equal(layout.lanes[0]?.bottom, 40 + 40);
  });

  it('flags the row in which a cut block holds the place', () => {
    const flagged = [{ position: 0, fraction: 0.9 }];
    // 498 pixels in parts of 200, 200 and 98: nine tenths are 448.2, 48.2 into the third part.
    const layout = new LaneLayout(blocksOf([500], [0], { flagged }), style, 1);
    assert.deepEqual([...layout.rowTops], [10, 35, 60 + 15]);
    const place = layout.placeOf({ position: 0, fraction: 0.9 });
    assert.ok(place !== undefined);
    assert.equal(place.row, 2);
    assert.ok(Math.abs(place.x - 148.2) < 1e-9);
  });

  it('never makes a block narrower than can be hit', () => {
    const layout = new LaneLayout(blocksOf([0, 1], [2, 2]), style, 0.001);
    assert.deepEqual(boxesOf(layout).widths, [3, 3]);
  });

  it('has a drawing for no blocks at all', () => {
    const layout = new LaneLayout(blocksOf([], []), style, 1);
    assert.equal(layout.rowCount, 0);
    assert.equal(layout.height, 10 + 4 * 40 + 3 * 30 + 10);
    assert.equal(boxAt(layout, 100, 20), undefined);
  });
});

describe('hit test and navigation', () => {
  const layout = new LaneLayout(blocksOf([100, 100, 50, 40], [3, 3, 3, 3]), style, 1);
  const first = { row: 0, index: 0, position: 0 };
  const second = { row: 0, index: 1, position: 1 };
  const third = { row: 1, index: 0, position: 2 };

  it('finds the block under a point', () => {
    assert.deepEqual(boxAt(layout, 101, 225), first);
    assert.deepEqual(boxAt(layout, 250, 239), second);
    assert.deepEqual(boxAt(layout, 120, 250), third);
  });

  it('gives the gap to the block before it, and nothing between rows or beside them', () => {
    assert.deepEqual(boxAt(layout, 199, 225), first);
    assert.equal(boxAt(layout, 250, 242), undefined);
    assert.equal(boxAt(layout, 99, 225), undefined);
    assert.equal(boxAt(layout, 310, 225), undefined);
    assert.equal(boxAt(layout, 150, 5), undefined);
  });

  it('goes up and down to the nearest middle', () => {
    // Row 1: middles at 124 and 169; row 0: at 149 and 249.
    assert.equal(boxBeside(layout, first, 1)?.position, 3);
    assert.equal(boxBeside(layout, second, 1)?.position, 3);
    assert.deepEqual(boxBeside(layout, third, -1), first);
    assert.equal(boxBeside(layout, first, -1), undefined);
    assert.equal(boxBeside(layout, third, 1), undefined);
  });

  it('names the rows that a window touches', () => {
    assert.deepEqual(rowsWithin(layout, 0, 100), [0, 0]);
    assert.deepEqual(rowsWithin(layout, 0, 244), [0, 1]);
    assert.deepEqual(rowsWithin(layout, 242, 400), [1, 2]);
  });
});

describe('fitScale', () => {
  it('finds the largest scale that fits', () => {
    const blocks = blocksOf(
      Array.from({ length: 40 }, () => 1000),
      Array.from({ length: 40 }, () => 3),
    );
    const scale = fitScale(blocks, style, 420);
    assert.ok(new LaneLayout(blocks, style, scale).height <= 420);
    assert.ok(new LaneLayout(blocks, style, scale * 1.02).height > 420);
  });

  it('keeps every block in the drawing, in order and without overlap, at any scale', () => {
    const sizes = fc.array(fc.tuple(fc.nat(20_000), fc.nat(3)), { maxLength: 60 });
    fc.assert(
      fc.property(sizes, fc.double({ min: 0.0001, max: 0.5, noNaN: true }), (entries, scale) => {
        const blocks = blocksOf(
          entries.map(([tokens]) => tokens),
          entries.map(([, lane]) => lane),
        );
        const layout = new LaneLayout(blocks, style, scale);
        const { positions, lefts, widths, rows, indices } = boxesOf(layout);
        assert.equal(new Set(positions).size, entries.length);
        for (let box = 1; box < positions.length; box += 1) {
          const sameRow = rows[box] === rows[box - 1];
          const end = (lefts[box - 1] ?? 0) + (widths[box - 1] ?? 0);
          assert.ok(!sameRow || (lefts[box] ?? 0) >= end);
        }
        positions.forEach((position, box) => {
          const row = rows[box] ?? 0;
          const x = (lefts[box] ?? 0) + (widths[box] ?? 0) / 2;
          const found = { row, index: indices[box], position };
          assert.deepEqual(boxAt(layout, x, (layout.rowTops[row] ?? 0) + 1), found);
          assert.ok(layout.boxesOf(position).some(other => other.row === row && other.index === found.index));
        });
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});
