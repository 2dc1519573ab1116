import type { Encoding } from '../../model/modelRow';

const contraction = "'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL])";
const signs = String.raw`\p{N}{1,3}| ?[^\s\p{L}\p{N}]+`;
const blanks = String.raw`\s*[\r\n]+|\s+(?!\S)|\s+`;
const before = String.raw`[^\r\n\p{L}\p{N}]?`;
const upper = String.raw`[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`;
const lower = String.raw`[\p{Ll}\p{Lm}\p{Lo}\p{M}]`;

/**
 * The pieces of both encodings as js-tiktoken 1.0.21 splits them. The count of a text is the sum of the counts of its
 * pieces. The first group is a piece with a word.
 */
const patterns: Readonly<Record<Encoding, string>> = {
  o200k_base: `(${before}(?:${upper}*${lower}+|${upper}+${lower}*)(?:${contraction})?)|${signs}[\\r\\n/]*|${blanks}`,
  cl100k_base: `${contraction}|(${before}\\p{L}+)|${signs}[\\r\\n]*|${blanks}`,
};

/** A new expression with its own `lastIndex`. */
export function piecePattern(encoding: Encoding): RegExp {
  return new RegExp(patterns[encoding], 'gu');
}

/** A letter; in o200k, a mark after a letter belongs to the word too. */
export function letterPattern(encoding: Encoding): RegExp {
  return encoding === 'o200k_base' ? /[\p{L}\p{M}]/u : /\p{L}/u;
}

/** The contraction at the end of a piece. */
export const contractionAtEnd = new RegExp(`${contraction}$`, 'u');
/** A contraction as a separate piece, which cl100k splits off. */
export const contractionAlone = new RegExp(`^${contraction}$`, 'u');
/** A word that would become a contraction after an apostrophe. */
export const contractionStart = /^(?:[stmd]|re|ve|ll)/i;
