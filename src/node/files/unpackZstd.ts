import { createZstdDecompress } from 'node:zlib';
import { translate } from '../../core/base/translate';
import { RefusedError, type UnpackZstd } from '../../core/reading/decoders/unpacking';

/** Bytes unpacked at once. */
const pieceLength = 1 << 18;

/**
 * Maximum number of frames. Each takes a third of a millisecond, however little it contains. Programs put at least a
 * megabyte into one.
 */
const mostFrames = 1_000;

const windowTooLarge = 'ZSTD_error_frameParameter_windowTooLarge';

/** Unpacks twice, so that content that is too long never fills memory. */
export const unpackZstd: UnpackZstd = async (packed, most) => {
  let length = 0;
  for await (const piece of piecesOf(packed)) {
    length += piece.length;
    if (length > most) {
      return undefined;
    }
  }
  const content = new Uint8Array(length);
  let filled = 0;
  for await (const piece of piecesOf(packed)) {
    content.set(piece, filled);
    filled += piece.length;
  }
  return content;
};

/**
 * The content of all frames piece by piece. Empty frames are skipped. Throws RefusedError for an intact file that would take
 * too much, and another error if the data is damaged.
 */
async function* piecesOf(packed: Uint8Array): AsyncGenerator<Uint8Array> {
  // Node does not report a truncated frame. Such a frame also consumes this extra byte.
  const input = Buffer.concat([packed, Buffer.alloc(1)]);
  let at = 0;
  for (let frames = 0; at < packed.length; frames += 1) {
    if (frames === mostFrames) {
      throw new RefusedError(
        translate('This file is not read: it is packed in more than {0} pieces.', mostFrames),
      );
    }
    const frame = createZstdDecompress({ chunkSize: pieceLength });
    frame.end(input.subarray(at));
    try {
      for await (const piece of frame) {
        if (piece instanceof Uint8Array) {
          yield piece;
        }
      }
    } catch (error) {
      // Node unpacks with at most 128 MB of earlier content in memory.
      throw error instanceof Error && 'code' in error && error.code === windowTooLarge
        ? new RefusedError(translate('This file is not read: it takes too much memory to unpack.'))
        : error;
    }
    at += frame.bytesWritten;
  }
  if (at > packed.length) {
    throw new Error('The last frame is cut off.');
  }
}
