import { at } from '../base/numbers';
import type { TimelineFigures } from '../view/timelineFigures';
import { timelineMarkWords } from './drawingWords';
import type { Palette } from './palette';
import { type Pen, strokeLine, traceDiamond } from './pen';
import { leftOfSlot, type TimelineLayout, timelineScale } from './timelineLayout';
import type { TimelineMark } from './timelineMarks';

export interface TimelineContent {
  readonly figures: TimelineFigures;
  /** The slot that each column shows. */
  readonly slots: Uint32Array;
  readonly selectedSlot: number;
  readonly hoveredSlot: number | undefined;
  /** Tokens that could have been read from the cache, by slot; NaN where nothing is predicted, absent while not known. */
  readonly predicted: Float64Array | undefined;
  /** In the order of slots. */
  readonly marks: readonly TimelineMark[];
}

/** What is drawn, and the means to draw it. Lengths are CSS pixels. */
export interface TimelineScene {
  readonly layout: TimelineLayout;
  readonly content: TimelineContent;
  readonly palette: Palette;
  /** Of the whole chart. */
  readonly height: number;
}

/** The scene with the scale of the chart. */
interface Chart extends TimelineScene {
  readonly y: (tokens: number) => number;
  /** The bottom of the columns. */
  readonly ground: number;
  /** Whether the window's limit is within the chart. */
  readonly showsLimit: boolean;
}

/** Pixels above and below the columns. */
const top = 16;
const bottom = 4;
/** The middle of the words above the columns. */
const wordsAt = 8;
const sign = '◆ ';
const besideFrame = 5;

/**
 * One column for each request: what is not recorded, then the partitions in wire order. A line shows what was read from the
 * cache.
 */
export function drawTimeline(pen: Pen, scene: TimelineScene): void {
  const { content, palette } = scene;
  const { figures } = content;
  const largest = figures.totals.reduce((highest, total) => Math.max(highest, total), 0);
  const { top: most, showsLimit } = timelineScale(largest, figures.window);
  const ground = scene.height - bottom;
  const y = (tokens: number): number => ground - (tokens / most) * (ground - top);
  const chart: Chart = { ...scene, y, ground, showsLimit };
  drawSelection(pen, scene);
  drawColumns(pen, chart);
  if (content.predicted !== undefined) {
    pen.setLineDash([4, 3]);
    strokeOffsets(pen, chart, content.predicted, palette.ice, 1.25);
    pen.setLineDash([]);
  }
  strokeOffsets(pen, chart, figures.cacheRead, palette.background, 3.5);
  strokeOffsets(pen, chart, figures.cacheRead, palette.ice, 1.75);
  pen.font = `10.5px ${palette.fontFamily}`;
  drawMarks(pen, chart, drawLimit(pen, chart));
}

function drawSelection(
  pen: Pen,
  { layout, content: { selectedSlot, hoveredSlot }, height, palette }: TimelineScene,
): void {
  const left = leftOfSlot(layout, selectedSlot) - 2;
  const width = Math.max(5, layout.pitch + 2);
  pen.fillStyle = palette.foreground;
  if (hoveredSlot !== undefined) {
    pen.globalAlpha = 0.1;
    pen.fillRect(leftOfSlot(layout, hoveredSlot) - 2, 2, width, height - 2);
  }
  pen.globalAlpha = 0.16;
  pen.fillRect(left, 2, width, height - 2);
  pen.globalAlpha = 1;
  pen.strokeStyle = palette.foreground;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.roundRect(left, 2, width, height - 3, [2, 2, 2, 2]);
  pen.stroke();
}

function drawColumns(pen: Pen, { layout, content: { figures, slots }, palette, y }: Chart): void {
  const gap = layout.pitch >= 4 ? Math.min(2, layout.pitch * 0.2) : layout.pitch >= 2 ? 0.5 : 0;
  const width = Math.max(1, layout.pitch - gap);
  slots.forEach((slot, column) => {
    const left = layout.pitch >= 1 ? leftOfSlot(layout, column) : layout.left + column;
    let base = 0;
    figures.sources.forEach((tokens, source) => {
      const share = at(tokens, slot);
      const next = y(base + share);
      if (share > 0 && source === 0) {
        drawUnknown(pen, left, next, width, y(base) - next, palette);
      } else if (share > 0) {
        pen.fillStyle = palette.fills.source[source]?.ground ?? palette.foreground;
        pen.fillRect(left, next, width, y(base) - next);
      }
      base += share;
    });
  });
}

