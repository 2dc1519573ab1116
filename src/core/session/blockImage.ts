import * as v from 'valibot';
import { translate } from '../base/translate';
import type { Described } from '../base/schema';
import { imageTypeOf, parseDataUrl, readImageInfo } from '../content/imageInfo';

/** An image in the transcript. */
export const blockImage = v.object({
  mediaType: v.picklist(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  /** The bytes in base64. */
  data: v.string(),
  width: v.number(),
  height: v.number(),
});
export type BlockImage = Described<typeof blockImage>;

/** In base64 characters. */
const longestData = 24_000_000;
/**
 * Maximum number of pixels. Larger images take too much memory when they are decoded, and a small file may claim a huge
 * size.
 */
const mostPixels = 64_000_000;

/**
 * Reads an image of one of the four supported kinds, recognised by its first bytes. Rejects everything else with a
 * sentence: addresses, which need a network, drawings in markup, and images that are too large.
 */
export function imageFrom(text: string): BlockImage {
  const data = text.slice(parseDataUrl(text)?.start ?? 0).trim();
  const mediaType = imageTypeOf(data);
  if (mediaType === undefined || !/^[A-Za-z0-9+/\s]+={0,2}$/.test(data)) {
    throw new Error(translate('This image cannot be shown: it is not PNG, JPEG, GIF or WebP.'));
  }
  const size = readImageInfo(data);
  if (size === undefined || data.length > longestData || size.width * size.height > mostPixels) {
    throw new Error(translate('This image is too large to show, or damaged.'));
  }
  return { mediaType, data, ...size };
}
