import type { ModelFamily } from '../model/modelRow';

/**
 * Tokens of a page of a document, and the bytes of encoded data per page, because the number of pages is not recorded.
 */
const pageTokens = 2_250;
const pageBytes = 100_000;

/** Maximum cost of an image with Anthropic, used if its size is unknown. */
const unknownImage = 1_600;

/**
 * Tokens of an image by its size in pixels: Anthropic counts width × height / 750 after shrinking the long edge to
 * 1,568 pixels (vision guide, 2026-09). Without a size, the maximum for one image.
 */
export function imageTokens(width: number | undefined, height: number | undefined): number {
  if (width === undefined || height === undefined || width <= 0 || height <= 0) {
    return unknownImage;
  }
  const shrink = Math.min(1, 1_568 / Math.max(width, height));
  return Math.min(unknownImage, Math.max(1, Math.ceil((width * shrink * height * shrink) / 750)));
}

/**
 * OpenAI: within 2,048 pixels, the short edge at most 768, then 140 tokens for each tile of 512 pixels and 70 for the whole
 * (images and vision guide, GPT-5, 2026-09).
 */
function tiledTokens(width: number, height: number): number {
  const fit = Math.min(1, 2_048 / Math.max(width, height));
  const shrink = fit * Math.min(1, 768 / (fit * Math.min(width, height)));
  return 70 + 140 * Math.ceil((width * shrink) / 512) * Math.ceil((height * shrink) / 512);
}

/** Gemini: 258 tokens for a small image and for each tile of 768 pixels of a larger one (tokens guide, 2026-09). */
function geminiTokens(width: number, height: number): number {
  const isSmall = width <= 384 && height <= 384;
  return 258 * (isSmall ? 1 : Math.ceil(width / 768) * Math.ceil(height / 768));
}

/**
 * Tokens of an image or a document by the rule of its model's family.
 * @param bytes of the encoded data
 */
export function mediaTokens(
  family: ModelFamily,
  media: { readonly width?: number; readonly height?: number; readonly mediaType?: string } | undefined,
  bytes: number,
): number {
  const { width, height, mediaType = '' } = media ?? {};
  if (mediaType.startsWith('application/')) {
    return pageTokens * Math.max(1, Math.round(bytes / pageBytes));
  }
  if (width === undefined || height === undefined || width <= 0 || height <= 0) {
    return unknownImage;
  }
  switch (family) {
    case 'openai':
      return tiledTokens(width, height);
    case 'gemini':
      return geminiTokens(width, height);
    case 'claude':
    case 'deepseek':
    case 'glm':
    case 'qwen':
    case 'kimi':
    case 'grok':
    case 'mistral':
    case 'minimax':
    case 'other':
      return imageTokens(width, height);
  }
}
