/**
 * Which members of a record a format reads. What it does not read is cut out of the line's bytes before they are decoded
 * and parsed: half of a session is copies of results and progress that the model never saw.
 */
export interface MemberFilter {
  /** What becomes of the members that are not named; everything is kept where this is absent. */
  readonly others?: 'keep' | 'leave';
  readonly members: Readonly<Record<string, 'keep' | 'leave' | MemberFilter>>;
  /** The filter for the members behind `type`, by its value. */
  readonly byType?: Readonly<Record<string, MemberFilter>>;
}

/** A filter in the form in which lines are compared with it. */
export interface LineFilter {
  /**
   * The record's bytes with `null` in place of what is left out; the same bytes where that is nothing, or where they are
   * not one JSON object. What it gives is overwritten by the next call.
   */
  apply(line: Uint8Array): Uint8Array;
}

interface Name {
  readonly bytes: Uint8Array;
  readonly action: 'keep' | 'leave' | Compiled;
}

interface Compiled {
  readonly leavesOthers: boolean;
  /** By their length in bytes. */
  readonly names: readonly (readonly Name[] | undefined)[];
  readonly byType: readonly { readonly bytes: Uint8Array; readonly filter: Compiled }[];
}

/** A value of fewer bytes is not worth cutting out. */
const worthCutting = 24;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

const typeName = new TextEncoder().encode('type');

export function createLineFilter(filter: MemberFilter): LineFilter {
  const compiled = compile(filter);
  let kept = new Uint8Array(1 << 16);
  return {
    apply(line) {
      const cutter = new Cutter(line);
      if (!cutter.cutRecord(compiled) || cutter.cuts.length === 0) {
        return line;
      }
      const length = cutter.keptLength();
      if (kept.length < length) {
        kept = new Uint8Array(length * 2);
      }
      cutter.copyKept(kept);
      return kept.subarray(0, length);
    },
  };
}

function compile({ others = 'keep', members, byType = {} }: MemberFilter): Compiled {
  const encoder = new TextEncoder();
  const names: Name[][] = [];
  for (const [name, action] of Object.entries(members)) {
    const bytes = encoder.encode(name);
    (names[bytes.length] ??= []).push({
      bytes,
      action: typeof action === 'string' ? action : compile(action),
    });
  }
  return {
    leavesOthers: others === 'leave',
    names,
    byType: Object.entries(byType).map(([type, filter]) => ({
      bytes: encoder.encode(type),
      filter: compile(filter),
    })),
  };
}

/**
 * Walks through one line by its quotes and brackets. It is stricter than it is exact: whatever is not plainly well formed
 * is given to the parser whole. Only what stands inside of strings and numbers that are cut out is not looked at.
 */
class Cutter {
  /** Beginnings and ends of what is left out, in turn. */
  readonly cuts: number[] = [];

  constructor(private readonly bytes: Uint8Array) {}

  keptLength(): number {
    let length = this.bytes.length;
    for (let index = 0; index < this.cuts.length; index += 2) {
      length += 4 + (this.cuts[index] ?? 0) - (this.cuts[index + 1] ?? 0);
    }
    return length;
  }

  copyKept(target: Uint8Array): void {
    let from = 0;
    let to = 0;
    for (let index = 0; index < this.cuts.length; index += 2) {
      const start = this.cuts[index] ?? 0;
      target.set(this.bytes.subarray(from, start), to);
      to += start - from;
      target.set(nullBytes, to);
      to += nullBytes.length;
      from = this.cuts[index + 1] ?? 0;
    }
    target.set(this.bytes.subarray(from), to);
  }

  /** `false` where the line is not one object. */
  cutRecord(filter: Compiled): boolean {
    if (this.bytes[0] !== openBrace) {
      return false;
    }
    const end = this.cutObject(0, filter);
    return end >= 0 && this.afterSpace(end) === this.bytes.length;
  }

