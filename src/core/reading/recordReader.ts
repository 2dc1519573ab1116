import { isTooComplex, parseJson } from '../base/json';
import type { SourceRange } from '../model/block';
import { type DecodeText, decodeUtf8 } from '../model/byteSource';
import type { ProblemKind } from '../model/transcript';
import type { SourceRecord } from './format';
import type { LineFilter } from './memberFilter';

const newline = 0x0a;
const carriageReturn = 0x0d;

/** One character per byte: indices are offsets, and JSON's own characters stay the same. */
const byteDecoder = new TextDecoder('latin1');

/** The length from which a line gets room for the rest of the stream, up to `mostRoom`. In bytes. */
const longLine = 1 << 24;
const mostRoom = 1 << 28;
const noRoom = new Uint8Array();

/**
 * How a last line without a newline was handled. `open`: it was not used, and the next bytes continue it; `whole`: it
 * was one record, so only a newline can follow; `damaged`: a part of it was used.
 */
export type LastLine = 'none' | 'open' | 'whole' | 'damaged';

/** The reports of the reader of JSON lines to its caller. */
export interface RecordSink {
  record(record: SourceRecord): void;
  problem(kind: ProblemKind, line: number): void;
}

/**
 * Cuts a stream of bytes into JSON records, one per line. Chunks may be cut anywhere. A line that does not parse is
 * split where two objects were joined without a newline. The remaining unparsable parts are counted as problems and do
 * not affect later lines.
 */
export class RecordReader {
  /** Cuts the members that the format does not read out of the following lines. */
  filter: LineFilter | undefined;
  /** True if a record is left out, judged by its JSON after members were cut. */
  isLeftOut: ((record: string) => boolean) | undefined;
  /** The beginning of an unfinished line: in parts or, for a very long line, in memory reserved for the whole line. */
  private rest: Uint8Array[] = [];
  private restLength = 0;
  private room: Uint8Array<ArrayBuffer> = noRoom;
  private offset = 0;
  private line = 1;
  private records = 0;
  /**
   * End of the last line that ended with a newline or was parsed, in bytes. Reading a grown file continues at this
   * offset.
   */
  completeBytes = 0;
  /** Expected bytes of the whole stream, as far as known. */
  expectedBytes = 0;

  constructor(
    private readonly sink: RecordSink,
    private readonly decode: DecodeText = decodeUtf8,
    /** The line of a record at an offset, if lines are counted elsewhere. */
    private readonly lineAt?: (offset: number) => number,
  ) {}

