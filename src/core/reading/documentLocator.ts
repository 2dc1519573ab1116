import { countBelow } from '../base/numbers';
import type { Locate } from '../content/place';

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** A value with its range in bytes; its contents are located only when they are requested. */
interface Part {
  readonly start: number;
  readonly end: number;
  items?: readonly Part[];
  members?: ReadonlyMap<string, Part>;
}

/**
 * Finds the places of the parts of a well-formed JSON document. Only the objects and lists that paths lead through are
 * walked, each once. A path that leads nowhere returns the place of the nearest part around it.
 * @param bytes the whole document, which a parser has accepted
 * @param start the offset of its first byte in the file, e.g. after a byte order mark
 */
export function createDocumentLocator(
  bytes: Uint8Array,
  start: { readonly line: number; readonly offset: number },
): Locate {
  const walk = new DocumentWalk(bytes);
  const root = walk.root();
  let lineEnds: Uint32Array | undefined;
  return path => {
    let part = root;
    for (const key of path) {
      const inner = typeof key === 'number' ? walk.itemsOf(part)[key] : walk.membersOf(part).get(key);
      if (inner === undefined) {
        break;
      }
      part = inner;
    }
    lineEnds ??= lineEndsOf(bytes);
    return {
      line: start.line + countBelow(lineEnds, part.start),
      offset: start.offset + part.start,
      length: part.end - part.start,
    };
  };
}

/**
 * The ranges of the objects and lists that follow one another in a file, e.g. a pretty-printed file of JSON lines. If
 * other text follows one of them, it is the last range, up to the end.
 */
export function topLevelValues(
  bytes: Uint8Array,
): readonly { readonly offset: number; readonly length: number }[] {
  return new DocumentWalk(bytes).topLevel();
}

class DocumentWalk {
  constructor(private readonly bytes: Uint8Array) {}

  topLevel(): readonly { readonly offset: number; readonly length: number }[] {
    const { bytes } = this;
    const ranges: { readonly offset: number; readonly length: number }[] = [];
    const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
    for (let offset = this.afterSpace(start); offset < bytes.length;) {
      const isContainer = bytes[offset] === openBrace || bytes[offset] === openBracket;
      const end = isContainer ? this.valueEnd(offset) : bytes.length;
      ranges.push({ offset, length: end - offset });
      offset = this.afterSpace(end);
    }
    return ranges;
  }

  root(): Part {
    const start = this.afterSpace(0);
    return { start, end: this.valueEnd(start) };
  }

  /** The items of a list; empty for any other value. */
  itemsOf(part: Part): readonly Part[] {
    if (this.bytes[part.start] !== openBracket) {
      return [];
    }
    if (part.items === undefined) {
      const items: Part[] = [];
      let place = this.afterSpace(part.start + 1);
      while (place < part.end - 1) {
        const end = this.valueEnd(place);
        items.push({ start: place, end });
        place = this.nextValue(end);
      }
      part.items = items;
    }
    return part.items;
  }

  /**
   * The members of an object; empty for any other value. If a name occurs more than once, its last member is used, as
   * parsers do.
   */
  membersOf(part: Part): ReadonlyMap<string, Part> {
    if (this.bytes[part.start] !== openBrace) {
      return noMembers;
    }
    if (part.members === undefined) {
      const members = new Map<string, Part>();
      let place = this.afterSpace(part.start + 1);
      while (place < part.end - 1) {
        const nameEnd = this.stringEnd(place + 1);
        const start = this.afterSpace(this.afterSpace(nameEnd) + 1);
        const end = this.valueEnd(start);
        members.set(this.stringAt(place, nameEnd), { start, end });
        place = this.nextValue(end);
      }
      part.members = members;
    }
    return part.members;
  }

  /** The offset after the comma that follows a value. If a closing bracket follows, the offset of the bracket. */
  private nextValue(end: number): number {
    const place = this.afterSpace(end);
    return this.bytes[place] === comma ? this.afterSpace(place + 1) : place;
  }

  private stringAt(start: number, end: number): string {
    const text = decoder.decode(this.bytes.subarray(start, end));
    const value: unknown = text.includes('\\') ? JSON.parse(text) : text.slice(1, -1);
    return typeof value === 'string' ? value : text;
  }

  private afterSpace(at: number): number {
    const { bytes } = this;
    let place = at;
    for (let byte = bytes[place]; byte !== undefined && byte <= 0x20; byte = bytes[place]) {
      place += 1;
    }
    return place;
  }

  private valueEnd(at: number): number {
    const { bytes } = this;
    let depth = 0;
    let place = at;
    do {
      switch (bytes[place]) {
        case quote:
          place = this.stringEnd(place + 1);
          break;
        case openBrace:
        case openBracket:
          depth += 1;
          place += 1;
          break;
        case closeBrace:
        case closeBracket:
          depth -= 1;
          place += 1;
          break;
        case undefined:
        default:
          place = depth === 0 ? this.wordEnd(place) : place + 1;
      }
    } while (depth > 0 && place < bytes.length);
    return place;
  }

  /** The offset after the closing quote of a string whose text begins at `at`. */
  private stringEnd(at: number): number {
    const { bytes } = this;
    // Most strings are short, and most long ones contain few quotes.
    let place = at;
    for (const near = Math.min(bytes.length, at + 40); place < near; place += 1) {
      const byte = bytes[place];
      if (byte === quote) {
        return place + 1;
      }
      if (byte === backslash) {
        place += 1;
      }
    }
    const searched = place;
    for (let found = bytes.indexOf(quote, place); found >= 0; found = bytes.indexOf(quote, found + 1)) {
      let slash = found;
      while (slash > searched && bytes[slash - 1] === backslash) {
        slash -= 1;
      }
      if ((found - slash) % 2 === 0) {
        return found + 1;
      }
    }
    return bytes.length;
  }

  /** The offset after a number or a literal. */
  private wordEnd(at: number): number {
    const { bytes } = this;
    let place = at;
    for (let byte = bytes[place]; byte !== undefined && isOfWord(byte); byte = bytes[place]) {
      place += 1;
    }
    return place;
  }
}

const decoder = new TextDecoder();
const noMembers: ReadonlyMap<string, Part> = new Map();

function isOfWord(byte: number): boolean {
  return byte > 0x20 && byte !== comma && byte !== closeBrace && byte !== closeBracket;
}

/** The offsets of all newlines. */
export function lineEndsOf(bytes: Uint8Array): Uint32Array {
  const ends: number[] = [];
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
    ends.push(at);
  }
  return Uint32Array.from(ends);
}
