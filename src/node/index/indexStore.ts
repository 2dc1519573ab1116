import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync as Database, StatementSync } from 'node:sqlite';
import { isArray, parseJson } from '../../core/base/json';
import { DatabaseSync } from '../databases/nodeSqlite';
import { makeFolder } from '../files/makeFolder';
import { FreeIds, idAt } from './freeIds';
import { databaseName } from './indexFolder';
import { isDamage, isMoved, isUnwritable } from './indexErrors';
import { bytesOf, damaged, numberOf, rowsOf, sessionOf, textOf } from './indexValues';
import {
  checked,
  openedBytes,
  openedUsage,
  sealedUsage,
  sealOfBytes,
  sealOfList,
  sealOfUsage,
} from './seals';
import { nothing } from './readParts';
import type {
  FileList,
  FindRange,
  FoundWords,
  Index,
  IndexedFile,
  IndexedUsage,
  IndexRow,
  NewWords,
  NotedList,
  WordsState,
} from './indexTypes';

/**
 * A new number for each change of the tables or of their content: an older index is rebuilt, so every file is read again.
 * Raise it also when readers compute a figure of the list in another way: a cost, an age, a number of requests. Prices and
 * words need no new number, because they are looked up when a row is shown. Raised to 10 for the costs that agents record, to 14 for versions of agents, compactions and tokens not recorded, to 15 for the windows of limits, to 16 for the terms and sums of long sessions, to 17 for
 * the repositories of worktrees.
 */
const version = 17;

/** Only the user may read the index, and its folder. */
const fileMode = 0o600;

/** The longest wait for another program that uses the index, in milliseconds. */
const usualWait = 15_000;

/** Maximum bytes of new words in memory. Then they are written as one sorted piece. */
const wordsInMemory = 1 << 24;
/**
 * Each write adds a piece of the words. When this many pieces of similar size exist, they are merged, which rewrites
 * all of them. A part of this is done with each write. FTS5's own merging does all of it in some writes: one of fifty
 * small updates took four to eight seconds more (100 MB of words).
 */
const mostPieces = 16;
/**
 * In bytes of words. For smaller writes, someone may be waiting, so more pieces are left: each adds 0.01 ms to a
 * search.
 */
const littleWritten = 1_000_000;
const mostPiecesLeft = 64;
/**
 * This many pieces are merged at once. The number gets this high only if there are too few writes to merge gradually.
 */
const tooManyPieces = 128;
/**
 * One page is merged for this many bytes of words. A page of words has 6,000 bytes, so about two are merged per page in
 * the end.
 */
const bytesPerMergedPage = 2048;
const leastMergedPages = 8;

/** Maximum number of noted file lists. Windows and folders of the command line may each have their own. */
const mostLists = 16;

/**
 * Data that is read for all files at once and rewritten every day is in a separate table, because the findings in a
 * file are large. `total` has the sum of the rows' checksums. `words` has no text: it lists the blocks that contain a
 * word; words are in the form of DistinctWords. Its row numbers are the file's id times `blocksPerFile` plus the number
 * of the block.
 */
const schema = `
  CREATE TABLE file (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL,
    state TEXT NOT NULL,
    identity TEXT NOT NULL,
    seen INTEGER NOT NULL,
    words INTEGER NOT NULL
  );
  CREATE INDEX file_path ON file (path);
  CREATE TABLE content (
    id INTEGER PRIMARY KEY,
    session TEXT NOT NULL,
    requests BLOB NOT NULL,
    blocks BLOB NOT NULL,
    losses BLOB NOT NULL,
    parts BLOB NOT NULL,
    seal INTEGER NOT NULL,
    blocksSeal INTEGER NOT NULL,
    partsSeal INTEGER NOT NULL
  );
  CREATE TABLE list (
    id INTEGER PRIMARY KEY,
    hash TEXT NOT NULL,
    words INTEGER NOT NULL,
    states BLOB NOT NULL,
    seal INTEGER NOT NULL
  );
  CREATE TABLE total (seals INTEGER NOT NULL);
  INSERT INTO total VALUES (0);
  CREATE TRIGGER added AFTER INSERT ON content BEGIN
    UPDATE total SET seals = seals + new.seal;
  END;
  CREATE TRIGGER removed AFTER DELETE ON content BEGIN
    UPDATE total SET seals = seals - old.seal;
  END;
  CREATE TRIGGER changed AFTER UPDATE OF seal ON content BEGIN
    UPDATE total SET seals = seals - old.seal + new.seal;
  END;
  CREATE VIRTUAL TABLE words USING fts5 (
    text, content='', contentless_delete=1, detail=none, tokenize='ascii'
  );
  INSERT INTO words (words, rank) VALUES
    ('hashsize', ${wordsInMemory}), ('automerge', 0), ('usermerge', ${mostPieces}), ('crisismerge', ${tooManyPieces});
  PRAGMA user_version = ${version};`;

