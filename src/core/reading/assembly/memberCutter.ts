// AssemblyScript, compiled to WebAssembly by scripts/lib/binariesPlugin.mjs. Cuts the members that a reader does not
// want out of a JSON object, before anything of it is decoded. It walks by quotes and brackets, and errs on the strict
// side: whatever is not plainly well-formed is left to a parser. Only the insides of strings and numbers that are left
// out are not checked. JavaScript makes the filters once, then writes each line into the memory and calls `cut`.

import { growTo } from '../../base/assembly/memory';

const quote: u32 = 0x22;
const backslash: u32 = 0x5c;
const comma: u32 = 0x2c;
const colon: u32 = 0x3a;
const openBrace: u32 = 0x7b;
const closeBrace: u32 = 0x7d;
const openBracket: u32 = 0x5b;
const closeBracket: u32 = 0x5d;

// The actions for a member; any other number is the address of the filter for the object that it holds.
const keep: u32 = 0;
const leave: u32 = 1;

// The memory, in this order: the brackets that are open inside one value, a byte each; the filters; the line.
const open: usize = 1024;
/** Deeper values are left to a parser. */
const deepest: usize = 1 << 12;
let tablesEnd: usize = open + deepest;
/** How far a 16-byte read that starts inside a line may go past its end. */
const slack: usize = 64;

// A filter: the action for members without a name here, the first of its types, and the first of its names by length.
const typesOffset: usize = 4;
const namesOffset: usize = 8;
const lengths: usize = 32;
const filterSize: usize = namesOffset + 4 * lengths;

// A name or a type: the address of the next one, its action, its length, and its bytes.
const actionOffset: usize = 4;
const lengthOffset: usize = 8;
const bytesOffset: usize = 16;

/** The end of the line that is being cut; the byte there is neither white space nor part of any value. */
let lineEnd: usize = 0;
/** The address for the next byte that is kept: never after the one that is being read. */
let kept: usize = 0;

/** Makes room for a line, or for the next name of a filter, and returns its address. */
export function reserve(length: usize): usize {
  const start = tablesEnd + bytesOffset;
  growTo(start + length + slack);
  return start;
}

/** Adds a filter without names. */
export function addFilter(leavesOthers: bool): usize {
  const filter = tablesEnd;
  tablesEnd += filterSize;
  growTo(tablesEnd + slack);
  memory.fill(filter, 0, filterSize);
  store<u32>(filter, leavesOthers ? leave : keep);
  return filter;
}

/** Sets the action for the members whose name is at the reserved address. */
export function addName(filter: usize, length: usize, action: u32): void {
  addEntry(filter + namesOffset + ((length % lengths) << 2), length, action);
}

/** Sets the filter for the members after `type`, if its value is the text at the reserved address. */
export function addType(filter: usize, length: usize, other: u32): void {
  addEntry(filter + typesOffset, length, other);
}

function addEntry(list: usize, length: usize, action: u32): void {
  const entry = tablesEnd;
  store<u32>(entry, load<u32>(list));
  store<u32>(entry, action, actionOffset);
  store<u32>(entry, <u32>length, lengthOffset);
  store<u32>(list, <u32>entry);
  tablesEnd = (entry + bytesOffset + length + 7) & ~(<usize>7);
}

/** The action of the entry for a text in a list; `otherwise` if the text is not in it. */
function find(list: usize, start: usize, end: usize, otherwise: u32): u32 {
  const length = end - start;
  for (let entry: usize = load<u32>(list); entry != 0; entry = load<u32>(entry)) {
    if (load<u32>(entry, lengthOffset) == <u32>length && isText(entry + bytesOffset, start, length)) {
      return load<u32>(entry, actionOffset);
    }
  }
  return otherwise;
}

function isText(text: usize, start: usize, length: usize): bool {
  for (let index: usize = 0; index < length; index++) {
    if (load<u8>(text + index) != load<u8>(start + index)) {
      return false;
    }
  }
  return true;
}

/**
 * Cuts out of the object at the reserved address what the filter excludes, and returns the length of the rest, which
 * then begins at that address; 0 if there is no valid object.
 */
export function cut(filter: usize, length: usize): usize {
  const start = tablesEnd + bytesOffset;
  lineEnd = start + length;
  store<u8>(lineEnd, 0xff);
  kept = start;
  if (load<u8>(start) != openBrace) {
    return 0;
  }
  const end = cutObject(start, filter);
  return end != 0 && afterSpace(end) == lineEnd ? kept - start : 0;
}

