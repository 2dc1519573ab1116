import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  drawTimeline,
  drawTimelineFrame,
  type TimelineContent,
  type TimelineScene,
} from '../../../src/core/drawing/drawTimeline';
import type { Palette } from '../../../src/core/drawing/palette';
import { variablePalette } from '../../../src/core/drawing/svgStyle';
import { layoutTimeline } from '../../../src/core/drawing/timelineLayout';
import { sources } from '../../../src/core/model/source';
import { RecordedPen } from './recordedPen';

const fill = (name: string) => ({ ground: name, text: '', stroke: undefined, edge: '' });
const palette: Palette = {
  ...variablePalette(),
  background: 'back',
  foreground: 'fore',
  muted: 'muted',
  ice: 'ice',
  restricted: 'secret',
  private: 'private',
  fontFamily: 'sans',
  fills: { ...variablePalette().fills, source: sources.map((_, index) => fill(`fill${index}`)) },
};

const noTokens = sources.map(() => new Float64Array(4));

/** Four requests, 20 pixels each from 10 on. The fullest has 100 tokens, so the chart of 100 pixels has 112. */
function sceneOf(change: Partial<TimelineContent> = {}, width = 80): TimelineScene {
  const layout = layoutTimeline(4, 10, width);
  return {
    layout,
    palette,
    rows: {
      marks: 8,
      top: 20,
      ground: 120,
      chapters: 124,
      cost: { ground: 150, height: 18 },
      axis: 160,
    },
    content: {
      figures: {
        requests: Uint32Array.of(0, 1, 2, 3),
        totals: Float64Array.of(28, 84, 56, 100),
        sources: noTokens,
        cacheRead: new Float64Array(4).fill(Number.NaN),
        window: 0,
        modelSwitches: [],
      },
      slots: Uint32Array.of(0, 1, 2, 3),
      predicted: undefined,
      marks: [],
      chapters: [],
      sensitivity: new Uint8Array(4),
      costs: new Float64Array(4),
      compactsAt: undefined,
      ...change,
    },
  };
}

/** The calls that an empty timeline does not make. */
function drawn(change: Partial<TimelineContent>, width?: number): readonly string[] {
  const draw = (scene: TimelineScene): readonly string[] => {
    const pen = new RecordedPen();
    drawTimeline(pen, scene);
    return pen.drawn;
  };
  const empty = draw(sceneOf({}, width));
  return draw(sceneOf(change, width)).filter(line => !empty.includes(line));
}

const figures = sceneOf().content.figures;

