import type { Encoding } from '../model/modelRow';

/** Counts beside the thread that reads. */
export interface TokenCounter {
  /** The number of tokens of each text, as `Tokenizer.count` has it. Rejects where it cannot, or cannot any more. */
  count(encoding: Encoding, texts: readonly string[]): Promise<Uint32Array>;
}
