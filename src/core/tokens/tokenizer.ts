import type { Encoding } from '../model/modelRow';

/**
 * Counts tokens of one encoding. The text of a special token (`<|endoftext|>`) counts as ordinary text. Never throws,
 * whatever the text contains, and takes time in proportion to its length.
 */
export interface Tokenizer {
  readonly encoding: Encoding;
  /** Number of tokens; lone surrogates count as U+FFFD. */
  count(text: string): number;
  /** Number of tokens of the UTF-8 text in bytes[start, end); ill-formed bytes count as U+FFFD. */
  countBytes(bytes: Uint8Array, start?: number, end?: number): number;
}
