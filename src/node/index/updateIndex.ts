import { hash, randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { throwIfCancelled, type WorkOptions } from '../../core/base/cancelling';
import type { SessionFile } from '../../core/finder/sessionList';
import type { ReadForList } from '../../core/index/listedSession';
import { stateOf } from './fileState';
import type { IndexReader } from './indexReaders';
import { bytesOfWords, nobody, nothing, without } from './readParts';
import type { Index, IndexedFile, IndexRow, NewWords } from './indexTypes';

/** The amount written at once: bytes of words, and files. */
const bytesAtOnce = 1 << 21;
const filesAtOnce = 500;
/** Maximum delay between reading and writing, in milliseconds. */
const longestDelay = 2000;

/**
 * Up to this many bytes, partial results would not be noticed. Then the largest file is read first, so that no reader
 * still works on it when the others have finished.
 */
const atOnce = 30_000_000;

const day = 86_400_000;
/** Days after which a file that is in no list is forgotten. */
const longestUnseen = 30;

export interface UpdateOptions extends WorkOptions {
  /** True if the words of all files are needed too. */
  readonly words: boolean;
  /**
   * Returns the readers for this many bytes. Files are read by all of them at once. Called only if there are files to
   * read.
   */
  readonly readersFor: (bytes: number) => readonly IndexReader[];
}

export interface UpdateResult {
  /** Number of files read. */
  readonly read: number;
  /** Paths of unreadable files. */
  readonly failed: readonly string[];
}

const keys = new WeakMap<SessionFile, string>();

/** The hash of a file's path in the index. */
export function pathKey(file: SessionFile): string {
  const known = keys.get(file);
  if (known !== undefined) {
    return known;
  }
  const key = hash('sha256', file.path).slice(0, 32);
  keys.set(file, key);
  return key;
}

/**
 * Reads new and changed files and stores the results. If there is much to read, the newest comes first. Progress is in
 * bytes. Rejects like the methods of Index.
 */
export async function updateIndex(
  index: Index,
  files: readonly SessionFile[],
  options: UpdateOptions,
): Promise<UpdateResult> {
  const today = Math.floor(Date.now() / day);
  const { words } = options;
  const listed = files.map(file => ({ file, state: stateOf(file) }));
  const list = { hash: hash('sha256', [today, ...files.map(({ path }) => path)].join('\n')), words };
  const noted = await index.statesOf(list);
  const pending =
    noted === undefined
      ? await withoutKnown(index, listed, today, words)
      : listed.filter(({ state }, place) => state !== noted[place]);
  if (noted !== undefined && pending.length === 0) {
    return { read: 0, failed: [] };
  }
  const total = pending.reduce((sum, { file }) => sum + file.size, 0);
  pending.sort(
    ({ file: first }, { file: second }) =>
      (total <= atOnce ? second.size - first.size : 0) || second.modified - first.modified,
  );
  const result = await new Update(index, pending, total, today, options).run();
  if (result.read === pending.length) {
    // This only speeds up the next comparison, so failing to write it loses nothing.
    const states = listed.map(({ state }) => state);
    await index.noteList({ ...list, states }).catch(() => undefined);
  }
  return result;
}

/**
 * Stores facts of files that were read for their usage. If the index also has a file's words, its row is more valuable
 * and stays.
 */
export async function keepFigures(index: Index, read: readonly ReadForList[]): Promise<void> {
  const today = Math.floor(Date.now() / day);
  const known = new Map((await index.files()).map(({ path, words }) => [path, words]));
  const files = read.flatMap(({ file, state, session, requests }): readonly IndexedFile[] => {
    const path = pathKey(file);
    const words = known.get(path) ?? 'none';
    const facts = { path, state, identity: identityOf(file.path), seen: today, modified: file.modified };
    return words === 'none'
      ? [{ ...facts, words, session, requests, ...without, token: randomUUID(), isContinued: false }]
      : [];
  });
  if (files.length > 0) {
    await index.put(files, []);
  }
}

/** The files whose current state is not in the index, by their rows. Notes that the others still exist. */
async function withoutKnown(
  index: Index,
  listed: readonly ListedFile[],
  today: number,
  words: boolean,
): Promise<ListedFile[]> {
  const known = new Map<string, IndexRow>();
  const rows = await index.files();
  for (const row of rows) {
    if (row.words !== 'part') {
      known.set(row.path, row);
    }
  }
  const changed: ListedFile[] = [];
  const seen: number[] = [];
  let found = 0;
  for (const each of listed) {
    const path = pathKey(each.file);
    const row = known.get(path);
    found += row === undefined ? 0 : 1;
    if (row?.state !== each.state || (words && row.words === 'none')) {
      changed.push(each);
    } else if (row.seen !== today) {
      seen.push(row.id);
    }
  }
  const isAnyGone = found < known.size;
  const pending = isAnyGone ? await withoutMoved(index, rows, listed, changed) : changed;
  if (seen.length > 0) {
    await index.see(seen, today);
    await index.forget(today - longestUnseen);
  }
  return pending;
}

interface ListedFile {
  readonly file: SessionFile;
  readonly state: string;
}

/** Notes the new paths of files that were only moved and need not be read again. Returns the others. */
async function withoutMoved(
  index: Index,
  rows: readonly IndexRow[],
  listed: readonly ListedFile[],
  changed: readonly ListedFile[],
): Promise<ListedFile[]> {
  if (changed.length === 0) {
    return [];
  }
  const here = new Set(listed.map(({ file }) => pathKey(file)));
  const known = new Set(rows.map(({ path }) => path));
  const gone = new Map(
    rows.flatMap(row => (here.has(row.path) || row.words === 'part' ? [] : [[movedKey(row), row] as const])),
  );
  const pending: ListedFile[] = [];
  for (const each of changed) {
    const row =
      gone.size === 0 ? undefined : gone.get(movedKey({ ...each, identity: identityOf(each.file.path) }));
    const path = pathKey(each.file);
    if (row === undefined || known.has(path)) {
      pending.push(each);
    } else {
      await index.move(row.id, path);
    }
  }
  return pending;
}

const movedKey = ({ identity, state }: Pick<IndexRow, 'identity' | 'state'>): string =>
  `${identity} ${state}`;

function identityOf(path: string): string {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino}`;
}

/** A file being read. */
interface Reading {
  readonly facts: Pick<IndexedFile, 'path' | 'state' | 'identity' | 'seen' | 'modified' | 'token'>;
  /** True if words of the file were already written. */
  isContinued: boolean;
}

/** The data written for a file before all of it was read. */
const unfinished = { words: 'part', session: nobody, requests: nothing, ...without } as const;

class Update {
  private readonly failed: string[] = [];
  private readonly open = new Map<string, Reading>();
  private files: IndexedFile[] = [];
  private words: NewWords[] = [];
  private bytes = 0;
  private written = Date.now();
  private writing = Promise.resolve();
  private writeError: unknown;
  private done = 0;
  private read = 0;
  private next = 0;

  constructor(
    private readonly index: Index,
    private readonly pending: readonly ListedFile[],
    private readonly total: number,
    private readonly today: number,
    private readonly options: UpdateOptions,
  ) {}

  async run(): Promise<UpdateResult> {
    try {
      const readers = this.pending.length === 0 ? [] : this.options.readersFor(this.total);
      await Promise.all(
        readers.flatMap(reader => Array.from({ length: reader.filesAtOnce }, () => this.readWith(reader))),
      );
    } finally {
      this.next = this.pending.length;
      // Read facts are kept, even if the rest was cancelled.
      await this.write();
    }
    return { read: this.read, failed: this.failed };
  }

  private async readWith(reader: IndexReader): Promise<void> {
    for (let pending = this.pending[this.next]; pending !== undefined; pending = this.pending[this.next]) {
      this.next += 1;
      throwIfCancelled(this.options.isCancelled);
      await this.readFile(reader, pending);
      this.done += pending.file.size;
      this.options.onProgress?.(this.done, this.total);
    }
    if (reader.isHere === true) {
      // This thread has no other work while others continue reading.
      await this.write('whole');
    }
  }

  private async readFile(reader: IndexReader, { file, state }: ListedFile): Promise<void> {
    const token = randomUUID();
    const identity = identityOf(file.path);
    const facts = { path: pathKey(file), state, identity, seen: this.today, modified: file.modified, token };
    const reading: Reading = { facts, isContinued: false };
    this.open.set(token, reading);
    try {
      for await (const part of reader.read({ file, words: this.options.words })) {
        // Many files may have been given to the reader before.
        throwIfCancelled(this.options.isCancelled);
        if (part.kind === 'words') {
          const { blocks, ends, bytes } = part;
          this.words.push({ file: token, blocks, ends, bytes });
          this.bytes += bytesOfWords(part);
          await this.writeWhereMuch();
        } else {
          const { session, requests, blocks, losses, parts } = part;
          const words = this.options.words ? 'whole' : 'none';
          const { isContinued } = reading;
          this.files.push({ ...facts, words, session, requests, blocks, losses, parts, isContinued });
          this.read += 1;
        }
      }
    } catch (error) {
      if (error === this.writeError) {
        throw error;
      }
      this.words = this.words.filter(each => each.file !== token);
      throwIfCancelled(this.options.isCancelled);
      this.failed.push(file.path);
    }
    this.open.delete(token);
    await this.writeWhereMuch();
  }

  private async writeWhereMuch(): Promise<void> {
    const isLate = Date.now() - this.written > longestDelay;
    if (this.bytes >= bytesAtOnce || this.files.length >= filesAtOnce || isLate) {
      await this.write();
    }
  }

  /** Writes everything read so far, or only complete files, after the current write. Rejects with `writeError`. */
  private async write(what: 'all' | 'whole' = 'all'): Promise<void> {
    const result = this.writing.then(async () => {
      const whole = new Set(this.files.map(({ token }) => token));
      const isWritten = ({ file }: NewWords): boolean => what === 'all' || whole.has(file);
      const words = this.words.filter(isWritten);
      const rest = this.words.filter(each => !isWritten(each));
      const files = [...this.files, ...(what === 'all' ? this.unfinishedFiles() : [])];
      this.files = [];
      this.words = rest;
      this.bytes = rest.reduce((sum, { bytes }) => sum + bytes.length, 0);
      if (files.length > 0) {
        await this.index.put(files, words);
      }
      this.written = Date.now();
    });
    this.writing = result.catch((error: unknown) => {
      this.writeError = error;
    });
    await result;
  }

  /** Rows for files with words to write that are not completely read. */
  private unfinishedFiles(): readonly IndexedFile[] {
    const tokens = new Set(this.words.map(({ file }) => file));
    this.files.forEach(({ token }) => tokens.delete(token));
    return [...tokens].flatMap(token => {
      const reading = this.open.get(token);
      if (reading === undefined) {
        return [];
      }
      const { facts, isContinued } = reading;
      reading.isContinued = true;
      return [{ ...facts, ...unfinished, isContinued }];
    });
  }
}
