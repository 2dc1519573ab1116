import type { RandomNumbers } from '../../base/randomNumbers';

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/**
 * Number of bytes with the size of an image, by the beginning of its base64. A JPEG has its size after the metadata.
 */
const headers: readonly (readonly [string, number])[] = [
  ['iVBORw0KGgo', 24],
  ['R0lGOD', 10],
  ['UklGR', 30],
  ['/9j/', 0],
];
/** The part of a JPEG that is searched for its size, in base64 digits. */
const jpegSearched = 64 * 1024;

/** True if a text is the base64 of a PNG, GIF, WebP or JPEG. */
export function isImage(base64: string): boolean {
  return base64.length > 64 && headers.some(([start]) => base64.startsWith(start));
}

/** Random bytes with the header of an image, so that its size in pixels and its length stay the same. */
export function imageTwin(base64: string, random: RandomNumbers): string {
  const size = headers.find(([start]) => base64.startsWith(start))?.[1] ?? 0;
  const kept = size === 0 ? jpegHeader(base64) : [{ start: 0, end: size }];
  const digits: string[] = [];
  let next = 0;
  for (let index = 0; index < base64.length; index += 1) {
    const digit = base64.charAt(index);
    const first = (index * 6) >> 3;
    const last = (index * 6 + 5) >> 3;
    while ((kept[next]?.end ?? Infinity) <= first) {
      next += 1;
    }
    const stays = (kept[next]?.start ?? Infinity) <= last || !alphabet.includes(digit);
    digits.push(stays ? digit : alphabet.charAt(random.below(64)));
  }
  return digits.join('');
}

/** The marker and length of each segment of a JPEG up to the frame with its size, and that frame's header. */
function jpegHeader(base64: string): readonly { readonly start: number; readonly end: number }[] {
  const searched = base64.slice(0, jpegSearched).replace(/[^A-Za-z0-9+/].*$/s, '');
  const bytes = atob(searched.slice(0, searched.length - (searched.length % 4)));
  const byte = (at: number): number => bytes.charCodeAt(at);
  const kept = [{ start: 0, end: 2 }];
  for (let offset = 2; offset + 9 <= bytes.length && byte(offset) === 0xff;) {
    const marker = byte(offset + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
    kept.push({ start: offset, end: offset + (isFrame ? 9 : 4) });
    if (isFrame) {
      break;
    }
    offset += 2 + ((byte(offset + 2) << 8) | byte(offset + 3));
  }
  return kept;
}
