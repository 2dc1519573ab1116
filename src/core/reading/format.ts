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
  /** True if the first records (at most 60) are of this format. */
  matches(records: readonly unknown[]): boolean;
  /** The members of a record that are read; all of them if absent. */
  readonly members?: MemberFilter;
  /** The members needed for requests and their usage. */
  readonly usageMembers?: MemberFilter;
  /** True if a record, cut to `usageMembers`, contains nothing about requests and their usage. */
  readonly isWithoutUsage?: (record: string) => boolean;
  /** Creates a reader that writes into `builder`. */
  open(builder: TranscriptBuilder): LineFormatReader;
  /**
   * Like `open`, for a format whose content is partly in files next to this one. These files are read first. Never
   * rejects.
   * @param first the first records of the file, which are pushed later
   */
  openBeside?(
    builder: TranscriptBuilder,
    siblings: SiblingFiles,
    first: readonly unknown[],
  ): Promise<LineFormatReader>;
}

/** Reads the records of one file; `push` never throws for bad data. */
export interface LineFormatReader {
  push(record: SourceRecord): void;
  /** True if the title is known, so that further records need no texts for it. */
  hasTitle?(): boolean;
  /** Adds facts that are known only at the end of the file. */
  end?(): void;
  /**
   * Undoes the effects of `end` outside the builder (which is restored separately), so that more records can be pushed.
   * Returns `false` if that is impossible; then the file is read from the beginning. Absent if `end` changes only the
   * builder.
   */
  resume?(): boolean;
}

/** A format of one JSON document: the file itself, or the result of a decoder. */
export interface DocumentFormat {
  readonly kind: 'document';
  readonly id: string;
  readonly name: string;
  matches(document: unknown): boolean;
  /** Adds the content of files next to this one. Returns the document to pass to `read`. Never rejects. */
  gather?(document: unknown, siblings: SiblingFiles): Promise<unknown>;
  /** `record` is the whole document; `locate` finds the place of its parts. */
  read(record: SourceRecord, locate: Locate, builder: TranscriptBuilder): void;
}

/** Files next to the transcript, by paths relative to its folder (`../message/ses_1/msg_1.json`). Read-only. */
export interface SiblingFiles {
  /** The transcript's own name, and the names of the folders above it, nearest first. */
  readonly fileName: string;
  readonly folders: readonly string[];
  /** The content, unpacked if the name ends in `.zst`; undefined if there is no such file or it is too large. */
  read(path: string): Promise<Uint8Array | undefined>;
  /** The size of a file as it is stored, in bytes, without reading it; undefined if that is not known. */
  size?(path: string): Promise<number | undefined>;
  /** Names of files and folders, in order; empty if there is no such folder. */
  list(path: string): Promise<readonly string[]>;
  /**
   * The counts that VS Code keeps, in its own folder, for the calls of the agent's session with this id; see
   * usageSidecar.ts.
   */
  usageSidecar?(sessionId: string): Promise<Uint8Array | undefined>;
}

/** The tools that decoders need from outside the core. */
export interface DecoderTools {
  /** Opens an SQLite database in memory, with its write-ahead log if there is one. Rejects if it is not a database. */
  readonly openDatabase: (bytes: Uint8Array, writeAheadLog?: Uint8Array) => Promise<Database>;
  readonly unpackZstd: UnpackZstd;
}

/**
 * A database in memory. Only real tables and stored columns can be read. A view, a virtual table or a computed column
 * is a program by the author of the file, and may never end.
 */
export interface Database {
  /** The columns of each table, by its name. */
  readonly tables: ReadonlyMap<string, readonly string[]>;
  /**
   * All rows of a table in storage order, as objects by column name; blobs as bytes. Throws if the table has more
   * content than its file can have.
   * @param columns the columns to read, if the table has them; all if absent
   */
  rows(table: string, columns?: readonly string[]): readonly Readonly<Record<string, unknown>>[];
  close(): void;
}

/** Turns a file that is neither JSON lines nor a JSON document into one of them. */
export interface Decoder {
  readonly id: string;
  /** True if a file is of this kind, judged by its first bytes (at most 256 kB). */
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

/** A part of the file that could not be read. The rest could. */
export interface DecodingProblem {
  readonly kind: ProblemKind;
  readonly line: number;
}
