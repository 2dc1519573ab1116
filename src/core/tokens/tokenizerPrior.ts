import type { TokenizerPrior } from '../model/modelRow';

/** OpenAI's own encoding; the error is the framing of messages and tools, which is not published. */
export const openaiPrior: TokenizerPrior = {
  encoding: 'o200k_base',
  scale: 1,
  error: 0.05,
  source: 'OpenAI tiktoken, model to encoding table',
  asOf: '2026-09',
};

/** Claude before Opus 4.7. Anthropic publishes no tokenizer; counts differ by some 15 %, depending on the content. */
export const earlierClaudePrior: TokenizerPrior = {
  encoding: 'o200k_base',
  scale: 1.18,
  error: 0.15,
  source: 'sammcj/ingest, pull request 65, measured against the token counting API',
  asOf: '2026-08',
};

/** Claude from Opus 4.7 on, whose tokenizer makes about 30 % more tokens. */
export const laterClaudePrior: TokenizerPrior = { ...earlierClaudePrior, scale: 1.53, error: 0.2 };

/** Families without a published comparison: the plain o200k count, with a wide error range. */
export const unknownPrior: TokenizerPrior = {
  encoding: 'o200k_base',
  scale: 1,
  error: 0.25,
  source: 'none: no comparison with a published encoding is known',
  asOf: '2026-11',
};
