/** The encodings whose rank tables the program brings along. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/** Counts tokens of one encoding. The text of a special token (`<|endoftext|>`) counts as ordinary text. */
export interface Tokenizer {
  readonly encoding: Encoding;
  /** Number of tokens; lone surrogates count as U+FFFD. Never throws, and takes n log n time at most. */
  count(text: string): number;
}
