/** Milliseconds from frame to frame, round by round; test/webview/panning.ts measures them. */
export interface Panning {
  readonly chromium: string;
  /** The lanes zoomed to fit, and at the scale at which labels are readable. */
  readonly fitted: readonly (readonly number[])[];
  readonly readable: readonly (readonly number[])[];
  /** One zoom step per frame. */
  readonly zooming: readonly (readonly number[])[];
  /** Another request in each frame. */
  readonly scrubbing: readonly (readonly number[])[];
}
