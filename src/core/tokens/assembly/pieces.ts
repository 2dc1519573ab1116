// AssemblyScript: splits a text into the pieces that an encoding's pattern matches.
import { classes, foundPieces, mostFound } from './memory';
import {
  afterSigns,
  anyPieceEnd,
  apostrophe,
  isO200k,
  lineEnd,
  lower,
  numeral,
  other,
  space,
  upper,
} from './pattern';

/**
 * Writes the ends of the pieces from `from` on, up to the available memory. Returns the end of the written pieces. 16
 * zero bytes must follow the text.
 */
export function findPieces(from: usize, end: usize): usize {
  const letterA = i8x16.splat(0x61);
  const letters = i8x16.splat(26);
  const caseBit = i8x16.splat(0x20);
  const o200k = isO200k;
  let start = from;
  let found = foundPieces;
  while (start < end && found < foundPieces + 4 * mostFound) {
    const first: u32 = load<u8>(start);
    let at: usize = 0;
    if (first < 0x80) {
      const kind: u32 = load<u8>(classes + first);
      const bytes = v128.load(start);
      const lowers = i8x16.bitmask(i8x16.lt_u(i8x16.sub(bytes, letterA), letters));
      const all = i8x16.bitmask(i8x16.lt_u(i8x16.sub(v128.or(bytes, caseBit), letterA), letters));
      const before = <i32>(kind !== lower && kind !== upper);
      const word = all >>> before;
      if ((word & 1) !== 0 && kind !== numeral && kind !== lineEnd) {
        let size = before;
        if (o200k) {
          const uppers = ctz<i32>(~(word & ~(lowers >>> before)));
          size += uppers + ctz<i32>(~(lowers >>> (before + uppers)));
        } else {
          size += ctz<i32>(~word);
        }
        if (size < 16) {
          const next: u32 = load<u8>(start + size);
          if (next < 0x80 && (o200k ? next !== apostrophe : first !== apostrophe)) {
            at = start + size;
          }
        }
      } else if (kind === numeral) {
        at = start + 1;
        if (<u32>load<u8>(classes + <usize>load<u8>(at)) === numeral) {
          at++;
          if (<u32>load<u8>(classes + <usize>load<u8>(at)) === numeral) {
            at++;
          }
        }
        if (at < start + 3 && <u32>load<u8>(at) >= 0x80) {
          at = 0;
        }
      } else if (
        kind === other ||
        (first === space && <u32>load<u8>(classes + <usize>load<u8>(start, 1)) === other)
      ) {
        at = start + 1;
        let next: u32 = load<u8>(at);
        while (<u32>load<u8>(classes + next) === other && next < 0x80 && at < end) {
          next = load<u8>(++at);
        }
        at = next >= 0x80 && at < end ? 0 : afterSigns(min(at, end), end);
      } else {
        at = blanksEndOfAscii(start, end);
      }
    }
    if (at === 0) {
      at = anyPieceEnd(start, end);
    }
    store<u32>(found, <u32>at);
    found += 4;
    start = at;
  }
  return found;
}

/** Like `blanksEnd`, or 0 if a code point beyond ASCII may continue the blanks. */
function blanksEndOfAscii(start: usize, end: usize): usize {
  let at = start;
  let lines: usize = 0;
  let byte: u32 = load<u8>(at);
  while (true) {
    if (byte === space || byte === 9) {
      at++;
    } else if (byte === 10 || byte === 13) {
      lines = ++at;
    } else if (byte === 11 || byte === 12) {
      at++;
    } else {
      break;
    }
    byte = load<u8>(at);
  }
  if (byte >= 0x80 && at < end) {
    return 0;
  }
  return lines !== 0 ? lines : at >= end || at === start + 1 ? at : at - 1;
}
