/**
 * The arithmetic of the timeline: one column per request. If a request would be narrower than a pixel, one column per
 * pixel, which shows its fullest request. Slots are indices into the list of a thread's requests.
 */
import { at, clamp } from '../base/numbers';

export interface TimelineLayout {
  readonly left: number;
  readonly width: number;
  readonly slots: number;
  /** Pixels per request; below 1 several requests share a column. */
  readonly pitch: number;
  readonly columns: number;
}

const widestPitch = 28;

export function layoutTimeline(slots: number, left: number, width: number): TimelineLayout {
  const pitch = slots === 0 ? widestPitch : Math.min(widestPitch, width / slots);
  return { left, width, slots, pitch, columns: pitch >= 1 ? slots : Math.max(1, Math.floor(width)) };
}

/** The first slot of a column, and the slot after the last. */
export function slotsOfColumn(layout: TimelineLayout, column: number): readonly [number, number] {
  const perColumn = layout.slots / layout.columns;
  const first = Math.floor(column * perColumn);
  return [first, Math.max(first + 1, Math.floor((column + 1) * perColumn))];
}

/** The slot of a column with the greatest value. */
export function fullestSlot(layout: TimelineLayout, column: number, values: ArrayLike<number>): number {
  const [first, end] = slotsOfColumn(layout, column);
  let fullest = first;
  for (let slot = first + 1; slot < end; slot += 1) {
    if (at(values, slot) > at(values, fullest)) {
      fullest = slot;
    }
  }
  return fullest;
}

/** The fullest slot of every column. */
export function slotsByColumn(layout: TimelineLayout, values: ArrayLike<number>): Uint32Array {
  return Uint32Array.from({ length: layout.slots === 0 ? 0 : layout.columns }, (_, column) =>
    fullestSlot(layout, column, values),
  );
}

/** Left edge of a slot. */
export function leftOfSlot(layout: TimelineLayout, slot: number): number {
  return layout.left + slot * layout.pitch;
}

export function slotAt(layout: TimelineLayout, x: number): number {
  return clamp(Math.floor((x - layout.left) / layout.pitch), 0, Math.max(0, layout.slots - 1));
}

/** If the window is this many times larger than the fullest request, showing its limit would flatten all columns. */
const furthestLimit = 2.5;
const headroom = 1.12;

/** The tokens at the top of the chart, and whether the window's limit is within it. */
export function timelineScale(
  largest: number,
  window: number,
): { readonly top: number; readonly showsLimit: boolean } {
  const showsLimit = window > 0 && window <= Math.max(1, largest) * furthestLimit;
  return { top: Math.max(1, largest, showsLimit ? window : 0) * headroom, showsLimit };
}

/** The rows of the timeline, in pixels from its top. A row without space is undefined. */
export interface TimelineRows {
  /** The middle of the labels and signs above the columns. */
  readonly marks: number | undefined;
  /** The top and the bottom of the columns. */
  readonly top: number;
  readonly ground: number;
  /** The top of the strip of chapters. */
  readonly chapters: number | undefined;
  /** The bottom of the cost bars, and their maximum height. */
  readonly cost: { readonly ground: number; readonly height: number } | undefined;
  /** The middle of the numbers of requests. */
  readonly axis: number | undefined;
}

export const chapterHeight = 3;

/**
 * The rows that fit into a height. Removed first: cost, then the axis, then the strip of chapters, then the labels
 * above the columns.
 * @param chaptersApart true if the chapters have names elsewhere, so that no strip is needed
 */
export function timelineRows(height: number, chaptersApart: boolean): TimelineRows {
  const hasMarks = height >= 40;
  const hasAxis = height >= 84;
  const hasCost = height >= 128;
  const hasStrip = !chaptersApart && height >= 56;
  const axisTop = height - (hasAxis ? 15 : 0);
  const costTop = axisTop - (hasCost ? 24 : 0);
  const stripTop = costTop - (hasStrip ? chapterHeight + 4 : 2);
  return {
    marks: hasMarks ? 8 : undefined,
    top: hasMarks ? 18 : 2,
    ground: stripTop - (hasStrip ? 3 : 0),
    chapters: hasStrip ? stripTop + 1 : undefined,
    cost: hasCost ? { ground: axisTop - 2, height: 18 } : undefined,
    axis: hasAxis ? height - 7 : undefined,
  };
}

/** A round number of requests between two axis numbers, so that they keep a distance in pixels. */
export function axisStep({ pitch }: TimelineLayout, distance: number): number {
  const least = Math.max(1, distance / pitch);
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map(factor => factor * power).find(step => step >= least) ?? 10 * power;
}
