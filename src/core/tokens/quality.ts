/**
 * How reliable a token figure is, best first: `exact` was reported by the provider, `calibrated` is a share of an exact
 * total, `estimated` comes from a tokenizer or a heuristic alone.
 */
export const tokenQualities = ['exact', 'calibrated', 'estimated'] as const;
export type TokenQuality = (typeof tokenQualities)[number];

/** A number of tokens and how reliable it is. */
export interface TokenFigure {
  readonly value: number;
  readonly quality: TokenQuality;
  /** Expected relative error (0.15 is 15 %), if it is known. */
  readonly error?: number;
  /** True if a part of it is unknown, so that the value is only the least that it can be. */
  readonly isLeast?: true;
  /** The recorded total, if it is doubted: smaller than its texts can be. The figure is then an estimate. */
  readonly doubted?: number;
}
