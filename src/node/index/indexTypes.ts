import type { BlockWords } from '../../core/index/sessionWords';
import type { IndexedSession } from '../../core/index/indexedSession';

/**
 * Whether the words of a file are in the index: none, all of them, or a part, because somebody is reading the file or was
 * ended while doing so.
 */
export type WordsState = 'none' | 'whole' | 'part';

/** What the index knows of a file, without what it holds. */
export interface IndexRow {
  readonly id: number;
  /** A hash of the path: names of files may hold credentials. */
  readonly path: string;
  /** Size and time of the file when it was read. */
  readonly state: string;
  /** Device and number of the file there. */
  readonly identity: string;
  /** The last day on which a list had the file, counted from 1970. */
  readonly seen: number;
  readonly words: WordsState;
}

/** A list of files, on a day. */
export interface FileList {
  /** Of the paths and the day. */
  readonly hash: string;
  /** Whether the words of all of them are known too. */
  readonly words: boolean;
}

/** The states in which the files of a list were read, in its order. */
export interface NotedList extends FileList {
  readonly states: readonly string[];
}

/** What the index keeps of a file. */
export interface IndexedFile extends Omit<IndexRow, 'id'> {
  /** When the file was written, in milliseconds since 1970. */
  readonly modified: number;
  readonly session: IndexedSession;
  /** See requestTable. */
  readonly requests: Uint8Array;
  /** See blockTable. */
  readonly blocks: Uint8Array;
  /** See lossTable and partTable; empty where the file was read for its usage alone. */
  readonly losses: Uint8Array;
  readonly parts: Uint8Array;
  /** Names this reading of the file. */
  readonly token: string;
  /** Words of the same reading were given before. */
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
  /** Only in files that were written from this time on, in milliseconds since 1970. */
  readonly since?: number | undefined;
  /** Only what comes after it in the order. */
  readonly before?: FoundWords | undefined;
  readonly most: number;
}

/**
 * The index over all sessions, in one folder that several programs use at once. Every method waits until no other program
 * writes it; rejects with an error of SQLite where that takes too long, and with one of SQLite or of the file system where the
 * index cannot be read or written.
 */
export interface Index {
  /** How often it was damaged or of another version, and was made anew, empty. */
  readonly rebuilds: number;
  /** What the index knows of a list of files, where nothing was written since the list was noted. */
  statesOf(list: FileList): Promise<readonly string[] | undefined>;
  /** Notes that all files of a list are known, if the index was not made anew since `statesOf`; only the newest lists are kept. */
  noteList(list: NotedList): Promise<void>;
  files(): Promise<readonly IndexRow[]>;
  /**
   * Shows the usage of all files, the one that was written first at first.
   * @param withParts whether what `parts` holds is wanted, which is most of it; it is empty otherwise
   */
  usage(visit: (file: IndexedUsage) => void, withParts?: boolean): Promise<void>;
  /** Shows what a list says of files, by their paths; of those that were read for the whole. */
  figuresOf(
    paths: readonly string[],
    visit: (file: Pick<IndexRow, 'path' | 'state'> & Pick<IndexedFile, 'session' | 'requests'>) => void,
  ): Promise<void>;
  /** Keeps what was read of files, with words of theirs: all of it or nothing. */
  put(files: readonly IndexedFile[], words: readonly NewWords[]): Promise<void>;
  /** Notes that files are still there. */
  see(paths: readonly string[], day: number): Promise<void>;
  /** Notes that a file has another path now. */
  move(from: string, to: string): Promise<void>;
  /** Removes files that were not seen since a day. */
  forget(before: number): Promise<void>;
  /**
   * The blocks that have words, those of the newest file first.
   * @param query in the language of SQLite's FTS5
   */
  find(query: string, range: FindRange): Promise<readonly FoundWords[]>;
  /** Shows the files of some ids, as far as there are such files. */
  filesOf(
    ids: readonly number[],
    visit: (file: Pick<IndexRow, 'id'> & Pick<IndexedFile, 'path' | 'session' | 'blocks'>) => void,
  ): Promise<void>;
  /** Deletes all of it. */
  delete(): Promise<void>;
  close(): void;
}
