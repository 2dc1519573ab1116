// AssemblyScript
import { sizeOf } from './pattern';

/** True if the bytes here are well-formed UTF-8. 16 zero bytes must follow them. */
export function isWellFormedUtf8(start: usize, end: usize): bool {
  let at = start;
  while (at < end) {
    while (at < end && i8x16.bitmask(v128.load(at)) === 0) {
      at += 16;
    }
    if (at >= end) {
      return true;
    }
    at += ctz<i32>(i8x16.bitmask(v128.load(at)));
    if (at >= end) {
      return true;
    }
    const first: u32 = load<u8>(at);
    const second: u32 = load<u8>(at, 1);
    const size = sizeOf(first);
    if (first < 0xc2 || first > 0xf4 || (second & 0xc0) !== 0x80 || at + size > end) {
      return false;
    }
    if (
      (first === 0xe0 && second < 0xa0) ||
      (first === 0xed && second > 0x9f) ||
      (first === 0xf0 && second < 0x90) ||
      (first === 0xf4 && second > 0x8f)
    ) {
      return false;
    }
    if ((size > 2 && (load<u8>(at, 2) & 0xc0) !== 0x80) || (size > 3 && (load<u8>(at, 3) & 0xc0) !== 0x80)) {
      return false;
    }
    at += size;
  }
  return true;
}
