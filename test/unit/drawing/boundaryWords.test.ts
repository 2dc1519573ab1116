import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { spreadEnd } from '../../../src/core/drawing/laneRuns';
import { drawnLanes } from './drawnLanes';

function drawn(cacheRead: number, position: number | undefined) {
  const { layout, spread, content, markup } = drawnLanes(cacheRead, position);
  const [, x, y] = /<text[^>]* x="([\d.]+)" y="([\d.]+)"[^>]*>cached to here/.exec(markup) ?? [];
  return { layout, spread, x: Number(x), y: Number(y), width: content.boundaryWords.length * 6 };
}

describe('words at the boundary of the cache', () => {
  it('stand behind it in its row', () => {
    const { layout, x, y } = drawn(900, undefined);
    assert.ok(Math.abs(y - (layout.rowTops[0] ?? 0) - layout.rowHeight / 2) < 1);
    assert.ok(x > layout.style.left + 0.9 * layout.style.width - 250);
  });

  it('are never under blocks that are spread there', () => {
    for (let cacheRead = 100; cacheRead <= 1_000; cacheRead += 100) {
      const { layout, spread, x, y, width } = drawn(cacheRead, 20);
      assert.ok(spread !== undefined && x > 0);
      const top = layout.rowTops[spread.row] ?? 0;
      const isInRow = y > top - 4 && y < top + layout.rowHeight + 4;
      const isBeside = x >= spreadEnd(spread) || x + width <= spread.left;
      assert.ok(!isInRow || isBeside, `${cacheRead}: ${x} to ${x + width}, spread from ${spread.left}`);
    }
  });
});
