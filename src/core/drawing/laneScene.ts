import type { LaneContent } from './laneContent';
import type { LaneLayout, LaneRow } from './laneLayout';
import type { Palette } from './palette';
import type { TextFitter } from './textFit';

/** What is drawn, and the means to draw it. */
export interface LaneScene {
  readonly layout: LaneLayout;
  readonly content: LaneContent;
  readonly palette: Palette;
  /** Measures in `blockFont`. */
  readonly fitter: TextFitter;
  /** A fill of diagonal lines for prune candidates, in the background's colour (the foreground's in high contrast). */
  readonly hatch: string | object | null;
  /** Draws an icon of `icons.ts` in a colour; `x` and `y` are its top left, `size` its width and height in pixels. */
  readonly drawIcon: (icon: string, colour: string, x: number, y: number, size: number) => void;
  /** Device pixels of a CSS pixel. */
  readonly pixelRatio: number;
}

/** The boxes of a row and their upper edge. */
export interface RowInScene extends LaneRow {
  readonly top: number;
}
