import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { drawTreemap, type TreemapMarks, type TreemapScene } from '../../../src/core/drawing/drawTreemap';
import type { TextFitter } from '../../../src/core/drawing/textFit';
import type { BoxKind } from '../../../src/core/drawing/treemapLayout';
import { contrastPalette as contrast, namedPalette as palette, RecordedPen } from './recordedPen';

interface Made {
  readonly kind?: BoxKind;
  readonly depth?: number;
  readonly name: string;
  readonly figure?: string;
  readonly icon?: string;
  readonly sensitivity?: number;
  readonly isHidden?: boolean;
  readonly arrivals?: readonly number[];
  readonly area: readonly [left: number, top: number, width: number, height: number];
}

/** A letter is six pixels wide, and a text that does not fit is left out. */
const fitter: TextFitter = {
  width: text => 6 * text.length,
  fit: (text, width) => (6 * text.length <= width ? text : ''),
};
const noMarks: TreemapMarks = { selected: -1, hovered: -1, focused: false };

/** The calls after the background is drawn. */
function drawn(
  made: readonly Made[],
  { marks = noMarks, colours = palette, presence = 1 } = {},
): readonly string[] {
  const pen = new RecordedPen();
  const edge = (index: number): readonly number[] => made.map(({ area }) => area[index] ?? 0);
  const scene: TreemapScene = {
    boxes: {
      count: made.length,
      part: [...made.keys()],
      kind: made.map(({ kind = 'item' }) => kind),
      depth: made.map(({ depth = 2 }) => depth),
      left: edge(0),
      top: edge(1),
      width: edge(2),
      height: edge(3),
    },
    content: {
      fillOf: () => 0,
      iconOf: part => made[part]?.icon ?? '',
      sensitivityOf: part => made[part]?.sensitivity ?? 0,
      isHidden: part => made[part]?.isHidden ?? false,
      nameOf: part => made[part]?.name ?? '',
      figureOf: part => made[part]?.figure ?? '9k',
      shareOf: () => '40 %',
      arrivalsOf: part => made[part]?.arrivals ?? [],
    },
    palette: colours,
    fitter,
    headFitter: fitter,
    drawIcon: (icon, colour, x, y, size) => pen.drawn.push(`icon ${icon} ${x},${y},${size} ${colour}`),
    pixelRatio: 1,
    presenceOf: () => presence,
  };
  drawTreemap(pen, scene, { left: 0, top: 0, width: 400, height: 100 }, marks);
  assert.equal(pen.drawn[0], 'rect 0,0,400,100 back');
  return pen.drawn.slice(1);
}

