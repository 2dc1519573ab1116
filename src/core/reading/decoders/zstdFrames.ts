import { decompress } from 'fzstd';
import { joinBytes } from '../../base/jsonEdits';
import { mostUnpacked, TooLargeError, type UnpackLimits } from './unpacking';

/** The most bytes that one block unpacks to (RFC 8878, section 3.1.1.2.3). */
const longestBlock = 1 << 17;

const blockHeader = 3;

/**
 * How far the sum of the blocks' upper limits may exceed the limit of the file. A writer that flushes after every line
 * makes many short blocks, and a block does not say how long it is.
 */
const slack = 8;

/** A frame of compressed data in a file. Offsets and lengths are in bytes. */
interface Frame {
  readonly start: number;
  /** Offset of the header of its last block. */
  readonly lastBlock: number;
  /** End of its last block; a checksum may follow. */
  readonly end: number;
  /** What its blocks unpack to at least and at most. */
  readonly least: number;
  readonly most: number;
}

/**
 * Unpacks Zstandard data. The headers of the blocks are read first, so what is too large is refused before anything is
 * unpacked. Throws TooLargeError, and any other error where the data is damaged.
 */
export function unpackZstd(packed: Uint8Array, limits: UnpackLimits): Uint8Array {
  const frames = readFrames(packed);
  const limit = mostUnpacked(packed.length, limits);
  const least = frames.reduce((sum, frame) => sum + frame.least, 0);
  const most = frames.reduce((sum, frame) => sum + frame.most, 0);
  if (least > limit || most > slack * limit) {
    throw new TooLargeError(limits);
  }
  let left = limit;
  const parts = frames.map(frame => {
    const part = unpackFrame(packed, frame, left);
    if (part === undefined || part.length > left) {
      throw new TooLargeError(limits);
    }
    left -= part.length;
    return part;
  });
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : joinBytes(parts);
}

/**
 * The content of a frame; `undefined` if it is longer than `left`. The library unpacks into given memory quickly, but
 * does not say how much it wrote, and it leaves working data of up to one block behind that. So the frame gets a
 * further block of one byte value: it covers that data, and what comes before it is the content.
 */
function unpackFrame(
  packed: Uint8Array,
  { start, lastBlock, end, most }: Frame,
  left: number,
): Uint8Array | undefined {
  const frame = new Uint8Array(end - start + blockHeader + longestBlock);
  frame.set(packed.subarray(start, end));
  frame[lastBlock - start] = (packed[lastBlock] ?? 0) & ~1;
  // The last block, stored as it is.
  const header = (longestBlock << 3) | 1;
  frame.set([header & 0xff, (header >> 8) & 0xff, header >> 16], end - start);
  frame.fill(0xff, end - start + blockHeader);
  const room = new Uint8Array(Math.min(most, left) + longestBlock);
  try {
    decompress(frame, room);
  } catch (error) {
    if (error instanceof RangeError) {
      return undefined;
    }
    throw error;
  }
  let filled = room.length;
  while (filled > 0 && room[filled - 1] === 0) {
    filled -= 1;
  }
  const content = room.subarray(0, Math.max(0, filled - longestBlock));
  return content.length < room.length / 2 ? content.slice() : content;
}

/** The frames with data; frames that hold none are skipped (RFC 8878, section 3.1). */
function readFrames(packed: Uint8Array): readonly Frame[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  const frames: Frame[] = [];
  let at = 0;
  while (at < packed.length) {
    const magic = view.getUint32(at, true);
    if (magic >>> 4 === 0x184d2a5) {
      at += 8 + view.getUint32(at + 4, true);
      continue;
    }
    if (magic !== 0xfd2fb528) {
      throw new Error('This is not a Zstandard frame.');
    }
    const frame = readFrame(view, at);
    frames.push(frame);
    const hasChecksum = (view.getUint8(at + 4) & 4) !== 0;
    at = frame.end + (hasChecksum ? 4 : 0);
  }
  return frames;
}

/** Throws RangeError at the end of the data. */
function readFrame(view: DataView, start: number): Frame {
  const flags = view.getUint8(start + 4);
  const isSingleSegment = (flags & 0x20) !== 0;
  const dictionaryBytes = [0, 1, 2, 4][flags & 3] ?? 0;
  const sizeFlag = flags >> 6;
  const sizeBytes = sizeFlag === 0 ? (isSingleSegment ? 1 : 0) : 1 << sizeFlag;
  let at = start + 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes + sizeBytes;
  let least = 0;
  let most = 0;
  for (;;) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    const size = header >> 3;
    const type = (header >> 1) & 3;
    const lastBlock = at;
    // A block of type 1 is one byte repeated; one of type 2 is compressed.
    at += blockHeader + (type === 1 ? 1 : size);
    least += type === 2 ? 0 : size;
    most += type === 2 ? longestBlock : size;
    if (at > view.byteLength || type === 3) {
      throw new Error('A block is cut off.');
    }
    if ((header & 1) === 1) {
      return { start, lastBlock, end: at, least, most };
    }
  }
}
