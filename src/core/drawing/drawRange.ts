import { at, firstWhere, lastAtMost } from '../base/numbers';
import type { PositionRange } from '../view/requestView';
import { type Box, inset, traceOutline } from './boxShapes';
import type { LaneScene } from './laneScene';
import type { Pen } from './pen';

const tint = 0.16;

/** Frames a range in each row like selected text. */
export function drawRange(
  pen: Pen,
  { layout, palette }: LaneScene,
  { first, last }: PositionRange,
  [firstRow, endRow]: readonly [number, number],
): void {
  for (let number = firstRow; number < endRow; number += 1) {
    const { positions, lefts, widths, continues, goesOn } = layout.row(number);
    const begin = firstWhere(0, positions.length, index => at(positions, index) >= first);
    const end = lastAtMost(positions, positions.length, last);
    if (begin > end) {
      continue;
    }
    const left = at(lefts, begin);
    const box: Box = {
      left,
      top: at(layout.rowTops, number),
      width: at(lefts, end) + at(widths, end) - left,
      height: layout.rowHeight,
      isFirst: begin > 0 || !continues,
      isLast: end < positions.length - 1 || !goesOn,
    };
    if (!palette.highContrast) {
      pen.globalAlpha = tint;
      pen.fillStyle = palette.selection;
      pen.fillRect(box.left, box.top, box.width, box.height);
      pen.globalAlpha = 1;
    }
    for (const [colour, thickness] of [
      [palette.background, 4],
      [palette.selection, 2],
    ] as const) {
      pen.strokeStyle = colour;
      pen.lineWidth = thickness;
      traceOutline(pen, inset(box, -1));
      pen.stroke();
    }
  }
}