/** What is not recorded has a dashed top and is paler than anything recorded. */
function drawUnknown(
  pen: Pen,
  left: number,
  topEdge: number,
  width: number,
  height: number,
  palette: Palette,
): void {
  pen.globalAlpha = 0.22;
  pen.fillStyle = palette.muted;
  pen.fillRect(left, topEdge, width, height);
  if (width >= 4) {
    pen.globalAlpha = 0.55;
    pen.strokeStyle = palette.muted;
    pen.lineWidth = 1;
    pen.setLineDash([2, 2]);
    strokeLine(pen, left, topEdge + 0.5, left + width, topEdge + 0.5);
    pen.setLineDash([]);
  }
  pen.globalAlpha = 1;
}

/** A line through the middle of each column, with a gap where a value is NaN. */
function strokeOffsets(
  pen: Pen,
  { layout, content, y }: Chart,
  values: Float64Array,
  colour: string,
  lineWidth: number,
): void {
  pen.strokeStyle = colour;
  pen.lineWidth = lineWidth;
  pen.beginPath();
  let isDrawing = false;
  content.slots.forEach((slot, column) => {
    const value = at(values, slot);
    if (Number.isNaN(value)) {
      isDrawing = false;
      return;
    }
    const x = layout.pitch >= 1 ? leftOfSlot(layout, slot) + layout.pitch / 2 : layout.left + column;
    if (isDrawing) {
      pen.lineTo(x, y(value));
    } else {
      pen.moveTo(x, y(value));
    }
    isDrawing = true;
  });
  pen.stroke();
}

/** The limit of the window, named at the left. Returns the width of the name in pixels. */
function drawLimit(pen: Pen, { layout, content: { figures }, palette, y, showsLimit }: Chart): number {
  if (figures.window === 0) {
    return 0;
  }
  const label = (showsLimit ? timelineMarkWords.limit : timelineMarkWords.limitAbove)(figures.window);
  const { width } = pen.measureText(label);
  const line = Math.round(y(figures.window)) + 0.5;
  if (showsLimit) {
    // The name stays readable in front of columns that are higher than the limit.
    pen.fillStyle = palette.background;
    pen.fillRect(layout.left, line - 15, width + 4, 13);
    pen.strokeStyle = palette.muted;
    pen.lineWidth = 1;
    pen.setLineDash([4, 3]);
    strokeLine(pen, layout.left, line, layout.left + layout.width, line);
    pen.setLineDash([]);
  }
  pen.fillStyle = palette.muted;
  pen.fillText(label, layout.left, showsLimit ? line - 8 : wordsAt);
  return width;
}

/**
 * Leaves out words that would overlap the word before; lines, bars and signs are always drawn.
 * @param limitWidth of the words at the left that name the window's limit, in pixels
 */
function drawMarks(pen: Pen, chart: Chart, limitWidth: number): void {
  const { layout, content, palette, ground } = chart;
  let free = layout.left + limitWidth + 12;
  for (const { slot, word, lost } of content.marks) {
    if (lost === undefined) {
      const x = Math.round(leftOfSlot(layout, slot) - 1) + 0.5;
      pen.strokeStyle = palette.foreground;
      pen.lineWidth = 1;
      pen.setLineDash([1, 2]);
      strokeLine(pen, x, 14, x, ground);
      pen.setLineDash([]);
    } else {
      drawLoss(pen, chart, leftOfSlot(layout, slot) + layout.pitch / 2, lost);
    }
    const text = lost === undefined ? word : sign + word;
    const { width } = pen.measureText(text);
    const left = leftOfWord(chart, slot, width);
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
function leftOfWord({ layout, content: { selectedSlot } }: Chart, slot: number, width: number): number {
  const column = leftOfSlot(layout, slot);
  const behind = column + layout.pitch + besideFrame;
  const frame = leftOfSlot(layout, selectedSlot) - besideFrame;
  const end = selectedSlot > slot ? frame : layout.left + layout.width;
  return behind + width <= end || column - besideFrame - width < layout.left
    ? behind
    : column - besideFrame - width;
}

/** A bar from what was read up to what could have been read, with a diamond at its foot. */
function drawLoss(
  pen: Pen,
  { y, palette }: Chart,
  x: number,
  { read, readable }: { readonly read: number; readonly readable: number },
): void {
  pen.strokeStyle = palette.background;
  pen.lineWidth = 4;
  strokeLine(pen, x, y(readable), x, y(read));
  pen.strokeStyle = palette.restricted;
  pen.lineWidth = 2;
  strokeLine(pen, x, y(readable), x, y(read));
  traceDiamond(pen, x, y(read), 4.5);
  pen.fillStyle = palette.restricted;
  pen.fill();
  pen.strokeStyle = palette.background;
  pen.lineWidth = 1;
  pen.stroke();
}
