import { type ParseError, parse } from 'jsonc-parser/lib/esm/main.js';
import { isTooComplex, parseJson } from '../base/json';
import { translate } from '../base/translate';
import type { Locate } from '../content/place';
import { TranscriptBuilder } from '../content/transcriptBuilder';
import type { SourceRange } from '../model/block';
import { type ByteSource, bytesSource } from '../model/byteSource';
import type { FormatChoice, Transcript } from '../model/transcript';
import { ByteOffsets } from './byteOffsets';
import { type ChunkOptions, chunkSize, chunksOf } from './chunks';
import { type UnpackLimits, defaultUnpackLimits } from './decoders/unpacking';
import { createDocumentLocator } from './documentLocator';
import type { Decoder, DecoderTools, DecodingProblem, DocumentFormat, LineFormat } from './format';
import { createLocator } from './jsonLocator';
import { type LineOptions, LineReading, type LinesRead } from './lineReading';
import { findWrapped, flattenRecords, type WrappedTranscript } from './wrappedTranscript';

/** Bytes at the file's beginning that are examined to distinguish lines from a document. */
const headSize = 1 << 18;

/** The longest JSON document that is read as a whole, in bytes: less than the longest string of V8. */
const longestDocument = 400_000_000;

/** The formats and decoders for reading files. In each list, the first entry that matches a file is used. */
export interface KnownFormats {
  readonly decoders: readonly Decoder[];
  readonly documents: readonly DocumentFormat[];
  readonly lines: readonly LineFormat[];
}

export interface ReadOptions extends ChunkOptions, LineOptions {
  /** Without it, databases cannot be read. */
  readonly tools?: DecoderTools | undefined;
  /** The id of the format in which to read the file, instead of the recognised format. */
  readonly format?: string | undefined;
  /** The limits for unpacking packed files. */
  readonly limits?: UnpackLimits | undefined;
}

/** The options of a reading together with the known formats. */
export interface FormatOptions extends ReadOptions {
  readonly formats: KnownFormats;
  /** True for a part of a file. It is not searched for a smaller part. */
  readonly isPart?: boolean | undefined;
}

export type ReadResult =
  | {
      readonly ok: true;
      readonly transcript: Transcript;
      /** The parsed document of a format with one document. Its texts are read from here. */
      readonly document?: unknown;
      /** The decoded bytes, if the file was compressed. */
      readonly source?: ByteSource;
      /** For a file of lines: continues reading when it has grown. */
      readonly reading?: LineReading;
    }
  | {
      readonly ok: false;
      readonly sentence: string;
      /** The formats that the user can choose from. */
      readonly formats?: readonly FormatChoice[];
    };

/**
 * Reads a transcript of one of the given formats, recognised by its content. Damaged records become problems of the
 * transcript. If the file is not a transcript, returns a sentence for the user. Rejects if the file cannot be read, or
 * with CancelledError.
 */
export async function readFile(source: ByteSource, options: FormatOptions): Promise<ReadResult> {
  try {
    return await readAny(source, options);
  } catch (error) {
    if (isTooDeep(error)) {
      return { ok: false, sentence: translate('The values in this file are nested too deeply.') };
    }
    throw error;
  }
}

/** A damaged document can nest deeper than the parser that repairs it can follow. */
function isTooDeep(error: unknown): boolean {
  return error instanceof RangeError && /call stack/i.test(error.message);
}

async function readAny(source: ByteSource, options: FormatOptions): Promise<ReadResult> {
  if (source.size === 0) {
    return { ok: false, sentence: translate('This file is empty.') };
  }
  const head = await source.read(0, Math.min(headSize, source.size));
  const decoder = options.formats.decoders.find(candidate => candidate.matches(head));
  if (decoder !== undefined) {
    return readDecoded(decoder, source, options);
  }
  if (looksBinary(head)) {
    return {
      ok: false,
      sentence: translate('This file is not text, so Context Inspector cannot read it.'),
    };
  }
  if (!(await startsWithRecord(source, head))) {
    if (
      options.isPart !== true &&
      source.size > headSize &&
      !beginsWithBracket(head) &&
      !(await hasLineBehind(source, 0))
    ) {
      // The file has one line of prose.
      return { ok: false, sentence: notJson(options.formats) };
    }
    const document = await readDocument(source, options);
    if (document !== undefined) {
      return document;
    }
    const flat = await readFlattened(source, options);
    if (flat !== undefined) {
      return flat;
    }
    const lines = await readLines(source, options);
    return lines.ok ? lines : ((await readDamagedDocument(source, options)) ?? lines);
  }
  return readLines(source, options);
}

