import type { TokenPrices } from '../../model/modelRow';
import { million } from '../prices';
import { unknownPrior } from '../tokenizerPrior';
import { automaticCache, modelRows } from './modelRows';

function prices(input: number, cacheRead: number, output: number, cacheWrite = input): TokenPrices {
  return { input, cacheRead, cacheWrite, output };
}

const cache = automaticCache();
/** Through the Anthropic-compatible interface, with explicit breakpoints, writing costs 0.375. */
const written = 0.375;

export const minimaxModels = modelRows(
  {
    family: 'minimax',
    tokenizerPrior: unknownPrior,
    source:
      'MiniMax platform documentation; prices by genai-prices 0.1.8 (2026-09) and pi-ai 1.5.2 (2026-11)',
    asOf: '2026-11',
  },
  [
    { match: 'minimax', contextWindow: undefined, cache },
    { match: 'minimax-m2', contextWindow: 204_800, cache, prices: prices(0.3, 0.03, 1.2, written) },
    { match: 'minimax-m2-1', contextWindow: 204_800, cache, prices: prices(0.3, 0.03, 1.2, written) },
    { match: 'minimax-m2-5', contextWindow: 204_800, cache, prices: prices(0.3, 0.03, 1.2, written) },
    {
      match: 'minimax-m2-5-highspeed',
      contextWindow: 204_800,
      cache,
      prices: prices(0.6, 0.03, 2.4, written),
    },
    { match: 'minimax-m2-7', contextWindow: 204_800, cache, prices: prices(0.3, 0.06, 1.2, written) },
    {
      match: 'minimax-m2-7-highspeed',
      contextWindow: 204_800,
      cache,
      prices: prices(0.6, 0.06, 2.4, written),
    },
    {
      match: 'minimax-m3',
      contextWindow: million,
      cache,
      prices: { ...prices(0.3, 0.06, 1.2), above: { inputTokens: 512_000, prices: prices(0.6, 0.12, 2.4) } },
    },
  ],
);
