/** What a module in WebAssembly has that takes texts. */
export interface TextTaker {
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Makes room for a text of so many bytes, and returns its address. */
  reserve(length: number): number;
}

/** Of one UTF-16 unit, in UTF-8. */
const mostBytes = 3;
const encoder = new TextEncoder();

/** Writes a text into the memory of a module, and returns its length there in bytes. Most texts are ASCII and need no more room. */
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
