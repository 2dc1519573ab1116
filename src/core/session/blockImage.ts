import * as v from 'valibot';
import { translate } from '../base/translate';
import type { Described } from '../base/schema';
import { imageTypeOf, parseDataUrl, readImageInfo } from '../content/imageInfo';

/** A picture as it is in the transcript. */
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
/** A picture of more pixels takes too much memory when it is decoded: a small file may say that it is very large. */
const mostPixels = 64_000_000;

/**
 * A picture whose first bytes say that it is one of the four kinds that are shown. Rejects everything else with a
 * sentence: addresses, which would need a network, drawings in markup, and pictures that are too large.
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
