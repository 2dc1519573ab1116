import { parseJson } from '../base/json';
import { stringEnd } from '../base/jsonTokens';
import type { TextDigest } from '../model/contentHash';
import { instantiateNow } from './assembly/stringCutter?wasm';

/** A JSON text without its long strings, and the content of these strings. */
export interface CutText {
  /** The text with `""` in place of each long string. */
  readonly rest: string;
  /** In text order. */
  readonly strings: readonly string[];
}

/**
 * Removes the long strings from a JSON text. If the text is not JSON, removes everything spelled like one.
 * @param longest the maximum length of a string that stays, in UTF-16 units with its quotes
 */
export function withoutLongStrings(text: string, longest: number): CutText {
  if (text.length <= longest) {
    return { rest: text, strings: [] };
  }
  const kept: string[] = [];
  const strings: string[] = [];
  let last = 0;
  for (let start = text.indexOf('"'); start >= 0;) {
    const end = stringEnd(text, start + 1);
    const value = end - start > longest ? parseJson(text.slice(start, end)) : undefined;
    if (typeof value === 'string') {
      kept.push(text.slice(last, start + 1));
      strings.push(value);
      last = end - 1;
    }
    start = text.indexOf('"', end);
  }
  return { rest: kept.length === 0 ? text : kept.join('') + text.slice(last), strings };
}

/** A long string that was cut out of a line, measured by its content. */
export interface CutString extends TextDigest {
  /** Its place in the line, in bytes and with its quotes. */
  readonly start: number;
  readonly end: number;
  /** True if it contains a part that every home folder path has. */
  readonly mayNameHome: boolean;
}

/** The bytes of a line without its long strings. */
export interface CutLine {
  /** Valid until the next line is cut. */
  readonly rest: Uint8Array;
  readonly strings: readonly CutString[];
}

/**
 * Maximum length of a line that is processed as a whole, in bytes. Longer lines would stay in the memory of the module,
 * so their strings are passed in parts.
 */
const longestWhole = 1 << 22;
const partLength = 1 << 20;
const leastRoom = 1 << 16;
const numbersOfEntry = 6;
const quote = 0x22;
const backslash = 0x5c;
/** Bytes of the longest escape: an escaped surrogate pair. */
const longestEscape = 12;

/** Like `withoutLongStrings`, but for the bytes of a line and without decoding. */
export class StringCutter {
  private readonly cutter = instantiateNow({});
  private roomLength = 0;

  /** A hash of a line, practically unique; undefined for a line that is too long. */
  fingerprint(line: Uint8Array): number | undefined {
    if (line.length > longestWhole) {
      return undefined;
    }
    this.lay(line);
    return this.cutter.fingerprint(line.length);
  }

  /** Undefined if the content of the strings needs a parser. */
  cut(line: Uint8Array, longest: number): CutLine | undefined {
    if (line.length > longestWhole) {
      return this.cutInParts(line, longest);
    }
    const { cutter } = this;
    this.lay(line);
    const count = cutter.cut(line.length, longest);
    return count < 0
      ? undefined
      : {
          rest: new Uint8Array(cutter.memory.buffer, cutter.restAt(), cutter.lengthOfRest()),
          strings: Array.from({ length: count }, (_, number) => this.entry(number)),
        };
  }

  private lay(bytes: Uint8Array): void {
    const { cutter } = this;
    if (this.roomLength < bytes.length) {
      this.roomLength = Math.max(bytes.length * 2, leastRoom);
    }
    const place = cutter.reserve(this.roomLength);
    new Uint8Array(cutter.memory.buffer, place).set(bytes);
  }

  private entry(number: number): CutString {
    const { cutter } = this;
    const place = cutter.entriesAt() + 4 * numbersOfEntry * number;
    const [first = 0, second = 0, bytes = 0, start = 0, end = 0, mayNameHome] = new Int32Array(
      cutter.memory.buffer,
      place,
      numbersOfEntry,
    );
    return { first, second, bytes, start, end, mayNameHome: mayNameHome === 1 };
  }

  private cutInParts(line: Uint8Array, longest: number): CutLine | undefined {
    const kept: Uint8Array[] = [];
    const strings: CutString[] = [];
    let last = 0;
    for (let start = line.indexOf(quote); start >= 0;) {
      const end = bytesEnd(line, start + 1);
      if (end < 0) {
        break;
      }
      if (end - start > longest && isLongerThan(longest, line.subarray(start, end))) {
        const string = this.measure(line, start, end);
        if (string === undefined) {
          return undefined;
        }
        strings.push(string);
        kept.push(line.subarray(last, start + 1));
        last = end - 1;
      }
      start = line.indexOf(quote, end);
    }
    kept.push(line.subarray(last));
    const rest = new Uint8Array(kept.reduce((sum, { length }) => sum + length, 0));
    let length = 0;
    for (const part of kept) {
      rest.set(part, length);
      length += part.length;
    }
    return { rest, strings };
  }

  private measure(line: Uint8Array, start: number, end: number): CutString | undefined {
    this.cutter.begin();
    for (let from = start + 1; from < end - 1;) {
      const to = partEnd(line, from, end - 1);
      if (to < 0) {
        return undefined;
      }
      this.lay(line.subarray(from, to));
      if (this.cutter.more(to - from) === 0) {
        return undefined;
      }
      from = to;
    }
    this.cutter.finish(0, start, end);
    return this.entry(0);
  }
}

/** True if bytes are more than this many UTF-16 units. */
function isLongerThan(longest: number, bytes: Uint8Array): boolean {
  return bytes.length > 3 * longest || new TextDecoder().decode(bytes).length > longest;
}

/** The offset after the closing quote of a string whose contents begin at `from`; -1 if it has no closing quote. */
function bytesEnd(line: Uint8Array, from: number): number {
  for (let found = line.indexOf(quote, from); found >= 0; found = line.indexOf(quote, found + 1)) {
    let slash = found;
    while (slash > from && line[slash - 1] === backslash) {
      slash -= 1;
    }
    if ((found - slash) % 2 === 0) {
      return found + 1;
    }
  }
  return -1;
}

/** The end of a part of a string, between two characters and outside escapes; -1 if there are too many escapes. */
function partEnd(line: Uint8Array, from: number, end: number): number {
  if (end - from <= partLength) {
    return end;
  }
  for (let at = from + partLength; at > from + partLength / 2; at -= 1) {
    const isBetween = ((line[at] ?? 0) & 0xc0) !== 0x80;
    if (isBetween && !line.subarray(at - longestEscape, at).includes(backslash)) {
      return at;
    }
  }
  return -1;
}