describe('the drawing of the timeline', () => {
  it('stacks the sources of each request, the unrecorded part first and paler', () => {
    const bySource = noTokens.with(0, Float64Array.of(0, 28, 0, 0)).with(2, Float64Array.of(28, 56, 0, 0));
    assert.deepEqual(drawn({ figures: { ...figures, sources: bySource } }), [
      'rect 10,95,19,25 fill2',
      'rect 30,95,19,25 muted alpha 0.3',
      'rect 30,45,19,50 fill2',
    ]);
  });

  it('shows what was read from the cache in steps, or what was expected if nothing is recorded', () => {
    const cacheRead = Float64Array.of(Number.NaN, 28, Number.NaN, 56);
    const steps = 'M30,95L50,95M70,70L90,70';
    assert.deepEqual(drawn({ figures: { ...figures, cacheRead } }), [
      `stroke ${steps} back 3.5`,
      `stroke ${steps} ice 1.5`,
    ]);
    const predicted = Float64Array.of(Number.NaN, 28, 28, 56);
    assert.deepEqual(drawn({ predicted }), ['stroke M30,95L50,95L50,95L70,95L70,70L90,70 ice 1.25 4 3']);
    assert.equal(drawn({ predicted, figures: { ...figures, cacheRead } }).length, 2);
  });

  it('has a line for the limit, named below it, only if it is near', () => {
    // The line of 100 of 112 tokens is 89.3 pixels above the ground.
    const line = 'stroke M10,31.5L90,31.5 muted 1 3 3';
    assert.deepEqual(drawn({ figures: { ...figures, window: 100 } }), [
      line,
      'rect 10,33.5,66,14 back alpha 0.8',
      'text window 100 12 40.5 muted',
    ]);
    assert.equal(drawn({ compactsAt: 100 })[2], 'text compaction at 100 12 40.5 muted');
    assert.deepEqual(drawn({ compactsAt: 251 }, 400), ['text window 251, off the scale 10 8 muted']);
  });

  it('marks a lost cache with a crack through its column, and anything else with a line before it', () => {
    const lost = { read: 1, readable: 2, money: 0.5 };
    assert.deepEqual(drawn({ marks: [{ slot: 2, word: 'a long word', lost }] }).slice(0, 2), [
      'rect 58,16,4,104 back',
      'rect 59,16,2,104 secret',
    ]);
    assert.deepEqual(drawn({ marks: [{ slot: 1, word: 'pruned' }] }), [
      'stroke M29.5,16L29.5,120 fore 1 1 2',
      // Right of its column: 30 + 5 + 2.
      'text pruned 37 8 fore',
    ]);
    // To the left, where the right has no room: 70 − 5 − 6 letters.
    assert.equal(drawn({ marks: [{ slot: 3, word: 'pruned' }] })[1], 'text pruned 29 8 fore');
  });

  it('signs secrets with triangles and private data with diamonds', () => {
    assert.deepEqual(drawn({ sensitivity: Uint8Array.of(0, 1, 2, 0) }), [
      'fill M40,4L44,8L40,12L36,8Z private',
      'stroke M40,4L44,8L40,12L36,8Z back 1',
      'fill M60,4L64,12L56,12Z secret',
      'stroke M60,4L64,12L56,12Z back 1',
    ]);
  });

  it('has a strip for each chapter and a bar for each cost, red with a lost cache', () => {
    const chapter = (slot: number) => ({ slot, block: 0, text: '' });
    assert.deepEqual(drawn({ chapters: [chapter(0), chapter(3)] }), [
      'rect 10,124,58,3 muted alpha 0.55',
      'rect 70,124,18,3 muted alpha 0.55',
    ]);
    const costs = Float64Array.of(Number.NaN, 0.5, 1, 0.25);
    const lost = { read: 1, readable: 2, money: undefined };
    const bars = drawn({ costs, marks: [{ slot: 2, word: 'a very long word', lost }] });
    assert.deepEqual(
      bars.filter(line => line.startsWith('rect') && !line.includes(',16,')),
      [
        'rect 30,141,18,9 muted alpha 0.6',
        'rect 50,132,18,18 muted alpha 0.6',
        'rect 70,145.5,18,4.5 muted alpha 0.6',
        'rect 50,132,18,18 secret',
      ],
    );
  });

  it('numbers requests at round numbers that keep a distance, and the first', () => {
    const pen = new RecordedPen();
    const layout = layoutTimeline(30, 10, 600);
    const { content, ...rest } = sceneOf();
    const none = new Float64Array(30);
    const thirty = {
      ...content,
      figures: { ...figures, totals: none, sources: [] },
      sensitivity: new Uint8Array(30),
    };
    drawTimeline(pen, { ...rest, layout, content: thirty });
    // Columns of 20 pixels: a number every 5 requests, in the middle of its column.
    assert.deepEqual(
      pen.drawn.filter(line => line.startsWith('text')),
      ['1 17', '5 97', '10 194', '15 294', '20 394', '25 494', '30 594'].map(
        place => `text ${place} 160 muted`,
      ),
    );
  });

  it('draws a part at its own scale before the whole, with a pin where it arrived', () => {
    const part = { name: 'a.ts', fill: 2, tokens: Float64Array.of(0, 14, 28, 28), arrivals: [1, 2] };
    const pin = (x: number): readonly string[] => [
      `stroke M${x},20L${x},120 fore 1`,
      `fill R${x - 2.5},17.5,5,5 fore`,
    ];
    const [first, second, third, ...rest] = drawn({ part, sensitivity: Uint8Array.of(0, 0, 0, 2) }, 400);
    // 28 pixels a column, and 70 of 100 pixels for the largest.
    assert.deepEqual(
      [first, second],
      ['rect 10,95,27,25 muted alpha 0.22', 'rect 38,45,27,75 muted alpha 0.22'],
    );
    assert.equal(third, 'rect 38,85,27,35 fill2');
    assert.deepEqual(rest.slice(0, 2), ['rect 66,70,27,50 muted alpha 0.22', 'rect 66,50,27,70 fill2']);
    assert.deepEqual(
      rest.filter(line => line.endsWith('fore 1') || line.startsWith('fill R')),
      [...pin(52), ...pin(80)],
    );
    const name = drawn({ part, sensitivity: Uint8Array.of(2, 0, 0, 0) }, 400).find(line =>
      line.includes('a.ts'),
    );
    // Behind the sign of the first column.
    assert.equal(name, 'text a.ts: up to 28 where sent 42 8 fore');
  });

  it('frames the chosen request, shades the one under the pointer, and strokes that of a finding', () => {
    const frame = (selected: number, hovered?: number, lit?: number): readonly string[] => {
      const pen = new RecordedPen();
      const chapters = [0, 2].map(slot => ({ slot, block: 0, text: '' }));
      drawTimelineFrame(pen, sceneOf({ chapters }), selected, hovered, lit);
      return pen.drawn;
    };
    const chosen = [
      'stroke R28,17,23,105 back 4',
      'stroke R28,17,23,105 fore 2',
      'rect 29,153,22,14 back',
      'fill R32,153,16,14 fore',
      'text 2 37 160 back',
    ];
    assert.deepEqual(frame(1), ['rect 10,124,38,3 fore', ...chosen]);
    assert.deepEqual(frame(1, 2, 3), [
      'rect 48,17,23,105 fore alpha 0.14',
      'rect 10,124,38,3 fore',
      'stroke R68,17,23,105 fore 1.5 3 2',
      ...chosen,
    ]);
    assert.equal(frame(1, undefined, 1).length, frame(1).length);
    assert.equal(frame(3)[0], 'rect 50,124,38,3 fore');
  });
});
