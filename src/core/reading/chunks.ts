import { throwIfCancelled, type WorkOptions } from '../base/cancelling';
import type { ByteSource } from '../model/byteSource';

/** Bytes read at once. */
export const chunkSize = 1 << 19;

export interface ChunkOptions extends WorkOptions {
  /** Awaited after each chunk: resolves when the consumer of the records' texts has room for more. */
  readonly makeRoom?: (() => Promise<void>) | undefined;
}

/**
 * Memory of a finished reading, reused by the next one. New memory would be cleared first, which takes as long as
 * reading into it.
 */
let spare: Room | undefined;
type Room = readonly [Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>];

/**
 * The bytes from `start` to the end, in order; progress is in bytes. Each chunk is valid until the next one is
 * requested.
 */
export async function* chunksOf(
  source: ByteSource,
  { isCancelled, onProgress, makeRoom }: ChunkOptions,
  start = 0,
): AsyncGenerator<Uint8Array> {
  const size = Math.min(chunkSize, source.size - start);
  const room: Room =
    spare !== undefined && spare[0].length >= size ? spare : [new Uint8Array(size), new Uint8Array(size)];
  spare = undefined;
  let [next, other] = room;
  const readFrom = (offset: number): Promise<Uint8Array> => {
    const chunk = source.read(offset, Math.min(chunkSize, source.size - offset), next);
    [next, other] = [other, next];
    // The error is thrown where the promise is awaited; if nobody awaits it any more, it is ignored.
    chunk.catch(() => undefined);
    return chunk;
  };
  let offset = start;
  let reading = readFrom(offset);
  while (offset < source.size) {
    throwIfCancelled(isCancelled);
    const chunk = await reading;
    if (chunk.length === 0) {
      break;
    }
    offset += chunk.length;
    // Requests the next chunk while this one is parsed.
    reading = readFrom(offset);
    yield chunk;
    await makeRoom?.();
    onProgress?.(offset, source.size);
  }
  // Skipped after an early end, because data may still be read into this memory.
  await reading;
  spare = room;
}
