import { clamp } from '../../src/core/base/numbers';
import type { Size } from '../drawing/canvasHooks';
import type { PaneName, ViewState } from './viewState';

/** The least width of the page for each class, in CSS pixels, widest first. The styles' container queries use the same widths. */
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

/** Where the details are: at the right of the drawing, below it, or over it. */
export type PanePlace = 'beside' | 'below' | 'over';

/** The least height of the drawing in CSS pixels: the small lanes in a line each, and three rows of History. */
export const leastContentHeight = 120;

/** Further least sizes in CSS pixels. */
const least = { mainWidth: 420, paneWidth: 260, paneHeight: 140 } as const;

/** What a pane takes until it is resized: CSS pixels of width, or a share of the height. */
const initialWidths = { medium: 340, wide: 388, widest: 388, column: 400 } as const;
const initialShare = 0.46;

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
  /** Absent where the details cover the drawing. */
  readonly details: PaneSize | undefined;
  /** The second column, beside the details; absent where there is no room for it. */
  readonly column: PaneSize | undefined;
}

/** Where the panes go and how large they are, below the timeline, beside or below a main part of a least height. */
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

/** The details are open until the user closes them where they take nothing from the drawing, else closed until one opens them. */
export function isPaneOpen({ isPaneOpen: chosen }: ViewState, place: PanePlace): boolean {
  return chosen ?? place === 'beside';
}

const contentId = 'request-content';

/** For the root of the drawing, the table and the view of compactions: it gets the focus when the details let go of it. */
export const contentFocus = { id: contentId } as const;

export function focusContent(): void {
  document.getElementById(contentId)?.focus();
}
