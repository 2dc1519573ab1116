import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  boxAt,
  boxBeside,
  heightOfToken,
  LaneLayout,
  notRecordedPosition,
  rowsWithin,
  tokenAt,
} from '../../../src/core/drawing/laneLayout';
import { LaneBlocks } from '../../../src/core/drawing/laneBlocks';
import { chooseScale, fitRowTokens, zoomedRowTokens } from '../../../src/core/drawing/rowTokens';
import { positionInSpread, spreadAround, spreadStep } from '../../../src/core/drawing/laneRuns';
import { type LaneStyle, laneStyleFor } from '../../../src/core/drawing/laneStyle';
import { runsOf } from '../../../src/core/view/contextSlots';

/** Round numbers, so that every position can be computed by hand. */
const style: LaneStyle = {
  left: 100,
  width: 200,
  top: 10,
  rowHeight: 20,
  rowGap: 5,
  laneGap: 30,
  emptyLane: 15,
  bottom: 10,
  blockGap: 2,
  mostRows: 2,
  hasOneLine: false,
  hasTwoLines: false,
};

function blocksOf(tokens: readonly number[], lanes: readonly number[], notRecorded = 0): LaneBlocks {
  const partitions = [0, 1, 2, 3].map(lane =>
    Uint32Array.from(lanes.flatMap((other, position) => (other === lane ? [position] : []))),
  );
  const offsets = [notRecorded];
  for (const count of tokens) {
    offsets.push((offsets.at(-1) ?? 0) + count);
  }
  return new LaneBlocks({ partitions, runs: partitions.map(runsOf) }, Uint32Array.from(offsets), notRecorded);
}

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

describe('tokenAt', () => {
  const blocks = blocksOf([100, 80, 250], [3, 3, 3]);
  const layout = new LaneLayout(blocks, style, 200);

  it('finds the nearest token at a point, and its height in another scale', () => {
    const top = layout.rowTops[1] ?? 0;
    const token = tokenAt(layout, 150, top + 7);
    assert.deepEqual(token, { lane: 3, tokens: 250, down: 7 });
    const closer = new LaneLayout(blocks, style, 100);
    assert.equal(heightOfToken(closer, token), (closer.rowTops[2] ?? 0) + 7);
    // Left of the rows, right of the last block, and above the drawing.
    assert.equal(tokenAt(layout, 0, top)?.tokens, 200);
    assert.equal(tokenAt(layout, 299, 1000)?.tokens, 430);
    assert.equal(tokenAt(layout, 150, -50)?.tokens, 50);
  });

  it('is undefined without rows', () => {
    assert.equal(tokenAt(new LaneLayout(blocksOf([], []), style, 200), 150, 20), undefined);
  });
});

