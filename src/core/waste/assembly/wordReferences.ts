// AssemblyScript, compiled to WebAssembly by scripts/lib/binariesPlugin.mjs. Reads the texts of a session as UTF-8 and notes
// which of them refer to which, by the rules of wordReferences.ts. JavaScript calls `begin` for a session, then writes each
// text into the reserved room and calls `read`.

import { growTo } from '../../base/assembly/memory';

// The same numbers as in wordReferences.ts.
const result: u32 = 2;
const call: u32 = 1;
const use: u32 = 0;

/** Longer plain words are rare enough that one of them in a later text is a reference. */
const rareLength: u32 = 9;
const leastLetters: u32 = 4;
const leastWithDigits: u32 = 3;
/** A word that more results hold does not tell which of them is meant. */
const fewResults: u32 = 16;
/** Scripts without spaces between words, from here on: each pair of characters counts as a word. */
const firstUnspaced: u32 = 0x2e80;

const plain: u32 = 1;
const rare: u32 = 2;
/** So many plain words of a result in one later text are a reference. */
const plainWords: u32 = 3;

// What a byte is, in bits: none of them for what is no letter, and for all beyond ASCII.
const small: u32 = 1;
const digit: u32 = 2;
const underscore: u32 = 4;
/** Also what makes a small letter of a capital one. */
const capital: u32 = 0x20;

const prime: u32 = 0x01000193;

/** Of each byte. */
const sorts: usize = 1024;

// Words that were met lately: the hash and the text, so that most words that a text has twice cost no look into the table
// of all words, which no cache of the machine holds.
const lately: usize = sorts + 256;
const latelyMask: u32 = (1 << 11) - 1;
const start: usize = lately + <usize>(latelyMask + 1) * 8;

// A block: the last text that refers to it, how many different words it brought up, how many it holds, the text that holds
// plain words of it, and how many. Blocks are counted from 1 here, so that 0 stands for none.
const blockSize: usize = 20;
const broughtOffset: usize = 4;
const heldOffset: usize = 8;
const plainUseOffset: usize = 12;
const plainCountOffset: usize = 16;

// A word: its hash, 0 for a free slot; the first text with it, the newest, the newest result, the newest entry of `chains`,
// and how many results hold it.
const wordSize: usize = 24;
const firstOffset: usize = 4;
const newestOffset: usize = 8;
const newestResultOffset: usize = 12;
const chainOffset: usize = 16;
const resultsOffset: usize = 20;
const leastWords: u32 = 1 << 12;

// A result that holds a word, and the entry before it of the same word.
const entrySize: usize = 8;
const beforeOffset: usize = 4;
const leastEntries: u32 = 1 << 10;

let blocks: usize = 0;
let words: usize = 0;
let wordMask: u32 = 0;
let wordCount: u32 = 0;
let entries: usize = 0;
let entryCount: u32 = 0;
let entryRoom: u32 = 0;
let room: usize = 0;
let roomLength: usize = 0;
/** Where the memory is free from. */
let free: usize = 0;

function allocate(length: usize): usize {
  const at = free;
  free = (at + length + 7) & ~7;
  growTo(free);
  return at;
}

function cleared(length: usize): usize {
  const at = allocate(length);
  memory.fill(at, 0, length);
  return at;
}

/** Forgets all that was read, for a session with so many blocks. */
export function begin(count: usize): void {
  free = start;
  for (let byte: u32 = 0; byte < 128; byte++) {
    const sort =
      byte - 0x61 < 26
        ? small
        : byte - 0x41 < 26
          ? capital
          : byte - 0x30 < 10
            ? digit
            : byte == 0x5f
              ? underscore
              : 0;
    store<u8>(sorts + byte, <u8>sort);
  }
  memory.fill(lately, 0, start - lately);
  blocks = cleared((count + 1) * blockSize);
  words = cleared(<usize>leastWords * wordSize);
  wordMask = leastWords - 1;
  wordCount = 0;
  entries = allocate(<usize>leastEntries * entrySize);
  entryRoom = leastEntries;
  entryCount = 0;
  roomLength = 0;
}

