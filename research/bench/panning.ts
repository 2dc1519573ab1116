/** Milliseconds from frame to frame, round by round; test/webview/panning.ts measures them. */
export interface Panning {
  readonly chromium: string;
  /** The lanes zoomed to fit, and at the scale at which labels are readable. */
  readonly fitted: readonly (readonly number[])[];
  readonly readable: readonly (readonly number[])[];
  /** One zoom step per frame. */
  readonly zooming: readonly (readonly number[])[];
  /** A range of blocks, with one block more or less in each frame. */
  readonly ranging: readonly (readonly number[])[];
  /** Another request in each frame. */
  readonly scrubbing: readonly (readonly number[])[];
  readonly breakdown: BreakdownFrames;
}

/** Milliseconds of the longest frames while a list of sessions is used, or of all frames while it is scrolled. */
export interface SessionFrames {
  readonly opened: readonly number[];
  readonly scrolled: readonly number[];
  /** By so much in each frame that none of the lines was seen before. */
  readonly jumped: readonly number[];
  readonly grouped: readonly number[];
  readonly typed: readonly number[];
  /** Titles that come in, also while they are searched. */
  readonly read: readonly number[];
  /** The findings of the index in each session. */
  readonly marked: readonly number[];
  /** The whole list again. */
  readonly listed: readonly number[];
}

/** The same of the treemap of the breakdown. */
export interface BreakdownFrames {
  /** Boxes in the drawing. */
  readonly boxes: number;
  /** Milliseconds from the choice of the view to its picture, once the figures are there. */
  readonly first: readonly number[];
  /** Another measure in each frame. */
  readonly measures: readonly (readonly number[])[];
  /** Another request in each frame. */
  readonly requests: readonly (readonly number[])[];
}
