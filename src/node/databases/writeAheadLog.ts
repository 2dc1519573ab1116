/** Sizes of the log's own header and of the header of each frame, in bytes (SQLite, "The WAL file format"). */
const logHeader = 32;
const frameHeader = 24;

/** First word of a log. Its lowest bit is the byte order of the checksums. */
const magic = 0x377f0682;

/**
 * A copy of a database that includes the committed pages of its write-ahead log and needs no log. Like SQLite, it
 * leaves out frames from before the last checkpoint, unfinished transactions and frames with a wrong checksum (SQLite,
 * "The WAL file format").
 */
export function applyWriteAheadLog(database: Uint8Array, log: Uint8Array): Uint8Array {
  const pages = committedPages(log);
  const size = pages === undefined ? database.length : Math.max(database.length, pages.count * pages.size);
  const result = new Uint8Array(size);
  result.set(database);
  if (pages !== undefined) {
    for (const [page, start] of pages.frames) {
      result.set(log.subarray(start, start + pages.size), (page - 1) * pages.size);
    }
  }
  // Read and write versions: 2 means that the database uses a log, 1 that it does not.
  result.fill(1, 18, 20);
  return pages === undefined ? result : result.subarray(0, pages.count * pages.size);
}

interface CommittedPages {
  /** Bytes of a page. */
  readonly size: number;
  /** Pages of the database after the last transaction. */
  readonly count: number;
  /** The offset in the log of the newest content of each page; pages count from 1. */
  readonly frames: ReadonlyMap<number, number>;
}

function committedPages(log: Uint8Array): CommittedPages | undefined {
  const view = new DataView(log.buffer, log.byteOffset, log.byteLength);
  if (log.length < logHeader || (view.getUint32(0) & ~1) >>> 0 !== magic) {
    return undefined;
  }
  const littleEndian = (view.getUint32(0) & 1) === 0;
  const size = view.getUint32(8);
  const checksum = new Checksum(view, littleEndian);
  checksum.add(0, 24);
  if (size < 512 || size > 65_536 || (size & (size - 1)) !== 0 || !checksum.equals(24)) {
    return undefined;
  }
  const frames = new Map<number, number>();
  const transaction = new Map<number, number>();
  let count: number | undefined;
  for (let at = logHeader; at + frameHeader + size <= log.length; at += frameHeader + size) {
    const isOfThisRound =
      view.getUint32(at + 8) === view.getUint32(16) && view.getUint32(at + 12) === view.getUint32(20);
    checksum.add(at, 8);
    checksum.add(at + frameHeader, size);
    const page = view.getUint32(at);
    if (!isOfThisRound || !checksum.equals(at + 16) || page === 0) {
      break;
    }
    transaction.set(page, at + frameHeader);
    const committed = view.getUint32(at + 4);
    if (committed > 0) {
      count = committed;
      transaction.forEach((start, number) => frames.set(number, start));
      transaction.clear();
    }
  }
  if (count === undefined) {
    return undefined;
  }
  const last = count;
  return { size, count, frames: new Map([...frames].filter(([page]) => page <= last)) };
}

class Checksum {
  private readonly sums = new Uint32Array(2);

  constructor(
    private readonly view: DataView,
    private readonly littleEndian: boolean,
  ) {}

  /** Adds `length` bytes, a multiple of eight, from `start` on. */
  add(start: number, length: number): void {
    let [first = 0, second = 0] = this.sums;
    for (let at = start; at < start + length; at += 8) {
      first = (first + this.view.getUint32(at, this.littleEndian) + second) >>> 0;
      second = (second + this.view.getUint32(at + 4, this.littleEndian) + first) >>> 0;
    }
    this.sums.set([first, second]);
  }

  /** True if the two words at `at` are the checksum of everything added. */
  equals(at: number): boolean {
    return this.view.getUint32(at) === this.sums[0] && this.view.getUint32(at + 4) === this.sums[1];
  }
}
