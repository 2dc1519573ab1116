import { isArray, isObject, parseJson } from '../base/json';

/** A text that a tool returned, without the numbers that it puts before the lines of a file. */
export interface PlainLines {
  readonly text: string;
  /** The number of each line in its file; 0 if it is not known. */
  readonly numbers: Int32Array;
}

/**
 * Line numbers of tools: Claude Code `   12→text` and `12⇥text`, Crush `   12|text`, Cline `12 | text`, opencode and
 * Copilot's search `12: text`, `grep -n` `12:text` and `12-text`, Gemini CLI's search `L12: text` and `L12- text`, Copilot's
 * viewer `12. text`.
 */
const styles: readonly RegExp[] = [
  /^\s*(\d{1,7})→/,
  /^\s*(\d{1,7})\t/,
  /^\s*(\d{1,7}) \| ?/,
  /^\s*(\d{1,7})\|/,
  /^\s*(?:Line |L)?(\d{1,7})[:-] /,
  /^\s*(\d{1,7})[:-]/,
  /^(\d{1,7})\. ?/,
];
/** A search in several files: `path:12:text`, `path-13-text`. The numbers begin again with each file. */
const searchStyle = /^(?:[^\s:][^:\n]{0,400}:(?=\d{1,7}:)|[^\s:][^:\n]{0,400}?-(?=\d{1,7}-))(\d{1,7})[:-]/;

/** The number of lines that are examined to find how a text is numbered. */
const sample = 60;

/** A heading above a file's text, with the number of the first line (Gemini CLI, Qwen Code). */
const heading =
  /^\s*(?:IMPORTANT:[^\n]*\n)?[^\n]*Showing lines (\d+)-\d+ of[^\n]*\n(?:[^\n]*\n){0,3}?-{3}[^\n]*\n\n?/;

/** The lines about a command that Codex writes before its output. */
const commandHead =
  /^(?:(?:Chunk ID|Exit code|Wall time|Process exited|Original token count)[^\n]*\n)+Output:\n/;

/** The tags that opencode and Crush put around a file. */
const tagged =
  /^\s*(?:<path>[^\n]*\n(?:<type>[^\n]*\n)?)?<(?:file|content)>\n([^]*?)\n<\/(?:file|content)>[^]*$/;

/**
 * The lines of a file as a tool's result or a note shows them.
 * @param first the number of the first line, if the lines are not numbered; undefined if unknown
 */
export function plainLines(shown: string, first?: number): PlainLines {
  const whole = unwrapped(shown).replaceAll('\r\n', '\n').replace(commandHead, '').replace(tagged, '$1');
  const head = heading.exec(whole);
  const text = head === null ? whole : whole.slice(head[0].length);
  const lines = text.split('\n');
  const numbers = new Int32Array(lines.length);
  const style = styleOf(lines);
  if (style === undefined) {
    const from = head === null ? first : Number(head[1]);
    return { text, numbers: from === undefined ? numbers : numbers.map((_, index) => from + index) };
  }
  const plain = lines.map((line, index) => {
    const [prefix = '', number = '0'] = style.exec(line) ?? [];
    numbers[index] = Number(number);
    return line.slice(prefix.length);
  });
  return { text: plain.join('\n'), numbers };
}

/** The way in which most lines are numbered, upwards; undefined if they are not. */
function styleOf(lines: readonly string[]): RegExp | undefined {
  const looked = lines.slice(0, sample).filter(line => line.trim() !== '');
  let best: RegExp | undefined;
  let most = looked.length / 2;
  for (const style of styles) {
    let last = 0;
    let count = 0;
    for (const line of looked) {
      const number = Number(style.exec(line)?.[1] ?? 0);
      if (number > last) {
        count += 1;
        last = number;
      }
    }
    if (count > most) {
      most = count;
      best = style;
    }
  }
  const searched = looked.filter(line => searchStyle.test(line)).length;
  return searched > most ? searchStyle : best;
}

const namesOfText = ['result', 'content', 'output', 'text'] as const;

/** The texts in a result that is written as JSON: a string, or a list of objects that hold one each (Cline). */
export function unwrapped(shown: string): string {
  if (!/^\s*(?:"|\[\s*\{)/.test(shown)) {
    return shown;
  }
  const value = parseJson(shown);
  if (typeof value === 'string') {
    return value;
  }
  const texts = isArray(value)
    ? value.flatMap(entry => {
        const found = isObject(entry) ? namesOfText.map(name => entry[name]) : [];
        return found.find(text => typeof text === 'string') ?? [];
      })
    : [];
  return texts.length === 0 ? shown : texts.join('\n');
}

/** The lines without indentation and blanks at their ends, and without empty ones: as good as equal for a person. */
export function looseText(text: string): string {
  return text
    .split('\n')
    .map(line => line.trim().replace(/\s+/g, ' '))
    .filter(line => line !== '')
    .join('\n');
}

const cutMark =
  /truncated|showing (?:lines|first)|output (?:capped|too large)|use offset|lines? \d+-\d+ of|read limit|too large to/i;
/** UTF-16 units at both ends in which a tool says that it shows a part. */
const endUnits = 300;

/** True if a result says that it is only a part of the file. */
export function isCut(shown: string): boolean {
  return cutMark.test(shown.slice(0, endUnits)) || cutMark.test(shown.slice(-endUnits));
}
