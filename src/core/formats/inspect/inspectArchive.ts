import { Inflate } from 'fflate';
import { decompress } from 'fzstd';
import { joinBytes } from '../../base/jsonEdits';
import type { SourceRange } from '../../model/block';
import { entryName } from '../../reading/decoders/zipEntryName';
import type { Decoded } from '../../reading/format';

/** Most bytes that all entries together may unpack to. An archive of more is a zip bomb, not a log. */
const mostUnpacked = 1_000_000_000;

export class TooLargeError extends Error {
  constructor() {
    super(`This archive unpacks to more than ${mostUnpacked / 1_000_000_000} GB, which is not read.`);
  }
}

interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly packed: Uint8Array;
  readonly range: SourceRange;
}

/** The log of an archive as one document. Throws TooLargeError, and any other error where the archive is damaged. */
export function readInspectLog(bytes: Uint8Array): Decoded {
  const entries = readEntries(bytes);
  const budget = { left: mostUnpacked };
  const head =
    entries.find(({ name }) => name === 'header.json') ??
    entries.find(({ name }) => name === '_journal/start.json');
  const samples: unknown[] = [];
  const ranges: SourceRange[] = [];
  const damaged: string[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith('samples/')) {
      const sample = parseEntry(entry, budget);
      if (sample === undefined) {
        damaged.push(entry.name);
      } else {
        samples.push(sample);
        ranges.push(entry.range);
      }
    }
  }
  const header = head === undefined ? undefined : parseEntry(head, budget);
  const whole = { line: 1, offset: 0, length: bytes.length };
  return {
    kind: 'document',
    document: {
      ...(typeof header === 'object' ? header : {}),
      samples,
      ...(damaged.length === 0 ? {} : { damagedSamples: damaged }),
    },
    // A part of a packed sample has no place of its own: its place is that of the sample.
    locate: path =>
      (path[0] === 'samples' && typeof path[1] === 'number' ? ranges[path[1]] : undefined) ??
      (path.length > 0 && head !== undefined ? head.range : whole),
  };
}

/** The files in an archive. Throws TooLargeError, and any other error where the archive is damaged. */
export function unpackEntries(
  bytes: Uint8Array,
): readonly { readonly name: string; readonly content: Uint8Array }[] {
  const budget = { left: mostUnpacked };
  return readEntries(bytes).map(entry => ({ name: entry.name, content: unpack(entry, budget) }));
}

function parseEntry(entry: ZipEntry, budget: { left: number }): unknown {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(unpack(entry, budget)));
    return value;
  } catch (error) {
    if (error instanceof TooLargeError) {
      throw error;
    }
    return undefined;
  }
}

/** Methods: 0 stored, 8 deflate, 93 Zstandard. */
function unpack({ method, packed }: ZipEntry, budget: { left: number }): Uint8Array {
  const spend = (length: number): void => {
    budget.left -= length;
    if (budget.left < 0) {
      throw new TooLargeError();
    }
  };
  switch (method) {
    case 0:
      spend(packed.length);
      return packed;
    case 8: {
      const chunks: Uint8Array[] = [];
      const state = { ended: false };
      const inflate = new Inflate((chunk, final) => {
        spend(chunk.length);
        chunks.push(chunk);
        state.ended ||= final;
      });
      const step = 1 << 16;
      for (let from = 0; from < packed.length; from += step) {
        inflate.push(packed.subarray(from, from + step), from + step >= packed.length);
      }
      if (!state.ended) {
        throw new Error('Cut off.');
      }
      return joinBytes(chunks);
    }
    case 93: {
      const unpacked = decompress(packed);
      spend(unpacked.length);
      return unpacked;
    }
    default:
      throw new Error(`Unknown compression method ${method}.`);
  }
}

/** The entries listed in the directory at the end; where that is missing, those that follow one another from the start. */
function readEntries(bytes: Uint8Array): readonly ZipEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const directory = findDirectory(view);
  return directory === undefined ? readLocalHeaders(bytes, view) : readDirectory(bytes, view, directory);
}

interface Directory {
  readonly offset: number;
  readonly count: number;
}

function findDirectory(view: DataView): Directory | undefined {
  for (let at = view.byteLength - 22; at >= Math.max(0, view.byteLength - 22 - 0xffff); at -= 1) {
    if (view.getUint32(at, true) === 0x06054b50) {
      return { offset: view.getUint32(at + 16, true), count: view.getUint16(at + 10, true) };
    }
  }
  return undefined;
}

function readDirectory(bytes: Uint8Array, view: DataView, { offset, count }: Directory): readonly ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = offset;
  for (let index = 0; index < count && at + 46 <= bytes.length; index += 1) {
    if (view.getUint32(at, true) !== 0x02014b50) {
      break;
    }
    const nameLength = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    if (local + 30 <= bytes.length) {
      const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
      const end = start + view.getUint32(at + 20, true);
      entries.push({
        name: entryName(bytes, at + 46, nameLength),
        method: view.getUint16(at + 10, true),
        packed: bytes.subarray(start, end),
        range: { line: 1, offset: local, length: Math.min(end, bytes.length) - local },
      });
    }
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return entries;
}

function readLocalHeaders(bytes: Uint8Array, view: DataView): readonly ZipEntry[] {
  const entries: ZipEntry[] = [];
  let at = 0;
  while (at + 30 <= bytes.length && view.getUint32(at, true) === 0x04034b50) {
    const nameLength = view.getUint16(at + 26, true);
    const start = at + 30 + nameLength + view.getUint16(at + 28, true);
    const end = start + view.getUint32(at + 18, true);
    if (end > bytes.length) {
      break;
    }
    entries.push({
      name: entryName(bytes, at + 30, nameLength),
      method: view.getUint16(at + 8, true),
      packed: bytes.subarray(start, end),
      range: { line: 1, offset: at, length: end - at },
    });
    at = end;
  }
  return entries;
}
