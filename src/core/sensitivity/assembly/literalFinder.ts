// AssemblyScript, compiled to WebAssembly by scripts/lib/tokenizerPlugin.mjs. Finds many literals, and long runs of the
// characters of base64, in one pass over the UTF-8 bytes of a text. Three characters at a time are looked up in a table;
// only where the rarest three of a literal stand is anything compared. JavaScript writes the tables and the literals once,
// then each text into the memory, calls `begin`, and `next` until the end is reached.

/** Three characters as one number: of each, the six bits that tell ASCII characters apart without case. */
const keys: usize = 1 << 18;
const keyMask: u32 = 0x3ffff;

// The memory, in this order: a bit for each key that a literal has; the number of the last literal with it; for each
// byte 1 if it is a character of base64, and how rare it is; what was found; the literals; the text.
const hasLiteral: usize = 1024;
const lastWithKey: usize = hasLiteral + keys / 8;
const isOfRun: usize = lastWithKey + keys * 2;
const rarity: usize = isOfRun + 256;
const found: usize = rarity + 256;
const mostFound: u32 = 4096;
/** What may be found at one place. */
const mostAtOnce: u32 = 64;
const literals: usize = found + 8 * <usize>mostFound;

// A literal: the number of the one before it with the same key, where its key begins, its length, and its folded bytes.
const keyOffset: usize = 2;
const lengthOffset: usize = 3;
const bytesOffset: usize = 4;
const literalSize: usize = 64;

let count: u32 = 0;
let room: usize = 0;
let end: usize = 0;
let place: usize = 0;
let key: u32 = 0;
let run: u32 = 0;
let isAscii: bool = false;
/** UTF-16 units of the text up to an address. */
let units: u32 = 0;
let counted: usize = 0;

function fold(byte: u32): u32 {
  return byte | 32;
}

function next3(last: u32, byte: u32): u32 {
  return ((last << 6) | (byte & 31) | ((byte & 64) >> 1)) & keyMask;
}

function grow(to: usize): void {
  const missing = <i32>((to + 0xffff) >>> 16) - memory.size();
  if (missing > 0 && memory.grow(missing) < 0) {
    unreachable();
  }
}

/** Makes room for a text, or for the text of so many literals, and returns its address. */
export function reserve(length: usize, newLiterals: usize): usize {
  room = literals + (<usize>count + newLiterals + 1) * literalSize;
  grow(room + length);
  return room;
}

/** Where the two tables stand: 256 bytes that are 1 for characters of runs, and 256 that say how rare each byte is. */
export function tablesAt(): usize {
  grow(literals);
  return isOfRun;
}

/** Where the numbers of what was found stand: for each its start in the text in UTF-16 units, and the literal; 0 is a run. */
export function foundAt(): usize {
  return found;
}

/**
 * Adds the literals at the reserved address; a zero ends each of them.
 * @returns false if one is too long
 */
export function addLiterals(length: usize): bool {
  let start = room;
  for (let at = room; at < room + length; at++) {
    if (load<u8>(at) == 0) {
      if (at - start > literalSize - bytesOffset) {
        return false;
      }
      addLiteral(start, at - start);
      start = at + 1;
    }
  }
  return true;
}

/**
 * Where the rarest three bytes of a literal begin. Only ASCII stands before them, so that their distance from the
 * literal's start is the same in UTF-16 units.
 */
function rarestIn(start: usize, length: usize): usize {
  let best: usize = 0;
  let highest: u32 = 0;
  for (let at: usize = 0; at + 2 < length; at++) {
    const rare =
      <u32>load<u8>(rarity + load<u8>(start + at)) +
      load<u8>(rarity + load<u8>(start + at + 1)) +
      load<u8>(rarity + load<u8>(start + at + 2));
    if (rare > highest) {
      highest = rare;
      best = at;
    }
    if (load<u8>(start + at) > 127) {
      break;
    }
  }
  return best;
}

function addLiteral(start: usize, length: usize): void {
  count += 1;
  const literal = literals + <usize>count * literalSize;
  const rarest = rarestIn(start, length);
  let rare: u32 = 0;
  for (let index: usize = 0; index < length; index++) {
    const byte = load<u8>(start + index);
    store<u8>(literal + bytesOffset + index, <u8>fold(byte));
    if (index >= rarest && index < rarest + 3) {
      rare = next3(rare, byte);
    }
  }
  store<u16>(literal, load<u16>(lastWithKey + <usize>rare * 2));
  store<u8>(literal, <u8>rarest, keyOffset);
  store<u8>(literal, <u8>length, lengthOffset);
  store<u16>(lastWithKey + <usize>rare * 2, <u16>count);
  const bits = hasLiteral + (rare >>> 3);
  const bit: u32 = 1 << (rare & 7);
  store<u8>(bits, load<u8>(bits) | (<u8>bit));
}

/** Begins with the text at the reserved address. */
export function begin(length: usize, hasOnlyAscii: bool): void {
  place = room;
  end = room + length;
  key = 0;
  run = 0;
  isAscii = hasOnlyAscii;
  units = 0;
  counted = room;
}

/** Whether the whole text was looked at. */
export function isOver(): bool {
  return place == end;
}

/** UTF-16 units before an address; addresses come in ascending order. */
function unitsTo(address: usize): u32 {
  if (isAscii) {
    return <u32>(address - room);
  }
  for (; counted < address; counted++) {
    const byte = load<u8>(counted);
    units += <u32>((byte & 0xc0) != 0x80) + <u32>(byte >= 0xf0);
  }
  return units;
}

/** Looks for more, and returns how much it found. A run is found where it has `shortestRun` characters. */
export function next(shortestRun: u32): u32 {
  let hits: u32 = 0;
  let last = key;
  let length = run;
  let at = place;
  for (; at < end && hits < mostFound - mostAtOnce; at++) {
    const byte = <u32>load<u8>(at);
    length = load<u8>(isOfRun + byte) != 0 ? length + 1 : 0;
    if (length == shortestRun) {
      hits = add(hits, unitsTo(at) + 1 - shortestRun, 0);
    }
    last = next3(last, byte);
    if ((load<u8>(hasLiteral + (last >>> 3)) & (1 << (last & 7))) != 0) {
      hits = compare(at - 2, last, hits);
    }
  }
  key = last;
  run = length;
  place = at;
  return hits;
}

function add(hits: u32, start: u32, literal: u32): u32 {
  if (hits < mostFound) {
    store<u32>(found + 8 * <usize>hits, start);
    store<u32>(found + 8 * <usize>hits, literal, 4);
    return hits + 1;
  }
  return hits;
}

/** Adds the literals whose rarest three characters begin at an address. */
function compare(at: usize, rare: u32, before: u32): u32 {
  let hits = before;
  for (let number = load<u16>(lastWithKey + <usize>rare * 2); number != 0;) {
    const literal = literals + <usize>number * literalSize;
    const offset = <usize>load<u8>(literal, keyOffset);
    const length = <usize>load<u8>(literal, lengthOffset);
    if (at >= room + offset && at - offset + length <= end && standsAt(literal, length, at - offset)) {
      hits = add(hits, unitsTo(at) - <u32>offset, number);
    }
    number = load<u16>(literal);
  }
  return hits;
}

function standsAt(literal: usize, length: usize, start: usize): bool {
  for (let index: usize = 0; index < length; index++) {
    if (fold(load<u8>(start + index)) != <u32>load<u8>(literal + bytesOffset + index)) {
      return false;
    }
  }
  return true;
}
