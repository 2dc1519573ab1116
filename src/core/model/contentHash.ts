/** How much of a text is encoded at once, in bytes; a multiple of four. */
const scratchSize = 1 << 16;
const scratch = new Uint8Array(scratchSize);
const words = new Uint32Array(scratch.buffer);
const encoder = new TextEncoder();

/** A text's length in UTF-8 bytes, a lone surrogate as the three of U+FFFD, and its hash as 16 hex digits. */
export interface TextDigest {
  readonly bytes: number;
  readonly hash: string;
}

/**
 * Measures and hashes a text in one pass: two 32-bit multiply-xorshift lanes over its UTF-8 bytes, ended by MurmurHash3's
 * mixer. For telling contents apart within a session, not for security. Equal texts under different labels differ.
 */
export function digestText(label: string, text: string): TextDigest {
  let first = 0xdeadbeef;
  let second = 0x41c6ce57;
  let bytes = 0;
  for (const part of [`${label}\0`, text]) {
    bytes = 0;
    for (let from = 0; from < part.length;) {
      const { read, written } = encoder.encodeInto(from === 0 ? part : part.slice(from), scratch);
      const length = (written + 3) >>> 2;
      scratch.fill(0, written, length * 4);
      for (let index = 0; index < length; index += 1) {
        const word = words[index] ?? 0;
        first = Math.imul(first ^ word, 0x9e3779b1);
        first ^= first >>> 15;
        second = Math.imul(second ^ word, 0x5f356495);
        second ^= second >>> 13;
      }
      from += read;
      bytes += written;
    }
    first ^= part.length;
  }
  first = Math.imul(first ^ (first >>> 16), 0x85ebca6b) ^ Math.imul(second ^ (second >>> 13), 0xc2b2ae35);
  second = Math.imul(second ^ (second >>> 16), 0x85ebca6b) ^ Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return { bytes, hash: hex(second) + hex(first) };
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
