import { parseJson } from '../base/json';
import { stringEnd } from '../base/jsonTokens';
import type { TextDigest } from '../model/contentHash';
import { instantiateNow } from './assembly/stringCutter?wasm';

/** A JSON text without its long strings, and what these say. */
export interface CutText {
  /** The text with `""` in place of each long string. */
  readonly rest: string;
  /** In text order. */
  readonly strings: readonly string[];
}

/**
 * Takes the long strings out of a JSON text. Of a text that is no JSON, it takes out whatever is written like one.
 * @param longest the length of the longest string that stays, in UTF-16 units with its quotes
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

/** A long string that was cut out of a line, measured as what it says. */
export interface CutString extends TextDigest {
  /** Where it stands in the line, in bytes and with its quotes. */
  readonly start: number;
  readonly end: number;
  /** Whether it has what is in every path of a home folder. */
  readonly mayNameHome: boolean;
}

/** The bytes of a line without its long strings. */
export interface CutLine {
  /** Valid until the next line is cut. */
  readonly rest: Uint8Array;
  readonly strings: readonly CutString[];
}

/** Longer lines would stay in the memory of the module, so their strings are given to it in parts. In bytes. */
const longestWhole = 1 << 22;
const partLength = 1 << 20;
const leastRoom = 1 << 16;
const numbersOfEntry = 6;
const quote = 0x22;
const backslash = 0x5c;
/** Bytes of the longest escape: that of a character of two units. */
const longestEscape = 12;

/** Does what `withoutLongStrings` does with the bytes of a line, and decodes nothing. */
export class StringCutter {
  private readonly cutter = instantiateNow({});
  private roomLength = 0;

  /** A number that is the same for equal lines, and for others by chance alone; undefined for a line that is too long. */
  fingerprint(line: Uint8Array): number | undefined {
    if (line.length > longestWhole) {
      return undefined;
    }
    this.lay(line);
    return this.cutter.fingerprint(line.length);
  }

  /** Undefined where only a parser knows what the strings say. */
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

/** Whether bytes are more than so many UTF-16 units. */
function isLongerThan(longest: number, bytes: Uint8Array): boolean {
  return bytes.length > 3 * longest || new TextDecoder().decode(bytes).length > longest;
}

/** The offset after the closing quote of a string whose contents begin at `from`; -1 if there is none. */
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

/** Where a part of a string ends, between two characters and outside of escapes; -1 where there are too many of these. */
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
