import { createHash } from 'node:crypto';
import { access, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Encoding } from '../../core/model/modelRow';
import type { KnownMeasure } from '../../core/session/knownMeasure';

/** The maximum size of all files of the cache together, in bytes. */
const largestCache = 64_000_000;

const unfinishedEnding = '.part';
/** The longest time that writing an entry takes, in milliseconds. */
const longestWrite = 600_000;

/** Identifies the layout below; another layout gets another number. */
const layout = 0x43_49_4d_31;
const checksumSize = 32;
/** The layout number, and the first 12 bytes of the hash of the program version and encoding behind the measures. */
const headerSize = 16;
/** Two words of the content's hash, the tokens, and flags. */
const rowWords = 4;
const bits = { counted: 1, clean: 2 } as const;

/** The hash that represents a file in the name of its entry. */
const hashOf = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Token counts of transcripts and their blocks without findings, kept in a folder from one opening to the next: one
 * file per transcript, with only hashes and numbers. The folder can be deleted at any time. An entry that is damaged,
 * or was made by another version, is treated as missing.
 */
export class MeasureCache {
  constructor(
    private readonly folder: string,
    /** The version of the program that measures. */
    private readonly version: string,
    private readonly largest = largestCache,
  ) {}

  /** True if there is an entry for a transcript, of any version. */
  async has(path: string): Promise<boolean> {
    return access(this.entry(path)).then(
      () => true,
      () => false,
    );
  }

  /** The known measures of a transcript's blocks, by content; empty if the cache cannot be read. Never rejects. */
  async read(path: string, encoding: Encoding): Promise<ReadonlyMap<string, KnownMeasure>> {
    const entry = this.entry(path);
    try {
      const known = unpack(await readFile(entry), this.headerFor(encoding));
      const now = new Date();
      await utimes(entry, now, now);
      return known;
    } catch {
      return new Map();
    }
  }

  /** Stores the known measures, replacing the previous entry. Returns true on success. Never rejects. */
  async write(path: string, encoding: Encoding, known: ReadonlyMap<string, KnownMeasure>): Promise<boolean> {
    const entry = this.entry(path);
    const unfinished = `${entry}.${process.pid}.${Date.now()}${unfinishedEnding}`;
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      await writeFile(unfinished, pack(known, this.headerFor(encoding)), { mode: 0o600 });
      await rename(unfinished, entry);
      await this.trim();
      return true;
    } catch {
      await rm(unfinished, { force: true }).catch(() => undefined);
      return false;
    }
  }

  private entry(path: string): string {
    return join(this.folder, hashOf(path).toString('hex'));
  }

  private headerFor(encoding: Encoding): Buffer {
    const header = Buffer.alloc(headerSize);
    header.writeUInt32LE(layout);
    hashOf(`${this.version} ${encoding}`).copy(header, 4);
    return header;
  }

  /** Removes the least recently used entries until the rest fits, and files left by a process that was ended early. */
  private async trim(): Promise<void> {
    const files = await Promise.all(
      (await readdir(this.folder)).map(async name => {
        const file = join(this.folder, name);
        const { size, mtimeMs } = await stat(file);
        return { file, size, mtimeMs };
      }),
    );
    let total = 0;
    for (const { file, size, mtimeMs } of files.toSorted((first, second) => second.mtimeMs - first.mtimeMs)) {
      total += size;
      const isAbandoned = file.endsWith(unfinishedEnding) && Date.now() - mtimeMs > longestWrite;
      if (total > this.largest || isAbandoned) {
        await rm(file, { force: true });
      }
    }
  }
}

function pack(known: ReadonlyMap<string, KnownMeasure>, header: Buffer): Buffer {
  const rows = new Uint32Array(known.size * rowWords);
  let at = 0;
  for (const [hash, { tokens, isClean }] of known) {
    rows[at] = Number.parseInt(hash.slice(0, 8), 16);
    rows[at + 1] = Number.parseInt(hash.slice(8, 16), 16);
    rows[at + 2] = tokens ?? 0;
    rows[at + 3] = (tokens === undefined ? 0 : bits.counted) | (isClean ? bits.clean : 0);
    at += rowWords;
  }
  const content = Buffer.concat([header, new Uint8Array(rows.buffer)]);
  return Buffer.concat([createHash('sha256').update(content).digest(), content]);
}

function unpack(bytes: Buffer, header: Buffer): ReadonlyMap<string, KnownMeasure> {
  const content = bytes.subarray(checksumSize);
  const checksum = createHash('sha256').update(content).digest();
  if (!bytes.subarray(0, checksumSize).equals(checksum) || !content.subarray(0, headerSize).equals(header)) {
    return new Map();
  }
  // A copy, because words must begin at a multiple of four.
  const rows = new Uint32Array(new Uint8Array(content.subarray(headerSize)).buffer);
  const known = new Map<string, KnownMeasure>();
  for (let at = 0; at < rows.length; at += rowWords) {
    const flags = rows[at + 3] ?? 0;
    known.set(hex(rows[at]) + hex(rows[at + 1]), {
      tokens: (flags & bits.counted) === 0 ? undefined : rows[at + 2],
      isClean: (flags & bits.clean) !== 0,
    });
  }
  return known;
}

function hex(word = 0): string {
  return word.toString(16).padStart(8, '0');
}
