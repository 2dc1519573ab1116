// AssemblyScript, compiled to WebAssembly by scripts/lib/binariesPlugin.mjs. Hashes the lines of a text in UTF-8.

import { growTo } from '../../base/assembly/memory';

/** Shorter lines stand everywhere: a brace, a bracket. In bytes. */
const leastLine: usize = 4;

const room: usize = 1024;
let hashes: usize = 0;

/** Makes room for a text of so many bytes and the hashes of its lines, and returns the text's address. */
export function reserve(length: usize): usize {
  hashes = (room + length + 7) & ~7;
  // A line has at least four bytes and one that ends it.
  const end = hashes + (length / (leastLine + 1) + 1) * 8;
  growTo(end);
  return room;
}

/** Where the hashes stand: two 32-bit numbers each. */
export function hashesAt(): usize {
  return hashes;
}

/** Hashes each line that is not very short, without indentation and line numbers, and returns how many there are. */
export function hashLines(length: usize): usize {
  const end = room + length;
  let to = hashes;
  for (let from = room; from < end;) {
    let next = from;
    while (next < end && load<u8>(next) != 0x0a) {
      next++;
    }
    const first = afterSpace(afterNumber(afterSpace(from, next), next), next);
    let last = next;
    while (last > first && isSpace(load<u8>(last - 1))) {
      last--;
    }
    if (last - first >= leastLine) {
      let one: u32 = 0x811c9dc5;
      let other: u32 = 0x9e3779b1;
      for (let at = first; at < last; at++) {
        const byte: u32 = load<u8>(at);
        one = (one ^ byte) * 0x01000193;
        other = ((other ^ byte) * 0x85ebca6b) ^ (other >>> 15);
      }
      store<u32>(to, one);
      store<u32>(to, other, 4);
      to += 8;
    }
    from = next + 1;
  }
  return (to - hashes) >>> 3;
}

function isSpace(byte: u32): bool {
  return byte == 0x20 || byte - 9 < 5;
}

function afterSpace(from: usize, end: usize): usize {
  let at = from;
  while (at < end && isSpace(load<u8>(at))) {
    at++;
  }
  return at;
}

/** Behind a line number and what agents write behind it: an arrow, a bar, a colon or a tab. */
function afterNumber(from: usize, end: usize): usize {
  let at = from;
  while (at < end && load<u8>(at) - 0x30 < 10) {
    at++;
  }
  if (at == from) {
    return from;
  }
  const behind = afterSpace(at, end);
  if (behind < end && (load<u8>(behind) == 0x7c || load<u8>(behind) == 0x3a)) {
    return behind + 1;
  }
  // An arrow to the right in UTF-8.
  if (behind + 2 < end && load<u16>(behind) == 0x86e2 && load<u8>(behind, 2) == 0x92) {
    return behind + 3;
  }
  for (; at < behind; at++) {
    if (load<u8>(at) == 0x09) {
      return behind;
    }
  }
  return from;
}
