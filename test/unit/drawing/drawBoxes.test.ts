import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawBoxes, drawOutline, drawSelection } from '../../../src/core/drawing/drawBoxes';
import { drawBreak } from '../../../src/core/drawing/drawLabels';
import { drawRange } from '../../../src/core/drawing/drawRange';
import { drawSpread } from '../../../src/core/drawing/drawSpread';
import type { LaneScene } from '../../../src/core/drawing/laneScene';
import type { Palette } from '../../../src/core/drawing/palette';
import { contrastPalette as contrast, namedPalette as palette, RecordedPen } from './recordedPen';

/** The unrecorded part, a named box, one with a secret, one with an icon, and two narrow ones, the last private. */
const row = {
  positions: Int32Array.of(-1, 0, 1, 2, 3, 4),
  lefts: Float64Array.of(10, 42, 144, 206, 238, 242),
  widths: Float64Array.of(30, 100, 60, 30, 2, 4),
  continues: false,
  goesOn: false,
};

interface Choices {
  readonly candidates?: boolean;
  readonly hatched?: number;
  readonly displaced?: boolean;
  readonly colours?: Palette;
  readonly row?: Partial<typeof row>;
}

/** The calls that draw one row, from 20 to 40 pixels. A letter is six pixels wide. */
function drawn(
  draw: (pen: RecordedPen, scene: LaneScene) => void,
  { candidates = false, hatched = 1, displaced = false, colours = palette, row: change = {} }: Choices = {},
): readonly string[] {
  const pen = new RecordedPen();
  draw(pen, {
    // @ts-expect-error -- Only these members are asked for.
    layout: {
      row: () => ({ ...row, ...change }),
      rowTops: Float64Array.of(20),
      rowHeight: 20,
      boxesOf: position => [{ position, row: 0, index: position + 1 }],
    },
    // @ts-expect-error -- Only these members are asked for.
    content: {
      mode: 'source',
      fillOf: () => 0,
      sensitivityOf: position => [0, 2, 0, 0, 1][position] ?? 0,
      iconOf: position => `i${position}`,
      nameOf: () => 'a.ts',
      figureOf: () => '9k',
      isCandidate: position => candidates && position === 0,
      hasCandidates: candidates,
      hatchOf: position => (position === 0 ? hatched : 0),
      alphaOf: () => 1,
      presenceOf: () => 1,
      isDisplaced: position => displaced && position === 0,
    },
    palette: colours,
    fitter: {
      width: text => 6 * text.length,
      fit: (text, width) => (6 * text.length <= width ? text : ''),
    },
    hatch: 'hatch',
    drawIcon: (icon, colour, x, y, size) => pen.drawn.push(`icon ${icon} ${x},${y},${size} ${colour}`),
    pixelRatio: 1,
  });
  return pen.drawn;
}

const boxes = (pen: RecordedPen, scene: LaneScene): void => drawBoxes(pen, scene, [0, 1]);

/** The calls that draw narrow and wide boxes without labels. */
const grounds = [
  'rect 238,20,8,20 ground',
  'stroke R10.5,20.5,29,19 muted 1 3 3',
  'rect 43,20,98,20 edge',
  'rect 42,21,100,18 edge',
  'rect 43,21,98,18 ground',
  'fill R147,23,54,14 ground',
  'stroke R145,21,58,18 secret 2',
  'rect 207,20,28,20 edge',
  'rect 206,21,30,18 edge',
  'rect 207,21,28,18 ground',
];
const cell = [
  'rect 145,21,18,18 secret',
  'fill M154,26L158,33.2L150,33.2Z sign',
  'icon i1 177,24,12 letters',
];
const flag = ['fill M244,14L248,18L244,22L240,18Z private', 'stroke M244,14L248,18L244,22L240,18Z back 1'];

