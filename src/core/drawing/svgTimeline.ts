import type { TimelineFigures } from '../view/timelineFigures';
import { element, escapeMarkup } from './markup';
import { at } from '../base/numbers';
import {
  fullestSlot,
  layoutTimeline,
  leftOfSlot,
  timelineScale,
  type TimelineLayout,
} from './timelineLayout';

export interface SvgTimeline {
  readonly figures: TimelineFigures;
  readonly selectedSlot: number;
  /** Slots before which the agent compacted or cleared, with the word for it. */
  readonly marks: readonly { readonly slot: number; readonly word: string }[];
  /** In pixels. */
  readonly left: number;
  readonly width: number;
  readonly top: number;
  readonly height: number;
}

const headroom = 16;
/** Width of a letter of the small font, near enough. In pixels. */
const letter = 5.6;

/** One column a request: what is not recorded, then the partitions; the cache read as a line over them. */
export function timelineMarkup({
  figures,
  selectedSlot,
  marks,
  left,
  width,
  top,
  height,
}: SvgTimeline): string {
  const layout = layoutTimeline(figures.requests.length, left, width);
  const largest = figures.totals.reduce((most, total) => Math.max(most, total), 0);
  const { top: most, showsLimit } = timelineScale(largest, figures.window);
  const ground = top + height;
  const y = (tokens: number): number => ground - (tokens / most) * (height - headroom);
  const gap = layout.pitch >= 4 ? Math.min(2, layout.pitch * 0.2) : layout.pitch >= 2 ? 0.5 : 0;
  const columnWidth = Math.max(1, layout.pitch - gap);
  const parts: string[] = [
    element('rect', {
      class: 'selected',
      x: leftOfSlot(layout, selectedSlot) - 2,
      y: top,
      width: Math.max(5, layout.pitch + 2),
      height,
      rx: 2,
    }),
  ];
  for (let column = 0; column < layout.columns && figures.totals.length > 0; column += 1) {
    const slot = fullestSlot(layout, column, figures.totals);
    const x = layout.pitch >= 1 ? leftOfSlot(layout, column) : left + column;
    let base = 0;
    const stack = (tokens: number, name: string): void => {
      if (tokens > 0) {
        parts.push(
          element('rect', {
            class: name,
            x,
            y: y(base + tokens),
            width: columnWidth,
            height: y(base) - y(base + tokens),
          }),
        );
        base += tokens;
      }
    };
    stack(at(figures.notRecorded, slot), 'unknown-column');
    figures.partitions.forEach((tokens, partition) => stack(at(tokens, slot), `partition-${partition}`));
  }
  const line = cacheReadPath(layout, figures, y);
  parts.push(element('path', { class: 'halo', d: line }), element('path', { class: 'ice-line', d: line }));
  if (showsLimit) {
    const limit = y(figures.window);
    parts.push(
      element('path', { class: 'dashed', d: `M${left} ${limit.toFixed(1)}H${left + width}` }),
      element(
        'text',
        { class: 'muted', x: left, y: limit - 8 },
        `window ${figures.window.toLocaleString('en-US')}`,
      ),
    );
  }
  let free = left + (showsLimit ? 110 : 0);
  for (const { slot, word } of marks) {
    const x = leftOfSlot(layout, slot) - 1;
    parts.push(element('path', { class: 'mark', d: `M${x.toFixed(1)} ${top + 14}V${ground}` }));
    const wordWidth = word.length * letter;
    const wordLeft = Math.min(Math.max(left, x - wordWidth / 2), left + width - wordWidth);
    if (wordLeft >= free) {
      parts.push(element('text', { class: 'text', x: wordLeft, y: top + 6 }, escapeMarkup(word)));
      free = wordLeft + wordWidth + 8;
    }
  }
  return parts.join('');
}

function cacheReadPath(
  layout: TimelineLayout,
  figures: TimelineFigures,
  y: (tokens: number) => number,
): string {
  const steps: string[] = [];
  let isDrawing = false;
  for (let column = 0; column < layout.columns; column += 1) {
    const slot = layout.pitch >= 1 ? column : fullestSlot(layout, column, figures.totals);
    const read = at(figures.cacheRead, slot);
    if (Number.isNaN(read)) {
      isDrawing = false;
      continue;
    }
    const x = layout.pitch >= 1 ? leftOfSlot(layout, slot) + layout.pitch / 2 : layout.left + column;
    steps.push(`${isDrawing ? 'L' : 'M'}${x.toFixed(1)} ${y(read).toFixed(1)}`);
    isDrawing = true;
  }
  return steps.join('');
}