/** Keeps the wanted members of the object that begins at `at`, and returns the address after it; 0 if it is damaged. */
function cutObject(at: usize, filter: usize): usize {
  let current = filter;
  let isFirst = true;
  keepByte(openBrace);
  let place = afterSpace(at + 1);
  if (load<u8>(place) == closeBrace) {
    keepByte(closeBrace);
    return place + 1;
  }
  while (true) {
    const name = place;
    const nameEnd = load<u8>(name) == quote ? stringEnd(name + 1) : 0;
    if (nameEnd == 0) {
      return 0;
    }
    place = afterSpace(nameEnd);
    if (load<u8>(place) != colon) {
      return 0;
    }
    const start = afterSpace(place + 1);
    const list = current + namesOffset + (((nameEnd - name - 2) % lengths) << 2);
    const action = find(list, name + 1, nameEnd - 1, load<u32>(current));
    const isKept = action != leave || hasEscape(name + 1, nameEnd - 1);
    if (isKept) {
      if (!isFirst) {
        keepByte(comma);
      }
      isFirst = false;
    }
    if (action > leave && load<u8>(start) == openBrace) {
      keepBytes(name, start);
      place = cutObject(start, action);
      if (place == 0) {
        return 0;
      }
    } else {
      place = valueEnd(start);
      if (place == 0) {
        return 0;
      }
      if (load<u32>(current + typesOffset) != 0 && isType(name, nameEnd)) {
        current = find(current + typesOffset, start + 1, place - 1, <u32>current);
      }
      if (isKept) {
        keepBytes(name, place);
      }
    }
    place = afterSpace(place);
    const next: u32 = load<u8>(place);
    if (next == closeBrace) {
      keepByte(closeBrace);
      return place + 1;
    }
    if (next != comma) {
      return 0;
    }
    place = afterSpace(place + 1);
  }
}

/** Whether a name is written with escapes and may differ from its bytes: such a member is kept. */
function hasEscape(start: usize, end: usize): bool {
  for (let place = start; place < end; place++) {
    if (load<u8>(place) == backslash) {
      return true;
    }
  }
  return false;
}

/** Whether the name between the quotes is `type`. */
function isType(name: usize, end: usize): bool {
  return end - name == 6 && load<u32>(name + 1) == 0x65707974;
}

function keepByte(byte: u32): void {
  store<u8>(kept, byte);
  kept++;
}

function keepBytes(from: usize, to: usize): void {
  const length = to - from;
  if (kept != from) {
    memory.copy(kept, from, length);
  }
  kept += length;
}

function afterSpace(at: usize): usize {
  let place = at;
  while (load<u8>(place) <= 0x20) {
    place++;
  }
  return place;
}

/** The address after the closing quote of a string whose text begins at `at`; 0 if there is none. */
function stringEnd(at: usize): usize {
  const quotes = i8x16.splat(<i8>quote);
  const backslashes = i8x16.splat(<i8>backslash);
  let place = at;
  while (place < lineEnd) {
    const bytes = v128.load(place);
    const found = i8x16.bitmask(v128.or(i8x16.eq(bytes, quotes), i8x16.eq(bytes, backslashes)));
    if (found == 0) {
      place += 16;
      continue;
    }
    place += ctz(found);
    if (load<u8>(place) == quote) {
      return place < lineEnd ? place + 1 : 0;
    }
    place += 2;
  }
  return 0;
}

/** The address after the value that begins at `at`; 0 if its brackets, commas and colons do not fit together. */
function valueEnd(at: usize): usize {
  let depth: usize = 0;
  let place = at;
  while (true) {
    const byte: u32 = load<u8>(place);
    if (byte == openBrace || byte == openBracket) {
      const close = byte == openBrace ? closeBrace : closeBracket;
      const next = afterSpace(place + 1);
      if (load<u8>(next) != close) {
        if (depth == deepest) {
          return 0;
        }
        store<u8>(open + depth, close);
        depth++;
        place = close == closeBrace ? valueStart(next) : next;
        if (place == 0) {
          return 0;
        }
        continue;
      }
      place = next + 1;
    } else {
      place = byte == quote ? stringEnd(place + 1) : wordEnd(place);
      if (place == 0) {
        return 0;
      }
    }
    // A value has ended: its container continues or ends too.
    while (true) {
      if (depth == 0) {
        return place;
      }
      const close: u32 = load<u8>(open + depth - 1);
      place = afterSpace(place);
      const next: u32 = load<u8>(place);
      if (next == comma) {
        place = afterSpace(place + 1);
        if (close == closeBrace) {
          place = valueStart(place);
          if (place == 0) {
            return 0;
          }
        }
        break;
      }
      if (next != close) {
        return 0;
      }
      depth--;
      place++;
    }
  }
}

/** The address of the value whose name begins at `at`; 0 if there is no name. */
function valueStart(at: usize): usize {
  const end = load<u8>(at) == quote ? stringEnd(at + 1) : 0;
  if (end == 0) {
    return 0;
  }
  const place = afterSpace(end);
  return load<u8>(place) == colon ? afterSpace(place + 1) : 0;
}

/** The address after a number or a literal; 0 if there is none. */
function wordEnd(at: usize): usize {
  let place = at;
  while (isOfWord(load<u8>(place))) {
    place++;
  }
  return place == at ? 0 : place;
}

/** Letters, digits, and the characters of numbers. */
function isOfWord(byte: u32): bool {
  return byte - 0x61 < 26 || (byte - 0x2b < 15 && byte != comma) || byte == 0x45;
}
