import { at } from '../base/numbers';
import type { TimelineFigures } from '../view/timelineFigures';
import { drawMarks } from './drawMarks';
import type { Palette } from './palette';
import { strokeLine, type Pen } from './pen';
import { leftOfSlot, timelineScale, type TimelineLayout } from './timelineLayout';
import type { TimelineMark } from './timelineMarks';
import { timelineWords } from './words';

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

const top = 16;
const bottom = 4;

/**
 * One column for each request: what is not recorded, then the partitions in wire order, and a line for what was read from
 * the cache. @param height of the whole chart, in pixels
 */
export function drawTimeline(
  pen: Pen,
  layout: TimelineLayout,
  content: TimelineContent,
  height: number,
  palette: Palette,
): void {
  const { figures } = content;
  const largest = figures.totals.reduce((highest, total) => Math.max(highest, total), 0);
  const { top: most, showsLimit } = timelineScale(largest, figures.window);
  const ground = height - bottom;
  const chart = ground - top;
  const y = (tokens: number): number => ground - (tokens / most) * chart;
  const gap = layout.pitch >= 4 ? Math.min(2, layout.pitch * 0.2) : layout.pitch >= 2 ? 0.5 : 0;
  const width = Math.max(1, layout.pitch - gap);
  const columnLeft = (column: number): number =>
    layout.pitch >= 1 ? leftOfSlot(layout, column) : layout.left + column;

  drawSelection(pen, layout, content, height, palette);
  content.slots.forEach((slot, column) => {
    const left = columnLeft(column);
    let base = 0;
    const unknown = at(figures.notRecorded, slot);
    if (unknown > 0) {
      drawUnknown(pen, left, y(unknown), width, ground - y(unknown), palette);
      base = unknown;
    }
    figures.partitions.forEach((tokens, partition) => {
      const share = at(tokens, slot);
      if (share > 0) {
        pen.fillStyle = palette.partitions[partition] ?? palette.foreground;
        pen.fillRect(left, y(base + share), width, y(base) - y(base + share));
        base += share;
      }
    });
  });
  if (content.predicted !== undefined) {
    pen.lineWidth = 1.25;
    pen.strokeStyle = palette.ice;
    pen.setLineDash([4, 3]);
    traceOffsets(pen, layout, content.slots, content.predicted, y);
    pen.setLineDash([]);
  }
  drawCacheRead(pen, layout, content, y, palette);
  pen.font = `10.5px ${palette.fontFamily}`;
  const limitWidth = drawLimit(pen, layout, content, { y, showsLimit }, palette);
  drawMarks(
    pen,
    layout,
    content.marks,
    { y, ground, limitWidth, selectedSlot: content.selectedSlot },
    palette,
  );
}

function drawSelection(
  pen: Pen,
  layout: TimelineLayout,
  { selectedSlot, hoveredSlot }: TimelineContent,
  height: number,
  palette: Palette,
): void {
  const paint = (slot: number, colour: string, alpha: number): void => {
    pen.globalAlpha = alpha;
    pen.fillStyle = colour;
    pen.fillRect(leftOfSlot(layout, slot) - 2, 2, Math.max(5, layout.pitch + 2), height - 2);
    pen.globalAlpha = 1;
  };
  if (hoveredSlot !== undefined) {
    paint(hoveredSlot, palette.foreground, 0.1);
  }
  paint(selectedSlot, palette.foreground, 0.16);
  pen.strokeStyle = palette.foreground;
  pen.lineWidth = 1.5;
  pen.beginPath();
  pen.roundRect(
    leftOfSlot(layout, selectedSlot) - 2,
    2,
    Math.max(5, layout.pitch + 2),
    height - 3,
    [2, 2, 2, 2],
  );
  pen.stroke();
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
  pen.globalAlpha = 1;
  if (width >= 4) {
    pen.globalAlpha = 0.55;
    pen.strokeStyle = palette.muted;
    pen.lineWidth = 1;
    pen.setLineDash([2, 2]);
    strokeLine(pen, left, topEdge + 0.5, left + width, topEdge + 0.5);
    pen.setLineDash([]);
    pen.globalAlpha = 1;
  }
}

function drawCacheRead(
  pen: Pen,
  layout: TimelineLayout,
  { figures, slots }: TimelineContent,
  y: (tokens: number) => number,
  palette: Palette,
): void {
  pen.strokeStyle = palette.background;
  pen.lineWidth = 3.5;
  traceOffsets(pen, layout, slots, figures.cacheRead, y);
  pen.strokeStyle = palette.ice;
  pen.lineWidth = 1.75;
  traceOffsets(pen, layout, slots, figures.cacheRead, y);
}

/** A line through the middle of each column, with a gap where a value is NaN. */
function traceOffsets(
  pen: Pen,
  layout: TimelineLayout,
  slots: Uint32Array,
  values: Float64Array,
  y: (tokens: number) => number,
): void {
  pen.beginPath();
  let isDrawing = false;
  slots.forEach((slot, column) => {
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

/** The limit of the window, named at the left. Returns the width of its words in pixels. */
function drawLimit(
  pen: Pen,
  layout: TimelineLayout,
  { figures }: TimelineContent,
  { y, showsLimit }: { readonly y: (tokens: number) => number; readonly showsLimit: boolean },
  palette: Palette,
): number {
  if (figures.window === 0) {
    return 0;
  }
  const label = (showsLimit ? timelineWords.limit : timelineWords.limitAbove)(figures.window);
  const line = Math.round(y(figures.window)) + 0.5;
  if (showsLimit) {
    // The name stays readable in front of columns that are higher than the limit.
    pen.fillStyle = palette.background;
    pen.fillRect(layout.left, line - 15, pen.measureText(label).width + 4, 13);
  }
  pen.fillStyle = palette.muted;
  pen.fillText(label, layout.left, showsLimit ? line - 8 : 8);
  if (showsLimit) {
    pen.strokeStyle = palette.muted;
    pen.lineWidth = 1;
    pen.setLineDash([4, 3]);
    strokeLine(pen, layout.left, line, layout.left + layout.width, line);
    pen.setLineDash([]);
  }
  return pen.measureText(label).width;
}
