/**
 * Text measures and classes of the upstream systems, which are written in Rust: they count Unicode scalar values where
 * JavaScript counts UTF-16 units, and their whitespace is the property White_Space (with U+0085, without U+FEFF).
 */

/** Body of a character class: Unicode White_Space without the line feed. */
export const nonNewlineWhitespace =
  '\\t\\u000b-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const whitespaceUnit = new RegExp(`[\\n${nonNewlineWhitespace}]`, 'u');

/** Removes White_Space from both ends, in linear time. */
export function trimWhitespace(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && whitespaceUnit.test(text.charAt(start))) {
    start += 1;
  }
  while (end > start && whitespaceUnit.test(text.charAt(end - 1))) {
    end -= 1;
  }
  return text.slice(start, end);
}

/** Number of Unicode code points; a lone surrogate counts as one. */
export function countCodePoints(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index += 1) {
    if (isLowSurrogate(text.charCodeAt(index)) && isHighSurrogate(text.charCodeAt(index - 1))) {
      count -= 1;
      index += 1;
    }
  }
  return count;
}

/** The first `limit` code points of `text`. */
export function takeCodePoints(text: string, limit: number): string {
  if (text.length <= limit) {
    return text;
  }
  let end = 0;
  for (let taken = 0; taken < limit && end < text.length; taken += 1) {
    end += isHighSurrogate(text.charCodeAt(end)) && isLowSurrogate(text.charCodeAt(end + 1)) ? 2 : 1;
  }
  return text.slice(0, end);
}

/** Order of two strings by their UTF-8 bytes, which is the order of their code points. */
export function compareUtf8(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index += 1) {
    const difference = codePointRank(left.charCodeAt(index)) - codePointRank(right.charCodeAt(index));
    if (difference !== 0) {
      return difference;
    }
  }
  return left.length - right.length;
}

/** Sorts the surrogates, which represent code points above U+FFFF, after all other UTF-16 units. */
function codePointRank(unit: number): number {
  if (unit < 0xd800) {
    return unit;
  }
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

export function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

export function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
