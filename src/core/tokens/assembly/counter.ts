// AssemblyScript, compiled to WebAssembly by scripts/lib/binariesPlugin.mjs. Counts the tokens of UTF-8 text without
// creating them: pieces are found byte by byte, looked up by their bytes, and merged only if they are new. JavaScript
// writes the vocabulary into the memory and calls `prepare` once; then it writes each text and calls `count`.
import { countFound } from './learnt';
import { growTo } from '../../base/assembly/memory';
import { classes, foundPieces, keyMasks, places, slack, text } from './memory';
import { usePattern } from './pattern';
import { findPieces } from './pieces';
import { readVocabulary } from './vocabulary';
import { isWellFormedUtf8 } from './wellFormed';

export { classes };

/** Reserves memory for a text of this many bytes, or for the vocabulary, and returns its address. Contents are kept. */
export function reserve(length: usize): usize {
  growTo(text + length + slack);
  return text;
}

/** Reads the vocabulary written to the address from `reserve`. The flag selects o200k or cl100k. */
export function prepare(o200k: bool): void {
  for (let length: usize = 0; length < 16; length++) {
    for (let at: usize = 0; at < length; at++) {
      store<u8>(keyMasks + (length << 4) + at, 0xff);
    }
  }
  for (let place: usize = 0; place < 256; place++) {
    store<u8>(places + place, <u8>place);
  }
  usePattern(o200k);
  readVocabulary(text);
}

/** The end of the text of this many bytes, followed by zeros so that no letter, digit or blank continues after it. */
function endOf(length: usize): usize {
  const end = text + length;
  v128.store(end, i64x2.splat(0));
  return end;
}

/** True if the text of this many bytes is well-formed UTF-8. */
export function isWellFormed(length: usize): bool {
  return isWellFormedUtf8(text, endOf(length));
}

/** Number of tokens of the text of this many bytes, which must be well-formed UTF-8. */
export function count(length: usize): u32 {
  const end = endOf(length);
  let tokens: u32 = 0;
  for (let start = text; start < end;) {
    const found = findPieces(start, end);
    tokens += countFound(start, found, end);
    start = <usize>load<u32>(found - 4);
  }
  return tokens;
}
