import { matchAt, type TextRange } from './anchored';
import type { DecodedText } from './encodedText';
import { looksLikeWords } from './letterPairs';

/** Narrower terminals are not used. Of a line, in UTF-16 units. */
const narrowest = 32;
const widest = 400;
/** Lines that are joined. */
const mostLines = 12;

/** Usual widths of terminals, besides multiples of ten. */
const widths = new Set([64, 72, 76, 78, 79, 96, 118, 128, 132, 158]);

/** The end of a line inside a token: plain, continued with a backslash, in a box, or between two pieces of a text in code. */
const joint =
  /(?<explicit>\\\r?\n|\\{3}n|[ \t]{0,40}│(?:\r?\n|\\{1,16}n)[ \t]{0,8}│|\\{0,16}["'][ \t]{0,4}[+.\\]?(?:\r?\n|\\{1,16}n)[ \t]{0,40}\\{0,16}["'])[ \t]{0,40}|(?<plain>\r?\n|\\{1,2}n)(?<indent>[ \t]{0,40})/y;
/** The rest of a token at the beginning of a line. */
const continuation =
  /(?<part>[\w+/.~%-]{1,400}={0,2})(?=[ \t]{0,40}│|["'`,;)}\]\\]{0,3}(?:\s|$)|\\{0,16}["'])/y;

/** A token, from the start of a long run on. Its characters are those of runs, and `.=%~`. */
const token = /[\w+./=%~-]{28,400}/y;

/** The start of the line of a place, or of its last part if it is long or its break is escaped. */
function lineOf(text: string, at: number): number {
  const from = Math.max(0, at - widest);
  return from + text.slice(from, at).lastIndexOf('\n') + 1;
}

/**
 * Texts that a terminal or an editor broke into lines: the line with the beginning of a long run, joined with the lines
 * after it.
 * @param runs the starts of long runs of base64 characters
 */
export function* wrappedTexts(text: string, runs: readonly number[] = []): Generator<DecodedText> {
  let passed = 0;
  for (const run of runs) {
    if (run >= passed) {
      token.lastIndex = run;
      passed = token.test(text) ? token.lastIndex : run + 1;
      const joined = joinedFrom(text, run, passed);
      if (joined !== undefined) {
        passed = joined.end;
        yield joined.decoded;
      }
    }
  }
}

/** True if a part may be the rest of a token: a whole line, or with digits behind a line of a usual width. */
function mayContinue(part: string, width: number, indent: number): boolean {
  const isUsual = width % 10 === 0 || widths.has(width);
  return /\d/.test(part) ? indent === 0 || part.length > 24 || isUsual : isUsual && !looksLikeWords(part);
}

/** The part of a token behind a joint. */
interface Part {
  readonly part: string;
  readonly from: number;
  /** The joint itself shows that the text goes on. */
  readonly isExplicit: boolean;
  readonly indent: number;
}

function partAfter(text: string, end: number): Part | undefined {
  const broken = matchAt(joint, text, end);
  if (broken === null) {
    return undefined;
  }
  const from = end + broken[0].length;
  const part = matchAt(continuation, text, from)?.groups?.['part'];
  const { explicit, indent = '' } = broken.groups ?? {};
  return part === undefined
    ? undefined
    : { part, from, isExplicit: explicit !== undefined, indent: indent.length };
}

function joinedFrom(
  text: string,
  run: number,
  runEnd: number,
): { readonly end: number; readonly decoded: DecodedText } | undefined {
  // Nearly all runs end with something else, so this comes first.
  const next = partAfter(text, runEnd);
  if (next === undefined || (!next.isExplicit && !/\d/.test(next.part) && looksLikeWords(next.part))) {
    return undefined;
  }
  const start = lineOf(text, run);
  const width = runEnd - start;
  const first = text.slice(start, runEnd);
  // A block of data has nothing before it, and no name.
  if (width < narrowest || /^[A-Za-z\d+/=]+$/.test(first)) {
    return undefined;
  }
  let joined = first;
  let end = runEnd;
  /** For each part, its place in the joined text and in the original one. */
  const parts = [{ at: 0, from: start }];
  for (let line = 1; line < mostLines; line += 1) {
    const more = partAfter(text, end);
    if (more === undefined || (!more.isExplicit && !mayContinue(more.part, width, more.indent))) {
      break;
    }
    parts.push({ at: joined.length, from: more.from });
    joined += more.part;
    end = more.from + more.part.length;
  }
  if (parts.length < 2) {
    return undefined;
  }
  const placeOf = (index: number): number => {
    const part = parts.findLast(({ at }) => at <= index) ?? { at: 0, from: start };
    return part.from + index - part.at;
  };
  const joints = parts.slice(1).map(({ at }) => at);
  return {
    end,
    decoded: {
      text: joined,
      rangeOf: range => ({ start: placeOf(range.start), end: placeOf(range.end - 1) + 1 }),
      counts: (range: TextRange) => joints.some(place => range.start < place && range.end > place),
    },
  };
}
