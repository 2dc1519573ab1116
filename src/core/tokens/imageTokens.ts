/**
 * Tokens of an image by its size in pixels: Anthropic counts width × height / 750 after shrinking the long edge to
 * 1,568 pixels (vision guide, 2026-09). Without a size, the maximum for one image.
 */
export function imageTokens(width: number | undefined, height: number | undefined): number {
  if (width === undefined || height === undefined || width <= 0 || height <= 0) {
    return 1_600;
  }
  const shrink = Math.min(1, 1_568 / Math.max(width, height));
  return Math.min(1_600, Math.max(1, Math.ceil((width * shrink * height * shrink) / 750)));
}
