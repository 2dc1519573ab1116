import type { TimelineFigures } from '../../src/core/session/timelineFigures';
import { at } from '../../src/core/drawing/numbers';
import type { Palette } from '../../src/core/drawing/palette';
import { leftOfSlot, timelineScale, type TimelineLayout } from '../../src/core/drawing/timelineLayout';

export interface TimelineContent {
  readonly figures: TimelineFigures;
  /** The slot that each column shows. */
  readonly slots: Uint32Array;
  readonly selectedSlot: number;
  readonly hoveredSlot: number | undefined;
  /** Slots before which the agent compacted or cleared, with the word for it. */
  readonly marks: readonly { readonly slot: number; readonly word: string }[];
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
  drawCacheRead(context, layout, content, y, palette);
  context.font = `10.5px ${palette.fontFamily}`;
  context.textBaseline = 'middle';
  const limitWidth = drawLimit(context, layout, content, { y, showsLimit }, palette);
  drawMarks(context, layout, content, { ground, limitWidth }, palette);
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
  const trace = (): void => {
    context.beginPath();
    let isDrawing = false;
    slots.forEach((slot, column) => {
      const read = at(figures.cacheRead, slot);
      if (Number.isNaN(read)) {
        isDrawing = false;
        return;
      }
      const x = layout.pitch >= 1 ? leftOfSlot(layout, slot) + layout.pitch / 2 : layout.left + column;
      if (isDrawing) {
        context.lineTo(x, y(read));
      } else {
        context.moveTo(x, y(read));
      }
      isDrawing = true;
    });
    context.stroke();
  };
  context.lineJoin = 'round';
  context.strokeStyle = palette.background;
  context.lineWidth = 3.5;
  trace();
  context.strokeStyle = palette.ice;
  context.lineWidth = 1.75;
  trace();
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
  context.fillStyle = palette.muted;
  const label = showsLimit ? limitLabel : limitAboveLabel;
  const line = Math.round(y(figures.window)) + 0.5;
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

/** Words of marks that would run into the one before are left out; their lines stay. */
function drawMarks(
  context: CanvasRenderingContext2D,
  layout: TimelineLayout,
  { marks }: TimelineContent,
  { ground, limitWidth }: { readonly ground: number; readonly limitWidth: number },
  palette: Palette,
): void {
  let free = layout.left + limitWidth + 12;
  for (const { slot, word } of marks) {
    const x = Math.round(leftOfSlot(layout, slot) - 1) + 0.5;
    context.strokeStyle = palette.foreground;
    context.lineWidth = 1;
    context.setLineDash([1, 2]);
    context.beginPath();
    context.moveTo(x, 14);
    context.lineTo(x, ground);
    context.stroke();
    context.setLineDash([]);
    const wordWidth = context.measureText(word).width;
    const left = Math.min(Math.max(layout.left, x - wordWidth / 2), layout.left + layout.width - wordWidth);
    if (left >= free) {
      context.fillStyle = palette.foreground;
      context.fillText(word, left, 8);
      free = left + wordWidth + 8;
    }
  }
}
