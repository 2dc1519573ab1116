import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  fullestSlot,
  layoutTimeline,
  leftOfSlot,
  slotAt,
  slotsOfColumn,
  timelineScale,
} from '../../../src/core/drawing/timelineLayout';

describe('layoutTimeline', () => {
  it('gives every request a column while there is room', () => {
    const layout = layoutTimeline(50, 10, 1000);
    assert.deepEqual([layout.pitch, layout.columns], [20, 50]);
    assert.equal(leftOfSlot(layout, 3), 70);
    assert.equal(slotAt(layout, 70), 3);
    assert.equal(slotAt(layout, 69.9), 2);
  });
  it('does not stretch a few requests over the whole width', () => {
    assert.equal(layoutTimeline(3, 0, 1000).pitch, 28);
  });
  it('shares columns of a pixel among thousands, leaving none out', () => {
    const layout = layoutTimeline(5000, 0, 800);
    assert.equal(layout.columns, 800);
    const covered = Array.from({ length: 800 }, (_, column) => slotsOfColumn(layout, column));
    assert.equal(covered[0]?.[0], 0);
    assert.equal(covered.at(-1)?.[1], 5000);
    covered.forEach(([first], column) => assert.equal(first, covered[column - 1]?.[1] ?? 0));
  });
  it('shows the fullest request of a column', () => {
    const layout = layoutTimeline(8, 0, 2);
    assert.equal(fullestSlot(layout, 1, [9, 9, 9, 9, 1, 7, 3, 2]), 5);
  });
  it('keeps a pointer beside the chart on its ends', () => {
    const layout = layoutTimeline(5, 10, 100);
    assert.equal(slotAt(layout, -50), 0);
    assert.equal(slotAt(layout, 5000), 4);
    assert.equal(slotAt(layoutTimeline(0, 0, 100), 50), 0);
  });
});

describe('timelineScale', () => {
  it('has the limit on it unless that would flatten everything', () => {
    assert.equal(timelineScale(100_000, 200_000).showsLimit, true);
    assert.equal(timelineScale(50_000, 1_000_000).showsLimit, false);
    assert.equal(timelineScale(50_000, 0).showsLimit, false);
    assert.ok(timelineScale(100_000, 200_000).top > 200_000);
  });
});
