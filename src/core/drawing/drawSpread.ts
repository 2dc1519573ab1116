import { at } from '../base/numbers';
import { type Spread, spreadStep } from './laneRuns';
import type { LaneScene } from './laneScene';
import type { Pen } from './pen';

const iconSize = 10;

/** A part of a run, drawn over its row, with one box of equal width for each block. */
export function drawSpread(
  pen: Pen,
  { layout, content, palette, drawIcon }: LaneScene,
  { row, left, positions }: Spread,
  marked: {
    readonly selected: number | undefined;
    readonly hovered: number | undefined;
    readonly isFocused: boolean;
  },
): void {
  const top = at(layout.rowTops, row);
  const { rowHeight } = layout;
  const fills = palette.fills[content.mode];
  pen.globalAlpha = 1;
  pen.setLineDash([]);
  pen.beginPath();
  pen.roundRect(left - 3, top - 4, positions.length * spreadStep + 4, rowHeight + 8, [4, 4, 4, 4]);
  pen.fillStyle = palette.background;
  pen.fill();
  pen.strokeStyle = palette.muted;
  pen.lineWidth = 1;
  pen.stroke();
  positions.forEach((position, index) => {
    const fill = fills[content.fillOf(position)];
    const x = left + index * spreadStep;
    const width = spreadStep - 2;
    pen.fillStyle = fill?.ground ?? palette.background;
    pen.fillRect(x, top, width, rowHeight);
    const mark = palette.marks[content.sensitivityOf(position)];
    const isMarked = content.sensitivityOf(position) > 0;
    pen.strokeStyle =
      position === marked.hovered
        ? palette.foreground
        : isMarked
          ? (mark?.ground ?? palette.foreground)
          : (fill?.edge ?? palette.muted);
    pen.lineWidth = isMarked ? 2 : 1;
    pen.beginPath();
    pen.roundRect(x + 0.5, top + 0.5, width - 1, rowHeight - 1, [2, 2, 2, 2]);
    pen.stroke();
    drawIcon(
      content.iconOf(position),
      fill?.text ?? palette.foreground,
      x + (width - iconSize) / 2,
      top + (rowHeight - iconSize) / 2,
      iconSize,
    );
  });
  const chosen = marked.selected === undefined ? -1 : positions.indexOf(marked.selected);
  if (chosen < 0) {
    return;
  }
  const frame = (colour: string, thickness: number, gap: number): void => {
    const outset = gap + thickness / 2;
    pen.strokeStyle = colour;
    pen.lineWidth = thickness;
    pen.beginPath();
    pen.roundRect(
      left + chosen * spreadStep - outset,
      top - outset,
      spreadStep - 2 + 2 * outset,
      rowHeight + 2 * outset,
      [3, 3, 3, 3],
    );
    pen.stroke();
  };
  if (marked.isFocused) {
    frame(palette.focus, 2, 2);
  }
  frame(palette.selection, 2, 0);
}
