/**
 * 64-bit hash of a text as 16 hex digits, over its UTF-16 units: two 32-bit multiply-xorshift lanes (the construction
 * of MurmurHash3's mixer). For telling contents apart within a session, not for security.
 */
export function hashText(text: string): string {
  let first = 0xdeadbeef;
  let second = 0x41c6ce57;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    first = Math.imul(first ^ unit, 0x9e3779b1);
    second = Math.imul(second ^ unit, 0x5f356495);
  }
  first = Math.imul(first ^ (first >>> 16), 0x85ebca6b) ^ Math.imul(second ^ (second >>> 13), 0xc2b2ae35);
  second = Math.imul(second ^ (second >>> 16), 0x85ebca6b) ^ Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return hex(second) + hex(first);
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}
