import { Inflate } from 'fflate';
import { parseJson } from '../../base/json';
import { joinBytes } from '../../base/jsonEdits';
import { translate } from '../../base/translate';
import type { SourceRange } from '../../model/block';
import {
  mostUnpacked,
  RefusedError,
  TooLargeError,
  type UnpackLimits,
  type UnpackZstd,
  unpackWithin,
} from '../../reading/decoders/unpacking';
import { entryName } from '../../reading/decoders/zipEntryName';
import type { Decoded } from '../../reading/format';
import { chunkName, joinChunks } from './inspectChunks';

/** Packed bytes inflated at once. They unpack to at most a thousand times their size. */
const inflateStep = 1 << 12;

interface ZipEntry {
  readonly name: string;
  readonly method: number;
  readonly packed: Uint8Array;
  readonly range: SourceRange;
}

/**
 * The log of an archive as one document. Rejects with RefusedError, or with another error if the archive is damaged.
 */
export async function readInspectLog(
  bytes: Uint8Array,
  limits: UnpackLimits,
  unpackZstd: UnpackZstd,
): Promise<Decoded> {
  const entries = readEntries(bytes);
  refuseOverlaps(entries);
  const budget = new Budget(limits, unpackZstd);
  const head =
    entries.find(({ name }) => name === 'header.json') ??
    entries.find(({ name }) => name === '_journal/start.json');
  const samples: unknown[] = [];
  const ranges: SourceRange[] = [];
  const damaged: string[] = [];
  const chunked = new Map<string, { readonly parts: Map<string, unknown>; readonly range: SourceRange }>();
  for (const entry of entries) {
    if (entry.name.startsWith('samples/')) {
      const [folder, part] = chunkName(entry.name) ?? [];
      const sample = await parseEntry(entry, budget);
      if (sample === undefined) {
        damaged.push(entry.name);
      } else if (folder !== undefined && part !== undefined) {
        const chunks = chunked.get(folder) ?? { parts: new Map<string, unknown>(), range: entry.range };
        chunks.parts.set(part, sample);
        chunked.set(folder, chunks);
      } else {
        samples.push(sample);
        ranges.push(entry.range);
      }
    }
  }
  for (const { parts, range } of chunked.values()) {
    samples.push(joinChunks(parts));
    ranges.push(range);
  }
  const header = head === undefined ? undefined : await parseEntry(head, budget);
  const whole = { line: 1, offset: 0, length: bytes.length };
  return {
    kind: 'document',
    document: {
      ...(typeof header === 'object' ? header : {}),
      samples,
      ...(damaged.length === 0 ? {} : { damagedSamples: damaged }),
    },
    // A part of a packed sample has no place of its own; it gets the place of the sample.
    locate: path =>
      (path[0] === 'samples' && typeof path[1] === 'number' ? ranges[path[1]] : undefined) ??
      (path.length > 0 && head !== undefined ? head.range : whole),
  };
}

/** Refuses overlapping entries. In an honest archive, every entry has its own bytes. */
function refuseOverlaps(entries: readonly ZipEntry[]): void {
  let end = 0;
  for (const { range } of entries.toSorted((first, second) => first.range.offset - second.range.offset)) {
    if (range.offset < end) {
      throw new RefusedError(translate('This archive is not read: its entries overlap, as in a zip bomb.'));
    }
    end = range.offset + range.length;
  }
}

/** The packed and unpacked bytes of all entries of an archive together. */
class Budget {
  private packed = 0;
  private unpacked = 0;

  constructor(
    private readonly limits: UnpackLimits,
    private readonly unpackZstd: UnpackZstd,
  ) {}

  /**
   * Unpacks an entry within limits of its own. Rejects with TooLargeError, or with another error for a damaged entry.
   */
  async unpackedZstd(packed: Uint8Array): Promise<Uint8Array> {
    const unpacked = await unpackWithin(packed, this.limits, this.unpackZstd);
    this.take(packed.length);
    this.give(unpacked.length);
    return unpacked;
  }

  take(packed: number): void {
    this.packed += packed;
  }

  /** Throws TooLargeError if the unpacked bytes exceed the limit for the packed bytes so far. */
  give(unpacked: number): void {
    this.unpacked += unpacked;
    if (this.unpacked > mostUnpacked(this.packed, this.limits)) {
      throw new TooLargeError(this.limits);
    }
  }
}

/** A file in an archive. A damaged file has no content. */
interface UnpackedEntry {
  readonly name: string;
  readonly content: Uint8Array | undefined;
}

/**
 * The files in an archive. Rejects with TooLargeError or RefusedError, or with another error if the directory is
 * damaged.
 */
export async function unpackEntries(
  bytes: Uint8Array,
  limits: UnpackLimits,
  unpackZstd: UnpackZstd,
): Promise<readonly UnpackedEntry[]> {
  const entries = readEntries(bytes);
  refuseOverlaps(entries);
  const budget = new Budget(limits, unpackZstd);
  const unpacked: UnpackedEntry[] = [];
  for (const entry of entries) {
    unpacked.push({ name: entry.name, content: await contentOf(entry, budget) });
  }
  return unpacked;
}

async function parseEntry(entry: ZipEntry, budget: Budget): Promise<unknown> {
  const content = await contentOf(entry, budget);
  return content === undefined ? undefined : parseJson(new TextDecoder().decode(content));
}

/** The content of an entry; undefined for a damaged one. Rejects with RefusedError. */
async function contentOf(entry: ZipEntry, budget: Budget): Promise<Uint8Array | undefined> {
  try {
    return await unpack(entry, budget);
  } catch (error) {
    if (error instanceof RefusedError) {
      throw error;
    }
    return undefined;
  }
}

/** Methods: 0 stored, 8 deflate, 93 Zstandard. */
async function unpack({ method, packed }: ZipEntry, budget: Budget): Promise<Uint8Array> {
  switch (method) {
    case 0:
      budget.take(packed.length);
      budget.give(packed.length);
      return packed;
    case 8:
      return inflate(packed, budget);
    case 93:
      return budget.unpackedZstd(packed);
    default:
      throw new Error(`Unknown compression method ${method}.`);
  }
}

function inflate(packed: Uint8Array, budget: Budget): Uint8Array {
  const chunks: Uint8Array[] = [];
  const state = { ended: false };
  const stream = new Inflate((chunk, final) => {
    budget.give(chunk.length);
    chunks.push(chunk);
    state.ended ||= final;
  });
  for (let from = 0; from < packed.length; from += inflateStep) {
    const part = packed.subarray(from, from + inflateStep);
    budget.take(part.length);
    stream.push(part, from + inflateStep >= packed.length);
  }
  if (!state.ended) {
    throw new Error('Cut off.');
  }
  return joinBytes(chunks);
}

/**
 * The entries listed in the directory at the end. If the directory is missing, the entries that follow one another from
 * the start.
 */
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
