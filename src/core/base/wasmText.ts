/** The functions of a WebAssembly module that takes texts. */
export interface TextTaker {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Reserves memory for a text of this many bytes and returns its address. */
  reserve(length: number): number;
}

/** Maximum UTF-8 bytes of one UTF-16 unit. */
const mostBytes = 3;
const encoder = new TextEncoder();

/**
 * Writes a text into the memory of a module and returns its length there in bytes. Most texts are ASCII and need no
 * more memory.
 */
export function writeText(taker: TextTaker, text: string): number {
  for (const length of [text.length, text.length * mostBytes]) {
    const start = taker.reserve(length);
    const { read, written } = encoder.encodeInto(text, new Uint8Array(taker.memory.buffer, start, length));
    if (read === text.length) {
      return written;
    }
  }
  throw new RangeError('A text is longer in UTF-8 than it can be.');
}
