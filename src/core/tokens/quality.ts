/**
 * How a token figure was come by, best first: `exact` was reported by the provider, `calibrated` is a share of an exact
 * total, `estimated` comes from a tokenizer or a heuristic alone.
 */
export const tokenQualities = ['exact', 'calibrated', 'estimated'] as const;
export type TokenQuality = (typeof tokenQualities)[number];

/** A number of tokens and what it is worth. */
export interface TokenFigure {
  readonly value: number;
  readonly quality: TokenQuality;
  /** Expected relative error (0.15 is 15 %), where it is known. */
  readonly error?: number;
}

export function worstQuality(first: TokenQuality, second: TokenQuality): TokenQuality {
  return tokenQualities.indexOf(first) >= tokenQualities.indexOf(second) ? first : second;
}

/**
 * The sum of figures, with the worst quality among them. The error of the sum is the parts' errors in tokens over the
 * total, as if they all went the same way. No figures make an exact 0.
 */
export function sumFigures(figures: Iterable<TokenFigure>): TokenFigure {
  let value = 0;
  let quality: TokenQuality = 'exact';
  let error = 0;
  for (const figure of figures) {
    value += figure.value;
    quality = worstQuality(quality, figure.quality);
    error += figure.value * (figure.error ?? 0);
  }
  return error > 0 ? { value, quality, error: error / value } : { value, quality };
}
