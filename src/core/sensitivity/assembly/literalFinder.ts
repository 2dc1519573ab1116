// AssemblyScript, compiled to WebAssembly by scripts/lib/binariesPlugin.mjs. Finds many literals, and long runs of
// base64 characters, in one pass over the UTF-8 bytes of a text. Three characters at a time are looked up in a table.
// Literals are compared only where their rarest three characters occur. The same table has the keys of other places
// where a finding may begin. JavaScript writes the table and the literals once, then each text into the memory, calls
// `begin`, and calls `next` until the end is reached.

import { growTo } from '../../base/assembly/memory';

/** Three characters as one number: for each, the six bits that distinguish ASCII characters without case. */
const keys: usize = 1 << 18;
const keyMask: u32 = 0x3ffff;

// The memory, in this order: a bit for each key that a literal has; the number of the last literal with it; for each
// byte, 1 if it is a base64 character; the findings; the literals; the text.
const hasLiteral: usize = 1024;
const lastWithKey: usize = hasLiteral + keys / 8;
const isOfRun: usize = lastWithKey + keys * 2;
const found: usize = isOfRun + 256;
const mostFound: u32 = 4096;
/** Maximum number of findings at one place. */
const mostAtOnce: u32 = 64;
const literals: usize = found + 8 * <usize>mostFound;

// A literal: the number of the previous literal with the same key, the offset of its key, its length, the conditions
// around it as bits and as a number of characters, and its bytes, folded if case is ignored.
const keyOffset: usize = 2;
const lengthOffset: usize = 3;
const checksOffset: usize = 4;
const behindOffset: usize = 5;
const bytesOffset: usize = 6;
const literalSize: usize = 64;

// The same flags as in literalSearch.ts.
const isExact: u32 = 1;
const beginsWord: u32 = 2;
const endsName: u32 = 4;

// The numbers of places, in the same order as in literalSearch.ts. The numbers of literals follow.
const runPlace: u32 = 0;
const writtenPlace: u32 = 1;
const emailPlace: u32 = 2;
const phonePlace: u32 = 3;
const accountPlace: u32 = 4;
const cardPlace: u32 = 5;

let count: u32 = cardPlace;
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

/** Reserves memory for a text, or for the text of this many literals, and returns its address. */
export function reserve(length: usize, newLiterals: usize): usize {
  room = literals + (<usize>count + newLiterals + 1) * literalSize;
  growTo(room + length);
  return room;
}

/** The address of a table of 256 bytes that are 1 for characters of runs. */
export function tableAt(): usize {
  growTo(literals);
  addPlaces();
  return isOfRun;
}

function mark(first: u32, second: u32, third: u32): void {
  addKey(next3(next3(next3(0, first), second), third));
}

function addKey(rare: u32): void {
  const bits = hasLiteral + (rare >>> 3);
  const bit: u32 = 1 << (rare & 7);
  store<u8>(bits, load<u8>(bits) | <u8>bit);
}

/** Adds the keys that `place3` examines. */
function addPlaces(): void {
  // Bytes 32 to 95 cover all keys of one character, because the keys ignore case.
  for (let byte: u32 = 32; byte < 96; byte++) {
    for (let digit: u32 = 0x30; digit < 0x3a; digit++) {
      mark(byte, 0x2b, digit);
      mark(byte, 0x40, digit);
    }
    for (let letter: u32 = 0x41; letter < 0x5b; letter++) {
      mark(byte, 0x40, letter);
    }
  }
  for (let digit: u32 = 0x30; digit < 0x3a; digit++) {
    mark(0x26, 0x23, digit);
    mark(0x5c, 0x78, digit);
    for (let first: u32 = 0x30; first < 0x3a; first++) {
      mark(0x25, first, digit);
      for (let second: u32 = 0x30; second < 0x3a; second++) {
        mark(first, second, digit);
      }
    }
    for (let letter: u32 = 0x41; letter < 0x5b; letter++) {
      mark(0x25, digit, letter);
      for (let second: u32 = 0x41; second < 0x5b; second++) {
        mark(letter, second, digit);
      }
    }
  }
  mark(0x5c, 0x75, 0x30);
  mark(0x26, 0x23, 0x78);
  mark(0x26, 0x71, 0x75);
  mark(0x26, 0x61, 0x6d);
  mark(0x26, 0x61, 0x70);
  mark(0x26, 0x6c, 0x74);
  mark(0x26, 0x67, 0x74);
}

