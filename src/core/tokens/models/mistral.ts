import type { TokenPrices } from '../../model/modelRow';
import { unknownPrior } from '../tokenizerPrior';
import { automaticCache, modelRows } from './modelRows';

/** Cached input costs a tenth. */
function prices(input: number, output: number): TokenPrices {
  return { input, cacheRead: input / 10, cacheWrite: input, output };
}

const listed = 'Prices by pi-ai 1.6.0 alone.';
const latest = 'The model behind this name in 2026-11; prices by pi-ai 1.6.0 alone.';
const cache = automaticCache();
const common = {
  family: 'mistral',
  tokenizerPrior: unknownPrior,
  source: 'Mistral model pages; prices by genai-prices 0.1.8 (2026-09) and pi-ai 1.5.2 (2026-11)',
  asOf: '2026-11',
} as const;

export const mistralModels = modelRows(common, [
  { match: 'mistral', contextWindow: undefined, cache },
  { match: 'ministral', contextWindow: undefined, cache },
  { match: 'magistral', contextWindow: undefined, cache },
  { match: 'devstral', contextWindow: undefined, cache },
  { match: 'codestral', contextWindow: undefined, cache },
  { match: 'mistral-large-2512', contextWindow: 262_144, cache, prices: prices(0.5, 1.5) },
  { match: 'mistral-medium-2508', contextWindow: 262_144, cache, prices: prices(0.4, 2) },
  { match: 'mistral-medium-2604', contextWindow: 262_144, cache, prices: prices(1.5, 7.5) },
  { match: 'mistral-medium-3-5', contextWindow: 262_144, cache, prices: prices(1.5, 7.5) },
  { match: 'mistral-small-2603', contextWindow: 262_144, cache, prices: prices(0.15, 0.6) },
  { match: 'ministral-8b-2512', contextWindow: 262_144, cache, prices: prices(0.15, 0.15) },
  { match: 'ministral-14b-2512', contextWindow: 262_144, cache, prices: prices(0.2, 0.2) },
  { match: 'devstral-2512', contextWindow: 262_144, cache, prices: prices(0.4, 2) },
  { match: 'codestral-2508', contextWindow: 256_000, cache, prices: prices(0.3, 0.9) },
  { match: 'mistral-large-4', contextWindow: 1_048_576, cache, prices: prices(0.7, 2.1), note: listed },
  { match: 'mistral-large-4-0-8', contextWindow: 1_048_576, cache, prices: prices(0.7, 2.1), note: listed },
  { match: 'mistral-large-latest', contextWindow: 1_048_576, cache, prices: prices(0.7, 2.1), note: latest },
  { match: 'mistral-medium-latest', contextWindow: 262_144, cache, prices: prices(1.5, 7.5), note: latest },
  { match: 'mistral-small-latest', contextWindow: 262_144, cache, prices: prices(0.15, 0.6), note: latest },
  { match: 'ministral-3b-latest', contextWindow: 131_072, cache, prices: prices(0.1, 0.1), note: latest },
  { match: 'ministral-8b-latest', contextWindow: 262_144, cache, prices: prices(0.15, 0.15), note: latest },
  { match: 'magistral-medium-latest', contextWindow: 262_144, cache, prices: prices(2, 5), note: latest },
  { match: 'devstral-latest', contextWindow: 262_144, cache, prices: prices(0.4, 2), note: latest },
  { match: 'devstral-medium-latest', contextWindow: 262_144, cache, prices: prices(0.4, 2), note: latest },
  { match: 'codestral-latest', contextWindow: 256_000, cache, prices: prices(0.3, 0.9), note: latest },
]);