/** Maximum number of blocks of a file with words in the index. */
const blocksPerFile = 2 ** 22;

/** An empty byte array may be bound as NULL: from another context, or from a TextEncoder (Node 22.23). */
const orEmpty = "coalesce(?, x'')";

const states: readonly WordsState[] = ['none', 'whole', 'part'];

/** Number of attempts at a piece of work: a damaged index may turn out to be unwritable too. */
const mostAttempts = 4;

/** SQLite's name for a database in memory. */
const inMemory = ':memory:';

export interface IndexOptions {
  /** Maximum wait for another program that uses the index, in milliseconds. */
  readonly longestWait?: number;
  /** Called when the index cannot be written: from then on it is in memory, at first empty. */
  readonly onMemory?: () => void;
}

/** The index in a folder. A missing folder is created when the index is first used. */
export function openIndex(folder: string, options: IndexOptions = {}): Index {
  return new IndexStore(folder, options);
}

class IndexStore implements Index {
  private readonly path: string;
  private open: { readonly database: Database; readonly file: string } | undefined;
  private readonly ids = new FreeIds();
  /** The identity of the database file when a list was read from it. */
  private asked: string | undefined;
  isInMemory = false;
  rebuilds = 0;

  constructor(
    private readonly folder: string,
    private readonly options: IndexOptions,
  ) {
    this.path = join(folder, databaseName);
  }

  async statesOf({ hash, words }: FileList): Promise<readonly string[] | undefined> {
    return this.use(database => {
      this.asked = this.open?.file;
      const [row] = rowsOf(
        database,
        'SELECT hash, words, states, seal FROM list WHERE hash = ? AND words >= ? ORDER BY id DESC LIMIT 1',
        [hash, Number(words)],
      );
      if (row === undefined) {
        return undefined;
      }
      const states = bytesOf(row['states']);
      checked(sealOfList(textOf(row['hash']), numberOf(row['words']), states), row['seal']);
      return new TextDecoder().decode(states).split('\n');
    });
  }

  async noteList({ hash, states, words }: NotedList): Promise<void> {
    await this.use(database => {
      // Another program may have deleted the read data.
      if (this.open?.file !== this.asked) {
        return;
      }
      inTransaction(database, 'IMMEDIATE', () => {
        const bytes = new TextEncoder().encode(states.join('\n'));
        database
          .prepare(`INSERT INTO list (hash, words, states, seal) VALUES (?, ?, ${orEmpty}, ?)`)
          .run(hash, Number(words), bytes, sealOfList(hash, Number(words), bytes));
        database.prepare('DELETE FROM list WHERE id <= (SELECT max(id) FROM list) - ?').run(mostLists);
      });
    });
  }

  async files(): Promise<readonly IndexRow[]> {
    return this.use(database => {
      // Passed as bytes at once, because each passed value, above all a text, costs more than reading it.
      const [row] = rowsOf(
        database,
        'SELECT CAST(json_group_array(json_array(id, path, state, identity, seen, words)) AS BLOB) AS files FROM file',
      );
      const files = parseJson(new TextDecoder().decode(bytesOf(row?.['files'])));
      if (!isArray(files)) {
        throw damaged('the list of files is missing');
      }
      return files.map(file => {
        const [id, path, state, identity, seen, words]: readonly unknown[] = isArray(file) ? file : [];
        return {
          id: numberOf(id),
          path: textOf(path),
          state: textOf(state),
          identity: textOf(identity),
          seen: numberOf(seen),
          words: states[numberOf(words)] ?? 'none',
        };
      });
    });
  }

