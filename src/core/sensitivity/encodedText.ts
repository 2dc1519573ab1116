import type { TextRange } from './anchored';
import { base64Characters, shortestRun } from './literalSearch';

/** A decoded part of a text, with the position of each of its characters in the text. */
export interface DecodedText {
  readonly text: string;
  /** The range of the encoded text for a range of the decoded one. */
  readonly rangeOf: (range: TextRange) => TextRange;
  /** True if a finding in the decoded text counts; absent if all do. */
  readonly counts?: (range: TextRange) => boolean;
}

/** Minimum length of lines that are joined with the next line to one text. */
const shortestLine = 60;

/** The value of each base64 character plus one, including base64url; 0 for all other characters. */
const values = new Uint8Array(128);
for (const [index, character] of Array.from(base64Characters).entries()) {
  values[character.charCodeAt(0)] = index < 64 ? index + 1 : index - 1;
}

function valueAt(text: string, index: number): number {
  return values[text.charCodeAt(index)] ?? 0;
}

/** Decodes a run of base64 to one character per byte. Returns undefined as soon as the bytes are not text. */
function decodeRun(text: string, { start, end }: TextRange): string | undefined {
  const parts: string[] = [];
  let codes: number[] = [];
  let bits = 0;
  let count = 0;
  for (let index = start; index < end; index += 1) {
    bits = ((bits << 6) | (valueAt(text, index) - 1)) & 0xffff;
    count += 6;
    if (count < 8) {
      continue;
    }
    count -= 8;
    const code = (bits >> count) & 255;
    // Text has no control characters; in other data, every second byte would be above ASCII.
    if ((code < 32 && code !== 9 && code !== 10 && code !== 13) || code === 127) {
      return undefined;
    }
    if (code > 127 && parts.length === 0 && codes.length < 12) {
      return undefined;
    }
    codes.push(code);
    if (codes.length === 4096) {
      parts.push(String.fromCharCode(...codes));
      codes = [];
    }
  }
  return parts.join('') + String.fromCharCode(...codes);
}

/** The end of a line break, plain or escaped, that begins at a place; the place itself if there is none. */
function afterLineBreak(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 10) {
    return at + 1;
  }
  if (code === 13 && text.charCodeAt(at + 1) === 10) {
    return at + 2;
  }
  let end = at;
  while (end - at < 16 && text.charCodeAt(end) === 92) {
    end += 1;
  }
  return end > at && text.charAt(end) === 'n' ? end + 1 : at;
}

function runEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && valueAt(text, end) !== 0) {
    end += 1;
  }
  return end;
}

/**
 * Texts in base64. A range in the decoded text always maps to the whole encoded text.
 * @param runs the starts of long runs of base64 characters
 */
export function* base64Texts(text: string, runs: readonly number[] = []): Generator<DecodedText> {
  let passed = 0;
  for (const run of runs) {
    if (run < passed) {
      continue;
    }
    let start = run;
    // The letter of an escape such as `\n` is not part of the run.
    if (text.charCodeAt(start - 1) === 92 && /[nrt]/.test(text.charAt(start))) {
      start += 1;
    }
    // Most runs are names and paths. They stop being text after a few decoded characters.
    if (decodeRun(text, { start, end: start + shortestRun - 4 }) === undefined) {
      continue;
    }
    let end = runEnd(text, start);
    passed = end;
    if (end - start < shortestRun) {
      continue;
    }
    let decoded = decodeRun(text, { start, end });
    for (let line = end - start; decoded !== undefined && line >= shortestLine && line % 4 === 0;) {
      const from = afterLineBreak(text, end);
      const to = from === end ? end : runEnd(text, from);
      line = to - from;
      const more: string | undefined = line < 4 ? undefined : decodeRun(text, { start: from, end: to });
      if (more === undefined) {
        break;
      }
      decoded += more;
      end = to;
      passed = end;
    }
    if (decoded !== undefined) {
      while (text.charAt(end) === '=') {
        end += 1;
      }
      const range = { start, end };
      yield { text: decoded, rangeOf: () => range };
    }
  }
}

/** Characters written by their number: in addresses, in code strings at any depth, in HTML. */
const written =
  /%[2-7][\dA-Fa-f]|\\{1,16}(?:u00|x)[2-7][\dA-Fa-f]|&(?:quot|amp|apos|lt|gt|#\d{2,3}|#x[2-7][\dA-Fa-f]);/g;
/** For a search inside a match of the other pattern. */
const writtenInside = new RegExp(written);
const named = new Map(Object.entries({ quot: '"', amp: '&', apos: "'", lt: '<', gt: '>' }));
/** The examined text before and after such characters, in UTF-16 units. */
const reach = 2048;
/** The overlap of such a part with the previous one. */
const overlap = 128;

function characterOf(match: string): string {
  const number = /^&#(?<decimal>\d+)/.exec(match)?.groups?.['decimal'];
  const name = /^&(?<name>[a-z]+)/.exec(match)?.groups?.['name'];
  return name === undefined
    ? String.fromCharCode(
        number === undefined ? Number.parseInt(match.replace(/;$/, '').slice(-2), 16) : Number(number),
      )
    : (named.get(name) ?? '');
}

/** The number of characters (backslashes) of such a written character before the found place. */
const mostBefore = 15;

/**
 * The parts of a text with characters written by their number: the text around them up to the next blank.
 * @param places possible starts; more backslashes may come before each
 */
export function* writtenTexts(text: string, places: readonly number[] = []): Generator<DecodedText> {
  let before = 0;
  let searched = 0;
  for (const place of places) {
    if (place < searched) {
      continue;
    }
    written.lastIndex = Math.max(before, place - mostBefore);
    const match = written.exec(text);
    if (match === null) {
      return;
    }
    const after = match.index + match[0].length;
    let start = match.index;
    const first = Math.max(before - overlap, match.index - reach, 0);
    while (start > first && text.charCodeAt(start - 1) > 32) {
      start -= 1;
    }
    let end = after;
    while (end < text.length && end - after < reach && text.charCodeAt(end) > 32) {
      end += 1;
    }
    yield decodeWritten(text, { start, end });
    before = end;
    searched = end;
  }
}

function decodeWritten(text: string, { start, end }: TextRange): DecodedText {
  const encoded = text.slice(start, end);
  let decoded = '';
  let last = 0;
  /** The positions of the decoded characters, and how much longer the original text is up to each. */
  const longer: { readonly at: number; readonly byThere: number }[] = [];
  let by = 0;
  for (const match of encoded.matchAll(writtenInside)) {
    decoded += encoded.slice(last, match.index);
    by += match[0].length - 1;
    longer.push({ at: decoded.length, byThere: by });
    decoded += characterOf(match[0]);
    last = match.index + match[0].length;
  }
  decoded += encoded.slice(last);
  const placeOf = (index: number): number => {
    let low = 0;
    let high = longer.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((longer[middle]?.at ?? 0) < index) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return start + index + (longer[low - 1]?.byThere ?? 0);
  };
  return { text: decoded, rangeOf: range => ({ start: placeOf(range.start), end: placeOf(range.end) }) };
}
