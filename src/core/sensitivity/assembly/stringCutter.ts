// AssemblyScript, compiled to WebAssembly by scripts/lib/binariesPlugin.mjs. Removes the long strings from a line of
// JSON and measures their content, so that copies need not be decoded. Anything not plainly well-formed is left to a
// parser. JavaScript writes each line into the memory and calls `cut`.

import { growTo } from '../../base/assembly/memory';

const quote: u32 = 0x22;
const backslash: u32 = 0x5c;

// The memory, in this order: the removed strings; the line; the line without its long strings; the content of one
// string.
const entries: usize = 1024;
/**
 * An entry: the digest as two numbers, the bytes, the start and end of the string in the line, and whether it may name
 * a home folder.
 */
const entrySize: usize = 24;
const mostEntries: u32 = 2048;
const line: usize = entries + entrySize * <usize>mostEntries;
/** How far a 16-byte read that starts inside a text may go past its end. */
const slack: usize = 64;

/** As in model/contentHash.ts: how much of a text is hashed at once, in bytes. */
const scratchSize: usize = 1 << 16;

let rest: usize = 0;
let restLength: usize = 0;
let said: usize = 0;
/**
 * For the string that is measured: the two numbers of its digest, its UTF-16 units and bytes, and the part not hashed
 * yet.
 */
let first: u32 = 0;
let second: u32 = 0;
let units: u32 = 0;
let bytesSaid: u32 = 0;
let waiting: usize = 0;
let namesHome: bool = false;

/** Reserves memory for a line and returns its address. */
export function reserve(length: usize): usize {
  rest = line + length + slack;
  said = rest + length + slack;
  growTo(said + scratchSize + slack + length + slack);
  return line;
}

/** A 53-bit hash of the line at the reserved address. */
export function fingerprint(length: usize): f64 {
  const end = line + length;
  v128.store(end, i64x2.splat(0));
  let one: u64 = <u64>length;
  let other: u64 = 0x1f83d9abfb41bd6b;
  for (let place = line; place < end; place += 16) {
    one = rotl<u64>(one ^ load<u64>(place), 29) * multiplier;
    other = rotl<u64>(other ^ load<u64>(place, 8), 31) * multiplier;
  }
  one = (one ^ (one >>> 32) ^ rotl<u64>(other, 17)) * multiplier;
  return <f64>((one ^ (one >>> 29)) >>> 11);
}

/** An odd number with as many 1 bits as 0 bits. */
const multiplier: u64 = 0x9fb21c651e98df25;

/** The address of the entries of the removed strings. */
export function entriesAt(): usize {
  return entries;
}

/** The address of the line without its long strings. */
export function restAt(): usize {
  return rest;
}

export function lengthOfRest(): usize {
  return restLength;
}

/**
 * Cuts the line at the reserved address.
 * @param longest the maximum length of a string that stays, in UTF-16 units with its quotes
 * @returns how many strings were cut out; -1 if a parser must decide
 */
export function cut(length: usize, longest: u32): i32 {
  const end = line + length;
  let count: u32 = 0;
  let last = line;
  let to = rest;
  for (let start = quoteFrom(line, end); start < end;) {
    const after = stringEnd(start + 1, end);
    if (after == 0) {
      break;
    }
    if (isLongerThan(longest, start, after)) {
      begin();
      if (count == mostEntries || !take(start + 1, after - 1)) {
        return -1;
      }
      finish(count, <u32>(start - line), <u32>(after - line));
      count++;
      memory.copy(to, last, start + 1 - last);
      to += start + 1 - last;
      last = after - 1;
    }
    start = quoteFrom(after, end);
  }
  memory.copy(to, last, end - last);
  restLength = to + (end - last) - rest;
  return <i32>count;
}

/** Starts measuring a string. */
export function begin(): void {
  first = 0xdeadbeef;
  second = 0x41c6ce57;
  units = 0;
  bytesSaid = 0;
  waiting = 0;
  namesHome = false;
}

/** Adds the text at the reserved address to the string. Returns false if it is not a valid string. */
export function more(length: usize): bool {
  return take(line, line + length);
}

function take(start: usize, end: usize): bool {
  const written = unescape(start, end, said + waiting);
  if (written < 0) {
    return false;
  }
  bytesSaid += <u32>written;
  waiting += <usize>written;
  namesHome = namesHome || mayNameHome(said + waiting);
  let from = said;
  // A home folder's path may begin at the end of this part.
  while (said + waiting - from > scratchSize + slack) {
    from = digestPart(from, said + waiting);
  }
  waiting -= from - said;
  memory.copy(said, from, waiting);
  return true;
}