  async usage(visit: (file: IndexedUsage) => void, withParts = false): Promise<void> {
    await this.use(database => {
      // So that the total is of the same rows.
      inTransaction(database, 'DEFERRED', () => {
        // Of several copies of a request, the one in the file that was written first counts.
        const statement = database.prepare(
          `SELECT ${sealedUsage}${withParts ? ', parts, partsSeal' : ''} FROM file JOIN content USING (id) ORDER BY id`,
        );
        const paths = new Set<string>();
        let seals = 0;
        for (const row of statement.iterate()) {
          const file = openedUsage(row);
          const { path, session, requests, losses } = file;
          seals += file.seal;
          if (file.words < 2) {
            if (paths.has(path)) {
              throw damaged('a file has two rows');
            }
            paths.add(path);
            const parts = withParts ? openedBytes(file, row['parts'], row['partsSeal']) : nothing;
            visit({ path, session: sessionOf(session), requests, losses, parts });
          }
        }
        const [total] = rowsOf(database, 'SELECT seals FROM total');
        checked(seals, total?.['seals']);
      });
    });
  }

  async figuresOf(paths: readonly string[], visit: Parameters<Index['figuresOf']>[1]): Promise<void> {
    await this.use(database => {
      const places = paths.map(() => '?').join(', ');
      const statement = `SELECT ${sealedUsage} FROM file JOIN content USING (id) WHERE words < 2 AND path IN (${places})`;
      for (const row of rowsOf(database, statement, [...paths])) {
        const { session, ...file } = openedUsage(row);
        visit({ ...file, session: sessionOf(session) });
      }
    });
  }

  async put(files: readonly IndexedFile[], words: readonly NewWords[]): Promise<void> {
    await this.use(database => {
      inTransaction(database, 'IMMEDIATE', () => {
        forgetLists(database);
        const known = new Map<NewWords['file'], number>();
        const statements = {
          lookUp: database.prepare(`SELECT ${sealedUsage} FROM file JOIN content USING (id) WHERE path = ?`),
          isTaken: database.prepare('SELECT 1 FROM file WHERE id = ?'),
          putFile: database.prepare(
            'INSERT INTO file (id, path, state, identity, seen, words) VALUES (?, ?, ?, ?, ?, ?)',
          ),
          putContent: database.prepare(
            `INSERT INTO content (id, session, requests, blocks, losses, parts, seal, blocksSeal, partsSeal) VALUES (?, ?, ${orEmpty}, ${orEmpty}, ${orEmpty}, ${orEmpty}, ?, ?, ?)`,
          ),
        };
        for (const file of files) {
          const id = this.putFile(database, file, statements);
          if (id !== undefined) {
            known.set(file.token, id);
          }
        }
        // Words with ascending numbers are written as one piece.
        const sorted = words
          .flatMap(part => {
            const id = known.get(part.file);
            return id === undefined ? [] : [{ ...part, id }];
          })
          .sort((first, second) => first.id - second.id);
        mergeWords(database, sorted);
        const statement = database.prepare('INSERT INTO words (rowid, text) VALUES (?, ?)');
        for (const { id, blocks, ends, bytes } of sorted) {
          for (const [place, block] of blocks.entries()) {
            if (block < blocksPerFile) {
              const text = bytes.subarray(ends[place - 1] ?? 0, ends[place]);
              statement.run(rowOf(id, block), text);
            }
          }
        }
      });
    });
  }

  async see(ids: readonly number[], day: number): Promise<void> {
    await this.use(database =>
      inTransaction(database, 'IMMEDIATE', () => {
        const statement = database.prepare('UPDATE file SET seen = ? WHERE id = ?');
        ids.forEach(id => statement.run(day, id));
      }),
    );
  }

  async move(id: number, path: string): Promise<void> {
    await this.use(database =>
      inTransaction(database, 'IMMEDIATE', () => {
        forgetLists(database);
        const [row] = rowsOf(
          database,
          `SELECT ${sealedUsage} FROM file JOIN content USING (id) WHERE id = ?`,
          [id],
        );
        if (row === undefined) {
          throw damaged('a row is missing');
        }
        const seal = sealOfUsage({ ...openedUsage(row), path });
        database.prepare('UPDATE file SET path = ? WHERE id = ?').run(path, id);
        database.prepare('UPDATE content SET seal = ? WHERE id = ?').run(seal, id);
      }),
    );
  }

