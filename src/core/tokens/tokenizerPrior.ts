import type { Encoding } from './tokenizer';

/**
 * What is known of a model family's tokenizer before a session is looked at. One scale for all texts: ratios by kind of
 * text are published only between two generations of Claude, not to an encoding, and contradict each other (TypeScript
 * 1.13 in one source and 1.36 in another; two agree on CJK alone). The error stands for the kinds too.
 */
export interface TokenizerPrior {
  readonly encoding: Encoding;
  /** The family's tokens per token of `encoding`. */
  readonly scale: number;
  /** Expected relative error of a count that is scaled so. */
  readonly error: number;
  readonly source: string;
  /** Year and month of the source. */
  readonly asOf: string;
}

/** OpenAI's own encoding; the error is the framing of messages and tools, which is not published. */
export const openaiPrior: TokenizerPrior = {
  encoding: 'o200k_base',
  scale: 1,
  error: 0.05,
  source: 'OpenAI tiktoken, model to encoding table',
  asOf: '2026-09',
};

/** Claude before Opus 4.7. Anthropic publishes no tokenizer; contents differ by some 15 %. */
export const earlierClaudePrior: TokenizerPrior = {
  encoding: 'o200k_base',
  scale: 1.18,
  error: 0.15,
  source: 'sammcj/ingest, pull request 65, measured against the token counting API',
  asOf: '2026-08',
};

/** Claude from Opus 4.7 on, whose tokenizer makes about 30 % more tokens. */
export const laterClaudePrior: TokenizerPrior = { ...earlierClaudePrior, scale: 1.53, error: 0.2 };

/** Families without a published comparison: the plain o200k count, with a wide error. */
export const unknownPrior: TokenizerPrior = {
  encoding: 'o200k_base',
  scale: 1,
  error: 0.25,
  source: 'none: no comparison with a published encoding is known',
  asOf: '2026-11',
};
