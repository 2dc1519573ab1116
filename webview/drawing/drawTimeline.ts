import type { TimelineFigures } from '../../src/core/view/timelineFigures';
import { at } from '../../src/core/base/numbers';
import type { Palette } from '../../src/core/drawing/palette';
import { leftOfSlot, timelineScale, type TimelineLayout } from '../../src/core/drawing/timelineLayout';
import { drawMarks, type TimelineMark } from './drawMarks';

export interface TimelineContent {
  readonly figures: TimelineFigures;
  /** The slot that each column shows. */
  readonly slots: Uint32Array;
  readonly selectedSlot: number;
  readonly hoveredSlot: number | undefined;
  /** By slot, what could have been read from the cache; NaN where nothing is predicted, absent while it is not known. */
  readonly predicted: Float64Array | undefined;
  /** In the order of slots. */
  readonly marks: readonly TimelineMark[];
  readonly limitLabel: string;
  readonly limitAboveLabel: string;
}

const top = 16;
const bottom = 4;

/** One column a request: what is not recorded, then the partitions in wire order; the cache read as a line over them. */
export function drawTimeline(
  context: CanvasRenderingContext2D,
  layout: TimelineLayout,
  content: TimelineContent,
  height: number,
  palette: Palette,
): void {
  const { figures } = content;
  const largest = figures.totals.reduce((most, total) => Math.max(most, total), 0);
  const { top: most, showsLimit } = timelineScale(largest, figures.window);
  const ground = height - bottom;
  const chart = ground - top;
  const y = (tokens: number): number => ground - (tokens / most) * chart;
  const gap = layout.pitch >= 4 ? Math.min(2, layout.pitch * 0.2) : layout.pitch >= 2 ? 0.5 : 0;
  const width = Math.max(1, layout.pitch - gap);
  const columnLeft = (column: number): number =>
    layout.pitch >= 1 ? leftOfSlot(layout, column) : layout.left + column;

  drawSelection(context, layout, content, height, palette);
  content.slots.forEach((slot, column) => {
    const left = columnLeft(column);
    let base = 0;
    const unknown = at(figures.notRecorded, slot);
    if (unknown > 0) {
      drawUnknown(context, left, y(unknown), width, ground - y(unknown), palette);
      base = unknown;
    }
    figures.partitions.forEach((tokens, partition) => {
      const share = at(tokens, slot);
      if (share > 0) {
        context.fillStyle = palette.partitions[partition] ?? palette.foreground;
        context.fillRect(left, y(base + share), width, y(base) - y(base + share));
        base += share;
      }
    });
  });
  if (content.predicted !== undefined) {
    context.lineWidth = 1.25;
    context.strokeStyle = palette.ice;
    context.setLineDash([4, 3]);
    traceOffsets(context, layout, content.slots, content.predicted, y);
    context.setLineDash([]);
  }
  drawCacheRead(context, layout, content, y, palette);
  context.font = `10.5px ${palette.fontFamily}`;
  context.textBaseline = 'middle';
  const limitWidth = drawLimit(context, layout, content, { y, showsLimit }, palette);
  drawMarks(
    context,
    layout,
    content.marks,
    { y, ground, limitWidth, selectedSlot: content.selectedSlot },
    palette,
  );
}

function drawSelection(
  context: CanvasRenderingContext2D,
  layout: TimelineLayout,
  { selectedSlot, hoveredSlot }: TimelineContent,
  height: number,
  palette: Palette,
): void {
  const paint = (slot: number, colour: string, alpha: number): void => {
    context.globalAlpha = alpha;
    context.fillStyle = colour;
    context.fillRect(leftOfSlot(layout, slot) - 2, 2, Math.max(5, layout.pitch + 2), height - 2);
    context.globalAlpha = 1;
  };
  if (hoveredSlot !== undefined) {
    paint(hoveredSlot, palette.foreground, 0.1);
  }
  paint(selectedSlot, palette.foreground, 0.16);
  context.strokeStyle = palette.foreground;
  context.lineWidth = 1.5;
  context.beginPath();
  context.roundRect(leftOfSlot(layout, selectedSlot) - 2, 2, Math.max(5, layout.pitch + 2), height - 3, 2);
  context.stroke();
}

/** Dashed at the top, and paler than anything that is recorded. */
function drawUnknown(
  context: CanvasRenderingContext2D,
  left: number,
  topEdge: number,
  width: number,
  height: number,
  palette: Palette,
): void {
  context.globalAlpha = 0.22;
  context.fillStyle = palette.muted;
  context.fillRect(left, topEdge, width, height);
  context.globalAlpha = 1;
  if (width >= 4) {
    context.globalAlpha = 0.55;
    context.strokeStyle = palette.muted;
    context.lineWidth = 1;
    context.setLineDash([2, 2]);
    context.beginPath();
    context.moveTo(left, topEdge + 0.5);
    context.lineTo(left + width, topEdge + 0.5);
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }
}

function drawCacheRead(
  context: CanvasRenderingContext2D,
  layout: TimelineLayout,
  { figures, slots }: TimelineContent,
  y: (tokens: number) => number,
  palette: Palette,
): void {
  context.lineJoin = 'round';
  context.strokeStyle = palette.background;
  context.lineWidth = 3.5;
  traceOffsets(context, layout, slots, figures.cacheRead, y);
  context.strokeStyle = palette.ice;
  context.lineWidth = 1.75;
  traceOffsets(context, layout, slots, figures.cacheRead, y);
}

/** A line through the middles of the columns, with a gap where a value is NaN. */
function traceOffsets(
  context: CanvasRenderingContext2D,
  layout: TimelineLayout,
  slots: Uint32Array,
  values: Float64Array,
  y: (tokens: number) => number,
): void {
  context.beginPath();
  let isDrawing = false;
  slots.forEach((slot, column) => {
    const value = at(values, slot);
    if (Number.isNaN(value)) {
      isDrawing = false;
      return;
    }
    const x = layout.pitch >= 1 ? leftOfSlot(layout, slot) + layout.pitch / 2 : layout.left + column;
    if (isDrawing) {
      context.lineTo(x, y(value));
    } else {
      context.moveTo(x, y(value));
    }
    isDrawing = true;
  });
  context.stroke();
}

/** Returns the width of its words, which stand at the left. */
function drawLimit(
  context: CanvasRenderingContext2D,
  layout: TimelineLayout,
  { figures, limitLabel, limitAboveLabel }: TimelineContent,
  { y, showsLimit }: { readonly y: (tokens: number) => number; readonly showsLimit: boolean },
  palette: Palette,
): number {
  if (figures.window === 0) {
    return 0;
  }
  const label = showsLimit ? limitLabel : limitAboveLabel;
  const line = Math.round(y(figures.window)) + 0.5;
  if (showsLimit) {
    // Columns that are higher than the limit stand behind its name.
    context.fillStyle = palette.background;
    context.fillRect(layout.left, line - 15, context.measureText(label).width + 4, 13);
  }
  context.fillStyle = palette.muted;
  context.fillText(label, layout.left, showsLimit ? line - 8 : 8);
  if (showsLimit) {
    context.strokeStyle = palette.muted;
    context.lineWidth = 1;
    context.setLineDash([4, 3]);
    context.beginPath();
    context.moveTo(layout.left, line);
    context.lineTo(layout.left + layout.width, line);
    context.stroke();
    context.setLineDash([]);
  }
  return context.measureText(label).width;
}
