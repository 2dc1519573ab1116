import type { Palette } from './palette';
import { strokeLine, traceDiamond, type Pen } from './pen';
import { leftOfSlot, type TimelineLayout } from './timelineLayout';
import type { TimelineMark } from './timelineMarks';

/** Lengths in pixels. */
export interface MarkPlaces {
  readonly y: (tokens: number) => number;
  /** The bottom of the columns. */
  readonly ground: number;
  /** Width of the words at the left that name the window's limit. */
  readonly limitWidth: number;
  readonly selectedSlot: number;
}

const wordsAt = 8;
const sign = '◆ ';
const besideFrame = 5;

/** Leaves out words that would overlap the word before; lines, bars and signs are always drawn. Marks are in order of slots. */
export function drawMarks(
  pen: Pen,
  layout: TimelineLayout,
  marks: readonly TimelineMark[],
  { y, ground, limitWidth, selectedSlot }: MarkPlaces,
  palette: Palette,
): void {
  let free = layout.left + limitWidth + 12;
  for (const { slot, word, lost } of marks) {
    const centre = leftOfSlot(layout, slot) + layout.pitch / 2;
    if (lost === undefined) {
      drawDottedLine(pen, Math.round(leftOfSlot(layout, slot) - 1) + 0.5, ground, palette);
    } else {
      drawLoss(pen, centre, y(lost.read), y(lost.readable), palette);
    }
    const text = lost === undefined ? word : sign + word;
    const width = pen.measureText(text).width;
    const left = leftOfWord(layout, slot, width, selectedSlot);
    if (left >= free) {
      pen.fillStyle = palette.foreground;
      pen.fillText(text, left, wordsAt);
      if (lost !== undefined) {
        pen.fillStyle = palette.restricted;
        pen.fillText(sign, left, wordsAt);
      }
      free = left + width + 8;
    }
  }
}

/** Right of the column, or left of it where the word would leave the chart or overlap the frame of the selected column. */
function leftOfWord(layout: TimelineLayout, slot: number, width: number, selectedSlot: number): number {
  const column = leftOfSlot(layout, slot);
  const behind = column + layout.pitch + besideFrame;
  const frame = leftOfSlot(layout, selectedSlot) - besideFrame;
  const end = selectedSlot > slot ? frame : layout.left + layout.width;
  return behind + width <= end || column - besideFrame - width < layout.left
    ? behind
    : column - besideFrame - width;
}

function drawDottedLine(pen: Pen, x: number, ground: number, palette: Palette): void {
  pen.strokeStyle = palette.foreground;
  pen.lineWidth = 1;
  pen.setLineDash([1, 2]);
  strokeLine(pen, x, 14, x, ground);
  pen.setLineDash([]);
}

/** A bar from what was read up to what could have been read, with a diamond at its foot. */
function drawLoss(pen: Pen, x: number, read: number, readable: number, palette: Palette): void {
  pen.strokeStyle = palette.background;
  pen.lineWidth = 4;
  strokeLine(pen, x, readable, x, read);
  pen.strokeStyle = palette.restricted;
  pen.lineWidth = 2;
  strokeLine(pen, x, readable, x, read);
  traceDiamond(pen, x, read, 4.5);
  pen.fillStyle = palette.restricted;
  pen.fill();
  pen.strokeStyle = palette.background;
  pen.lineWidth = 1;
  pen.stroke();
}