/** Stores the measurements of a string. */
export function finish(number: u32, start: u32, end: u32): void {
  for (let from = said; from < said + waiting;) {
    from = digestPart(from, said + waiting);
  }
  const entry = entries + <usize>number * entrySize;
  store<u32>(entry, first ^ units);
  store<u32>(entry, second, 4);
  store<u32>(entry, bytesSaid, 8);
  store<u32>(entry, start, 12);
  store<u32>(entry, end, 16);
  store<u32>(entry, <u32>namesHome, 20);
}

function quoteFrom(from: usize, end: usize): usize {
  if (from < end && load<u8>(from) == quote) {
    return from;
  }
  // Most often there is one comma or colon between two strings.
  if (from + 1 < end && load<u8>(from + 1) == quote) {
    return from + 1;
  }
  const quotes = i8x16.splat(<i8>quote);
  for (let place = from; place < end; place += 16) {
    const found = i8x16.bitmask(i8x16.eq(v128.load(place), quotes));
    if (found != 0) {
      return min(place + ctz(found), end);
    }
  }
  return end;
}

/** The address after the closing quote of a string whose text begins at `at`; 0 if it has no closing quote. */
function stringEnd(at: usize, end: usize): usize {
  const quotes = i8x16.splat(<i8>quote);
  const backslashes = i8x16.splat(<i8>backslash);
  let place = at;
  while (place < end) {
    const bytes = v128.load(place);
    const found = i8x16.bitmask(v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, backslashes)));
    if (found == 0) {
      place += 16;
      continue;
    }
    place += ctz(found);
    if (load<u8>(place) == quote) {
      return place < end ? place + 1 : 0;
    }
    place += 2;
  }
  return 0;
}

/** True if a text has more than this many UTF-16 units. */
function isLongerThan(longest: u32, start: usize, end: usize): bool {
  const length = <u32>(end - start);
  if (length <= longest || length > 3 * longest) {
    return length > longest;
  }
  let sum: u32 = 0;
  for (let place = start; place < end; place++) {
    const byte = <u32>load<u8>(place);
    // Counted at the first byte of each character.
    sum += <u32>((byte & 0xc0) != 0x80) + <u32>(byte >= 0xf0);
  }
  return sum > longest;
}

/** Writes the unescaped content of a part of a string and returns its number of bytes; -1 if it is not valid. */
function unescape(start: usize, end: usize, target: usize): i32 {
  const backslashes = i8x16.splat(<i8>backslash);
  const spaces = i8x16.splat(0x20);
  let place = start;
  let to = target;
  while (true) {
    const bytes = v128.load(place);
    const special = i8x16.bitmask(v128.or(i8x16.eq(bytes, backslashes), i8x16.lt_u(bytes, spaces)));
    const length = min(special == 0 ? 16 : <usize>ctz(special), end - place);
    v128.store(to, bytes);
    if (i8x16.bitmask(bytes) == 0) {
      units += <u32>length;
    } else {
      const counted = (1 << (<u32>length)) - 1;
      units +=
        popcnt(i8x16.bitmask(i8x16.gt_s(bytes, i8x16.splat(-65))) & counted) +
        popcnt(i8x16.bitmask(i8x16.ge_u(bytes, i8x16.splat(<i8>0xf0))) & counted);
    }
    place += length;
    to += length;
    if (place == end) {
      break;
    }
    if (length == 16) {
      continue;
    }
    if (load<u8>(place) != backslash) {
      return -1;
    }
    const escape = <u32>load<u8>(place + 1);
    if (escape != 0x75) {
      const character = characterOf(escape);
      if (character == 0) {
        return -1;
      }
      store<u8>(to, <u8>character);
      units++;
      place += 2;
      to++;
      continue;
    }
    let code = hexAt(place + 2);
    place += 6;
    if (code >= 0xd800 && code < 0xe000) {
      const low = load<u16>(place) == 0x755c && place + 6 <= end ? hexAt(place + 2) : -1;
      if (code >= 0xdc00 || low < 0xdc00 || low > 0xdfff) {
        return -1;
      }
      code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      place += 6;
      units++;
    }
    if (code < 0 || place > end) {
      return -1;
    }
    units++;
    to = encode(<u32>code, to);
  }
  return <i32>(to - target);
}

