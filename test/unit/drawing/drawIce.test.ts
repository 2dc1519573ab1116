import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawBoundaries, drawBoundaryWords, drawEdges, drawSheet } from '../../../src/core/drawing/drawIce';
import type { LabelledBoundary } from '../../../src/core/drawing/boundaries';
import { historyLane, laneStyleFor } from '../../../src/core/drawing/laneStyle';
import type { Spread } from '../../../src/core/drawing/laneRuns';
import type { LaneScene } from '../../../src/core/drawing/laneScene';
import { variablePalette } from '../../../src/core/drawing/svgStyle';
import { RecordedPen } from './recordedPen';

const palette = {
  ...variablePalette(),
  ice: 'ice',
  iceText: 'ice letters',
  foreground: 'fore',
  sheet: 'sheet',
  sheetEdge: 'edge',
};

interface Cached {
  /** Cached tokens of the first lane and of the history. */
  readonly tokens?: readonly [number, number];
  readonly cached?: boolean;
  readonly after?: boolean;
  readonly isHighContrast?: boolean;
  readonly words?: string;
  readonly boundaries?: readonly LabelledBoundary[];
}

/** A lane with a row, and the history with three, of 1,000 tokens and 200 pixels each, from 100 on. */
function drawn(
  draw: (pen: RecordedPen, scene: LaneScene) => void,
  {
    tokens = [400, 1500],
    cached = true,
    after = false,
    isHighContrast = false,
    words = '',
    boundaries = [],
  }: Cached,
): readonly string[] {
  const pen = new RecordedPen();
  const part = { place: { position: 7, fraction: 0.5 }, tokens: 1900 };
  const lane = { left: 100, width: 200, rowTokens: 1000, signWidth: 0, hidden: 0, top: 0, bottom: 0 };
  const lanes = Array.from({ length: historyLane + 1 }, () => ({ ...lane, firstRow: 0, endRow: 0, shown: 0 }))
    .with(0, { ...lane, firstRow: 0, endRow: 1, shown: 600 })
    .with(historyLane, { ...lane, firstRow: 1, endRow: 4, shown: 2500 });
  draw(pen, {
    // @ts-expect-error -- Only these members are asked for.
    layout: {
      lanes,
      rowTops: Float64Array.of(20, 50, 76, 102),
      rowHeight: 20,
      rowCount: 4,
      height: 200,
      style: { ...laneStyleFor(900, 500), left: 100, width: 200, rowGap: 6, bottom: 60 },
      laneOf: () => historyLane,
      tokensBefore: number => (number === 0 ? tokens[0] : number === historyLane ? tokens[1] : 0),
      placeOf: ({ position }) => (position < 0 ? undefined : { row: 2, x: 150 }),
      row: () => ({
        positions: Int32Array.of(0, 1),
        lefts: Float64Array.of(100, 160),
        widths: Float64Array.of(58, 40),
        continues: false,
        goesOn: false,
      }),
    },
    // @ts-expect-error -- Only these members are asked for.
    content: {
      cached: cached ? part : undefined,
      cachedAfter: after ? part : undefined,
      boundaries,
      boundaryWords: words,
    },
    palette: { ...palette, highContrast: isHighContrast },
    fitter: {
      width: text => 6 * text.length,
      fit: (text, width) => (6 * text.length <= width ? text : `${text.slice(0, width / 6 - 1)}…`),
    },
    drawIcon: (_icon, colour, x, y, size) => pen.drawn.push(`icon ${x},${y},${size} ${colour}`),
  });
  return pen.drawn;
}

