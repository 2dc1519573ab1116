import { createContext } from 'react';
import { clamp } from '../../src/core/base/numbers';
import type { Size } from '../drawing/canvasHooks';
import type { PaneName, ViewState } from './viewState';

/**
 * The minimum page width for each class, in CSS pixels, widest first. The styles' container queries use the same
 * widths.
 */
const leastWidths = [
  ['widest', 1800],
  ['wide', 1200],
  ['medium', 900],
  ['narrow', 560],
  ['tiny', 0],
] as const;

export type PageClass = (typeof leastWidths)[number][0];

function pageClassOf(width: number): PageClass {
  return leastWidths.find(([, least]) => width >= least)?.[0] ?? 'tiny';
}

/** The place of the details: to the right of the drawing, below it, or over it. */
export type PanePlace = 'beside' | 'below' | 'over';

/** The minimum height of the drawing in CSS pixels: one line for each small lane, and three rows of History. */
export const leastContentHeight = 120;

/** Further least sizes in CSS pixels. */
const least = { mainWidth: 420, paneWidth: 260, paneHeight: 140 } as const;

/** The initial size of a pane: CSS pixels of width, or a share of the height. */
const initialWidths = { medium: 340, wide: 388, widest: 388, column: 400 } as const;
const initialShare = 0.42;

/** The size of a pane in CSS pixels, along the axis on which it can be resized, and its limits. */
export interface PaneSize {
  readonly name: PaneName;
  readonly value: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly initial: number;
}

export interface PaneLayout {
  readonly place: PanePlace;
  /** Absent if the details cover the drawing. */
  readonly details: PaneSize | undefined;
  /** The second column, next to the details; absent if there is no space for it. */
  readonly column: PaneSize | undefined;
}

/** The places and sizes of the panes below the timeline, next to or below a main part with a minimum height. */
export function paneLayout(
  { width, height }: Size,
  leastHeight: number,
  sizes: ViewState['paneSizes'],
): PaneLayout {
  const sized = (name: PaneName, minimum: number, room: number, initial: number): PaneSize => {
    const maximum = Math.max(minimum, Math.round(room));
    const limited = (size: number): number => clamp(Math.round(size), minimum, maximum);
    return { name, minimum, maximum, initial: limited(initial), value: limited(sizes[name] ?? initial) };
  };
  const beside = (name: keyof typeof initialWidths, room: number): PaneSize =>
    sized(name, least.paneWidth, room, initialWidths[name]);
  const page = pageClassOf(width);
  const room = width - least.mainWidth;
  switch (page) {
    case 'widest': {
      const column = beside('column', room - least.paneWidth);
      return { place: 'beside', details: beside('widest', room - column.value), column };
    }
    case 'wide':
    case 'medium':
      return { place: 'beside', details: beside(page, room), column: undefined };
    case 'narrow':
      if (height >= leastHeight + least.paneHeight) {
        const details = sized(page, least.paneHeight, height - leastHeight, height * initialShare);
        return { place: 'below', details, column: undefined };
      }
      break;
    case 'tiny':
  }
  return { place: 'over', details: undefined, column: undefined };
}

/** The size that the content of a request has while the details are open. */
export const ContentSize = createContext<Size>({ width: 0, height: 0 });

/** The size of the content under a toolbar while the details are open. */
export function contentSize(
  { width, height }: Size,
  { place, details, column }: PaneLayout,
  toolbarHeight: number,
): Size {
  const taken = details?.value ?? 0;
  const free = height - toolbarHeight;
  return place === 'beside'
    ? { width: width - taken - (column?.value ?? 0), height: free }
    : { width, height: free - taken };
}

/**
 * True if the details are open. If they take no space from the drawing, they are open until the user closes them;
 * otherwise closed until the user opens them.
 */
export function isPaneOpen({ isPaneOpen: chosen }: ViewState, place: PanePlace): boolean {
  return chosen ?? place === 'beside';
}

const contentId = 'request-content';

/** For the root of the drawing, the table and the view of compactions, which gets the focus when the details close. */
export const contentFocus = { id: contentId } as const;

export function focusContent(): void {
  document.getElementById(contentId)?.focus();
}
