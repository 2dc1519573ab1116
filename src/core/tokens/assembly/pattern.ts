// AssemblyScript: the pattern of both encodings by code points, as in the regular expressions of js-tiktoken. Where a
// single ASCII code point decides, pieces.ts does not need these functions.
import { classes } from './memory';

/** Fills the classes of one page of code points. Page 0 is filled before anything is counted. */
declare function classify(page: u32): void;
const pageBits: u32 = 7;

// Classes of a code point, one byte each; 0 means that its page has not been filled.
export const other: u32 = 1;
export const upper: u32 = 2;
export const lower: u32 = 3;
/** Letters that have no case. */
const caseless: u32 = 4;
const mark: u32 = 5;
export const numeral: u32 = 6;
const blank: u32 = 7;
export const lineEnd: u32 = 8;

export const apostrophe: u32 = 0x27;
const slash: u32 = 0x2f;
export const space: u32 = 0x20;

/** True for o200k's pattern; false for cl100k's. */
export let isO200k: bool = false;

export function usePattern(o200k: bool): void {
  isO200k = o200k;
}

/** Bytes of the code point whose first byte this is. */
export function sizeOf(first: u32): usize {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

/** Class of the code point here; 0, which is no class, at the end of the text. */
function classAt(at: usize, end: usize): u32 {
  if (at >= end) {
    return 0;
  }
  const first: u32 = load<u8>(at);
  let codePoint = first;
  if (first >= 0xf0) {
    codePoint =
      ((first & 7) << 18) |
      ((<u32>load<u8>(at, 1) & 63) << 12) |
      ((<u32>load<u8>(at, 2) & 63) << 6) |
      (<u32>load<u8>(at, 3) & 63);
  } else if (first >= 0xe0) {
    codePoint = ((first & 15) << 12) | ((<u32>load<u8>(at, 1) & 63) << 6) | (<u32>load<u8>(at, 2) & 63);
  } else if (first >= 0x80) {
    codePoint = ((first & 31) << 6) | (<u32>load<u8>(at, 1) & 63);
  }
  const known: u32 = load<u8>(classes + codePoint);
  if (known !== 0) {
    return known;
  }
  classify(codePoint >>> pageBits);
  return load<u8>(classes + codePoint);
}

function isLetter(kind: u32): bool {
  return kind === lower || kind === upper || kind === caseless;
}

/** End of an English contraction (`'s`, `'LL`) that begins here, or `at`. */
function afterContraction(at: usize, end: usize): usize {
  if (at + 1 >= end || <u32>load<u8>(at) !== apostrophe) {
    return at;
  }
  const first = <u32>load<u8>(at, 1) | 0x20;
  if (first === 0x73 || first === 0x74 || first === 0x6d || first === 0x64) {
    return at + 2;
  }
  if (at + 2 >= end) {
    return at;
  }
  const second = <u32>load<u8>(at, 2) | 0x20;
  return (first === 0x72 && second === 0x65) ||
    (first === 0x76 && second === 0x65) ||
    (first === 0x6c && second === 0x6c)
    ? at + 3
    : at;
}

/**
 * o200k: `[Lu Lt Lm Lo M]*[Ll Lm Lo M]+`, or 0. The match of the first class is shortened to its last caseless letter
 * if needed.
 */
function lowerWordEnd(start: usize, end: usize): usize {
  let at = start;
  let shared: usize = 0;
  let kind = classAt(at, end);
  while (kind === upper || kind === caseless || kind === mark) {
    at += sizeOf(load<u8>(at));
    if (kind !== upper) {
      shared = at;
    }
    kind = classAt(at, end);
  }
  if (kind !== lower) {
    return shared;
  }
  while (kind === lower || kind === caseless || kind === mark) {
    at += sizeOf(load<u8>(at));
    kind = classAt(at, end);
  }
  return at;
}

/** o200k: `[Lu Lt Lm Lo M]+` if `lowerWordEnd` found nothing, or 0. */
function upperWordEnd(start: usize, end: usize): usize {
  let at = start;
  while (classAt(at, end) === upper) {
    at += sizeOf(load<u8>(at));
  }
  return at > start ? at : 0;
}

/** End of the word that begins here, or 0. Both encodings allow one character before the word. */
function wordEnd(start: usize, end: usize, kind: u32): usize {
  const inner = isLetter(kind) ? start : start + sizeOf(load<u8>(start));
  if (isO200k) {
    let word = lowerWordEnd(inner, end);
    if (word === 0 && kind === mark) {
      word = lowerWordEnd(start, end);
    }
    if (word === 0) {
      word = upperWordEnd(inner, end);
    }
    return word === 0 ? 0 : afterContraction(word, end);
  }
  let at = inner;
  while (isLetter(classAt(at, end))) {
    at += sizeOf(load<u8>(at));
  }
  return at > inner ? at : 0;
}

function numberEnd(start: usize, end: usize): usize {
  let at = start;
  for (let digits = 0; digits < 3 && classAt(at, end) === numeral; digits++) {
    at += sizeOf(load<u8>(at));
  }
  return at;
}

/** The end of the line ends after signs; in o200k, also of slashes. */
export function afterSigns(start: usize, end: usize): usize {
  let at = start;
  for (; at < end; at++) {
    const byte: u32 = load<u8>(at);
    if (byte !== 10 && byte !== 13 && !(isO200k && byte === slash)) {
      break;
    }
  }
  return at;
}

function signsEnd(start: usize, end: usize): usize {
  let at = start;
  let kind = classAt(at, end);
  while (kind === other || kind === mark) {
    at += sizeOf(load<u8>(at));
    kind = classAt(at, end);
  }
  return afterSigns(at, end);
}

/**
 * The end of a run of blanks: after its last line end if it has one; otherwise before its last blank, which belongs to
 * the next piece; at the end of the text, after all of them.
 */
function blanksEnd(start: usize, end: usize): usize {
  let at = start;
  let last = start;
  let lines: usize = 0;
  let kind = classAt(at, end);
  while (kind === blank || kind === lineEnd) {
    last = at;
    at += sizeOf(load<u8>(at));
    if (kind === lineEnd) {
      lines = at;
    }
    kind = classAt(at, end);
  }
  return lines !== 0 ? lines : at >= end || last === start ? at : last;
}

/** End of the piece that begins here. */
export function anyPieceEnd(start: usize, end: usize): usize {
  if (!isO200k) {
    const contraction = afterContraction(start, end);
    if (contraction > start) {
      return contraction;
    }
  }
  const kind = classAt(start, end);
  if (kind === numeral) {
    return numberEnd(start, end);
  }
  if (kind !== lineEnd) {
    const word = wordEnd(start, end, kind);
    if (word !== 0) {
      return word;
    }
  }
  if (kind === other || kind === mark) {
    return signsEnd(start, end);
  }
  if (<u32>load<u8>(start) === space) {
    const next = classAt(start + 1, end);
    if (next === other || next === mark) {
      return signsEnd(start + 1, end);
    }
  }
  return blanksEnd(start, end);
}
