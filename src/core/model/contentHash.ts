import type { Block } from './block';

/** Bytes of a text encoded at once; a multiple of four. */
const scratchSize = 1 << 16;
const scratch = new Uint8Array(scratchSize);
const words = new Uint32Array(scratch.buffer);
const encoder = new TextEncoder();

/**
 * A text's length in UTF-8 bytes (a lone surrogate counts as the three bytes of U+FFFD), and a 64-bit hash of its
 * content.
 */
export interface TextDigest {
  readonly bytes: number;
  readonly first: number;
  readonly second: number;
}

/**
 * Measures and hashes a text in one pass: two 32-bit multiply-xorshift lanes over its UTF-8 bytes. It distinguishes
 * contents within a session and is not for security.
 */
export function digestText(text: string): TextDigest {
  // The same text is often requested again right away, under another label.
  if (text !== latest.text) {
    latest = { text, digest: newDigest(text) };
  }
  return latest.digest;
}

let latest: { readonly text: string; readonly digest: TextDigest } = { text: '', digest: newDigest('') };

function newDigest(text: string): TextDigest {
  let first = 0xdeadbeef;
  let second = 0x41c6ce57;
  let bytes = 0;
  for (let from = 0; from < text.length;) {
    const { read, written } = encoder.encodeInto(from === 0 ? text : text.slice(from), scratch);
    const length = (written + 3) >>> 2;
    scratch.fill(0, written, length * 4);
    for (let index = 0; index < length; index += 1) {
      const word = words[index] ?? 0;
      first = Math.imul(first ^ word, 0x9e3779b1);
      first ^= first >>> 15;
      second = Math.imul(second ^ word, 0x5f356495);
      second ^= second >>> 13;
    }
    from += read;
    bytes += written;
  }
  return { bytes, first: first ^ text.length, second };
}

/**
 * The label of a block's hash. For a call, it includes the tool, because calls of two tools may have the same
 * arguments.
 */
export function contentLabel({
  role,
  kind,
  toolName,
}: Pick<Block, 'role' | 'kind'> & { readonly toolName?: string | undefined }): string {
  return kind === 'toolCall' ? `${role} ${kind} ${toolName ?? ''}` : `${role} ${kind}`;
}

/** 64 bits for a text under a label, ended by MurmurHash3's mixer. Equal texts under different labels differ. */
export function contentWords(
  label: string,
  text: Pick<TextDigest, 'first' | 'second'>,
): { readonly high: number; readonly low: number } {
  const named = digestLabel(label);
  let first = Math.imul(text.first ^ named.first, 0x9e3779b1) ^ named.second;
  let second = Math.imul(text.second ^ named.second, 0x5f356495) ^ named.first;
  first = Math.imul(first ^ (first >>> 16), 0x85ebca6b) ^ Math.imul(second ^ (second >>> 13), 0xc2b2ae35);
  second = Math.imul(second ^ (second >>> 16), 0x85ebca6b) ^ Math.imul(first ^ (first >>> 13), 0xc2b2ae35);
  return { high: second, low: first };
}

/** `contentWords` as 16 hex digits. */
export function contentHash(label: string, text: Pick<TextDigest, 'first' | 'second'>): string {
  const { high, low } = contentWords(label, text);
  return hashDigits(high, low);
}

/** The two halves of a hash as 16 hex digits. */
export function hashDigits(high = 0, low = 0): string {
  return eightDigits(high) + eightDigits(low);
}

function eightDigits(word: number): string {
  return (word >>> 0).toString(16).padStart(8, '0');
}

/** Labels are short, and the same few recur. */
function digestLabel(label: string): { readonly first: number; readonly second: number } {
  let first = 0x2545f491;
  let second = 0x1b873593;
  for (let index = 0; index < label.length; index += 1) {
    const unit = label.charCodeAt(index);
    first = Math.imul(first ^ unit, 0x9e3779b1);
    first ^= first >>> 15;
    second = Math.imul(second ^ unit, 0x5f356495);
    second ^= second >>> 13;
  }
  return { first, second };
}
