import type { BlockWords } from '../../core/index/sessionWords';
import type { IndexedSession } from '../../core/index/indexedSession';

/**
 * The state of a file's words in the index: none, all, or a part, because a program is reading the file or was ended
 * while doing so.
 */
export type WordsState = 'none' | 'whole' | 'part';

/** The facts about a file in the index, without its content. */
export interface IndexRow {
  readonly id: number;
  /** A hash of the path, because file names may contain credentials. */
  readonly path: string;
  /** Size and time of the file when it was read. */
  readonly state: string;
  /** Device and number of the file there. */
  readonly identity: string;
  /** The last day on which a list contained the file, counted from 1970. */
  readonly seen: number;
  readonly words: WordsState;
}

/** A list of files, on a day. */
export interface FileList {
  /** Of the paths and the day. */
  readonly hash: string;
  /** True if the words of all files are known too. */
  readonly words: boolean;
}

/** The states of a list's files when they were read, in the list's order. */
export interface NotedList extends FileList {
  readonly states: readonly string[];
}

/** The index's data for a file. */
export interface IndexedFile extends Omit<IndexRow, 'id'> {
  /** When the file was written, in milliseconds since 1970. */
  readonly modified: number;
  readonly session: IndexedSession;
  /** See requestTable. */
  readonly requests: Uint8Array;
  /** See blockTable. */
  readonly blocks: Uint8Array;
  /** See lossTable and partTable. Empty if the file was read only for its usage. */
  readonly losses: Uint8Array;
  readonly parts: Uint8Array;
  /** The identifier of this reading of the file. */
  readonly token: string;
  /** True if words of the same reading were already stored. */
  readonly isContinued: boolean;
}

export type IndexedUsage = Pick<IndexedFile, 'path' | 'session' | 'requests' | 'losses' | 'parts'>;

/** Words of blocks of a file. */
export interface NewWords extends BlockWords {
  /** The token of the file. */
  readonly file: string;
}

export interface FoundWords {
  /** The id of the file. */
  readonly file: number;
  readonly block: number;
}

export interface FindRange {
  /** Only in files written at or after this time, in milliseconds since 1970. */
  readonly since?: number | undefined;
  /** Only results after this one in the order. */
  readonly before?: FoundWords | undefined;
  readonly most: number;
}

/**
 * The index over all sessions, in one folder that several programs use at once. Every method waits until no other
 * program writes it. It rejects with an error of SQLite if that takes too long, and with an error of SQLite or of the
 * file system if the index cannot be read or written.
 */
export interface Index {
  /**
   * The number of times that the index was recreated empty, because it was damaged, of another version or could not be
   * written.
   */
  readonly rebuilds: number;
  /** True after the index could not be written: it is then in memory until it is closed. */
  readonly isInMemory: boolean;
  /** The states of a list of files, if nothing was written since the list was noted. */
  statesOf(list: FileList): Promise<readonly string[] | undefined>;
  /**
   * Notes that all files of a list are known, unless the index was recreated since `statesOf`. Only the newest lists
   * are kept.
   */
  noteList(list: NotedList): Promise<void>;
  files(): Promise<readonly IndexRow[]>;
  /**
   * Calls `visit` with the usage of all files, oldest first.
   * @param withParts true to include `parts`, which is most of the data; otherwise it is empty
   */
  usage(visit: (file: IndexedUsage) => void, withParts?: boolean): Promise<void>;
  /** Calls back with the listed facts of files, by path. Includes only files whose texts were read too. */
  figuresOf(
    paths: readonly string[],
    visit: (file: Pick<IndexRow, 'path' | 'state'> & Pick<IndexedFile, 'session' | 'requests'>) => void,
  ): Promise<void>;
  /** Stores the facts read from files, and their words: all or nothing. */
  put(files: readonly IndexedFile[], words: readonly NewWords[]): Promise<void>;
  /** Notes that files still exist. */
  see(ids: readonly number[], day: number): Promise<void>;
  /** Notes that a file was moved to a path. */
  move(id: number, path: string): Promise<void>;
  /** Removes files that were not seen since a day. */
  forget(before: number): Promise<void>;
  /**
   * The blocks with matching words, newest file first.
   * @param query in the language of SQLite's FTS5
   */
  find(query: string, range: FindRange): Promise<readonly FoundWords[]>;
  /** Calls back with the files of some ids, as far as they exist. */
  filesOf(
    ids: readonly number[],
    visit: (file: Pick<IndexRow, 'id'> & Pick<IndexedFile, 'path' | 'session' | 'blocks'>) => void,
  ): Promise<void>;
  /** Deletes the whole index. */
  delete(): Promise<void>;
  close(): void;
}
