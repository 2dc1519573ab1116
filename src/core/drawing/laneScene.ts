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
  /** Device pixels of a CSS pixel. */
  readonly pixelRatio: number;
}

/** The boxes of a row and their upper edge. */
export interface RowInScene extends LaneRow {
  readonly top: number;
}