async function readDecoded(
  decoder: Decoder,
  source: ByteSource,
  options: FormatOptions,
): Promise<ReadResult> {
  if (source.size > longestDocument) {
    return {
      ok: false,
      sentence: translate('Packed files of more than {0} MB are not supported.', longestDocument / 1_000_000),
    };
  }
  const bytes = await readAll(source, options);
  const decoded = await decoder
    .decode(bytes, {
      tools: options.tools ?? noTools,
      siblings: options.siblings,
      limits: options.limits ?? defaultUnpackLimits,
    })
    .catch((error: unknown) => ({
      kind: 'failed' as const,
      sentence: error instanceof Error ? error.message : String(error),
    }));
  switch (decoded.kind) {
    case 'failed':
      return { ok: false, sentence: decoded.sentence };
    case 'bytes': {
      const unpacked = bytesSource(decoded.bytes);
      // Unpacked only once, because a file can be made that unpacks to itself.
      const decoders = options.formats.decoders.filter(other => other !== decoder);
      const result = await readFile(unpacked, { ...options, formats: { ...options.formats, decoders } });
      return result.ok ? { source: unpacked, ...result } : result;
    }
    case 'document':
      return (
        (await readDocumentValue(
          decoded.document,
          decoded.locate,
          { line: 1, offset: 0, length: bytes.length },
          options,
          decoded.problems,
        )) ?? {
          ok: false,
          sentence: notATranscript(options.formats),
        }
      );
  }
}

const noTool = () => Promise.reject(new Error(translate('Databases cannot be read here.')));

const noTools: DecoderTools = { openDatabase: noTool, unpackZstd: noTool };

/** No text has zero bytes, but a transcript can have some if a crash left holes in it. */
function looksBinary(head: Uint8Array): boolean {
  const beginning = head.subarray(0, 4096);
  return beginning.includes(0) && !beginsWithBracket(beginning);
}

