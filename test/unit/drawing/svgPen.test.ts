import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SvgPen } from '../../../src/core/drawing/svgPen';

function drawn(draw: (pen: SvgPen) => void): string {
  const pen = new SvgPen();
  pen.fillStyle = 'red';
  draw(pen);
  return pen.markup;
}

describe('SvgPen', () => {
  it('draws narrow neighbours as one rectangle, and never a wide one with them', () => {
    const rectangle = (x: number, width: number): string =>
      `<rect x="${x}" y="0" width="${width}" height="9" fill="red"/>`;
    const boxes = (...lefts: readonly (readonly [number, number])[]) =>
      drawn(pen => lefts.forEach(([x, width]) => pen.fillRect(x, 0, width, 9)));
    assert.equal(boxes([0, 2], [4, 2], [8, 2]), rectangle(0, 10));
    assert.equal(boxes([0, 2], [5, 2]), rectangle(0, 2) + rectangle(5, 2));
    assert.equal(boxes([0, 20], [22, 2], [26, 20]), rectangle(0, 20) + rectangle(22, 2) + rectangle(26, 20));
  });

  it('keeps rectangles of other colours, strengths and rows apart', () => {
    const change = (act: (pen: SvgPen) => void, y = 0): number =>
      drawn(pen => {
        pen.fillRect(0, 0, 2, 9);
        act(pen);
        pen.fillRect(4, y, 2, 9);
      }).match(/<rect /g)?.length ?? 0;
    assert.equal(
      change(() => undefined),
      1,
    );
    assert.equal(
      change(pen => {
        pen.fillStyle = 'blue';
      }),
      2,
    );
    assert.equal(
      change(pen => {
        pen.globalAlpha = 0.5;
      }),
      2,
    );
    assert.equal(
      change(() => undefined, 10),
      2,
    );
    // The order of anything drawn between them must be kept.
    assert.equal(
      change(pen => pen.fillText('a', 0, 0)),
      2,
    );
  });

  it('writes paths with the style of the moment, and escapes text', () => {
    assert.equal(
      drawn(pen => {
        pen.strokeStyle = 'blue';
        pen.lineWidth = 2;
        pen.setLineDash([5, 3]);
        pen.globalAlpha = 0.5;
        pen.beginPath();
        pen.moveTo(1, 2);
        pen.lineTo(3.04, 4);
        pen.stroke();
      }),
      '<path d="M1 2L3 4" fill="none" stroke="blue" stroke-width="2" stroke-dasharray="5 3" opacity="0.5"/>',
    );
    assert.equal(
      drawn(pen => {
        pen.font = '600 12px sans-serif';
        pen.fillText('<b>', 1, 2);
      }),
      '<text x="1" y="2" fill="red" font-size="12" font-weight="600">&lt;b&gt;</text>',
    );
  });

  it('rounds the ends of a box that are round', () => {
    assert.equal(
      drawn(pen => {
        pen.beginPath();
        pen.roundRect(0, 0, 20, 10, [2, 0, 0, 2]);
        pen.fill();
      }),
      '<path d="M2 0H20V10H2a2 2 0 0 1 -2 -2V2a2 2 0 0 1 2 -2Z" fill="red"/>',
    );
  });

  it('measures by the size and the weight of the font', () => {
    const pen = new SvgPen();
    const widthIn = (font: string): number => {
      pen.font = font;
      return pen.measureText('abcd').width;
    };
    assert.equal(widthIn('22px x'), 2 * widthIn('11px x'));
    assert.ok(widthIn('600 11px x') > widthIn('11px x'));
  });
});
