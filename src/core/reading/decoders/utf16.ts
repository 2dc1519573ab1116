import type { Decoder } from '../format';

/** Bytes converted at once. */
const step = 1 << 20;

/**
 * Text in UTF-16, as written by PowerShell when output is redirected to a file. It is converted to UTF-8. Lines stay
 * the same; offsets are those of the UTF-8 text.
 */
export const utf16: Decoder = {
  id: 'utf-16',
  matches: head => encodingOf(head) !== undefined,
  decode: bytes => {
    const decoder = new TextDecoder(encodingOf(bytes));
    const encoder = new TextEncoder();
    // Two bytes become at most three; the last one may be half a character.
    const converted = new Uint8Array(Math.ceil(bytes.length / 2) * 3 + 3);
    let length = 0;
    for (let at = 0; at < bytes.length; at += step) {
      const text = decoder.decode(bytes.subarray(at, at + step), { stream: at + step < bytes.length });
      length += encoder.encodeInto(text, converted.subarray(length)).written;
    }
    return Promise.resolve({ kind: 'bytes', bytes: converted.slice(0, length) });
  },
};

/** The encoding, from the byte order mark. Without one, every second byte at the beginning of an ASCII text is zero. */
function encodingOf(head: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second, third, fourth] = head;
  if (
    (first === 0xff && second === 0xfe) ||
    (isAscii(first) && second === 0 && isAscii(third) && fourth === 0)
  ) {
    return 'utf-16le';
  }
  return (first === 0xfe && second === 0xff) ||
    (first === 0 && isAscii(second) && third === 0 && isAscii(fourth))
    ? 'utf-16be'
    : undefined;
}

function isAscii(byte: number | undefined): boolean {
  return byte !== undefined && byte > 0 && byte < 0x80;
}
