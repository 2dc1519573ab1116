const encoder = new TextEncoder();
/** Maximum bytes of a part. */
const longest = 1 << 16;

/**
 * The UTF-8 bytes of a text in parts, so that the bytes of a very long text are never in memory as a whole. Each part
 * is valid until the next one is requested. A lone surrogate is written as U+FFFD.
 */
export function* utf8Parts(text: string): Generator<Uint8Array> {
  const room = new Uint8Array(Math.min(longest, 3 * text.length));
  for (let from = 0; from < text.length;) {
    const { read, written } = encoder.encodeInto(from === 0 ? text : text.slice(from), room);
    yield room.subarray(0, written);
    from += read;
  }
}
