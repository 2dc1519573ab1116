/** Random access to the bytes of a transcript. Implementations read a local file, or bytes already in memory. */
export interface ByteSource {
  /** Length in bytes when opened. A growing file is opened again. */
  readonly size: number;
  /**
   * Bytes `offset` to `offset + length`, fewer at the end of the file. Rejects when the file cannot be read.
   * @param into memory of at least `length` bytes that the result may use, so a pass over a large file allocates nothing
   * for each part
   */
  read(offset: number, length: number, into?: Uint8Array<ArrayBuffer>): Promise<Uint8Array>;
}

/** Bytes in memory. */
export const bytesSource = (bytes: Uint8Array): ByteSource => ({
  size: bytes.byteLength,
  read: (offset, length) => Promise.resolve(bytes.subarray(offset, offset + length)),
});

/** Decodes UTF-8. Malformed bytes become U+FFFD, and a byte order mark is kept. */
export type DecodeText = (bytes: Uint8Array) => string;

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The decoder available on every platform. Some have a faster one for ASCII. */
export const decodeUtf8: DecodeText = bytes => utf8.decode(bytes);
