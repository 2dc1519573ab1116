import { isArray, isObject, parseJson } from '../base/json';
import { type JsonToken, jsonTokens, unescapedLength, unquoted } from '../base/jsonTokens';
import type { MaskedRange } from './maskText';
import { isMemberSecret, memberFinding } from './memberSecret';

/** A valid JSON text. */
export interface JsonSource {
  /** The characters of the text, or one character for each byte. */
  readonly text: string;
  /** The characters between two offsets into `text`. */
  read(start: number, end: number): string;
}

/** A name, string or number of a JSON text with its findings. */
export interface FoundValue {
  readonly token: JsonToken;
  /** The content of a name or string, or the spelling of a number. */
  readonly value: string;
  /** The name that the value belongs to. */
  readonly name: string;
  /** In UTF-16 offsets into the value. */
  readonly found: readonly MaskedRange[];
  /** The findings in the value by itself, without its name and its neighbours. */
  readonly foundAlone: readonly MaskedRange[];
}

/** The JSON text around a value. */
export interface JsonSurroundings {
  /** All names of the text. */
  names(): Iterable<string>;
  /** The names of the objects around a value or name, from the inside out. */
  around(value: FoundValue): Iterable<{ readonly name: string; readonly isObject: boolean }>;
}

/** Strings up to this length are scanned together, and together with their names. In UTF-16 units. */
export const longestTogether = 600;
/** UTF-16 units scanned together. */
const scannedTogether = 1 << 16;
/** The text before a group that is scanned with it, in UTF-16 units. A name may be in the previous member. */
const longestEnding = 600;
/** The colon after a name, with blanks around it, in UTF-16 units. */
const longestColon = 32;

/** Returns the findings in each of several texts. What is found in one must not depend on another. */
export type FindInEach = (texts: readonly string[]) => Promise<readonly (readonly MaskedRange[])[]>;

/**
 * Looks for secrets in every name, string and number of a JSON text. Each is scanned by its content alone. Values are
 * also judged with their names and with neighbouring members: for this, the text is scanned as written, without its long
 * strings. A finding takes something from only one value.
 * @param visit is called for every name, string and number, in text order
 */
