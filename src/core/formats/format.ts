import type { SourceRange, Transcript } from '../model/transcript';
import type { TranscriptBuilder } from './transcriptBuilder';

/** One JSON value of a transcript with its place in the file. */
export interface SourceRecord {
  readonly value: unknown;
  readonly range: SourceRange;
}

/** Where the value at a path of a document stands; offsets in bytes. */
export type Locate = (path: readonly (string | number)[]) => SourceRange;

/** A format of JSON lines: told by the first records, read record by record. */
export interface LineFormat {
  readonly kind: 'lines';
  readonly id: string;
  readonly name: string;
  /** Whether the first records (at most 60) are of this format. */
  matches(records: readonly unknown[]): boolean;
  /** Reads into `builder`; `push` never throws for bad data, `finish` is called once at the end of the file. */
  open(builder: TranscriptBuilder): { push(record: SourceRecord): void; finish(): Transcript };
}

/** A format of one JSON document. */
export interface DocumentFormat {
  readonly kind: 'document';
  readonly id: string;
  readonly name: string;
  matches(document: unknown): boolean;
  /** `record` is the whole document; `locate` finds the place of its parts. */
  read(record: SourceRecord, locate: Locate, builder: TranscriptBuilder): Transcript;
}

export type TranscriptFormat = LineFormat | DocumentFormat;