/**
 * The address of the findings. Each has its start in the text in UTF-16 units and the number of the literal; 0 is a
 * run.
 */
export function foundAt(): usize {
  return found;
}

/**
 * Adds the literals at the reserved address. Three bytes precede each literal: its checks, how many base64 characters
 * follow it, and the offset of its rarest three bytes, all plus one. A zero byte ends each literal.
 * @returns false if one is too long
 */
export function addLiterals(length: usize): bool {
  let start = room;
  for (let at = room; at < room + length; at++) {
    if (load<u8>(at) == 0) {
      if (at - start - 3 > literalSize - bytesOffset) {
        return false;
      }
      addLiteral(start + 3, at - start - 3);
      start = at + 1;
    }
  }
  return true;
}

function addLiteral(start: usize, length: usize): void {
  count += 1;
  const literal = literals + <usize>count * literalSize;
  const rarest = <usize>load<u8>(start - 1) - 1;
  const checks = <u32>load<u8>(start - 3) - 1;
  store<u8>(literal, <u8>checks, checksOffset);
  store<u8>(literal, load<u8>(start - 2) - 1, behindOffset);
  let rare: u32 = 0;
  for (let index: usize = 0; index < length; index++) {
    const byte = load<u8>(start + index);
    store<u8>(literal + bytesOffset + index, (checks & isExact) != 0 ? <u8>byte : <u8>fold(byte));
    if (index >= rarest && index < rarest + 3) {
      rare = next3(rare, byte);
    }
  }
  store<u16>(literal, load<u16>(lastWithKey + <usize>rare * 2));
  store<u8>(literal, <u8>rarest, keyOffset);
  store<u8>(literal, <u8>length, lengthOffset);
  store<u16>(lastWithKey + <usize>rare * 2, <u16>count);
  addKey(rare);
}

/** Starts the search in the text at the reserved address. */
export function begin(length: usize, hasOnlyAscii: bool): void {
  place = room;
  end = room + length;
  key = 0;
  run = 0;
  isAscii = hasOnlyAscii;
  units = 0;
  counted = room;
}

/** True if the whole text was searched. */
export function isOver(): bool {
  return place == end;
}

/**
 * UTF-16 units before an address. Addresses come in ascending order, except those just after the characters of a run.
 */
function unitsTo(address: usize): u32 {
  if (isAscii) {
    return <u32>(address - room);
  }
  if (address < counted) {
    return units - <u32>(counted - address);
  }
  for (; counted < address; counted++) {
    const byte = load<u8>(counted);
    units += <u32>((byte & 0xc0) != 0x80) + <u32>(byte >= 0xf0);
  }
  return units;
}