/** Makes room for a text of so many bytes, and returns its address. */
export function reserve(length: usize): usize {
  if (length > roomLength) {
    roomLength = length + (length >> 1);
    room = allocate(roomLength + 2);
  }
  return room;
}

/** Where five numbers for each block stand: of them the first three are for JavaScript, and blocks are counted from 1. */
export function blocksAt(): usize {
  return blocks + blockSize;
}

/**
 * Reads the text at the reserved address.
 * @param seed another one for each conversation
 */
export function read(length: usize, block: u32, seed: u32, role: u32): void {
  const end = room + length;
  const number = block + 1;
  // Nothing behind the end belongs to a word.
  store<u16>(end, 0x2020);
  let at = room;
  // The word before a point.
  let before: u32 = 0;
  for (;;) {
    let letters: u32 = 0;
    let hash = seed;
    // All that its bytes are, and whether a capital stands behind a small letter.
    let has: u32 = 0;
    let isMixed: u32 = 0;
    let last: u32 = 0;
    let unit: u32 = load<u8>(at);
    for (;;) {
      let sort: u32 = load<u8>(sorts + unit);
      while (sort != 0) {
        hash = (hash ^ (unit | (sort & capital))) * prime;
        has |= sort;
        isMixed |= (sort >>> 5) & last;
        last = sort;
        letters++;
        at++;
        unit = load<u8>(at);
        sort = load<u8>(sorts + unit);
      }
      if (unit < 0x80) {
        break;
      }
      const point = pointAt(at, unit);
      if (point >= firstUnspaced) {
        break;
      }
      hash = (hash ^ point) * prime;
      last = 0;
      letters++;
      at += sizeOf(unit);
      unit = load<u8>(at);
    }
    if (letters > 0) {
      // The name of a member is the tool's word, not the model's.
      const isName = role == call && unit == 0x22 && load<u8>(at, 1) == 0x3a;
      const hasDigit = (has & digit) != 0;
      if (!isName && (letters >= leastLetters || (hasDigit && letters >= leastWithDigits))) {
        const isRare = (has & (digit | underscore)) != 0 || isMixed != 0 || letters >= rareLength;
        meet(number, hash, role, isRare ? rare : plain);
      }
      if (before != 0) {
        meet(number, (before * 31) ^ hash, role, rare);
      }
    }
    if (at >= end) {
      return;
    }
    before = unit == 0x2e && letters >= 2 ? hash : 0;
    const separator = at;
    at += sizeOf(unit);
    if (unit == 0x5c && role == call) {
      at += at < end ? sizeOf(load<u8>(at)) : 0;
    } else if (unit > 0x7f && at < end && load<u8>(at) > 0x7f) {
      // What is beyond ASCII and in no word is from `firstUnspaced` on.
      const point = pointAt(separator, unit);
      const next = pointAt(at, load<u8>(at));
      if (next >= firstUnspaced) {
        meet(number, (((seed ^ point) * prime) ^ next) * prime, role, plain);
      }
    }
  }
}

