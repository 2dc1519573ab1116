// AssemblyScript, compiled to WebAssembly by scripts/lib/tokenizerPlugin.mjs. Finds the different words of a text in one pass
// over its UTF-8 bytes. JavaScript reserves room, writes a text there, calls `find`, and reads the words behind the text.

/** Words of one text that are known, by their hash: open addressing, so half of the slots stay free. */
const slots: u32 = 1 << 15;
const mostKnown: u32 = slots / 2;
/** A slot: the round in which it was taken, the word's hash, its address and its length. */
const slotSize: usize = 16;

const table: usize = 1024;
/** For each byte 0 if it separates words, else the byte with a small letter for a capital one. */
const folded: usize = table + <usize>slots * slotSize;
const room: usize = folded + 256;

const space: u8 = 0x20;

let words: usize = 0;
/** Slots of earlier rounds are free. */
let round: u32 = 0;
let known: u32 = 0;

function grow(to: usize): void {
  const missing = <i32>((to + 0xffff) >>> 16) - memory.size();
  if (missing > 0 && memory.grow(missing) < 0) {
    unreachable();
  }
}

function fillFolded(): void {
  for (let byte: u32 = 0; byte < 256; byte++) {
    const isCapital = byte - 0x41 < 26;
    const isWord = isCapital || byte - 0x61 < 26 || byte - 0x30 < 10 || byte > 0x7f;
    store<u8>(folded + byte, isWord ? <u8>(isCapital ? byte | 0x20 : byte) : 0);
  }
}

/** Makes room for a text of so many bytes and for its words, and returns the text's address. */
export function reserve(length: usize): usize {
  if (words == 0) {
    grow(room);
    fillFolded();
  }
  // A word is followed by a space, also the last one.
  words = room + length;
  grow(words + length + 1);
  return room;
}

/** Where the words stand. */
export function wordsAt(): usize {
  return words;
}

/**
 * Finds the words of the text at the reserved address, and writes each of them once with a space behind it. A word may come
 * again where there are very many of them.
 * @returns the length of what was written, in bytes
 */
export function find(length: usize): usize {
  forget();
  let at = room;
  const end = room + length;
  let to = words;
  while (at < end) {
    let byte = load<u8>(folded + load<u8>(at));
    if (byte == 0) {
      at++;
      continue;
    }
    const start = to;
    let hash: u32 = 0x811c9dc5;
    do {
      store<u8>(to, byte);
      to++;
      hash = (hash ^ byte) * 0x01000193;
      at++;
      if (at == end) {
        break;
      }
      byte = load<u8>(folded + load<u8>(at));
    } while (byte != 0);
    if (isNew(hash ^ (hash >>> 15), start, <u32>(to - start))) {
      store<u8>(to, space);
      to++;
    } else {
      to = start;
    }
  }
  return to - words;
}

function forget(): void {
  round += 1;
  known = 0;
  if (round == 0) {
    memory.fill(table, 0, <usize>slots * slotSize);
    round = 1;
  }
}

function isNew(hash: u32, start: usize, length: u32): bool {
  if (known == mostKnown) {
    forget();
  }
  let slot = table + <usize>(hash & (slots - 1)) * slotSize;
  while (load<u32>(slot) == round) {
    if (
      load<u32>(slot, 4) == hash &&
      load<u32>(slot, 12) == length &&
      memory.compare(load<u32>(slot, 8), start, length) == 0
    ) {
      return false;
    }
    slot += slotSize;
    if (slot == folded) {
      slot = table;
    }
  }
  known += 1;
  store<u32>(slot, round);
  store<u32>(slot, hash, 4);
  store<u32>(slot, <u32>start, 8);
  store<u32>(slot, length, 12);
  return true;
}
