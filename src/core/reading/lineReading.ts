import { type BuilderMark, type BuilderTools, TranscriptBuilder } from '../content/transcriptBuilder';
import type { ByteSource, DecodeText } from '../model/byteSource';
import type { Transcript } from '../model/transcript';
import { type ChunkOptions, chunksOf } from './chunks';
import type { LineFormat, LineFormatReader, SiblingFiles, SourceRecord } from './format';
import { lineFilter, type MemberFilter } from './memberFilter';
import { RecordReader } from './recordReader';

/** The number of records that are examined to recognise the format of a file of lines. */
const recordsLookedAt = 60;
/** If only requests are needed, recognition is also tried earlier, each time after this many records. */
const recordsBetween = 4;

/** Bytes at the beginning and at the end of the read content that are compared after the file has grown. */
const comparedSize = 1 << 12;

export interface LineOptions extends BuilderTools {
  readonly decodeText?: DecodeText | undefined;
  /** True if only requests and their recorded usage are needed. Then texts may be left out. */
  readonly usageOnly?: boolean | undefined;
  /**
   * True if records without facts about requests may be left out too. Then messages, subagents and problems are
   * incomplete.
   */
  readonly requestsOnly?: boolean | undefined;
  /** The line of a record at an offset, for a file whose records were put on lines of their own. */
  readonly lineAt?: ((offset: number) => number) | undefined;
  /** Files next to the transcript, for formats that use several files. */
  readonly siblings?: SiblingFiles | undefined;
}

export type LinesRead =
  | { readonly kind: 'transcript'; readonly transcript: Transcript }
  /** The file has records, but of no known format. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'noRecords' };

/**
 * Reads a file of lines, and can resume after the file has grown. The result is the same as reading the whole file
 * again.
 */
export class LineReading {
  private readonly builder: TranscriptBuilder;
  private readonly reader: RecordReader;
  private readonly usageOnly: boolean;
  private readonly requestsOnly: boolean;
  private readonly siblings: SiblingFiles | undefined;
  private readonly waiting: SourceRecord[] = [];
  private format: LineFormat | undefined;
  private reading: LineFormatReader | undefined;
  /** True if the format was recognised early. Whole records are read until the title is known. */
  private isUntitled = false;
  /** The number of bytes read, and the first and last of these bytes. */
  private position = 0;
  private head = new Uint8Array(0);
  private tail = new Uint8Array(0);
  /** The data for undoing the end of the reading before it resumes; absent while reading is in progress. */
  private ended: { readonly mark: BuilderMark; readonly needsNewline: boolean } | undefined;
  private records = 0;
  private canGoOn = true;
  private running: Promise<unknown> = Promise.resolve();

  /** @param formats the candidates; the first that matches the file's first records is used */
  constructor(
    private readonly formats: readonly LineFormat[],
    options: LineOptions,
  ) {
    const { decodeText, usageOnly = false, requestsOnly = false, siblings, lineAt } = options;
    this.builder = new TranscriptBuilder(options);
    this.usageOnly = usageOnly;
    this.requestsOnly = usageOnly && requestsOnly;
    this.siblings = siblings;
    this.reader = new RecordReader(
      {
        record: record => this.take(record),
        problem: (kind, line) => this.builder.addProblem(kind, line),
      },
      decodeText,
      lineAt,
    );
  }

  /** Reads a file from its beginning. */
  async read(source: ByteSource, options: ChunkOptions): Promise<LinesRead> {
    const result = this.goOn(source, options);
    this.running = result.catch(() => undefined);
    return result;
  }

  /**
   * Reads the bytes appended since. Returns `undefined` if the whole file must be read again: it has shrunk, its read
   * content has changed, or its format cannot resume.
   */
  async append(source: ByteSource, options: ChunkOptions): Promise<LinesRead | undefined> {
    const result = this.running.then(async () =>
      (await this.takeUp(source)) ? this.goOn(source, options) : undefined,
    );
    this.running = result.catch(() => undefined);
    return result;
  }

  private async takeUp(source: ByteSource): Promise<boolean> {
    // With more records, detection could choose another format.
    if (!this.canGoOn || this.records < recordsLookedAt || source.size < this.position) {
      return false;
    }
    const head = await source.read(0, this.head.length);
    const tail = await source.read(this.position - this.tail.length, this.tail.length);
    if (!areEqual(head, this.head) || !areEqual(tail, this.tail)) {
      return false;
    }
    const { ended } = this;
    if (ended === undefined) {
      return true;
    }
    if (ended.needsNewline && source.size > this.position) {
      const [next] = await source.read(this.position, 1);
      if (next !== 0x0a) {
        return false;
      }
    }
    if (this.reading === undefined || this.reading.resume?.() === false) {
      this.canGoOn = false;
      return false;
    }
    this.builder.restore(ended.mark);
    this.ended = undefined;
    return true;
  }

