/** The classes of assembly/pattern.ts, by their numbers. */
const other = 1;
const upper = 2;
const lower = 3;
const caseless = 4;
const mark = 5;
const numeral = 6;
const blank = 7;
const lineEnd = 8;

/** The first matching class is used. */
const classes = [
  [/\p{Ll}/u, lower],
  [/[\p{Lu}\p{Lt}]/u, upper],
  [/\p{L}/u, caseless],
  [/\p{M}/u, mark],
  [/\p{N}/u, numeral],
  [/[\r\n]/u, lineEnd],
  [/\s/u, blank],
] as const;

/**
 * The first and last code points of the ranges that nearly all texts of agents use: ASCII and Latin-1, punctuation,
 * arrows, mathematics, box drawing, dingbats and Braille, Chinese, Japanese and Korean, icon fonts, and emoji. Their
 * classes have long been the same in all engines.
 */
const settled = [
  [0x00, 0xff],
  [0x2000, 0x207f],
  [0x2180, 0x28ff],
  [0x3000, 0x30ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd77f],
  [0xe000, 0xf8ff],
  [0xfe00, 0xfe7f],
  [0xff00, 0xff7f],
  [0x1f300, 0x1faff],
] as const;

/** The first and last code points in these ranges that are not `other`, and their class. */
const exceptions = [
  [0x09, 0x0d, blank],
  [0x0a, 0x0a, lineEnd],
  [0x0d, 0x0d, lineEnd],
  [0x20, 0x20, blank],
  [0x30, 0x39, numeral],
  [0x41, 0x5a, upper],
  [0x61, 0x7a, lower],
  [0xa0, 0xa0, blank],
  [0xaa, 0xaa, caseless],
  [0xb2, 0xb3, numeral],
  [0xb5, 0xb5, lower],
  [0xb9, 0xb9, numeral],
  [0xba, 0xba, caseless],
  [0xbc, 0xbe, numeral],
  [0xc0, 0xde, upper],
  [0xd7, 0xd7, other],
  [0xdf, 0xff, lower],
  [0xf7, 0xf7, other],
  [0x2000, 0x200a, blank],
  [0x2028, 0x2029, blank],
  [0x202f, 0x202f, blank],
  [0x205f, 0x205f, blank],
  [0x2070, 0x2070, numeral],
  [0x2071, 0x2071, caseless],
  [0x2074, 0x2079, numeral],
  [0x207f, 0x207f, caseless],
  [0x2180, 0x2189, numeral],
  [0x2183, 0x2183, upper],
  [0x2184, 0x2184, lower],
  [0x2460, 0x249b, numeral],
  [0x24ea, 0x24ff, numeral],
  [0x2776, 0x2793, numeral],
  [0x3000, 0x3000, blank],
  [0x3005, 0x3006, caseless],
  [0x3007, 0x3007, numeral],
  [0x3021, 0x3029, numeral],
  [0x302a, 0x302f, mark],
  [0x3031, 0x3035, caseless],
  [0x3038, 0x303a, numeral],
  [0x303b, 0x303c, caseless],
  [0x3041, 0x3096, caseless],
  [0x3099, 0x309a, mark],
  [0x309d, 0x309f, caseless],
  [0x30a1, 0x30fa, caseless],
  [0x30fc, 0x30ff, caseless],
  [0x4e00, 0x9fff, caseless],
  [0xac00, 0xd77f, caseless],
  [0xfe00, 0xfe0f, mark],
  [0xfe20, 0xfe2f, mark],
  [0xfe70, 0xfe7f, caseless],
  [0xfe75, 0xfe75, other],
  [0xff10, 0xff19, numeral],
  [0xff21, 0xff3a, upper],
  [0xff41, 0xff5a, lower],
  [0xff66, 0xff7f, caseless],
] as const;

/**
 * Writes the classes of the code points from `first` on. They are the classes of the running engine, as in js-tiktoken.
 * The engine is asked only for code points outside the settled ranges, because it first compiles its patterns for 13
 * ms.
 */
export function classifyCharacters(first: number, into: Uint8Array): void {
  const end = first + into.length;
  if (settled.some(([from, last]) => first >= from && end <= last + 1)) {
    into.fill(other);
    for (const [from, last, kind] of exceptions) {
      if (from < end && last >= first) {
        into.fill(kind, Math.max(0, from - first), last + 1 - first);
      }
    }
  } else {
    askEngine(first, into);
  }
}

/** The classes of any code points according to the engine's patterns. */
export function askEngine(first: number, into: Uint8Array): void {
  for (let index = 0; index < into.length; index++) {
    const character = String.fromCodePoint(first + index);
    into[index] = classes.find(([pattern]) => pattern.test(character))?.[1] ?? other;
  }
}