describe('LaneLayout', () => {
  it('lets blocks flow over rows of a number of tokens, with their true widths', () => {
    // One pixel per token. The third block begins at 180 and continues in the second row.
    const layout = new LaneLayout(blocksOf([100, 80, 50], [3, 3, 3]), style, 200);
    const { positions, lefts, widths, rows } = boxesOf(layout);
    assert.deepEqual(positions, [0, 1, 2, 2]);
    assert.deepEqual(lefts, [100, 200, 280, 100]);
    assert.deepEqual(widths, [98, 78, 20, 28]);
    assert.deepEqual(rows, [0, 0, 0, 1]);
    assert.deepEqual([layout.row(0).continues, layout.row(0).goesOn], [false, true]);
    assert.deepEqual([layout.row(1).continues, layout.row(1).goesOn], [true, false]);
    assert.deepEqual(layout.boxesOf(2), [
      { row: 0, index: 2, position: 2 },
      { row: 1, index: 0, position: 2 },
    ]);
    // Lanes 0 to 2 are empty: each 15 high with 30 between. The history begins at 10 + 3 × 45.
    assert.deepEqual([...layout.rowTops], [145, 170]);
    assert.deepEqual(layout.lanes[3], {
      top: 145,
      bottom: 190,
      left: 100,
      width: 200,
      rowTokens: 200,
      signWidth: 76,
      firstRow: 0,
      endRow: 2,
      shown: 230,
      hidden: 0,
    });
    assert.equal(layout.height, 190 + 10);
  });

  it('has one scale for all lanes and puts what is not recorded first', () => {
    const layout = new LaneLayout(blocksOf([30, 40, 20], [3, 0, 1], 60), style, 200);
    const { positions, widths } = boxesOf(layout);
    assert.deepEqual(positions, [notRecordedPosition, 1, 2, 0]);
    assert.deepEqual(widths, [58, 38, 18, 28]);
    assert.deepEqual(layout.boxOf(notRecordedPosition), { row: 0, index: 0, position: notRecordedPosition });
    assert.deepEqual(layout.boxOf(1), { row: 0, index: 1, position: 1 });
    assert.equal(layout.boxOf(3), undefined);
  });

  it('shows two rows of a small lane, a sign for the rest, and all of it on demand', () => {
    const blocks = blocksOf([300, 150, 250, 10], [0, 0, 0, 3]);
    const layout = new LaneLayout(blocks, style, 200);
    const { firstRow, endRow, shown, hidden } = layout.lanes[0] ?? {};
    assert.deepEqual([firstRow, endRow, shown, hidden], [0, 2, 400, 300]);
    assert.deepEqual(layout.boxesOf(1), [{ row: 1, index: 1, position: 1 }]);
    assert.equal(layout.boxOf(2), undefined);
    assert.equal(layout.hiddenAt(290, 40), 2);
    assert.equal(layout.hiddenAt(150, 40), undefined);
    assert.equal(layout.placeOf({ position: 1, fraction: 1 }), undefined);
    const open = new LaneLayout(blocks, style, 200, 0);
    assert.deepEqual(open.boxOf(2), { row: 2, index: 1, position: 2 });
    assert.equal(open.lanes[0]?.hidden, 0);
  });

  it('keeps blocks without tokens in the drawing', () => {
    const layout = new LaneLayout(blocksOf([0, 200, 0, 0], [3, 3, 3, 3]), style, 200);
    assert.deepEqual(boxesOf(layout).positions, [0, 1, 2, 3]);
    assert.deepEqual(layout.boxOf(3), { row: 0, index: 3, position: 3 });
    const empty = new LaneLayout(blocksOf([0, 0], [2, 2]), style, 200);
    assert.deepEqual(boxesOf(empty).positions, [0, 1]);
  });

  it('puts the small lanes into one line where the window is very low, at the scale of the others', () => {
    const low = { ...style, hasOneLine: true };
    const blocks = blocksOf([20, 500, 10, 400, 30], [0, 2, 2, 3, 0]);
    const layout = new LaneLayout(blocks, low, 200);
    // 300 pixels for two lanes with blocks: 100 for a name and 50 for blocks each. The lane between them has no blocks.
    assert.deepEqual(
      layout.lanes.map(({ left, width, top, bottom }) => [left, width, top, bottom]),
      [
        [100, 50, 10, 30],
        [100, 0, 10, 10],
        [250, 50, 10, 30],
        [100, 200, 60, 105],
      ],
    );
    assert.deepEqual(boxesOf(layout).positions, [0, 4, 1, 3, 3]);
    assert.deepEqual(boxesOf(layout).lefts, [100, 120, 250, 100, 100]);
    assert.deepEqual(
      layout.lanes.map(({ shown, hidden }) => [shown, hidden]),
      [
        [50, 0],
        [0, 0],
        [50, 460],
        [400, 0],
      ],
    );
    // Each lane is found by its part of the line.
    assert.equal(boxAt(layout, 110, 15)?.position, 0);
    assert.equal(boxAt(layout, 125, 15)?.position, 4);
    assert.equal(boxAt(layout, 255, 15)?.position, 1);
    assert.equal(boxAt(layout, 200, 15), undefined);
    assert.equal(layout.hiddenAt(295, 15), 2);
    assert.equal(layout.hiddenAt(120, 15), undefined);
    assert.deepEqual(layout.placeOf({ position: 1, fraction: 0.05 }), { row: 1, x: 275 });
    // The selected block is always shown: then every lane has its own rows again.
    assert.deepEqual(new LaneLayout(blocks, low, 200, 2).boxOf(2), { row: 3, index: 1, position: 2 });
    // Without blocks in the small lanes the history begins at the top.
    assert.equal(new LaneLayout(blocksOf([100], [3]), low, 200).lanes[3]?.top, 10);
  });

  it('has the rows of the history in view in every low window', () => {
    for (const height of [120, 140, 160, 175, 180, 200]) {
      const low = laneStyleFor(520, height);
      const blocks = blocksOf([5_000, 5_000, 5_000, 90_000], [0, 1, 2, 3]);
      const layout = new LaneLayout(blocks, low, fitRowTokens(blocks, low, height));
      const third = (layout.lanes[3]?.firstRow ?? 0) + 2;
      assert.ok((layout.rowTops[third] ?? Infinity) + layout.rowHeight <= height, `${height}`);
    }
  });

  it('finds the place of a boundary, also in a lane that the block is not in', () => {
    const layout = new LaneLayout(blocksOf([100, 300, 40, 100], [3, 3, 1, 3]), style, 200);
    assert.deepEqual(layout.placeOf({ position: 1, fraction: 0.5 }), { row: 2, x: 150 });
    // The end of a full row, not the beginning of the next.
    assert.deepEqual(layout.placeOf({ position: 1, fraction: 1 }), { row: 2, x: 300 });
    assert.equal(layout.tokensBefore(3, { position: 2, fraction: 1 }), 400);
    assert.equal(layout.tokensBefore(1, { position: 2, fraction: 0.25 }), 10);
    assert.equal(layout.tokensBefore(1, { position: 1, fraction: 1 }), 0);
  });

  it('has a drawing for no blocks at all', () => {
    const layout = new LaneLayout(blocksOf([], []), style, 200);
    assert.equal(layout.rowCount, 0);
    assert.equal(layout.height, 10 + 4 * 15 + 3 * 30 + 10);
    assert.equal(boxAt(layout, 100, 20), undefined);
  });
});