describe('the drawing of a treemap', () => {
  it('has frames with an icon, a name, a share and a figure', () => {
    const frame: Made = { kind: 'frame', depth: 1, name: 'Files', icon: 'file', area: [0, 0, 200, 100] };
    const ground = ['fill R1,1,198,98 ground alpha 0.22', 'stroke R1.5,1.5,197,97 edge 1 alpha 0.5'];
    assert.deepEqual(drawn([frame]), [
      ...ground,
      'icon file 7,4.5,13 fore',
      'text Files 25 11.5 fore',
      // From the end at 193: a figure of 12 pixels, 6 between, and a share of 24.
      'text 9k 181 11.5 fore',
      'text 40 % 151 11.5 fore',
    ]);
    // An inner frame has a lower head, and neither icon nor share.
    assert.deepEqual(drawn([{ ...frame, depth: 2 }]).slice(2), [
      'text Files 7 10 fore',
      'text 9k 181 10 fore',
    ]);
    // 31 letters leave no room for the share, and 40 pixels of them are enough for the figure.
    assert.deepEqual(drawn([{ ...frame, icon: '', name: 'x'.repeat(24) }]).slice(2), [
      `text ${'x'.repeat(24)} 7 11.5 fore`,
      'text 9k 181 11.5 fore',
    ]);
    assert.deepEqual(drawn([{ ...frame, icon: '', area: [0, 0, 75, 100] }]).slice(2), [
      'text Files 7 11.5 fore',
      'text 9k 56 11.5 fore',
    ]);
    assert.deepEqual(drawn([{ ...frame, icon: '', area: [0, 0, 65, 100] }]).slice(2), [
      'text Files 7 11.5 fore',
    ]);
  });

  it('has items with an edge, a name over a figure, and a tick for each arrival', () => {
    const item: Made = { name: 'a.ts', arrivals: [0, 0, 0.5, 1], area: [3, 20, 100, 60] };
    const box = ['rect 5,21,96,58 edge', 'rect 4,22,98,56 edge', 'rect 5,22,96,56 ground'];
    assert.deepEqual(drawn([item]), [
      ...box,
      'rect 9,71,1,4 letters',
      'rect 53,71,1,4 letters',
      'rect 96,71,1,4 letters',
      'text a.ts 9 33 letters',
      'text 9k 9 47 letters',
    ]);
    // In one line, the figure stands at the end, if there is room.
    const line: Made = { ...item, area: [3, 20, 100, 30] };
    assert.deepEqual(drawn([line]).slice(3), ['text a.ts 9 33 letters', 'text 9k 85 33 letters']);
    assert.deepEqual(drawn([{ ...line, area: [3, 20, 56, 30] }]).slice(3), [
      'text a.ts 9 33 letters',
      'text 9k 41 33 letters',
    ]);
    assert.deepEqual(drawn([{ ...line, area: [3, 20, 55, 30] }]).slice(3), ['text a.ts 9 33 letters']);
    // A low box has its name in the middle, and a lower one none.
    assert.deepEqual(drawn([{ ...item, area: [3, 20, 100, 17] }]).slice(3), [
      'text a.ts 9 29 letters',
      'text 9k 85 29 letters',
    ]);
    assert.deepEqual(drawn([{ ...item, area: [3, 20, 100, 16] }]).length, 3);
    assert.deepEqual(drawn([item], { presence: 0.5 })[0], 'rect 5,21,96,58 edge alpha 0.5');
  });

  it('has icons in items of the first level, alone where there is no room for a name', () => {
    const item: Made = { name: 'Shell', icon: 'shell', depth: 1, area: [0, 0, 100, 30] };
    assert.deepEqual(drawn([item]).slice(3), [
      'icon shell 6,6.5,13 letters',
      'text Shell 24 13 letters',
      'text 9k 82 13 letters',
    ]);
    assert.deepEqual(drawn([{ ...item, area: [0, 0, 61, 30] }]).slice(3), ['text Shell 6 13 letters']);
    assert.deepEqual(drawn([{ ...item, area: [0, 0, 20, 30] }]).slice(3), ['icon shell 3.5,8.5,13 letters']);
    assert.deepEqual(drawn([{ ...item, area: [0, 0, 17, 30] }]).length, 3);
    assert.deepEqual(drawn([{ ...item, depth: 2, area: [0, 0, 20, 30] }]).length, 3);
    assert.deepEqual(drawn([{ ...item, area: [330, 0, 3, 3] }]), ['rect 331,1,2,2 ground']);
  });

  it('has an edge and a sign at sensitive parts, however small', () => {
    const item: Made = { name: 'a.ts', sensitivity: 2, area: [103, 20, 60, 20] };
    assert.deepEqual(drawn([item]), [
      'fill R107,24,52,12 ground',
      'stroke R105,22,56,16 secret 2',
      'fill M113,26L117.5,34.1L108.5,34.1Z secret',
      'stroke M113,26L117.5,34.1L108.5,34.1Z back 1',
      'text a.ts 122 30.5 letters',
    ]);
    const other = drawn([{ ...item, sensitivity: 1 }]);
    assert.equal(other[2], 'fill M113,26L117.5,30.5L113,35L108.5,30.5Z private');
    assert.deepEqual(drawn([{ ...item, area: [0, 0, 9, 9] }]), ['rect 1,1,7,7 secret']);
  });

  it('has dashes around what is not recorded, and slanted lines in what is too small', () => {
    const [outline, ...texts] = drawn([{ name: 'hidden', isHidden: true, area: [200, 0, 100, 30] }]);
    assert.equal(outline, 'stroke R201.5,1.5,97,27 muted 1 3 3');
    assert.deepEqual(texts, ['text hidden 206 13 fore', 'text 9k 282 13 fore']);
    assert.deepEqual(drawn([{ kind: 'rest', name: '', area: [103, 40, 12, 12] }]), [
      'rect 104,41,10,10 ground alpha 0.5',
      'stroke M104,45L110,51 edge 1 alpha 0.5',
      'stroke M106,41L114,49 edge 1 alpha 0.5',
      'stroke M112,41L114,43 edge 1 alpha 0.5',
    ]);
  });

  it('outlines the chosen box and the one under the pointer', () => {
    const item: Made = { name: '', figure: '', area: [3, 20, 100, 20] };
    const outlines = (marks: TreemapMarks): readonly string[] =>
      drawn([item], { marks }).filter(line => line.startsWith('stroke'));
    const chosen = 'stroke R5,22,96,16 chosen 2';
    assert.deepEqual(outlines({ selected: 0, hovered: -1, focused: false }), [chosen]);
    assert.deepEqual(outlines({ selected: 0, hovered: 0, focused: true }), [
      'stroke R4.5,21.5,97,17 fore 1',
      'stroke R6,23,94,14 focus 4',
      chosen,
    ]);
  });

  it('has bars in the colours of sources in high contrast', () => {
    const item: Made = { name: 'a.ts', area: [3, 20, 100, 40] };
    assert.deepEqual(drawn([item], { colours: contrast }), [
      'rect 5,21,96,38 contrast',
      'rect 4,22,98,36 contrast',
      'rect 5,22,96,36 ground',
      'rect 4,21,3,38 bar',
      'text a.ts 12 33 letters',
      'text 9k 12 47 letters',
    ]);
    const frame: Made = { kind: 'frame', depth: 1, name: 'Files', area: [0, 0, 200, 100] };
    assert.deepEqual(drawn([frame], { colours: contrast }).slice(0, 3), [
      'stroke R1.5,1.5,197,97 contrast 1',
      'rect 1,1,3,98 bar',
      'text Files 9 11.5 fore',
    ]);
    assert.equal(drawn([{ ...item, sensitivity: 2 }], { colours: contrast })[1], 'rect 7,24,3,32 bar');
    assert.equal(
      drawn([{ kind: 'rest', name: '', area: [103, 40, 12, 12] }], { colours: contrast })[0],
      'rect 104,41,10,10 back alpha 0.5',
    );
  });
});
