// AssemblyScript, compiled to WebAssembly by scripts/lib/binariesPlugin.mjs. Finds the different words of a UTF-8 text.
// Sixteen bytes at a time are classified to find the ends of words. Then each word is looked up by its first eight
// bytes, or by a 64-bit hash if it is longer. JavaScript reserves memory, writes a text there, calls `find`, and reads
// the words after it.

import { growTo } from '../../base/assembly/memory';

/** Table of the known words of one text: open addressing, so half of the slots stay free. */
const slotBits: u32 = 15;
const slots: u32 = 1 << slotBits;
const mostKnown: u32 = slots / 2;
/** A slot: the round in which it was taken, the word's length, and its key. */
const slotSize: usize = 16;
const lengthOffset: usize = 4;
const keyOffset: usize = 8;

const table: usize = 1024;
const tableEnd: usize = table + <usize>slots * slotSize;
const room: usize = tableEnd;

/** The number of bytes handled at once: one bit of a 64-bit number for each. */
const step: usize = 64;
const space: u8 = 0x20;
/** An odd number whose bits have no pattern: the golden ratio. */
const mixer: u64 = 0x9e3779b97f4a7c15;

/** The address of the bits that mark the bytes of words. */
let bits: usize = 0;
let words: usize = 0;
/** Slots of earlier rounds are free. */
let round: u32 = 0;
let known: u32 = 0;

/** Reserves memory for a text of this many bytes and for its words, and returns the text's address. */
export function reserve(length: usize): usize {
  const padded = (length + step) & ~(step - 1);
  bits = room + padded;
  words = bits + padded / 8;
  // Every word, including the last, is followed by a space and written in pieces of eight bytes.
  growTo(words + length + 16);
  return room;
}

/** The address of the words. */
export function wordsAt(): usize {
  return words;
}

/**
 * Replaces frequent signs of tool output with spaces: punctuation, arrows, box drawing, ticks. All are three bytes long
 * and not letters, digits or marks.
 * @returns true if there are other characters beyond ASCII
 */
export function blankSigns(length: usize): bool {
  const end = room + length;
  memory.fill(end, 0, step);
  let hasOthers = false;
  for (let at = room; at < end; at += 16) {
    let beyond = i8x16.bitmask(v128.load(at));
    while (beyond != 0) {
      const place = at + <usize>ctz(beyond);
      beyond &= beyond - 1;
      const first: u32 = load<u8>(place);
      if (first == 0xe2 && isSign(load<u8>(place, 1), load<u8>(place, 2))) {
        store<u16>(place, 0x2020);
        store<u8>(place, space, 2);
      } else if (first >= 0xc0) {
        hasOthers = true;
      }
    }
  }
  return hasOthers;
}

/** True for U+2000 to U+206F, U+2190 to U+245F, and U+2500 to U+2775. */
function isSign(second: u32, third: u32): bool {
  const point: u32 = 0x2000 | ((second & 0x3f) << 6) | (third & 0x3f);
  return point < 0x2070 || point - 0x2190 < 0x2d0 || point - 0x2500 < 0x276;
}

/**
 * Finds the words of the text at the reserved address, and writes each of them once, followed by a space. If there are
 * very many words, one may be repeated.
 * @returns the length of the written words, in bytes
 */
export function find(length: usize): usize {
  forget();
  const end = room + length;
  memory.fill(end, 0, step);
  let to = words;
  let start: usize = 0;
  let wasWord: u64 = 0;
  for (let at = room; at <= end; at += step) {
    const isWord = fold(at) | (fold(at + 16) << 16) | (fold(at + 32) << 32) | (fold(at + 48) << 48);
    // The beginning of each word, and the byte after its end.
    let changes = isWord ^ ((isWord << 1) | wasWord);
    wasWord = isWord >>> 63;
    while (changes != 0) {
      const place = at + <usize>ctz(changes);
      changes &= changes - 1;
      if (start == 0) {
        start = place;
      } else {
        to = add(start, place - start, to);
        start = 0;
      }
    }
  }
  return to - words;
}

/** Converts sixteen bytes to lower case, and marks the bytes of words: letters, digits, and everything beyond ASCII. */
function fold(at: usize): u64 {
  const bytes = v128.load(at);
  const isCapital = isWithin(bytes, 0x41, 26);
  const small = v128.or(bytes, v128.and(isCapital, i8x16.splat(0x20)));
  v128.store(at, small);
  // The highest bit of a byte beyond ASCII is set.
  const isWord = v128.or(v128.or(isWithin(small, 0x61, 26), isWithin(small, 0x30, 10)), bytes);
  return <u64>i8x16.bitmask(isWord);
}

function isWithin(bytes: v128, first: i8, count: i8): v128 {
  return i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(first)), i8x16.splat(count));
}

/** Writes a word if it is new, and returns the address for the next one. */
function add(start: usize, length: usize, to: usize): usize {
  let key = eightBytes(start, length);
  if (length > 8) {
    for (let at: usize = 8; at < length; at += 8) {
      key = (key ^ (key >>> 29)) * mixer + eightBytes(start + at, length - at);
    }
    key ^= key >>> 32;
  }
  if (!isNew(key, <u32>length)) {
    return to;
  }
  for (let at: usize = 0; at < length; at += 8) {
    store<u64>(to + at, load<u64>(start + at));
  }
  store<u8>(to + length, space);
  return to + length + 1;
}

/** At most eight bytes of a word, without the bytes after it. */
function eightBytes(at: usize, length: usize): u64 {
  const bytes = load<u64>(at);
  return length >= 8 ? bytes : bytes & (((<u64>1) << (<u64>length * 8)) - 1);
}

function isNew(key: u64, length: u32): bool {
  if (known == mostKnown) {
    forget();
  }
  let slot = table + <usize>((key * mixer) >>> (64 - slotBits)) * slotSize;
  while (load<u32>(slot) == round) {
    if (load<u64>(slot, keyOffset) == key && load<u32>(slot, lengthOffset) == length) {
      return false;
    }
    slot += slotSize;
    if (slot == tableEnd) {
      slot = table;
    }
  }
  known += 1;
  store<u32>(slot, round);
  store<u32>(slot, length, lengthOffset);
  store<u64>(slot, key, keyOffset);
  return true;
}

function forget(): void {
  round += 1;
  known = 0;
  if (round == 0) {
    memory.fill(table, 0, <usize>slots * slotSize);
    round = 1;
  }
}