export async function visitJson(
  source: JsonSource,
  find: FindInEach,
  visit: (value: FoundValue, surroundings: JsonSurroundings) => Promise<void> | undefined,
): Promise<void> {
  const tokens = jsonTokens(source.text);
  const surroundings: JsonSurroundings = {
    *names() {
      for (const token of tokens) {
        if (token.kind === 'name') {
          yield valueOf(token, source);
        }
      }
    },
    *around({ token }) {
      for (let name = tokens[token.name]; name !== undefined; name = tokens[name.name]) {
        const isObject = /^\s*:\s*\{/.test(source.read(name.end, name.end + longestColon));
        yield { name: valueOf(name, source), isObject };
      }
    },
  };
  let group = new TokenGroup();
  const finish = async (): Promise<void> => {
    for (const value of await group.scanned(find)) {
      // Most values need no waiting, and there may be millions of them.
      const work = visit(value, surroundings);
      if (work !== undefined) {
        await work;
      }
    }
    group = new TokenGroup(group.ending);
  };
  let end = 0;
  for (const token of tokens) {
    group.addBetween(source.read(end, token.start));
    end = token.end;
    const name = tokens[token.name];
    group.add(token, source.read(token.start, token.end), name === undefined ? '' : valueOf(name, source));
    if (token.kind !== 'name' && group.length >= scannedTogether) {
      await finish();
    }
  }
  await finish();
}

function valueOf(token: JsonToken, source: JsonSource): string {
  return unquoted(source.read(token.start, token.end));
}

interface GroupedToken {
  readonly token: JsonToken;
  readonly value: string;
  /** The spelling in the JSON text. */
  readonly written: string;
  /** The name that the value belongs to. */
  readonly name: string;
  /** Its offset in the written text; -1 for a long string. */
  readonly writtenAt: number;
  readonly found: MaskedRange[];
}

/** Consecutive tokens that are scanned together. */
class TokenGroup {
  private readonly tokens: GroupedToken[] = [];
  private readonly written: string[] = [];
  private writtenLength: number;
  /** UTF-16 units of all tokens, including long strings. */
  length = 0;

  /** @param before the end of the text before its first token */
  constructor(private readonly before = '') {
    this.writtenLength = before.length;
  }

  /** The end of the written text. */
  get ending(): string {
    let ending = '';
    for (let part = this.written.length - 1; part >= 0 && ending.length < longestEnding; part -= 1) {
      ending = (this.written[part] ?? '') + ending;
    }
    return ending.slice(-longestEnding);
  }

  /** Adds the text between two tokens. */
  addBetween(text: string): void {
    this.written.push(text);
    this.writtenLength += text.length;
  }

  add(token: JsonToken, written: string, name: string): void {
    const value = unquoted(written);
    const isLong = written.length > longestTogether;
    this.tokens.push({
      token,
      value,
      written,
      name,
      writtenAt: isLong ? -1 : this.writtenLength,
      found: [],
    });
    this.addBetween(isLong ? '""' : written);
    this.length += written.length;
  }

  async scanned(find: FindInEach): Promise<readonly FoundValue[]> {
    if (this.tokens.length === 0) {
      return [];
    }
    const short = this.tokens.filter(({ writtenAt }) => writtenAt >= 0);
    const inShort = await find(short.map(({ value }) => value));
    short.forEach(({ found }, index) => {
      const ranges = inShort[index] ?? [];
      if (ranges.length > 0) {
        found.push(...ranges);
      }
    });
    // A long string is scanned without copying it.
    for (const { value, found } of this.tokens.filter(({ writtenAt }) => writtenAt < 0)) {
      found.push(...(await find([value])).flat());
    }
    const alone = this.tokens.map(({ found }) => found.length);
    const [asWritten = []] = await find([this.before + this.written.join('')]);
    // The previous group has placed its own findings.
    this.place(asWritten.filter(({ start }) => start >= this.before.length));
    return this.tokens.map(({ token, value, name, writtenAt, found }, index) => {
      if (writtenAt >= 0 && token.kind !== 'name' && isMemberSecret(name, value, token.kind === 'number')) {
        found.push({ start: 0, end: value.length, rule: memberFinding.rule, label: memberFinding.label });
      }
      const inAll = token.kind === 'number' && found.length > 0 ? inNumber(value, found) : found;
      const foundAlone = found.length === alone[index] ? inAll : found.slice(0, alone[index]);
      return { token, value, name, found: inAll, foundAlone };
    });
  }

  /**
   * Assigns each finding to the first value that it covers, limited to the value's range. A name loses something only if
   * the finding covers no value: names explain the values, and agents read them. Some rules match up to the next space,
   * so a finding in a name or value by itself does not continue in the values after it.
   */
  private place(findings: readonly MaskedRange[]): void {
    let first = 0;
    for (const finding of findings.toSorted((one, other) => one.start - other.start)) {
      let beginning: GroupedToken | undefined;
      let taken: GroupedToken | undefined;
      for (let number = first; number < this.tokens.length; number += 1) {
        const token = this.tokens[number];
        if (token === undefined || token.writtenAt < 0) {
          continue;
        }
        if (token.writtenAt >= finding.end) {
          break;
        }
        if (token.writtenAt + token.written.length <= finding.start) {
          first = number;
          continue;
        }
        beginning ??= token;
        if (token.token.kind !== 'name') {
          taken = token;
          break;
        }
      }
      const isKnown =
        beginning !== undefined &&
        hasInside(beginning.found, finding.rule, inValue(beginning, finding.start - beginning.writtenAt));
      const token = isKnown ? beginning : (taken ?? beginning);
      if (token !== undefined) {
        const start = inValue(token, Math.max(finding.start - token.writtenAt, 0));
        const end = inValue(token, Math.min(finding.end - token.writtenAt, token.written.length));
        if (end > start) {
          token.found.push({ ...finding, start, end });
        }
      }
    }
  }
}

/** True if a finding of a rule covers a place. */
function hasInside(found: readonly MaskedRange[], rule: string, place: number): boolean {
  return found.some(range => range.rule === rule && range.start <= place && place < range.end);
}

/** Maximum number of digits of a time in milliseconds, which must not count as personal data. */
const longestTime = 13;

/** A finding in a number covers all of it, because a part of a number has no meaning of its own. */
function inNumber(value: string, found: readonly MaskedRange[]): readonly MaskedRange[] {
  return found
    .filter(({ label }) => label === 'restricted' || value.length > longestTime)
    .map(range => ({ ...range, start: 0, end: value.length }));
}

/** The offset in a value for an offset in its written form. */
function inValue({ token, value, written }: GroupedToken, offset: number): number {
  return token.kind === 'number'
    ? offset
    : Math.min(value.length, unescapedLength(written, Math.max(offset, 1)) - 1);
}

/** One character per byte: offsets into the text are offsets into the bytes, and JSON's own characters stay the same. */
const byteDecoder = new TextDecoder('latin1');
const textDecoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Prepares a JSON text or the bytes of one. */
export function sourceOf(json: string | Uint8Array): JsonSource {
  return typeof json === 'string'
    ? { text: json, read: (start: number, end: number): string => json.slice(start, end) }
    : {
        text: byteDecoder.decode(json),
        read: (start: number, end: number): string => textDecoder.decode(json.subarray(start, end)),
      };
}

/** True if a text is the JSON of an object or a list. */
export function isJsonText(text: string): boolean {
  if (!/^\s*[[{]/.test(text)) {
    return false;
  }
  const value = parseJson(text);
  return isObject(value) || isArray(value);
}

/** The name of an event and the beginning of its data, in UTF-16 units. */
const longestEventStart = 200;

/** True if a text is a recorded stream of server-sent events. */
export function isEventText(text: string): boolean {
  return (
    (text.startsWith('data:') || text.startsWith('event:')) &&
    /^(?:event: ?\S+\r?\n)?data: ?\{/.test(text.slice(0, longestEventStart))
  );
}

/** The JSON of the `data` lines of such a text, and the texts between them, in order. */
export function* eventParts(text: string): Generator<{ readonly text: string; readonly isJson: boolean }> {
  let from = 0;
  for (const found of text.matchAll(/^data: ?(?=\{)/gm)) {
    const start = found.index + found[0].length;
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end < 0 ? text.length : end);
    if (isJsonText(line)) {
      yield { text: text.slice(from, start), isJson: false };
      yield { text: line, isJson: true };
      from = start + line.length;
    }
  }
  yield { text: text.slice(from), isJson: false };
}

/**
 * Looks for secrets in every name, string and number of a JSON text, and in JSON texts inside its strings.
 * @param visit is called for every name, string and number; for a string, before the values inside it
 */
export async function findInJson(
  json: string | Uint8Array,
  find: FindInEach,
  visit: (value: FoundValue) => void,
): Promise<void> {
  await visitJson(sourceOf(json), find, found => {
    visit(found);
    return isJsonText(found.value) ? findInJson(found.value, find, visit) : undefined;
  });
}