describe('runs of narrow blocks', () => {
  // Ten blocks of 4 pixels between two wide ones.
  const layout = new LaneLayout(
    blocksOf(
      [80, ...Array.from({ length: 10 }, () => 4), 80],
      Array.from({ length: 12 }, () => 3),
    ),
    style,
    200,
  );

  it('make room for each of them around the one that is meant', () => {
    const spread = spreadAround(layout, 5);
    assert.deepEqual([...(spread?.positions ?? [])], [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    assert.ok(spread !== undefined);
    // The run is 80 to 119 pixels into the row; the spread has the same middle.
    assert.equal(spread.left, 100 + 99.5 - (10 * spreadStep) / 2);
    assert.equal(positionInSpread(layout, spread, spread.left + 2.5 * spreadStep, 150), 3);
    assert.equal(positionInSpread(layout, spread, spread.left - 1, 150), undefined);
    assert.equal(positionInSpread(layout, spread, spread.left + 1, 100), undefined);
  });

  it('are left alone if the block is wide, or without a block', () => {
    assert.equal(spreadAround(layout, 0), undefined);
    assert.equal(spreadAround(layout, 99), undefined);
    assert.equal(spreadAround(layout, undefined), undefined);
  });
});

describe('hit test and navigation', () => {
  const layout = new LaneLayout(blocksOf([100, 100, 50, 40], [3, 3, 3, 3]), style, 200);
  const first = { row: 0, index: 0, position: 0 };
  const second = { row: 0, index: 1, position: 1 };
  const third = { row: 1, index: 0, position: 2 };

  it('finds the block under a point', () => {
    assert.deepEqual(boxAt(layout, 101, 150), first);
    assert.deepEqual(boxAt(layout, 250, 164), second);
    assert.deepEqual(boxAt(layout, 120, 175), third);
  });

  it('gives the gap to the block before it, and nothing between rows or beside them', () => {
    assert.deepEqual(boxAt(layout, 199, 150), first);
    assert.equal(boxAt(layout, 250, 167), undefined);
    assert.equal(boxAt(layout, 99, 150), undefined);
    assert.equal(boxAt(layout, 310, 150), undefined);
    assert.equal(boxAt(layout, 150, 5), undefined);
  });

  it('goes up and down to the nearest middle', () => {
    assert.equal(boxBeside(layout, first, 1)?.position, 3);
    assert.equal(boxBeside(layout, second, 1)?.position, 3);
    assert.deepEqual(boxBeside(layout, third, -1), first);
    assert.equal(boxBeside(layout, first, -1), undefined);
    assert.equal(boxBeside(layout, third, 1), undefined);
  });

  it('names the rows that a window touches', () => {
    assert.deepEqual(rowsWithin(layout, 0, 100), [0, 0]);
    assert.deepEqual(rowsWithin(layout, 0, 169), [0, 1]);
    assert.deepEqual(rowsWithin(layout, 168, 400), [1, 2]);
  });
});

describe('tokens in a row', () => {
  it('are the smallest round number that fits', () => {
    const blocks = blocksOf(
      Array.from({ length: 40 }, () => 1000),
      Array.from({ length: 40 }, () => 3),
    );
    const rowTokens = fitRowTokens(blocks, style, 420);
    assert.equal(rowTokens, 5_000);
    assert.ok(new LaneLayout(blocks, style, rowTokens).height <= 420);
    assert.ok(new LaneLayout(blocks, style, 2_000).height > 420);
    assert.equal(fitRowTokens(blocksOf([10], [3]), style, 420), 500);
    assert.equal(fitRowTokens(blocksOf([900_000], [3]), style, 100), 50_000);
  });

  it('stay until the largest request no longer fits, and remember what they were', () => {
    const sized = (count: number): LaneBlocks =>
      blocksOf(
        Array.from({ length: count }, () => 1000),
        Array.from({ length: count }, () => 3),
      );
    const wanted = { occasion: 'session.jsonl 900', width: 900, height: 420 };
    const chosen = chooseScale(undefined, wanted, sized(40));
    const kept = { ...chosen, isKept: true };
    assert.equal(kept.rowTokens, fitRowTokens(sized(40), laneStyleFor(900, 420), 420));
    // Neither a smaller request nor another height changes it.
    assert.equal(chooseScale(kept, { ...wanted, height: 200 }, sized(10)), kept);
    const grown = chooseScale(kept, { ...wanted, height: 900 }, sized(200));
    assert.equal(grown.rowTokens, fitRowTokens(sized(200), laneStyleFor(900, 420), 420));
    assert.ok(grown.rowTokens > kept.rowTokens);
    assert.equal(grown.outgrown, kept.rowTokens);
    const another = chooseScale(grown, { ...wanted, occasion: 'session.jsonl 700' }, sized(40));
    assert.equal(another.rowTokens, kept.rowTokens);
    assert.equal(another.outgrown, undefined);
  });

  it('are fewer in a low window where the small lanes share a line, so that blocks have names', () => {
    const session = blocksOf(
      Array.from({ length: 116 }, () => 1000),
      Array.from({ length: 116 }, (_, block) => Math.min(block, 3)),
    );
    const chosen = chooseScale(undefined, { occasion: '', width: 614, height: 190 }, session);
    assert.deepEqual([chosen.rowTokens, chosen.hasOneLine], [20_000, true]);
    assert.equal(fitRowTokens(session, laneStyleFor(614, 190), 190), 50_000);
    const high = chooseScale(undefined, { occasion: '', width: 614, height: 400 }, session);
    assert.deepEqual([high.rowTokens, high.hasOneLine], [20_000, false]);
    // A window that is higher for a while keeps the line.
    assert.equal(laneStyleFor(614, 400, 614, chosen.hasOneLine).hasOneLine, true);
  });

  it('are 1, 2 or 5 times a power of ten at each step of the zoom, and come back', () => {
    const blocks = blocksOf([1_000], [3]);
    const steps = [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000];
    steps.slice(1).forEach((rowTokens, index) => {
      assert.equal(zoomedRowTokens(blocks, rowTokens, 'in'), steps[index]);
      assert.equal(zoomedRowTokens(blocks, steps[index] ?? 0, 'out'), rowTokens);
    });
    assert.equal(zoomedRowTokens(blocks, 50, 'in'), 50);
    assert.equal(zoomedRowTokens(blocks, 500_000, 'out'), 500_000);
  });

  it('make no more rows than can be shown, whatever a count says', () => {
    for (const blocks of [blocksOf([10, 20], [3, 3], 2_000_000_000), blocksOf([10, 4_000_000_000], [3, 3])]) {
      const layout = new LaneLayout(blocks, style, fitRowTokens(blocks, style, 420));
      assert.ok(layout.rowCount < 1100, `${layout.rowCount} rows`);
    }
  });

  it('keep every block in the drawing, in order and without overlap', () => {
    const sizes = fc.array(fc.tuple(fc.nat(20_000), fc.nat(3)), { maxLength: 60 });
    fc.assert(
      fc.property(sizes, fc.nat(500_000), (entries, more) => {
        const blocks = blocksOf(
          entries.map(([tokens]) => tokens),
          entries.map(([, lane]) => lane),
        );
        const layout = new LaneLayout(blocks, { ...style, mostRows: 1e9 }, 50 + more);
        const { positions, lefts, widths, rows, indices } = boxesOf(layout);
        assert.equal(new Set(positions).size, entries.length);
        for (let box = 1; box < positions.length; box += 1) {
          const sameRow = rows[box] === rows[box - 1];
          const end = (lefts[box - 1] ?? 0) + (widths[box - 1] ?? 0);
          assert.ok(!sameRow || (lefts[box] ?? 0) >= end - 1e-6);
        }
        positions.forEach((position, box) => {
          const row = rows[box] ?? 0;
          const width = widths[box] ?? 0;
          const found = { row, index: indices[box], position };
          if (width > 0.01) {
            const x = (lefts[box] ?? 0) + width / 2;
            assert.deepEqual(boxAt(layout, x, (layout.rowTops[row] ?? 0) + 1), found);
          }
          assert.ok(layout.boxesOf(position).some(other => other.row === row && other.index === found.index));
        });
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});