  private async goOn(source: ByteSource, options: ChunkOptions): Promise<LinesRead> {
    this.reader.expectedBytes = source.size;
    for await (const chunk of chunksOf(source, options, this.position)) {
      this.reader.push(chunk);
      this.note(chunk);
      await this.begin();
      if (this.reading === undefined && this.waiting.length >= recordsLookedAt) {
        return { kind: 'unknown' };
      }
    }
    return this.end();
  }

  private note(chunk: Uint8Array): void {
    if (this.head.length < comparedSize) {
      this.head = joined(this.head, chunk.subarray(0, comparedSize - this.head.length));
    }
    this.tail = joined(this.tail, chunk.subarray(-comparedSize)).slice(-comparedSize);
    this.position += chunk.length;
  }

  private async end(): Promise<LinesRead> {
    const before = this.builder.mark();
    const lastLine = this.reader.finish();
    if (this.format === undefined) {
      this.decide();
    }
    await this.begin();
    const { format, reading } = this;
    if (format === undefined || reading === undefined) {
      return { kind: this.waiting.length === 0 ? 'noRecords' : 'unknown' };
    }
    this.canGoOn = lastLine !== 'damaged';
    const needsNewline = lastLine === 'whole';
    this.ended = { mark: needsNewline ? this.builder.mark() : before, needsNewline };
    this.builder.bytesRead = this.reader.completeBytes;
    reading.end?.();
    return { kind: 'transcript', transcript: this.builder.build(format.id) };
  }

  private take(record: SourceRecord): void {
    this.records += 1;
    if (this.reading !== undefined) {
      this.push(record);
      return;
    }
    this.waiting.push(record);
    if (this.waiting.length === recordsLookedAt) {
      this.decide();
    } else if (this.requestsOnly && this.waiting.length % recordsBetween === 0) {
      this.decideEarly();
    }
  }

  private push(record: SourceRecord): void {
    try {
      this.reading?.push(record);
    } catch {
      // If a record makes its reader throw, for example by nesting too deeply, only that record is lost, not the file.
      this.builder.addProblem('malformedRecord', record.range.line);
    }
    if (this.isUntitled && (this.records >= recordsLookedAt || this.reading?.hasTitle?.() === true)) {
      this.isUntitled = false;
      this.setFilter(this.format?.usageMembers);
      this.reader.isLeftOut = this.format?.isWithoutUsage;
    }
  }

  /** Recognises a format that needs whole records only until its title is known. */
  private decideEarly(): void {
    const format = this.match();
    if (format?.usageMembers !== undefined && format.isWithoutUsage !== undefined) {
      this.isUntitled = true;
      this.open(format, format.members);
    }
  }

  private decide(): void {
    const format = this.match();
    this.open(format, this.usageOnly ? (format?.usageMembers ?? format?.members) : format?.members);
  }

  private match(): LineFormat | undefined {
    const records = this.waiting.map(({ value }) => value);
    return this.formats.find(candidate => candidate.matches(records));
  }

  private setFilter(members: MemberFilter | undefined): void {
    this.reader.filter = members === undefined ? undefined : lineFilter(members);
  }

  private open(format: LineFormat | undefined, members: MemberFilter | undefined): void {
    this.format = format;
    this.setFilter(members);
    if (this.siblings === undefined || this.format?.openBeside === undefined) {
      this.reading = this.format?.open(this.builder);
      this.pushWaiting();
    }
  }

  /** Opens a format that reads other files too. Its records wait until then. */
  private async begin(): Promise<void> {
    if (this.reading === undefined && this.siblings !== undefined) {
      const first = this.waiting.map(({ value }) => value);
      this.reading = await this.format?.openBeside?.(this.builder, this.siblings, first);
      this.pushWaiting();
    }
  }

  private pushWaiting(): void {
    if (this.reading !== undefined) {
      this.waiting.splice(0).forEach(record => this.push(record));
    }
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function areEqual(first: Uint8Array, second: Uint8Array): boolean {
  return first.length === second.length && first.every((byte, index) => byte === second[index]);
}
