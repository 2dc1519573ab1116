import { unknownPrior } from '../tokenizerPrior';
import { automaticCache, modelRows } from './modelRows';

/** Implicit caching from 256 tokens on; the explicit cache (1,024 tokens, 5 minutes, writes at 1.25) excludes it. */
const cache = automaticCache(256);
const byRegion = 'Windows and prices differ by release, region and length of the input.';

export const qwenModels = modelRows(
  {
    family: 'qwen',
    tokenizerPrior: unknownPrior,
    source:
      'Alibaba Cloud Model Studio, models and context cache; prices by pi-ai 1.5.2 for OpenRouter and Vercel',
    asOf: '2026-11',
  },
  [
    { match: 'qwen', contextWindow: undefined, cache, note: byRegion },
    { match: 'qwen3', contextWindow: undefined, cache, note: byRegion },
    {
      match: 'qwen3-8-max',
      contextWindow: undefined,
      cache,
      prices: { input: 2, cacheRead: 0.25, cacheWrite: 2, output: 6 },
      note: 'Windows from 262,144 to 1,000,000 are listed.',
    },
    {
      match: 'qwen3-8-flash',
      contextWindow: undefined,
      cache,
      prices: { input: 0.15, cacheRead: 0.016, cacheWrite: 0.15, output: 0.47 },
      note: 'Windows of 991,000 and 1,000,000 are listed.',
    },
    {
      match: 'qwen4-max',
      contextWindow: 1_000_000,
      cache,
      prices: { input: 1.5, cacheRead: 0.075, cacheWrite: 1.875, output: 4.5 },
      note: 'Prices by pi-ai 1.6.0 alone, for the Vercel gateway.',
    },
  ],
);
