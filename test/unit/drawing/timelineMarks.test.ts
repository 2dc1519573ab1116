import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawTimeline } from '../../../src/core/drawing/drawTimeline';
import { SvgPen } from '../../../src/core/drawing/svgPen';
import { variablePalette } from '../../../src/core/drawing/svgStyle';
import { layoutTimeline, slotsByColumn, timelineRows } from '../../../src/core/drawing/timelineLayout';
import type { TimelineMark } from '../../../src/core/drawing/timelineMarks';
import { sources } from '../../../src/core/model/source';

/** The words of a drawing of 60 requests, in the order in which they were given room. */
function wordsOf(marks: readonly TimelineMark[], width: number, window = 0): readonly string[] {
  const pen = new SvgPen();
  const totals = new Float64Array(60).fill(100_000);
  const layout = layoutTimeline(60, 0, width);
  drawTimeline(pen, {
    layout,
    rows: timelineRows(80, true),
    palette: variablePalette(),
    content: {
      figures: {
        requests: Uint32Array.from(totals, (_, slot) => slot),
        totals,
        sources: sources.map(() => new Float64Array(60)),
        cacheRead: new Float64Array(60),
        window,
        modelSwitches: [],
      },
      slots: slotsByColumn(layout, totals),
      predicted: undefined,
      marks,
      chapters: [],
      sensitivity: new Uint8Array(60),
      costs: new Float64Array(60),
      compactsAt: undefined,
    },
  });
  return Array.from(pen.markup.matchAll(/<text[^>]*>([^<]*)</g), ([, word = '']) => word);
}

const lost = (slot: number, money: number | undefined, word = `lost ${money}`): TimelineMark => ({
  slot,
  word,
  lost: { read: 0, readable: 1000, money },
});

describe('the words above the timeline', () => {
  it('are given room by money, and what is no loss comes last', () => {
    const marks = [{ slot: 5, word: 'compacted' }, lost(12, 0.0075), lost(14, 0.59), lost(40, 0.25)];
    assert.deepEqual(wordsOf(marks, 240), ['lost 0.59', 'lost 0.25']);
    assert.deepEqual(wordsOf(marks, 1600), ['lost 0.59', 'lost 0.25', 'lost 0.0075', 'compacted']);
  });
  it('are short where there is no room for all of them', () => {
    const marks = [
      { slot: 57, word: 'compacted' },
      { ...lost(59, 0.44, 'cache lost by idling · $0.44'), brief: '$0.44' },
    ];
    assert.deepEqual(wordsOf(marks, 150), ['$0.44']);
    assert.deepEqual(wordsOf(marks, 1500), ['cache lost by idling · $0.44']);
  });
  it('leave room for the price of a smaller loss', () => {
    const marks = [
      { ...lost(20, 0.6, 'a cause with a long name · $0.60'), brief: '$0.60' },
      { ...lost(45, 0.3, 'a cause with a long name · $0.30'), brief: '$0.30' },
    ];
    assert.deepEqual(wordsOf(marks, 400), ['$0.60', '$0.30']);
  });
  it('give a price room before the limit of the context', () => {
    const marks = [{ ...lost(2, 0.6, 'a cause with a long name · $0.60'), brief: '$0.60' }];
    assert.deepEqual(wordsOf(marks, 200, 1_000_000), ['$0.60']);
    assert.deepEqual(wordsOf([], 200, 1_000_000), ['window 1,000,000, off the scale']);
  });
  it('keep the order of requests where no price is known', () => {
    const marks = [lost(3, undefined, 'first'), lost(40, undefined, 'second')];
    assert.deepEqual(wordsOf(marks, 800), ['first', 'second']);
  });
});
