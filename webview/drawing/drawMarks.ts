import type { Palette } from '../../src/core/drawing/palette';
import { leftOfSlot, type TimelineLayout } from '../../src/core/drawing/timelineLayout';

/** Something that happened before a request: a word over its column, and a line or, for a loss, a bar and a sign. */
export interface TimelineMark {
  readonly slot: number;
  readonly word: string;
  /** The cache broke: tokens that were read, and that could have been. */
  readonly lost?: { readonly read: number; readonly readable: number };
}

/** Tokens to pixels, the ground of the chart, where the words of the limit end, and the column with a frame. */
export interface MarkPlaces {
  readonly y: (tokens: number) => number;
  readonly ground: number;
  readonly limitWidth: number;
  readonly selectedSlot: number;
}

const wordsAt = 8;
const sign = '◆ ';
const besideFrame = 5;

/** Words that would run into the one before are left out; lines, bars and signs stay. Marks come in order of slots. */
export function drawMarks(
  context: CanvasRenderingContext2D,
  layout: TimelineLayout,
  marks: readonly TimelineMark[],
  { y, ground, limitWidth, selectedSlot }: MarkPlaces,
  palette: Palette,
): void {
  let free = layout.left + limitWidth + 12;
  for (const { slot, word, lost } of marks) {
    const centre = leftOfSlot(layout, slot) + layout.pitch / 2;
    if (lost === undefined) {
      drawDottedLine(context, Math.round(leftOfSlot(layout, slot) - 1) + 0.5, ground, palette);
    } else {
      drawLoss(context, centre, y(lost.read), y(lost.readable), palette);
    }
    const text = lost === undefined ? word : sign + word;
    const width = context.measureText(text).width;
    const left = leftOfWord(layout, slot, width, selectedSlot);
    if (left >= free) {
      context.fillStyle = palette.foreground;
      context.fillText(text, left, wordsAt);
      if (lost !== undefined) {
        context.fillStyle = palette.restricted;
        context.fillText(sign, left, wordsAt);
      }
      free = left + width + 8;
    }
  }
}

/** Behind the column, or before it where the word would leave the chart or run into the frame of the selected column. */
function leftOfWord(layout: TimelineLayout, slot: number, width: number, selectedSlot: number): number {
  const column = leftOfSlot(layout, slot);
  const behind = column + layout.pitch + besideFrame;
  const frame = leftOfSlot(layout, selectedSlot) - besideFrame;
  const end = selectedSlot > slot ? frame : layout.left + layout.width;
  return behind + width <= end || column - besideFrame - width < layout.left
    ? behind
    : column - besideFrame - width;
}

function drawDottedLine(
  context: CanvasRenderingContext2D,
  x: number,
  ground: number,
  palette: Palette,
): void {
  context.strokeStyle = palette.foreground;
  context.lineWidth = 1;
  context.setLineDash([1, 2]);
  context.beginPath();
  context.moveTo(x, 14);
  context.lineTo(x, ground);
  context.stroke();
  context.setLineDash([]);
}

/** A bar from what was read up to what could have been, with a diamond at its foot. */
function drawLoss(
  context: CanvasRenderingContext2D,
  x: number,
  read: number,
  readable: number,
  palette: Palette,
): void {
  const trace = (colour: string, width: number): void => {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.beginPath();
    context.moveTo(x, readable);
    context.lineTo(x, read);
    context.stroke();
  };
  trace(palette.background, 4);
  trace(palette.restricted, 2);
  const radius = 4.5;
  context.beginPath();
  context.moveTo(x, read - radius);
  context.lineTo(x + radius, read);
  context.lineTo(x, read + radius);
  context.lineTo(x - radius, read);
  context.closePath();
  context.fillStyle = palette.restricted;
  context.fill();
  context.strokeStyle = palette.background;
  context.lineWidth = 1;
  context.stroke();
}