/** Continues the search and returns the number of findings. A run counts from `shortestRun` characters on. */
export function next(shortestRun: u32): u32 {
  let hits: u32 = 0;
  let last = key;
  let length = run;
  let at = place;
  for (; at < end && hits < mostFound - mostAtOnce; at++) {
    const byte = <u32>load<u8>(at);
    length = isOfWord(byte) ? length + 1 : 0;
    if (length == shortestRun) {
      hits = add(hits, unitsTo(at) + 1 - shortestRun, runPlace);
    }
    last = next3(last, byte);
    if ((load<u8>(hasLiteral + (last >>> 3)) & (1 << (last & 7))) != 0) {
      hits = place3(at - 2, compare(at - 2, last, hits));
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

/** Adds the literals with these rarest three characters at an address. */
function compare(at: usize, rare: u32, before: u32): u32 {
  let hits = before;
  for (let number = load<u16>(lastWithKey + <usize>rare * 2); number != 0;) {
    const literal = literals + <usize>number * literalSize;
    const offset = <usize>load<u8>(literal, keyOffset);
    const length = <usize>load<u8>(literal, lengthOffset);
    if (
      at >= room + offset &&
      at - offset + length <= end &&
      standsAt(literal, length, at - offset) &&
      mayCount(literal, at - offset, at - offset + length)
    ) {
      hits = add(hits, unitsTo(at) - <u32>offset, number);
    }
    number = load<u16>(literal);
  }
  return hits;
}

function isDigit(byte: u32): bool {
  return byte - 0x30 < 10;
}

function isHexDigit(byte: u32): bool {
  return isDigit(byte) || fold(byte) - 0x61 < 6;
}

function isOfWord(byte: u32): bool {
  return load<u8>(isOfRun + <usize>byte) != 0;
}

/** Adds the place whose first three characters are at an address, if it is one. */
function place3(at: usize, hits: u32): u32 {
  if (at < room) {
    return hits;
  }
  const first = <u32>load<u8>(at);
  const second = <u32>load<u8>(at + 1);
  const third = <u32>load<u8>(at + 2);
  if (second == 0x40) {
    // The character before the at sign belongs to the name: letters, digits and `._%+-`.
    return (isOfWord(first) && first != 0x2f) || first == 0x2e || first == 0x25
      ? add(hits, unitsTo(at) + 1, emailPlace)
      : hits;
  }
  if (second == 0x2b) {
    return isDigit(third) &&
      third != 0x30 &&
      !isOfWord(first) &&
      first != 0x2e &&
      first != 0x2a &&
      first != 0x0a
      ? add(hits, unitsTo(at + 1), phonePlace)
      : hits;
  }
  switch (first) {
    case 0x25:
      return isPrintable(second) && isHexDigit(third) ? add(hits, unitsTo(at), writtenPlace) : hits;
    case 0x26:
      return add(hits, unitsTo(at), writtenPlace);
    case 0x5c:
      return (
        second == 0x78
          ? isPrintable(third) && isHexDigit(at8(at + 3))
          : second == 0x75 && at8(at + 3) == 0x30 && isPrintable(at8(at + 4)) && isHexDigit(at8(at + 5))
      )
        ? add(hits, unitsTo(at), writtenPlace)
        : hits;
  }
  if (!isDigit(third) || (at > room && isOfWord(load<u8>(at - 1)))) {
    return hits;
  }
  if (isDigit(first)) {
    return mayBeCard(at) ? add(hits, unitsTo(at), cardPlace) : hits;
  }
  return first - 0x41 < 26 && second - 0x41 < 26 && isDigit(at8(at + 3)) && isOfAccount(at8(at + 4))
    ? add(hits, unitsTo(at), accountPlace)
    : hits;
}

/** True if the first of two hex digits belongs to a printable ASCII character. */
function isPrintable(byte: u32): bool {
  return byte - 0x32 < 6;
}

/** True for a character that may follow the check digits of an account number. */
function isOfAccount(byte: u32): bool {
  return byte == 32 || isDigit(byte) || byte - 0x41 < 26;
}

/** Number of characters in the shortest card number with these first four digits. */
const shortestCard: usize = 15;

/**
 * True if digits follow that begin like a card number and are enough for the shortest one, with blanks and hyphens
 * between them.
 */
function mayBeCard(at: usize): bool {
  if (<u32>load<u8>(at) - 0x32 > 4 || at + shortestCard > end || !isDigit(load<u8>(at + 3))) {
    return false;
  }
  for (let next = at + 4; next < at + shortestCard; next++) {
    const byte = <u32>load<u8>(next);
    if (!isDigit(byte) && byte != 0x20 && byte != 0x2d) {
      return false;
    }
  }
  return true;
}

function standsAt(literal: usize, length: usize, start: usize): bool {
  const mask: u32 = (load<u8>(literal, checksOffset) & isExact) != 0 ? 0 : 32;
  for (let index: usize = 0; index < length; index++) {
    if ((<u32>load<u8>(start + index) | mask) != <u32>load<u8>(literal + bytesOffset + index)) {
      return false;
    }
  }
  return true;
}

/**
 * False if the characters around a literal rule out a finding. Any character is possible beyond the end of the text.
 */
function mayCount(literal: usize, start: usize, after: usize): bool {
  const checks = <u32>load<u8>(literal, checksOffset);
  const behind = <usize>load<u8>(literal, behindOffset);
  const last = min(after + behind, end);
  for (let at = after; at < last; at++) {
    if (!isOfWord(load<u8>(at))) {
      return false;
    }
  }
  return (
    ((checks & beginsWord) == 0 || !isInsideWord(start)) &&
    ((checks & endsName) == 0 || (!goesOn(after) && !isShortMember(after)))
  );
}

function isLetter(byte: u32): bool {
  return fold(byte) - 0x61 < 26;
}

/**
 * True if the two letters before a place show that it is inside a word. The last letter may be the end of an escape: it
 * is then one of a few letters, and the character before it allows that.
 */
function isInsideWord(start: usize): bool {
  if (start < room + 2) {
    return false;
  }
  const before = <u32>load<u8>(start - 1);
  const first = <u32>load<u8>(start - 2);
  return isLetter(before) && fold(before) > 0x66 && isLetter(first) && first != 0x6f;
}

/** True if the next letter cannot continue the name of a credential, as in `author`. */
function goesOn(after: usize): bool {
  if (after == end) {
    return false;
  }
  const letter = fold(load<u8>(after)) - 0x61;
  return letter < 26 && (lettersBehind & (1 << letter)) == 0;
}

/**
 * `b c d e h l n p s v w`: the letters of the plural, of longer words such as `password`, and of words that may follow.
 */
const lettersBehind: u32 =
  (1 << 1) |
  (1 << 2) |
  (1 << 3) |
  (1 << 4) |
  (1 << 7) |
  (1 << 11) |
  (1 << 13) |
  (1 << 15) |
  (1 << 18) |
  (1 << 21) |
  (1 << 22);

function at8(at: usize): u32 {
  return at < end ? <u32>load<u8>(at) : 0;
}

/** The longest part of a name that is skipped. */
const longestName: usize = 40;

function isOfName(byte: u32): bool {
  return byte == 45 || byte == 95 || isLetter(byte) || isDigit(byte);
}

function isBlank(byte: u32): bool {
  return byte == 32 || byte == 9;
}

/**
 * True if the rest of a name is followed by a member with a short number, as in all usage records, or by a member
 * without text.
 */
function isShortMember(after: usize): bool {
  let at = after;
  for (let byte = at8(at); at - after < longestName && isOfName(byte); byte = at8(at)) {
    at++;
  }
  const name = at;
  while (at8(at) == 92 && at - name < 16) {
    at++;
  }
  if (at8(at) != 34) {
    return false;
  }
  at += isBlank(at8(at + 1)) ? 2 : 1;
  if (at8(at) != 58) {
    return false;
  }
  at += isBlank(at8(at + 1)) ? 2 : 1;
  const value = at;
  while (isDigit(at8(at))) {
    at++;
  }
  const digits = at - value;
  if (digits == 0 && at + 4 <= end) {
    const word = load<u32>(at);
    at += word == 0x6c6c756e || word == 0x65757274 ? 4 : word == 0x736c6166 && at8(at + 4) == 0x65 ? 5 : 0;
  }
  const next = at8(at);
  return at > value && digits < 8 && (next == 44 || next == 125 || next == 32 || (next > 8 && next < 14));
}