describe('what is cached, in the drawing of the lanes', () => {
  it('lies on a sheet, which ends in the row of the boundary', () => {
    const first = [
      'rect 97,17,84,0 sheet',
      'rect 97,17,84,26 sheet',
      'stroke M97,17L181,17L181,17L181,17L181,43L97,43Z edge 1',
    ];
    assert.deepEqual(drawn(drawSheet, {}), [
      ...first,
      'rect 97,47,206,26 sheet',
      'rect 97,73,103,26 sheet',
      'stroke M97,47L303,47L303,73L200,73L200,99L97,99Z edge 1',
    ]);
    assert.deepEqual(drawn(drawSheet, { tokens: [400, 0] }), first);
    // No further than the shown rows, and up to the end of a full row.
    assert.deepEqual(drawn(drawSheet, { tokens: [900, 2000] }).slice(2), [
      'stroke M97,17L221,17L221,17L221,17L221,43L97,43Z edge 1',
      'rect 97,47,206,26 sheet',
      'rect 97,73,203,26 sheet',
      'stroke M97,47L303,47L303,73L300,73L300,99L97,99Z edge 1',
    ]);
    assert.equal(
      drawn(drawSheet, { tokens: [0, 10], isHighContrast: true })[2],
      'stroke M97,47L102,47L102,47L102,47L102,73L97,73Z edge 2',
    );
  });

  it('ends at an edge, with dashes after a prune', () => {
    const step = 'stroke M303,73L200,73L200,99 ice 2';
    assert.deepEqual(drawn(drawEdges, {}), [step]);
    assert.deepEqual(drawn(drawEdges, { tokens: [400, 400] }), ['stroke M180,47L180,73 ice 2']);
    assert.deepEqual(drawn(drawEdges, { cached: false }), []);
    assert.deepEqual(drawn(drawEdges, { after: true }), [step, `${step} 5 3`]);
    assert.deepEqual(drawn(drawEdges, { tokens: [400, 0] }), []);
  });

  const boundary = (kind: LabelledBoundary['kind'], position: number, label: string): LabelledBoundary => ({
    kind,
    position,
    fraction: 0,
    tokens: 0,
    label,
  });

  it('has further boundaries as lines in their rows', () => {
    const boundaries = [
      boundary('predicted', 3, ''),
      boundary('breakpoint', 3, ''),
      boundary('breakpoint', -1, ''),
    ];
    assert.deepEqual(drawn(drawBoundaries, { boundaries }), [
      'stroke M150,73L150,99 ice 2 5 3',
      'stroke M150,73L150,99 fore 2 1.5 2.5',
    ]);
  });

  it('has words after the last block, and below the drawing where they have no room', () => {
    const words = (given: Cached, spread?: Spread): readonly string[] =>
      drawn((pen, scene) => drawBoundaryWords(pen, scene, spread), given);
    // The last block ends at 200; 14 pixels after it, the icon, and the word in the middle of the row.
    const cached = ['icon 214,106,12 ice letters', 'text 1 k 231 112.5 ice letters'];
    assert.deepEqual(words({ words: '1 k' }), cached);
    // 231 + 6 letters are 267, and 14 more 263 for the next: 7 pixels of its line, and 5 letters.
    assert.deepEqual(words({ words: '1 k', boundaries: [boundary('predicted', 3, 'five!')] }), [
      ...cached,
      'stroke M264,105L264,119 ice 2 5 3',
      'text five! 270 112.5 ice letters',
    ]);
    assert.deepEqual(words({ words: '1 k', boundaries: [boundary('frozenPrefix', 3, 'sixsix')] }).slice(2), [
      'stroke M101,145L101,159 fore 2 1.5 2.5',
      'text sixsix 107 152.5 fore',
    ]);
    // Where blocks are spread in the last row, all words are below.
    const spread = { row: 3, left: 0, positions: new Int32Array() };
    assert.deepEqual(words({ words: '1 k' }, spread), [
      'icon 100,146,12 ice letters',
      'text 1 k 117 152.5 ice letters',
    ]);
    // A word that is too long for a line of its own is cut.
    assert.deepEqual(words({ words: 'x'.repeat(40) }), [
      'icon 100,146,12 ice letters',
      `text ${'x'.repeat(29)}… 117 152.5 ice letters`,
    ]);
  });
});