describe('the boxes of a lane', () => {
  it('have names and figures where there is room, signs everywhere, and narrow neighbours are one', () => {
    assert.deepEqual(drawn(boxes), [
      ...grounds,
      'icon i-1 19,24,12 muted',
      'icon i0 48,24,12 letters',
      'text a.ts 65 30.5 letters',
      'text 9k 124 30.5 letters',
      ...cell,
      'icon i2 215,24,12 letters',
      ...flag,
    ]);
  });

  it('are hatched if a prune removes them, with a plate under the letters', () => {
    const plain = drawn(boxes);
    const more = (choices: Choices): readonly string[] =>
      drawn(boxes, choices).filter(line => !plain.includes(line));
    assert.deepEqual(more({ candidates: true }), [
      'rect 42,20,100,20 hatch alpha 0.6',
      'rect 46,23,16,14 ground',
      'rect 62,23,30,14 ground',
    ]);
    assert.equal(more({ candidates: true, hatched: 0.25 })[0], 'rect 117,20,25,20 hatch alpha 0.6');
    assert.deepEqual(more({ displaced: true }), ['fill M135,21L141,21L141,27Z fore']);
  });

  it('are open at a side where the block goes on, without a second icon', () => {
    const one = { positions: Int32Array.of(0), lefts: Float64Array.of(10), widths: Float64Array.of(100) };
    const told = (continues: boolean, goesOn: boolean): readonly string[] =>
      drawn(boxes, { row: { ...one, continues, goesOn } });
    assert.deepEqual(told(true, false), [
      'rect 10,20,99,20 edge',
      'rect 10,21,100,18 edge',
      'rect 10,21,99,18 ground',
      'text … a.ts 16 30.5 letters',
      'text 9k 92 30.5 letters',
    ]);
    assert.deepEqual(told(false, true), [
      'rect 11,20,99,20 edge',
      'rect 10,21,100,18 edge',
      'rect 11,21,99,18 ground',
      'icon i0 16,24,12 letters',
      'text a.ts 33 30.5 letters',
    ]);
    // 33 + 24 + 8 + 12 is more than the room until 76.
    const narrow = { ...one, widths: Float64Array.of(72) };
    assert.equal(drawn(boxes, { row: narrow }).at(-1), 'text a.ts 33 30.5 letters');
    const enough = { ...one, widths: Float64Array.of(73) };
    assert.equal(drawn(boxes, { row: enough }).at(-1), 'text 9k 65 30.5 letters');
  });

  it('have an edge and a cell for private data too', () => {
    const one = { positions: Int32Array.of(4), lefts: Float64Array.of(10), widths: Float64Array.of(40) };
    assert.deepEqual(drawn(boxes, { row: one }), [
      'fill R13,23,34,14 ground',
      'stroke R11,21,38,18 private 2',
      'rect 11,21,18,18 private',
      'fill M20,26L24,30L20,34L16,30Z sign',
      'icon i4 33,24,12 letters',
    ]);
  });

  it('have a bar in their colour in high contrast', () => {
    const one = { positions: Int32Array.of(0), lefts: Float64Array.of(10), widths: Float64Array.of(60) };
    assert.deepEqual(drawn(boxes, { colours: contrast, row: one }), [
      'rect 11,20,58,20 contrast',
      'rect 10,21,60,18 contrast',
      'rect 11,21,58,18 ground',
      'rect 10,20,3,20 bar',
      'icon i0 18,24,12 letters',
      'text a.ts 35 30.5 letters',
    ]);
  });

  it('are outlined: the selected one on the colour of the background, with a ring for the focus', () => {
    const selected = (isFocused: boolean): readonly string[] =>
      drawn((pen, scene) => drawSelection(pen, scene, 0, isFocused));
    assert.deepEqual(selected(false), ['stroke R40,18,104,24 back 4', 'stroke R40,18,104,24 chosen 2']);
    assert.deepEqual(selected(true), [
      'stroke R39,17,106,26 back 6',
      'stroke R38,16,108,28 focus 2',
      'stroke R40,18,104,24 chosen 2',
    ]);
    const outlined = drawn((pen, { layout }) =>
      drawOutline(pen, layout, 0, { colour: 'fore', thickness: 1, gap: 0, dash: [3, 2] }),
    );
    assert.deepEqual(outlined, ['stroke R41.5,19.5,101,21 fore 1 3 2']);
    assert.deepEqual(
      drawn((pen, scene) => drawSelection(pen, scene, undefined, true)),
      [],
    );
  });

  it('are framed and tinted together in a range', () => {
    const range = (first: number, last: number, choices?: Choices): readonly string[] =>
      drawn((pen, scene) => drawRange(pen, scene, { first, last }, [0, 1]), choices);
    assert.deepEqual(range(0, 1), [
      'rect 42,20,162,20 chosen alpha 0.16',
      'stroke R41,19,164,22 back 4',
      'stroke R41,19,164,22 chosen 2',
    ]);
    assert.equal(range(0, 1, { colours: contrast }).length, 2);
    const open = (change: Partial<typeof row>, first: number, last: number): string | undefined =>
      range(first, last, { row: change }).at(-1);
    assert.equal(open({ continues: true }, -1, 0), 'stroke M143,19L9,19M9,41L143,41L143,19 chosen 2');
    assert.equal(open({ continues: true }, 0, 1), 'stroke R41,19,164,22 chosen 2');
    assert.equal(open({ goesOn: true }, 2, 9), 'stroke M247,19L205,19L205,41L247,41 chosen 2');
    assert.deepEqual(range(5, 9), []);
  });

  it('are spread with equal widths, each with an icon', () => {
    const spread = { row: 0, left: 50, positions: Int32Array.of(3, 4) };
    const told = (selected: number | undefined, isFocused: boolean): readonly string[] =>
      drawn((pen, scene) => drawSpread(pen, scene, spread, { selected, hovered: 3, isFocused }));
    const plain = [
      'fill R47,16,36,28 back',
      'stroke R47,16,36,28 muted 1',
      'rect 50,20,14,20 ground',
      'stroke R50.5,20.5,13,19 fore 1',
      'icon i3 52,25,10 letters',
      'rect 66,20,14,20 ground',
      'stroke R66.5,20.5,13,19 private 2',
      'icon i4 68,25,10 letters',
    ];
    assert.deepEqual(told(undefined, true), plain);
    assert.deepEqual(told(9, true), plain);
    assert.deepEqual(told(4, false), [...plain, 'stroke R65,19,16,22 chosen 2']);
    assert.deepEqual(told(4, true).slice(plain.length), [
      'stroke R63,17,20,26 focus 2',
      'stroke R65,19,16,22 chosen 2',
    ]);
  });

  it('end with a break where a lane does not show all', () => {
    const lane = { endRow: 1, left: 10, width: 200, signWidth: 76 };
    // @ts-expect-error -- Only these members are asked for.
    const told = drawn((pen, scene) => drawBreak(pen, scene, lane, '3 more'));
    assert.deepEqual(told, [
      'rect 134,19,80,22 back',
      'stroke M135,20L139,25L135,30L139,35L135,40 muted 1.2',
      'text 3 more 145 30.5 muted',
    ]);
  });
});
