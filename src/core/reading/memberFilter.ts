import { groupBy } from '../base/groupBy';

/**
 * The members of a record that a format reads. All others are removed from the line's bytes before decoding and
 * parsing: half of a session is copies of results and progress that the model never saw.
 */
export interface MemberFilter {
  /** The action for members that are not named; if absent, they are kept. */
  readonly others?: 'keep' | 'leave';
  readonly members: Readonly<Record<string, 'keep' | 'leave' | MemberFilter>>;
  /** The filter for the members after `type`, by its value. */
  readonly byType?: Readonly<Record<string, MemberFilter>>;
}

/** A compiled filter for the bytes of lines. */
export interface LineFilter {
  /**
   * The record's bytes without the members to leave out. Returns the same bytes if there are no such members, or if the
   * bytes are not one JSON object. The next call of any filter overwrites the result.
   */
  apply(line: Uint8Array): Uint8Array;
}

type Action = 'keep' | 'leave' | NamedActions;

/** Names or types with their actions, by the length of their bytes. */
type ByLength<Value> = ReadonlyMap<number, readonly { readonly name: Uint8Array; readonly action: Value }[]>;

interface NamedActions {
  readonly others: 'keep' | 'leave';
  readonly members: ByLength<Action>;
  readonly byType: ByLength<NamedActions>;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

const encoder = new TextEncoder();
const typeName = encoder.encode('type');

/** Longer lines are parsed whole, in bytes. */
const longestLine = 2 ** 28;
const leastRoom = 2 ** 16;
/** Maximum memory that is kept for later lines, in bytes. */
const mostKept = 2 ** 23;
/** Maximum nesting. Deeper values are left to a parser. */
const deepest = 1 << 12;
/** The byte after a line: neither white space nor part of any value. */
const behindLine = 0xff;

/** Compiles a filter for lines. */
export function lineFilter(filter: MemberFilter): LineFilter {
  const root = actionsOf(filter);
  return {
    apply: line =>
      line[0] !== openBrace || line.length > longestLine ? line : new LineCutter(line).cut(root),
  };
}

function actionsOf({ others = 'keep', members, byType = {} }: MemberFilter): NamedActions {
  return {
    others,
    members: byLength(members, action => (typeof action === 'string' ? action : actionsOf(action))),
    byType: byLength(byType, actionsOf),
  };
}

function byLength<From, Value>(
  named: Readonly<Record<string, From>>,
  actionOf: (from: From) => Value,
): ByLength<Value> {
  const entries = Object.entries(named).map(([name, from]) => ({
    name: encoder.encode(name),
    action: actionOf(from),
  }));
  return groupBy(entries, ({ name }) => name.length);
}

let room = new Uint8Array(leastRoom);

/**
 * Cuts a line in one pass over quotes and brackets, and errs on the strict side: anything not plainly well-formed is
 * left to a parser. Only the contents of removed strings and numbers are not checked.
 */
class LineCutter {
  private readonly bytes: Uint8Array;
  private readonly end: number;
  /** The write position. It is never after the read position. */
  private kept = 0;

  constructor(private readonly line: Uint8Array) {
    this.end = line.length;
    this.bytes = roomFor(line.length + 1).subarray(0, line.length + 1);
    this.bytes.set(line);
    this.bytes[this.end] = behindLine;
  }

  cut(actions: NamedActions): Uint8Array {
    const after = this.cutObject(0, actions);
    const isWhole = after !== 0 && this.afterSpace(after) === this.end;
    return isWhole && this.kept < this.end ? this.bytes.subarray(0, this.kept) : this.line;
  }

  /** Keeps the wanted members of the object that begins at `at`, and returns the offset after it; 0 if it is damaged. */
  private cutObject(at: number, actions: NamedActions): number {
    let current = actions;
    let isFirst = true;
    this.keepByte(openBrace);
    let place = this.afterSpace(at + 1);
    if (this.bytes[place] === closeBrace) {
      this.keepByte(closeBrace);
      return place + 1;
    }
    for (;;) {
      const name = place;
      const nameEnd = this.nameEnd(name);
      const start = nameEnd === 0 ? 0 : this.valueAfter(nameEnd);
      if (start === 0) {
        return 0;
      }
      const action: Action = this.find(current.members, name + 1, nameEnd - 1) ?? current.others;
      // A name written with escapes may differ from its bytes.
      const isKept = action !== 'leave' || this.hasEscape(name + 1, nameEnd - 1);
      if (isKept && !isFirst) {
        this.keepByte(comma);
      }
      isFirst &&= !isKept;
      if (typeof action !== 'string' && this.bytes[start] === openBrace) {
        this.keepBytes(name, start);
        place = this.cutObject(start, action);
      } else {
        place = this.valueEnd(start);
        if (current.byType.size > 0 && this.isText(typeName, name + 1, nameEnd - 1)) {
          current = this.find(current.byType, start + 1, place - 1) ?? current;
        }
        if (isKept && place !== 0) {
          this.keepBytes(name, place);
        }
      }
      if (place === 0) {
        return 0;
      }
      place = this.afterSpace(place);
      const next = this.bytes[place];
      if (next === closeBrace) {
        this.keepByte(closeBrace);
        return place + 1;
      }
      if (next !== comma) {
        return 0;
      }
      place = this.afterSpace(place + 1);
    }
  }