/** Of the character that begins with a byte, in UTF-8. */
function sizeOf(first: u32): usize {
  return first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

function pointAt(at: usize, first: u32): u32 {
  const second = load<u8>(at, 1) & 0x3f;
  if (first < 0xe0) {
    return ((first & 0x1f) << 6) | second;
  }
  const third = load<u8>(at, 2) & 0x3f;
  if (first < 0xf0) {
    return ((first & 0x0f) << 12) | (second << 6) | third;
  }
  return ((first & 0x07) << 18) | (second << 12) | (third << 6) | (load<u8>(at, 3) & 0x3f);
}

function add(at: usize, amount: u32): void {
  store<u32>(at, load<u32>(at) + amount);
}

function slotOf(table: usize, mask: u32, key: u32): usize {
  let slot = (key ^ (key >>> 15)) & mask;
  let at = table + <usize>slot * wordSize;
  for (let found = load<u32>(at); found != 0 && found != key; found = load<u32>(at)) {
    slot = (slot + 1) & mask;
    at = table + <usize>slot * wordSize;
  }
  return at;
}

function meet(block: u32, hash: u32, role: u32, weight: u32): void {
  const key = hash == 0 ? 1 : hash;
  const met = lately + <usize>((key ^ (key >>> 15)) & latelyMask) * 8;
  if (load<u32>(met) == key && load<u32>(met, 4) == block) {
    return;
  }
  store<u32>(met, key);
  store<u32>(met, block, 4);
  const word = slotOf(words, wordMask, key);
  const isNew = load<u32>(word) == 0;
  if (!isNew && load<u32>(word, newestOffset) == block) {
    return;
  }
  const own = blocks + <usize>block * blockSize;
  add(own + heldOffset, 1);
  if (isNew) {
    store<u32>(word, key);
    store<u32>(word, block, firstOffset);
    add(own + broughtOffset, 1);
    wordCount++;
  } else if (role == use || role == call) {
    referTo(word, block, weight);
  }
  store<u32>(word, block, newestOffset);
  if (role == result) {
    store<u32>(word, block, newestResultOffset);
    const results = load<u32>(word, resultsOffset) + 1;
    if (results <= fewResults) {
      link(word, block);
    }
    store<u32>(word, results, resultsOffset);
  }
  if (isNew && wordCount * 2 > wordMask) {
    enlarge();
  }
}

/** Notes whom a text means by a word. */
function referTo(word: usize, by: u32, weight: u32): void {
  const newestResult = load<u32>(word, newestResultOffset);
  if (newestResult == 0) {
    refer(load<u32>(word, firstOffset), by, weight);
  }
  if (load<u32>(word, resultsOffset) <= fewResults) {
    for (let entry = load<u32>(word, chainOffset); entry != 0;) {
      const at = entries + <usize>(entry - 1) * entrySize;
      refer(load<u32>(at), by, weight);
      entry = load<u32>(at, beforeOffset);
    }
  } else if (weight == rare) {
    refer(newestResult, by, weight);
  }
}

function refer(to: u32, by: u32, weight: u32): void {
  if (to == 0 || to == by) {
    return;
  }
  const meant = blocks + <usize>to * blockSize;
  if (weight != plain) {
    store<u32>(meant, by);
    return;
  }
  const count = load<u32>(meant, plainUseOffset) == by ? load<u32>(meant, plainCountOffset) + 1 : 1;
  store<u32>(meant, by, plainUseOffset);
  store<u32>(meant, count, plainCountOffset);
  if (count >= plainWords) {
    store<u32>(meant, by);
  }
}

function link(word: usize, block: u32): void {
  if (entryCount == entryRoom) {
    const before = entries;
    entries = allocate(<usize>entryRoom * 2 * entrySize);
    memory.copy(entries, before, <usize>entryRoom * entrySize);
    entryRoom *= 2;
  }
  const at = entries + <usize>entryCount * entrySize;
  store<u32>(at, block);
  store<u32>(at, load<u32>(word, chainOffset), beforeOffset);
  entryCount++;
  store<u32>(word, entryCount, chainOffset);
}

function enlarge(): void {
  const before = words;
  const end = before + <usize>(wordMask + 1) * wordSize;
  wordMask = wordMask * 2 + 1;
  words = cleared(<usize>(wordMask + 1) * wordSize);
  for (let at = before; at < end; at += wordSize) {
    const key = load<u32>(at);
    if (key != 0) {
      memory.copy(slotOf(words, wordMask, key), at, wordSize);
    }
  }
}
