import type { Locate } from '../content/place';
import type { TranscriptBuilder } from '../content/transcriptBuilder';
import type { SourceRange } from '../model/block';
import type { ProblemKind } from '../model/transcript';
import type { UnpackLimits, UnpackZstd } from './decoders/unpacking';
import type { MemberFilter } from './memberFilter';

/** One JSON value of a transcript with its place in the file. */
export interface SourceRecord {
  readonly value: unknown;
  readonly range: SourceRange;
}

/** A format of JSON lines: recognised by the first records, read record by record. */
export interface LineFormat {
  readonly kind: 'lines';
  readonly id: string;
  readonly name: string;
  /** Whether the first records (at most 60) are of this format. */
  matches(records: readonly unknown[]): boolean;
  /** Which members of a record are read; all of them if this is absent. */
  readonly members?: MemberFilter;
  /** Which members are needed for requests and their usage. */
  readonly usageMembers?: MemberFilter;
  /** Whether the JSON of a record that was cut to `usageMembers` says nothing of requests and their usage. */
  readonly isWithoutUsage?: (record: string) => boolean;
  /** Creates a reader that writes into `builder`. */
  open(builder: TranscriptBuilder): LineFormatReader;
  /** The same where files next to this one hold parts of its content; they are read first. Never rejects. */
  openBeside?(builder: TranscriptBuilder, siblings: SiblingFiles): Promise<LineFormatReader>;
}

/** Reads the records of one file; `push` never throws for bad data. */
export interface LineFormatReader {
  push(record: SourceRecord): void;
  /** Whether the title is known, so that the texts of further records are not needed for it. */
  hasTitle?(): boolean;
  /** Adds what is known only at the end of the file. */
  end?(): void;
  /**
   * Reverts what `end` did outside the builder, which is restored separately, so that further records can be pushed.
   * Returns `false` if that is not possible, so that the file is read from the beginning. Absent where `end` changes
   * only the builder.
   */
  resume?(): boolean;
}

/** A format of one JSON document: a file's own, or one that a decoder made of it. */
export interface DocumentFormat {
  readonly kind: 'document';
  readonly id: string;
  readonly name: string;
  matches(document: unknown): boolean;
  /** Adds the content of files next to this one, and returns the document that is passed to `read`. Never rejects. */
  gather?(document: unknown, siblings: SiblingFiles): Promise<unknown>;
  /** `record` is the whole document; `locate` finds the place of its parts. */
  read(record: SourceRecord, locate: Locate, builder: TranscriptBuilder): void;
}

/** Files next to the transcript, by paths relative to its folder (`../message/ses_1/msg_1.json`). Read-only. */
export interface SiblingFiles {
  /** The transcript's own name, and those of the folders above it, nearest first. */
  readonly fileName: string;
  readonly folders: readonly string[];
  /** The content; undefined if there is no such file or it is too large. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** Names of files and folders, in order; empty if there is no such folder. */
  list(path: string): Promise<readonly string[]>;
  /** What VS Code counted of the calls of the agent's session with this id, in its own folder; see usageSidecar.ts. */
  usageSidecar?(sessionId: string): Promise<Uint8Array | undefined>;
}

/** What decoders need that is not part of the core. */
export interface DecoderTools {
  /** Opens an SQLite database in memory, with its write-ahead log if there is one. Rejects if it is not a database. */
  readonly openDatabase: (bytes: Uint8Array, writeAheadLog?: Uint8Array) => Promise<Database>;
  readonly unpackZstd: UnpackZstd;
}

/**
 * A database in memory. Only real tables and the columns that they store can be read: a view, a virtual table or a
 * computed column is a program by whoever made the file, and need not end.
 */
export interface Database {
  /** The columns of each table, by its name. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /**
   * All rows of a table in the order in which they are stored, as objects by column name; blobs as bytes. Throws if the
   * table holds more than its file can.
   * @param columns those that are read, if the table has them; all if absent
   */
  rows(table: string, columns?: readonly string[]): readonly Readonly<Record<string, unknown>>[];
  close(): void;
}

/** Turns a file that is neither JSON lines nor a JSON document into one of them. */
export interface Decoder {
  readonly id: string;
  /** Whether a file is of this kind, by its first bytes (at most 256 kB). */
  matches(head: Uint8Array): boolean;
  /** Rejects with one clear sentence if the file is damaged, or unpacks to more than the limits allow. */
  decode(bytes: Uint8Array, context: DecodeContext): Promise<Decoded>;
}

export interface DecodeContext {
  readonly tools: DecoderTools;
  readonly siblings: SiblingFiles | undefined;
  readonly limits: UnpackLimits;
}

/** The file's real bytes, or a document with the places of its parts in the file. */
export type Decoded =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  | {
      readonly kind: 'document';
      readonly document: unknown;
      readonly locate: Locate;
      readonly problems?: readonly DecodingProblem[];
    };

/** Something in the file that could not be read; the rest could. */
export interface DecodingProblem {
  readonly kind: ProblemKind;
  readonly line: number;
}