function beginsWithBracket(head: Uint8Array): boolean {
  return /^[\0\s]*[{[]/.test(new TextDecoder().decode(head.subarray(0, 4096)));
}

/** True if the first line is a complete JSON value with more content after it: a file of lines. */
async function startsWithRecord(source: ByteSource, head: Uint8Array): Promise<boolean> {
  const end = head.indexOf(0x0a);
  if (end < 0) {
    // If the first line is longer than the head, a file of lines has another line somewhere after it.
    return source.size > head.length && (await hasLineBehind(source, head.length));
  }
  return isJson(head.subarray(0, end)) && head.subarray(end + 1).some(byte => byte > 0x20);
}

/** True if there is a newline after `from`, with more content after it. */
async function hasLineBehind(source: ByteSource, from: number): Promise<boolean> {
  let found = false;
  for (let offset = from; offset < source.size;) {
    const chunk = await source.read(offset, Math.min(chunkSize, source.size - offset));
    const at: number = found ? -1 : chunk.indexOf(0x0a);
    found ||= at >= 0;
    if (found && chunk.subarray(at + 1).some(byte => byte > 0x20)) {
      return true;
    }
    if (chunk.length === 0) {
      return false;
    }
    offset += chunk.length;
  }
  return false;
}

function isJson(bytes: Uint8Array): boolean {
  return parseJson(new TextDecoder().decode(bytes)) !== undefined;
}

/**
 * Reads the file as one JSON document. Returns `undefined` if it is not one, or if only the line formats may recognise
 * it.
 */
async function readDocument(source: ByteSource, options: FormatOptions): Promise<ReadResult | undefined> {
  if (source.size > longestDocument) {
    return undefined;
  }
  const { bytes, text } = await readWhole(source, options);
  const problems: DecodingProblem[] = [];
  const value = parseJson(text, () => problems.push({ kind: 'malformedRecord', line: 1 }));
  if (value === undefined) {
    return isTooComplex(text)
      ? {
          ok: false,
          sentence: translate('This file cannot be read: a list in it is too long, or nested too deeply.'),
        }
      : undefined;
  }
  const place = placeOf(bytes);
  const locate = createDocumentLocator(bytes.subarray(place.offset), place);
  const result = await readDocumentValue(value, locate, place, options, problems);
  if (result !== undefined) {
    return result;
  }
  return options.formats.lines.some(candidate => candidate.matches([value]))
    ? undefined
    : ((await readPart(() => findWrapped(value, bytes, options.formats), options)) ?? {
        ok: false,
        sentence: notATranscript(options.formats),
      });
}

/** Reads records that are written over several lines each. Returns `undefined` if the file has no such records. */
async function readFlattened(source: ByteSource, options: FormatOptions): Promise<ReadResult | undefined> {
  if (source.size > longestDocument) {
    return undefined;
  }
  const bytes = await readAll(source, options);
  return readPart(() => flattenRecords(bytes), options);
}

/** Reads a transcript that is a part of the file. Returns `undefined` if it has no request: then it may be anything. */
async function readPart(
  find: () => WrappedTranscript | undefined,
  options: FormatOptions,
): Promise<ReadResult | undefined> {
  const part = options.isPart === true ? undefined : find();
  if (part === undefined) {
    return undefined;
  }
  const source = bytesSource(part.bytes);
  const result = await readAny(source, {
    ...options,
    formats: { ...options.formats, decoders: [] },
    isPart: true,
    lineAt: part.lineAt,
  });
  return result.ok && result.transcript.requests.length > 0 ? { source, ...result } : undefined;
}

/**
 * Reads the intact parts of a damaged JSON document, e.g. one whose end is missing. Returns `undefined` if they are not
 * a transcript. Only the first damage is reported, because later damage may be its consequence.
 */
async function readDamagedDocument(
  source: ByteSource,
  options: FormatOptions,
): Promise<ReadResult | undefined> {
  if (source.size > longestDocument) {
    return undefined;
  }
  const { bytes, text } = await readWhole(source, options);
  if (!/^\s*[[{]/.test(text)) {
    return undefined;
  }
  const errors = new FirstErrors();
  let value: unknown;
  try {
    value = parse(text, errors, { disallowComments: true });
  } catch {
    // The document is nested too deeply for a parser, or is not JSON at all.
    return undefined;
  }
  const [damage] = errors;
  if (damage === undefined) {
    return undefined;
  }
  const isAtEnd = text.slice(damage.offset + damage.length).trim() === '';
  const problem = {
    kind: isAtEnd ? 'truncatedLastLine' : 'unparsableLine',
    line: new ByteOffsets(text).lineIndex(damage.offset) + 1,
  } as const;
  const place = placeOf(bytes);
  return readDocumentValue(value, createLocator(text, place), place, options, [problem]);
}

/** Maximum number of errors. A text with more is prose that begins with a bracket. */
const mostErrors = 1_000_000;

/**
 * Keeps only a parser's first error. Prose has an error in every word, and a list of them would take thirty times the
 * file's size.
 */
class FirstErrors extends Array<ParseError> {
  private count = 0;

  override push(error: ParseError): number {
    this.count += 1;
    if (this.count > mostErrors) {
      throw new RangeError('The text is no JSON.');
    }
    return this.length > 0 ? this.length : super.push(error);
  }
}

/** Reads a parsed document in its format; `undefined` if it is of no known format. */
async function readDocumentValue(
  value: unknown,
  locate: Locate,
  range: SourceRange,
  options: FormatOptions,
  problems: readonly DecodingProblem[] = [],
): Promise<ReadResult | undefined> {
  const format: DocumentFormat | undefined = options.formats.documents.find(candidate =>
    candidate.matches(value),
  );
  if (format === undefined) {
    return undefined;
  }
  const { siblings } = options;
  const document = siblings === undefined ? value : ((await format.gather?.(value, siblings)) ?? value);
  const builder = new TranscriptBuilder(options);
  problems.forEach(({ kind, line }) => {
    builder.addProblem(kind, line);
  });
  builder.bytesRead = range.offset + range.length;
  format.read({ value: document, range }, locate, builder);
  return { ok: true, transcript: builder.build(format.id), document };
}

/** The offset of a document in its file: after the byte order mark, if there is one. */
function placeOf(bytes: Uint8Array): SourceRange {
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  return { line: 1, offset: mark, length: bytes.length - mark };
}

async function readWhole(
  source: ByteSource,
  options: FormatOptions,
): Promise<{ readonly bytes: Uint8Array; readonly text: string }> {
  const bytes = await readAll(source, options);
  return { bytes, text: new TextDecoder().decode(bytes) };
}

async function readAll(source: ByteSource, options: FormatOptions): Promise<Uint8Array> {
  const bytes = new Uint8Array(source.size);
  let length = 0;
  for await (const chunk of chunksOf(source, options)) {
    bytes.set(chunk, length);
    length += chunk.length;
  }
  return bytes.subarray(0, length);
}

async function readLines(source: ByteSource, options: FormatOptions): Promise<ReadResult> {
  const reading = new LineReading(options.formats.lines, options);
  return lineResult(await reading.read(source, options), reading, options);
}

/**
 * Reads the bytes appended to a file since the last reading. Returns `undefined` if the whole file must be read again,
 * see LineReading.append. Rejects like readFile.
 */
export async function readFurther(
  reading: LineReading,
  source: ByteSource,
  options: FormatOptions,
): Promise<ReadResult | undefined> {
  const read = await reading.append(source, options);
  return read === undefined ? undefined : lineResult(read, reading, options);
}

function lineResult(read: LinesRead, reading: LineReading, options: FormatOptions): ReadResult {
  switch (read.kind) {
    case 'transcript':
      return { ok: true, transcript: read.transcript, reading };
    case 'noRecords':
      return { ok: false, sentence: notJson(options.formats) };
    case 'unknown':
      return { ok: false, sentence: notATranscript(options.formats) };
  }
}

function namesOf({ lines, documents }: KnownFormats): string {
  return [...lines, ...documents].map(({ name }) => name).join('; ');
}

function notJson(formats: KnownFormats): string {
  return translate(
    'This file contains no JSON, so it is not a transcript. Supported formats: {0}.',
    namesOf(formats),
  );
}

function notATranscript(formats: KnownFormats): string {
  return translate(
    'This file is JSON, but not a known transcript format. Supported formats: {0}.',
    namesOf(formats),
  );
}
