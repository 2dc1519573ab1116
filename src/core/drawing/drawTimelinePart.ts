import { at } from '../base/numbers';
import type { Palette } from './palette';
import { type Pen, strokeLine } from './pen';
import { leftOfSlot, type TimelineLayout, type TimelineRows } from './timelineLayout';

/** A part of the contexts that is followed across requests. */
export interface TimelinePart {
  readonly name: string;
  /** Index into the fills of the sources. */
  readonly fill: number;
  /** Tokens by slot. */
  readonly tokens: Float64Array;
  /** The slots at which content of the part arrived, ascending. */
  readonly arrivals: readonly number[];
}

interface PartChart {
  readonly layout: TimelineLayout;
  readonly palette: Palette;
  readonly rows: TimelineRows;
  readonly y: (tokens: number) => number;
}

/** The height of the largest column of the part, of 1. */
const ownShare = 0.7;
/** Maximum number of pins with a needle. */
const mostNeedles = 16;
const pinRadius = 2.5;
/** Minimum distance of pins. Closer ones are drawn as one. */
const pinDistance = 6;

/**
 * Draws each whole request as a pale column, with the part in its colour in front. The part has its own scale, because
 * most parts would be a thin line at the scale of the whole.
 */
export function drawPartColumns(
  pen: Pen,
  part: TimelinePart,
  totals: Float64Array,
  slots: Uint32Array,
  { layout, palette, rows, y }: PartChart,
): void {
  const gap = layout.pitch >= 4 ? 1 : layout.pitch >= 2 ? 0.5 : 0;
  const width = Math.max(1, layout.pitch - gap);
  const fill = palette.fills.source[part.fill];
  const ground = y(0);
  const most = part.tokens.reduce((highest, count) => Math.max(highest, count), 0);
  // The unrecorded part has the colour of the background.
  const colour = part.fill === 0 ? palette.muted : (fill?.stroke ?? fill?.ground ?? palette.foreground);
  slots.forEach((slot, column) => {
    const left = layout.pitch >= 1 ? leftOfSlot(layout, column) : layout.left + column;
    const whole = y(at(totals, slot));
    const own = at(part.tokens, slot);
    pen.fillStyle = palette.muted;
    pen.globalAlpha = 0.22;
    pen.fillRect(left, whole, width, ground - whole);
    pen.globalAlpha = 1;
    if (own > 0) {
      const top = Math.min(ground - 1, ground - (own / most) * ownShare * (ground - rows.top));
      pen.fillStyle = colour;
      pen.fillRect(left, top, width, ground - top);
    }
  });
}

/** Draws a pin at each request in which content of the part arrived. */
export function drawArrivals(
  pen: Pen,
  { arrivals }: TimelinePart,
  layout: TimelineLayout,
  rows: TimelineRows,
  palette: Palette,
): void {
  let last = Number.NEGATIVE_INFINITY;
  pen.lineWidth = 1;
  for (const slot of arrivals) {
    const x = leftOfSlot(layout, slot) + layout.pitch / 2;
    if (x - last < pinDistance) {
      continue;
    }
    last = x;
    if (arrivals.length <= mostNeedles) {
      pen.strokeStyle = palette.foreground;
      strokeLine(pen, x, rows.top, x, rows.ground);
    }
    pen.fillStyle = palette.foreground;
    pen.beginPath();
    const radii = [pinRadius, pinRadius, pinRadius, pinRadius];
    pen.roundRect(x - pinRadius, rows.top - pinRadius, 2 * pinRadius, 2 * pinRadius, radii);
    pen.fill();
  }
}
