import type { LaneContent } from './laneContent';
import type { LaneLayout, LaneRow } from './laneLayout';
import type { Palette } from './palette';
import type { TextFitter } from './textFit';

/** The boxes, and how each is painted. */
export interface LanePicture {
  readonly layout: LaneLayout;
  readonly content: LaneContent;
  /** Present during the transition from another picture. */
  readonly motion?: PictureMotion;
}

/** The extra parts of a picture during the transition from another one. */
export interface PictureMotion {
  /** Cached tokens of each lane. */
  readonly cachedTokens: readonly number[];
  /** The disappearing boxes, in rows of the previous picture. */
  readonly leaving: LanePicture;
  readonly leavingRows: readonly [first: number, end: number];
}

/** The content of the drawing, and the tools to draw it. */
export interface LaneScene extends LanePicture {
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