  async forget(before: number): Promise<void> {
    await this.use(database =>
      inTransaction(database, 'IMMEDIATE', () => {
        forgetLists(database);
        for (const { id } of rowsOf(database, 'SELECT id FROM file WHERE seen < ?', [before])) {
          removeFile(database, numberOf(id));
        }
      }),
    );
  }

  async find(query: string, { since, before, most }: FindRange): Promise<readonly FoundWords[]> {
    const last = before === undefined ? BigInt(Number.MAX_SAFE_INTEGER) : rowOf(before.file, before.block);
    return this.use(database =>
      rowsOf(
        database,
        'SELECT rowid FROM words WHERE words MATCH ? AND rowid >= ? AND rowid < ? ORDER BY rowid DESC LIMIT ?',
        [query, rowOf(idAt(since ?? 0), 0), last, most],
      ).map(row => {
        const number = numberOf(row['rowid']);
        const file = Math.floor(number / blocksPerFile);
        return { file, block: number - file * blocksPerFile };
      }),
    );
  }

  async filesOf(ids: readonly number[], visit: Parameters<Index['filesOf']>[1]): Promise<void> {
    await this.use(database => {
      const places = ids.map(() => '?').join(', ');
      const statement = `SELECT ${sealedUsage}, blocks, blocksSeal FROM file JOIN content USING (id) WHERE words < 2 AND id IN (${places})`;
      for (const row of rowsOf(database, statement, [...ids])) {
        const { session, ...file } = openedUsage(row);
        const blocks = openedBytes(file, row['blocks'], row['blocksSeal']);
        visit({ ...file, session: sessionOf(session), blocks });
      }
    });
  }

  delete(): Promise<void> {
    this.remove();
    return Promise.resolve();
  }

  close(): void {
    this.open?.database.close();
    this.open = undefined;
  }

  /** Writes the row of a file and removes its older data. Undefined if there is nothing to do. */
  private putFile(
    database: Database,
    file: IndexedFile,
    {
      lookUp,
      isTaken,
      putFile,
      putContent,
    }: Readonly<Record<'lookUp' | 'isTaken' | 'putFile' | 'putContent', StatementSync>>,
  ): number | undefined {
    const words = states.indexOf(file.words);
    const known = lookUp.all(file.path).map(openedUsage);
    const own = known.find(({ session }) => session === file.token);
    if (own === undefined && file.isContinued) {
      // Another program has meanwhile read the file.
      return undefined;
    }
    const before = known.find(row => row !== own && row.state === file.state);
    if (words < 2 && before?.words === words) {
      if (own !== undefined) {
        removeFile(database, own.id);
      }
      return undefined;
    }
    for (const row of known) {
      if (row !== own) {
        removeFile(database, row.id);
        this.ids.release(row.id);
      }
    }
    const kept = own ?? before;
    const id = kept?.id ?? this.ids.take(file.modified, each => isTaken.get(each) !== undefined);
    if (own !== undefined) {
      removeRows(database, own.id);
    }
    const { path, state, identity, seen, requests, blocks, losses, parts } = file;
    putFile.run(id, path, state, identity, seen, words);
    const session = file.words === 'part' ? file.token : JSON.stringify(file.session);
    putContent.run(
      id,
      session,
      requests,
      blocks,
      losses,
      parts,
      sealOfUsage({ id, path, state, words, session, requests, losses }),
      sealOfBytes({ id, state }, blocks),
      sealOfBytes({ id, state }, parts),
    );
    return id;
  }