/** The character of an escape letter after a backslash; 0 if there is none. */
function characterOf(escape: u32): u32 {
  switch (escape) {
    case 0x22:
    case 0x2f:
    case 0x5c:
      return escape;
    case 0x62:
      return 8;
    case 0x66:
      return 12;
    case 0x6e:
      return 10;
    case 0x72:
      return 13;
    case 0x74:
      return 9;
    default:
      return 0;
  }
}

/** The number of four hex digits; negative if they are not hex digits. */
function hexAt(at: usize): i32 {
  let code: i32 = 0;
  for (let place = at; place < at + 4; place++) {
    const byte = <u32>load<u8>(place);
    const letter = (byte | 0x20) - 0x61;
    const digit = byte - 0x30 < 10 ? byte - 0x30 : letter < 6 ? letter + 10 : 16;
    if (digit == 16) {
      return -1;
    }
    code = (code << 4) | <i32>digit;
  }
  return code;
}

/** Writes a character as UTF-8, and returns the address after it. */
function encode(code: u32, to: usize): usize {
  if (code < 0x80) {
    store<u8>(to, <u8>code);
    return to + 1;
  }
  if (code < 0x800) {
    store<u8>(to, <u8>(0xc0 | (code >>> 6)));
    store<u8>(to + 1, <u8>(0x80 | (code & 0x3f)));
    return to + 2;
  }
  if (code < 0x10000) {
    store<u8>(to, <u8>(0xe0 | (code >>> 12)));
    store<u8>(to + 1, <u8>(0x80 | ((code >>> 6) & 0x3f)));
    store<u8>(to + 2, <u8>(0x80 | (code & 0x3f)));
    return to + 3;
  }
  store<u8>(to, <u8>(0xf0 | (code >>> 18)));
  store<u8>(to + 1, <u8>(0x80 | ((code >>> 12) & 0x3f)));
  store<u8>(to + 2, <u8>(0x80 | ((code >>> 6) & 0x3f)));
  store<u8>(to + 3, <u8>(0x80 | (code & 0x3f)));
  return to + 4;
}

/** Hashes the next part as `digestText` of model/contentHash.ts does, and returns the address after it. */
function digestPart(from: usize, end: usize): usize {
  let to = min(from + scratchSize, end);
  // A part ends with a whole character, which has at most three continuation bytes. More of them are not text.
  let whole = to;
  while (whole < end && whole + 3 > to && (load<u8>(whole) & 0xc0) == 0x80) {
    whole--;
  }
  if (whole < end && (load<u8>(whole) & 0xc0) != 0x80) {
    to = whole;
  }
  let place = from;
  for (; place + 4 <= to; place += 4) {
    hashWord(load<u32>(place));
  }
  if (place < to) {
    hashWord(load<u32>(place) & ((1 << ((to - place) << 3)) - 1));
  }
  return to;
}

function hashWord(word: u32): void {
  first = (first ^ word) * 0x9e3779b1;
  first ^= first >>> 15;
  second = (second ^ word) * 0x5f356495;
  second ^= second >>> 13;
}

/** True if the unescaped text contains `/home/`, `/Users/` or `Users\`. */
function mayNameHome(end: usize): bool {
  const slashes = i8x16.splat(0x2f);
  const small = i8x16.splat(0x68);
  const large = i8x16.splat(0x55);
  const letters = i8x16.splat(0x73);
  for (let at = said; at < end; at += 16) {
    const bytes = v128.load(at);
    const next = v128.load(at + 1);
    const behindSlash = v128.and(
      i8x16.eq(bytes, slashes),
      v128.or(i8x16.eq(next, small), i8x16.eq(next, large)),
    );
    let found = i8x16.bitmask(
      v128.or(behindSlash, v128.and(i8x16.eq(bytes, large), i8x16.eq(next, letters))),
    );
    for (; found != 0; found &= found - 1) {
      const place = at + ctz(found);
      const word = load<u32>(place);
      const isHome = word == 0x6d6f682f && load<u16>(place + 4) == 0x2f65; // /hom e/
      const isUsers = word == 0x6573552f && load<u16>(place + 4) == 0x7372 && load<u8>(place + 6) == 0x2f; // /Use rs /
      const isWindows = word == 0x72657355 && load<u16>(place + 4) == 0x5c73; // User s\
      if ((isHome && place + 6 <= end) || (isUsers && place + 7 <= end) || (isWindows && place + 6 <= end)) {
        return true;
      }
    }
  }
  return false;
}
