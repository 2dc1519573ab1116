/** A range of a JSON text, in UTF-16 offsets. The range of a string includes the quotes. */
interface JsonRange {
  readonly start: number;
  readonly end: number;
}

/** The range of a value, and the last member or item of a non-empty object or list. */
export interface JsonPlace extends JsonRange {
  readonly last?: JsonRange | undefined;
}

type ValueKind = 'string' | 'number' | 'other';

interface JsonVisitor<State> {
  /**
   * Called at the beginning of a value.
   * @param around the state of the object or list around it
   * @param key its name, or its index; `undefined` for the whole value
   * @returns the value's own state
   */
  enter(around: State | undefined, key: JsonRange | number | undefined): State;
  /** Called at the end of a value, after everything in it. */
  leave(state: State, place: JsonPlace, kind: ValueKind): void;
}

interface OpenValue<State> {
  readonly state: State;
  readonly start: number;
  readonly isObject: boolean;
  items: number;
  name: JsonRange | undefined;
  last: JsonRange | undefined;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const word = /[\w.+-]+/y;
const punctuation = /[^"[\]{}\w+-]+/y;

/** Walks through a JSON text that a parser has accepted, in text order. Nesting may be of any depth. */
export function walkJson<State>(text: string, visitor: JsonVisitor<State>): void {
  const open: OpenValue<State>[] = [];
  const entered = (): State => {
    const around = open.at(-1);
    return visitor.enter(around?.state, around === undefined ? undefined : (around.name ?? around.items));
  };
  const left = (state: State, place: JsonPlace, kind: ValueKind): void => {
    visitor.leave(state, place, kind);
    const around = open.at(-1);
    if (around !== undefined) {
      around.last = { start: around.name?.start ?? place.start, end: place.end };
      around.name = undefined;
      around.items += 1;
    }
  };
  for (let place = 0; place < text.length;) {
    const unit = text.charCodeAt(place);
    const around = open.at(-1);
    if (unit === quote) {
      const range = { start: place, end: stringEnd(text, place + 1) };
      if (around?.isObject === true && around.name === undefined) {
        around.name = range;
      } else {
        left(entered(), range, 'string');
      }
      place = range.end;
    } else if (unit === openBrace || unit === openBracket) {
      const isObject = unit === openBrace;
      open.push({ state: entered(), start: place, isObject, items: 0, name: undefined, last: undefined });
      place += 1;
    } else if (unit === closeBrace || unit === closeBracket) {
      place += 1;
      open.pop();
      if (around !== undefined) {
        left(around.state, { start: around.start, end: place, last: around.last }, 'other');
      }
    } else if (/[\w+-]/.test(text.charAt(place))) {
      const range = { start: place, end: endOf(word, text, place) };
      left(entered(), range, /[\d-]/.test(text.charAt(place)) ? 'number' : 'other');
      place = range.end;
    } else {
      place = endOf(punctuation, text, place);
    }
  }
}

/** The end of a sticky pattern's match at a place. */
function endOf(pattern: RegExp, text: string, place: number): number {
  pattern.lastIndex = place;
  return pattern.test(text) ? pattern.lastIndex : place + 1;
}

/** The offset after the closing quote of a string whose contents begin at `from`. */
export function stringEnd(text: string, from: number): number {
  for (let found = text.indexOf('"', from); found >= 0; found = text.indexOf('"', found + 1)) {
    let slash = found;
    while (slash > from && text.charCodeAt(slash - 1) === backslash) {
      slash -= 1;
    }
    if ((found - slash) % 2 === 0) {
      return found + 1;
    }
  }
  return text.length;
}

/** A name, string or number of a JSON text. */
export interface JsonToken extends JsonRange {
  readonly kind: 'name' | 'string' | 'number';
  /**
   * The number of the name whose value this is, directly or as an item of a list; -1 if there is none. For a name: that of
   * the object around it.
   */
  readonly name: number;
}

/** The names, strings and numbers of a JSON text that a parser has accepted, in text order. */
export function jsonTokens(text: string): readonly JsonToken[] {
  const tokens: JsonToken[] = [];
  walkJson<number>(text, {
    enter(around, key) {
      if (typeof key !== 'object') {
        return around ?? -1;
      }
      tokens.push({ kind: 'name', ...key, name: around ?? -1 });
      return tokens.length - 1;
    },
    leave(name, { start, end }, kind) {
      if (kind !== 'other') {
        tokens.push({ kind, start, end, name });
      }
    },
  });
  return tokens;
}

/** The value of a string in its JSON form. A number stays the same. */
export function unquoted(written: string): string {
  if (!written.startsWith('"')) {
    return written;
  }
  const value: unknown = written.includes('\\') ? JSON.parse(written) : written.slice(1, -1);
  return typeof value === 'string' ? value : written;
}

/** Number of UTF-16 units of a string's value that the first `length` units of its escaped form represent. */
export function unescapedLength(escaped: string, length: number): number {
  let units = 0;
  for (let place = 0; place < length; units += 1) {
    const isEscape = escaped.charCodeAt(place) === backslash;
    place += !isEscape ? 1 : escaped.charCodeAt(place + 1) === 0x75 ? 6 : 2;
  }
  return units;
}