  push(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const part = chunk.subarray(start, end);
      const bytes = this.restLength === 0 ? part : this.join(part);
      this.readLine(bytes, false);
      this.offset += bytes.length + 1;
      this.completeBytes = this.offset;
      this.line += 1;
      start = end + 1;
    }
    if (start < chunk.length) {
      this.keep(chunk.subarray(start));
    }
  }

  /** Reads a last line without a newline, and reports whether reading can continue after it. */
  finish(): LastLine {
    if (this.restLength === 0) {
      return 'none';
    }
    const bytes = this.join(new Uint8Array(0));
    const before = this.records;
    const whole = this.readLine(bytes, true);
    if (whole) {
      this.completeBytes = this.offset + bytes.length;
    }
    if (this.records === before) {
      this.rest = [bytes];
      this.restLength = bytes.length;
      return 'open';
    }
    this.offset += bytes.length;
    return whole && this.records === before + 1 ? 'whole' : 'damaged';
  }

  private take(record: SourceRecord): void {
    this.records += 1;
    this.sink.record(record);
  }

  /** Copies a part of a line, because the caller may reuse its buffer. */
  private keep(part: Uint8Array): void {
    const length = this.restLength + part.length;
    const left = this.expectedBytes - this.offset;
    if (this.room === noRoom && length > longLine && length <= left && left <= mostRoom) {
      // Pages that are never written take no memory, so the line is not in memory twice.
      this.room = new Uint8Array(left);
      this.rest = [fill(this.room, this.rest)];
    }
    if (length <= this.room.length) {
      this.room.set(part, this.restLength);
      this.rest = [this.room.subarray(0, length)];
    } else {
      this.rest.push(new Uint8Array(part));
    }
    this.restLength = length;
  }

  private join(last: Uint8Array): Uint8Array {
    const length = this.restLength + last.length;
    const { room, rest } = this;
    if (length <= room.length) {
      room.set(last, this.restLength);
    }
    this.rest = [];
    this.restLength = 0;
    this.room = noRoom;
    return length <= room.length ? room.subarray(0, length) : fill(new Uint8Array(length), [...rest, last]);
  }

  private readLine(bytes: Uint8Array, last: boolean): boolean {
    let from = this.line === 1 && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    const length = bytes.at(-1) === carriageReturn ? bytes.length - 1 : bytes.length;
    while (from < length && (bytes[from] === 0x20 || bytes[from] === 0x09)) {
      from += 1;
    }
    if (from === length) {
      return true;
    }
    const line = this.lineAt?.(this.offset + from) ?? this.line;
    const whole = from === 0 && length === bytes.length ? bytes : bytes.subarray(from, length);
    const kept = this.filter?.apply(whole) ?? whole;
    const tooDeep = (): void => this.sink.problem('malformedRecord', line);
    const text = this.decode(kept);
    if (kept !== whole && this.isLeftOut?.(text) === true) {
      this.records += 1;
      return true;
    }
    let value = parseJson(text, tooDeep);
    if (value === undefined && isTooComplex(text)) {
      // Looking for records in its parts would take much longer.
      this.records += 1;
      this.sink.problem('malformedRecord', line);
      return true;
    }
    if (value === undefined && kept !== whole) {
      value = parseJson(this.decode(whole), tooDeep);
    }
    if (value !== undefined) {
      this.take({ value, range: { line, offset: this.offset + from, length: length - from } });
      return true;
    }
    return this.readGlued(whole, from, line, last);
  }

  /** Reads a line that does not parse. It is split by bytes, because a truncated character can be anywhere in it. */
  private readGlued(bytes: Uint8Array, from: number, line: number, last: boolean): boolean {
    let start = 0;
    const pieces = splitGlued(byteDecoder.decode(bytes), last);
    if (pieces.length > 1) {
      this.sink.problem('gluedLine', line);
    }
    let whole = true;
    for (const { length } of pieces) {
      const value = parseJson(this.decode(bytes.subarray(start, start + length)));
      const range: SourceRange = { line, offset: this.offset + from + start, length };
      if (value === undefined) {
        whole = false;
        this.sink.problem(last ? 'truncatedLastLine' : 'unparsableLine', line);
      } else {
        this.take({ value, range });
      }
      start += length;
    }
    return whole;
  }
}

/** Copies parts one after the other. Returns the filled range. */
function fill(room: Uint8Array, parts: readonly Uint8Array[]): Uint8Array {
  let at = 0;
  for (const part of parts) {
    room.set(part, at);
    at += part.length;
  }
  return room.subarray(0, at);
}

/**
 * The objects of a line that several were written on without a newline. The line is cut at each `}{` outside a string,
 * counted from the start of the line. If a writer was cut off in the middle, the line is split where the first whole
 * record after that begins. In an unfinished last line, text after a colon, a comma or a bracket belongs to the record
 * being written.
 */
function splitGlued(text: string, last: boolean): readonly string[] {
  const pieces = splitObjects(text);
  return pieces.length > 1 ? pieces : (splitAtFragment(text, last) ?? pieces);
}

function splitObjects(text: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (inString) {
      if (unit === 0x5c) {
        index += 1;
      } else if (unit === 0x22) {
        inString = false;
      }
    } else if (unit === 0x22) {
      inString = true;
    } else if (unit === 0x7b) {
      if (depth === 0 && index > start && text.slice(start, index).trim() !== '') {
        pieces.push(text.slice(start, index));
        start = index;
      }
      depth += 1;
    } else if (unit === 0x7d) {
      depth -= 1;
    }
  }
  pieces.push(text.slice(start));
  return pieces;
}

/**
 * How many offsets are tried to find a record after a fragment. Many tries fail, because content blocks begin like
 * records.
 */
const fragmentTries = 100;

/**
 * Splits a fragment from whole records: the writer was killed in the middle of a line, and the next one continued on
 * that line.
 */
function splitAtFragment(text: string, last: boolean): readonly string[] | undefined {
  if (!text.trimEnd().endsWith('}')) {
    return undefined;
  }
  const beginnings = text.matchAll(/\{"(?:type|parentUuid|uuid|sessionId|timestamp|role|id)":/g);
  let tries = 0;
  for (const { index } of beginnings) {
    const isPart = last && /[:,[]\s*$/.test(text.slice(Math.max(0, index - 4), index));
    const [first = '', ...others] = index > 0 && !isPart ? splitObjects(text.slice(index)) : [];
    if (parseJson(first) !== undefined) {
      return [text.slice(0, index), first, ...others];
    }
    tries += 1;
    if (tries > fragmentTries) {
      return undefined;
    }
  }
  return undefined;
}