  private find<Value>(list: ByLength<Value>, start: number, end: number): Value | undefined {
    return list.get(end - start)?.find(({ name }) => this.isText(name, start, end))?.action;
  }

  private isText(text: Uint8Array, start: number, end: number): boolean {
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

  private hasEscape(start: number, end: number): boolean {
    for (let place = start; place < end; place += 1) {
      if (this.bytes[place] === backslash) {
        return true;
      }
    }
    return false;
  }

  private keepByte(byte: number): void {
    this.bytes[this.kept] = byte;
    this.kept += 1;
  }

  private keepBytes(from: number, to: number): void {
    if (this.kept !== from) {
      this.bytes.copyWithin(this.kept, from, to);
    }
    this.kept += to - from;
  }

  private afterSpace(at: number): number {
    let place = at;
    while ((this.bytes[place] ?? behindLine) <= 0x20) {
      place += 1;
    }
    return place;
  }

  /** The offset after the closing quote of a string whose text begins at `at`; 0 if it has no closing quote. */
  private stringEnd(at: number): number {
    const { bytes } = this;
    for (let found = bytes.indexOf(quote, at); found >= 0; found = bytes.indexOf(quote, found + 1)) {
      let slash = found;
      while (slash > at && bytes[slash - 1] === backslash) {
        slash -= 1;
      }
      if ((found - slash) % 2 === 0) {
        return found + 1;
      }
    }
    return 0;
  }

  /** The offset after the name that begins at `at`; 0 if there is no name. */
  private nameEnd(at: number): number {
    return this.bytes[at] === quote ? this.stringEnd(at + 1) : 0;
  }

  /** The offset of the value after a name that ends at `at`; 0 if there is no colon. */
  private valueAfter(at: number): number {
    const place = this.afterSpace(at);
    return this.bytes[place] === colon ? this.afterSpace(place + 1) : 0;
  }

  /** The offset after the value that begins at `at`; 0 if its brackets, commas and colons do not fit together. */
  private valueEnd(at: number): number {
    const { bytes } = this;
    /** The closing characters of the open brackets. */
    const open: number[] = [];
    let place = at;
    for (;;) {
      const byte = bytes[place];
      if (byte === openBrace || byte === openBracket) {
        const close = byte === openBrace ? closeBrace : closeBracket;
        place = this.afterSpace(place + 1);
        if (bytes[place] !== close) {
          open.push(close);
          place = close === closeBrace ? this.memberValue(place) : place;
          if (place === 0 || open.length > deepest) {
            return 0;
          }
          continue;
        }
        place += 1;
      } else {
        place = byte === quote ? this.stringEnd(place + 1) : this.wordEnd(place);
        if (place === 0) {
          return 0;
        }
      }
      // A value has ended. Its container continues or ends too.
      for (let close = open.at(-1); ; close = open.at(-1)) {
        if (close === undefined) {
          return place;
        }
        place = this.afterSpace(place);
        const next = bytes[place];
        if (next === comma) {
          place = this.afterSpace(place + 1);
          place = close === closeBrace ? this.memberValue(place) : place;
          break;
        }
        if (next !== close) {
          return 0;
        }
        open.pop();
        place += 1;
      }
      if (place === 0) {
        return 0;
      }
    }
  }

  /** The offset of the value whose name begins at `at`; 0 if there is no name. */
  private memberValue(at: number): number {
    const end = this.nameEnd(at);
    return end === 0 ? 0 : this.valueAfter(end);
  }

  /** The offset after a number or a literal; 0 if there is none. */
  private wordEnd(at: number): number {
    let place = at;
    while (isOfWord(this.bytes[place] ?? behindLine)) {
      place += 1;
    }
    return place === at ? 0 : place;
  }
}

function roomFor(length: number): Uint8Array {
  if (length > mostKept) {
    return new Uint8Array(length);
  }
  if (room.length < length) {
    room = new Uint8Array(length * 2);
  }
  return room;
}

/** Letters, digits, and the characters of numbers. */
function isOfWord(byte: number): boolean {
  return (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x2b && byte <= 0x39 && byte !== comma) || byte === 0x45;
}
