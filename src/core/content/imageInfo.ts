/** Size of an image in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** The number of base64 characters that are decoded to find the size. */
const headerCharacters = 64;

/** The same for a JPEG, whose frame header comes after its metadata. */
const jpegHeaderCharacters = 64 * 1024;

/**
 * Splits `data:image/png;base64,…`; returns undefined for any other address. `start` is the index of the data's first
 * character.
 */
export function parseDataUrl(
  url: string,
): { readonly mediaType: string; readonly start: number } | undefined {
  const match = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w=.+-]+)*;base64,/i.exec(url.slice(0, 256));
  return match?.[1] === undefined ? undefined : { mediaType: match[1].toLowerCase(), start: match[0].length };
}

/** Reads the pixel size of a PNG, GIF, JPEG or WebP from the head of its base64 data; the rest is never decoded. */
export function readImageInfo(base64: string): PixelSize | undefined {
  const head = decodeHead(base64, headerCharacters);
  return (
    pngSize(head) ??
    gifSize(head) ??
    webpSize(head) ??
    (isJpeg(head) ? jpegSize(decodeHead(base64, jpegHeaderCharacters)) : undefined)
  );
}

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** The kind of a picture by the first bytes of its base64 data, whatever a transcript calls it. */
export function imageTypeOf(base64: string): ImageType | undefined {
  const head = decodeHead(base64, headerCharacters);
  if (head.byteLength < 12) {
    return undefined;
  }
  if (head.getUint32(0) === 0x89504e47 && head.getUint32(4) === 0x0d0a1a0a) {
    return 'image/png';
  }
  if (head.getUint16(0) === 0xffd8 && head.getUint8(2) === 0xff) {
    return 'image/jpeg';
  }
  if (head.getUint32(0) === 0x47494638) {
    return 'image/gif';
  }
  return head.getUint32(0) === 0x52494646 && head.getUint32(8) === 0x57454250 ? 'image/webp' : undefined;
}

function pngSize(bytes: DataView): PixelSize | undefined {
  return bytes.byteLength >= 24 && bytes.getUint32(0) === 0x89504e47 && bytes.getUint32(12) === 0x49484452
    ? { width: bytes.getUint32(16), height: bytes.getUint32(20) }
    : undefined;
}

function gifSize(bytes: DataView): PixelSize | undefined {
  return bytes.byteLength >= 10 && bytes.getUint32(0) === 0x47494638
    ? { width: bytes.getUint16(6, true), height: bytes.getUint16(8, true) }
    : undefined;
}

function isJpeg(bytes: DataView): boolean {
  return bytes.byteLength >= 4 && bytes.getUint16(0) === 0xffd8;
}

function jpegSize(bytes: DataView): PixelSize | undefined {
  for (let offset = 2; offset + 9 <= bytes.byteLength; offset += 2 + bytes.getUint16(offset + 2)) {
    if (bytes.getUint8(offset) !== 0xff) {
      return undefined;
    }
    const marker = bytes.getUint8(offset + 1);
    // SOF0 … SOF15 hold the size; C4, C8 and CC in that range are tables.
    if (marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc) {
      return { width: bytes.getUint16(offset + 7), height: bytes.getUint16(offset + 5) };
    }
  }
  return undefined;
}

function webpSize(bytes: DataView): PixelSize | undefined {
  if (bytes.byteLength < 30 || bytes.getUint32(0) !== 0x52494646 || bytes.getUint32(8) !== 0x57454250) {
    return undefined;
  }
  switch (bytes.getUint32(12)) {
    case 0x56503858: // VP8X: sizes less one, in 24 bits
      return {
        width: 1 + bytes.getUint16(24, true) + (bytes.getUint8(26) << 16),
        height: 1 + bytes.getUint16(27, true) + (bytes.getUint8(29) << 16),
      };
    case 0x56503820: // VP8: 14 bits each
      return { width: bytes.getUint16(26, true) & 0x3fff, height: bytes.getUint16(28, true) & 0x3fff };
    case 0x5650384c: {
      // VP8L: sizes less one, 14 bits each, packed
      const packed = bytes.getUint32(21, true);
      return { width: 1 + (packed & 0x3fff), height: 1 + ((packed >>> 14) & 0x3fff) };
    }
    default:
      return undefined;
  }
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** By character code: the base64 digit plus one; 0 for a character that is not a digit. */
const digits = new Uint8Array(128);
for (let value = 0; value < alphabet.length; value += 1) {
  digits[alphabet.charCodeAt(value)] = value + 1;
}

/** Decodes the first characters and stops at the first that is not a base64 digit. */
function decodeHead(base64: string, characters: number): DataView {
  const bytes = new Uint8Array((characters * 3) / 4);
  let length = 0;
  let bits = 0;
  let held = 0;
  for (let index = 0; index < Math.min(base64.length, characters); index += 1) {
    const digit = (digits[base64.charCodeAt(index)] ?? 0) - 1;
    if (digit < 0) {
      break;
    }
    held = (held << 6) | digit;
    bits += 6;
    if (bits >= 8) {
      bits -= 8;
      bytes[length] = (held >>> bits) & 0xff;
      held &= (1 << bits) - 1;
      length += 1;
    }
  }
  return new DataView(bytes.buffer, 0, length);
}