  /** Runs work on the database. A damaged database, or one of another version, is created again. */
  private async use<Result>(work: (database: Database) => Result): Promise<Result> {
    // So that errors also become rejections.
    await Promise.resolve();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return work(this.opened());
      } catch (error) {
        if (attempt === mostAttempts || !this.isMended(error)) {
          throw error;
        }
      }
    }
  }

  /** Prepares another attempt after an error. False if no attempt would help. */
  private isMended(error: unknown): boolean {
    if (isMoved(error)) {
      return true;
    }
    if (isDamage(error)) {
      try {
        this.rebuild();
        return true;
      } catch (failure) {
        return this.isMended(failure);
      }
    }
    if (!isUnwritable(error) || this.isInMemory) {
      return false;
    }
    this.close();
    this.isInMemory = true;
    this.rebuilds += 1;
    this.options.onMemory?.();
    return true;
  }

  /** The database. It is opened again if another program has recreated it. */
  private opened(): Database {
    if (this.open !== undefined && (this.isInMemory || this.open.file === identityOf(this.path))) {
      return this.open.database;
    }
    this.close();
    if (this.isInMemory) {
      return this.connectTo(inMemory);
    }
    makeFolder(this.folder);
    const database = this.connect();
    if (versionOf(database) !== version || isCut(database, this.path)) {
      this.rebuild();
      return this.connect();
    }
    return database;
  }

  /** Opens the database and creates its tables. Another program may do the same at the same time. */
  private connect(): Database {
    for (const path of [this.path, `${this.path}-journal`]) {
      closeSync(openSync(path, 'a', fileMode));
    }
    return this.connectTo(this.path);
  }

  private connectTo(path: string): Database {
    const database = new DatabaseSync(path, { timeout: this.options.longestWait ?? usualWait });
    this.open = { database, file: this.isInMemory ? inMemory : (identityOf(path) ?? '') };
    // Data lost in a power failure is noticed and can be read again.
    database.exec(
      'PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = OFF; PRAGMA cache_size = -8000; PRAGMA temp_store = MEMORY',
    );
    if (versionOf(database) === 0) {
      inTransaction(database, 'IMMEDIATE', () => {
        if (versionOf(database) === 0) {
          database.exec(schema);
        }
      });
    }
    return database;
  }

  /** Deletes the database that was opened, but not one that another program has created in its place. */
  private rebuild(): void {
    this.rebuilds += 1;
    if (this.open === undefined || this.open.file === identityOf(this.path)) {
      this.remove();
    }
  }

  private remove(): void {
    this.close();
    for (const ending of ['', '-journal']) {
      rmSync(`${this.path}${ending}`, { force: true });
    }
  }
}

function inTransaction(database: Database, kind: 'DEFERRED' | 'IMMEDIATE', work: () => void): void {
  database.exec(`BEGIN ${kind}`);
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) {
      database.exec('ROLLBACK');
    }
    throw error;
  }
}

/** Merges pieces of earlier words, in proportion to the words written now. */
function mergeWords(database: Database, words: readonly NewWords[]): void {
  const bytes = words.reduce((sum, part) => sum + part.bytes.length, 0);
  if (bytes >= littleWritten || piecesOf(database) > mostPiecesLeft) {
    const pages = Math.max(leastMergedPages, Math.ceil(bytes / bytesPerMergedPage));
    database.prepare("INSERT INTO words (words, rank) VALUES ('merge', ?)").run(pages);
  }
}

/**
 * Number of pieces of the words, from FTS5's structure record after two words and the number of levels (SQLite,
 * fts5_index.c).
 */
function piecesOf(database: Database): number {
  const [row] = rowsOf(database, 'SELECT block FROM words_data WHERE id = 10');
  // Levels are few, and there are not many more than 128 pieces: then the byte is still above the limit.
  return bytesOf(row?.['block'])[9] ?? 0;
}

/** Deletes the noted lists, because they may be outdated. */
function forgetLists(database: Database): void {
  database.exec('DELETE FROM list');
}

function removeFile(database: Database, id: number): void {
  database
    .prepare('DELETE FROM words WHERE rowid BETWEEN ? AND ?')
    .run(rowOf(id, 0), rowOf(id, blocksPerFile - 1));
  removeRows(database, id);
}

function removeRows(database: Database, id: number): void {
  database.prepare('DELETE FROM file WHERE id = ?').run(id);
  database.prepare('DELETE FROM content WHERE id = ?').run(id);
}

/**
 * The row of a block's words. It is a bigint, because a number is bound as a real, which FTS5 does not accept as a row.
 */
function rowOf(file: number, block: number): bigint {
  return BigInt(file * blocksPerFile + block);
}

/** 0 before the tables are created. */
function versionOf(database: Database): number {
  const [row] = rowsOf(database, 'PRAGMA user_version');
  return numberOf(row?.['user_version']);
}

/** True if a database file ends within a page. SQLite notices only missing whole pages. */
function isCut(database: Database, path: string): boolean {
  const [row] = rowsOf(database, 'PRAGMA page_size');
  return statSync(path).size % numberOf(row?.['page_size']) !== 0;
}

/** The identity of the file at a path; undefined if there is none. */
function identityOf(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}:${found.birthtimeNs}`;
}
