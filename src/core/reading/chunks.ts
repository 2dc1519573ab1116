import type { ByteSource } from '../model/byteSource';

/** How much is read at once, in bytes. */
export const chunkSize = 1 << 19;

export interface ChunkOptions {
  readonly isCancelled?: (() => boolean) | undefined;
  /** Bytes read so far, and in all. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Thrown when `isCancelled` says so. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
  constructor() {
    super('Cancelled.');
  }
}

/** The bytes from `start` to the end, in order. A chunk is overwritten when the one behind it has been asked for. */
export async function* chunksOf(
  source: ByteSource,
  { isCancelled, onProgress }: ChunkOptions,
  start = 0,
): AsyncGenerator<Uint8Array> {
  const size = Math.min(chunkSize, source.size - start);
  let [next, other] = [new Uint8Array(size), new Uint8Array(size)];
  const readFrom = (offset: number): Promise<Uint8Array> => {
    const chunk = source.read(offset, Math.min(chunkSize, source.size - offset), next);
    [next, other] = [other, next];
    // Its error is thrown where it is awaited; one that nobody waits for any more is none.
    chunk.catch(() => undefined);
    return chunk;
  };
  let offset = start;
  let reading = readFrom(offset);
  while (offset < source.size) {
    if (isCancelled?.() === true) {
      throw new CancelledError();
    }
    const chunk = await reading;
    if (chunk.length === 0) {
      return;
    }
    offset += chunk.length;
    // The next chunk is on its way while this one is parsed.
    reading = readFrom(offset);
    yield chunk;
    onProgress?.(offset, source.size);
  }
}