  /** Notes what is to be left out of the object that begins at `at`, and gives its end; -1 where it is damaged. */
  private cutObject(at: number, filter: Compiled): number {
    const { bytes } = this;
    let current = filter;
    let place = this.afterSpace(at + 1);
    if (bytes[place] === closeBrace) {
      return place + 1;
    }
    for (;;) {
      if (bytes[place] !== quote) {
        return -1;
      }
      const nameStart = place + 1;
      const nameEnd = this.stringEnd(nameStart) - 1;
      place = nameEnd < 0 ? -1 : this.afterSpace(nameEnd + 1);
      if (place < 0 || bytes[place] !== colon) {
        return -1;
      }
      const start = this.afterSpace(place + 1);
      const action = this.actionFor(current, nameStart, nameEnd);
      const end =
        typeof action !== 'string' && bytes[start] === openBrace
          ? this.cutObject(start, action)
          : this.valueEnd(start);
      if (end < 0) {
        return -1;
      }
      if (action === 'leave' && end - start >= worthCutting) {
        this.cuts.push(start, end);
      }
      if (current.byType.length > 0 && this.isText(nameStart, nameEnd, typeName)) {
        current = this.filterFor(current, start + 1, end - 1);
      }
      place = this.afterSpace(end);
      if (bytes[place] === closeBrace) {
        return place + 1;
      }
      if (bytes[place] !== comma) {
        return -1;
      }
      place = this.afterSpace(place + 1);
    }
  }

  private actionFor(filter: Compiled, start: number, end: number): Name['action'] {
    for (const { bytes, action } of filter.names[end - start] ?? []) {
      if (this.isText(start, end, bytes)) {
        return action;
      }
    }
    return filter.leavesOthers ? 'leave' : 'keep';
  }

  private filterFor(filter: Compiled, start: number, end: number): Compiled {
    return filter.byType.find(({ bytes }) => this.isText(start, end, bytes))?.filter ?? filter;
  }

  private isText(start: number, end: number, text: Uint8Array): boolean {
    if (end - start !== text.length) {
      return false;
    }
    for (let index = 0; index < text.length; index += 1) {
      if (this.bytes[start + index] !== text[index]) {
        return false;
      }
    }
    return true;
  }

  private afterSpace(at: number): number {
    const { bytes } = this;
    let place = at;
    for (let byte = bytes[place]; byte !== undefined && byte <= 0x20; byte = bytes[place]) {
      place += 1;
    }
    return place;
  }

  /** The place behind the closing quote of a string whose text begins at `at`; -1 where there is none. */
  private stringEnd(at: number): number {
    const { bytes } = this;
    // Most strings are short, and most long ones have few quotes in them.
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
    return -1;
  }

  /** The place behind the value that begins at `at`; -1 where its brackets, commas and colons do not fit together. */
  private valueEnd(at: number): number {
    const { bytes } = this;
    const first = bytes[at];
    if (first !== openBrace && first !== openBracket) {
      return this.scalarEnd(at);
    }
    /** Whether each open bracket is an object's. */
    const open: boolean[] = [];
    let place = at;
    for (;;) {
      const byte = bytes[place];
      if (byte === openBrace || byte === openBracket) {
        const isObject = byte === openBrace;
        const next = this.afterSpace(place + 1);
        if (bytes[next] === (isObject ? closeBrace : closeBracket)) {
          place = next + 1;
        } else {
          open.push(isObject);
          place = isObject ? this.valueStart(next) : next;
          if (place < 0) {
            return -1;
          }
          continue;
        }
      } else {
        place = this.scalarEnd(place);
        if (place < 0) {
          return -1;
        }
      }
      // A value has ended: what holds it goes on or ends too.
      for (;;) {
        if (open.length === 0) {
          return place;
        }
        const isObject = open[open.length - 1] === true;
        place = this.afterSpace(place);
        const next = bytes[place];
        if (next === comma) {
          place = this.afterSpace(place + 1);
          if (isObject) {
            place = this.valueStart(place);
          }
          if (place < 0) {
            return -1;
          }
          break;
        }
        if (next !== (isObject ? closeBrace : closeBracket)) {
          return -1;
        }
        open.pop();
        place += 1;
      }
    }
  }

  /** Where the value begins whose name begins at `at`. */
  private valueStart(at: number): number {
    if (this.bytes[at] !== quote) {
      return -1;
    }
    const end = this.stringEnd(at + 1);
    const place = end < 0 ? -1 : this.afterSpace(end);
    return place >= 0 && this.bytes[place] === colon ? this.afterSpace(place + 1) : -1;
  }

  /** The place behind a string, a number, or a literal. */
  private scalarEnd(at: number): number {
    const { bytes } = this;
    if (bytes[at] === quote) {
      return this.stringEnd(at + 1);
    }
    let place = at;
    for (let byte = bytes[place]; byte !== undefined && isOfWord(byte); byte = bytes[place]) {
      place += 1;
    }
    return place === at ? -1 : place;
  }
}

const nullBytes = new TextEncoder().encode('null');

/** Letters, digits, and the signs of numbers. */
function isOfWord(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x2b && byte <= 0x39 && byte !== comma) || byte === 0x45;
}
