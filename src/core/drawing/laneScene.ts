import type { LaneContent } from './laneContent';
import type { LaneLayout, LaneRow } from './laneLayout';
import type { Palette } from './palette';
import type { TextFitter } from './textFit';

/** The boxes, and how each is painted. */
export interface LanePicture {
  readonly layout: LaneLayout;
  readonly content: LaneContent;
  /** Present while it is on its way from another picture. */
  readonly motion?: PictureMotion;
}

/** What a picture has while another one turns into it. */
export interface PictureMotion {
  /** Tokens on the sheet of each lane. */
  readonly cachedTokens: readonly number[];
  /** The boxes that go, in rows of the picture before. */
  readonly leaving: LanePicture;
  readonly leavingRows: readonly [first: number, end: number];
}

/** What is drawn, and the means to draw it. */
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
