import { million } from '../prices';
import { unknownPrior } from '../tokenizerPrior';
import { automaticCache, modelRows, prices } from './modelRows';

/** Z.ai's international prices; storing in the cache is free. */
const domestic = 'Bigmodel.cn has lower prices in yuan.';
const cache = automaticCache();

export const zhipuModels = modelRows(
  {
    family: 'glm',
    tokenizerPrior: unknownPrior,
    source: 'Z.ai model documentation; prices by pi-ai 1.5.2 (2026-11), genai-prices 0.1.8 and OpenRouter',
    asOf: '2026-11',
  },
  [
    { match: 'glm', contextWindow: undefined, cache },
    { match: 'glm-4-5', contextWindow: 131_072, cache, prices: prices(0.6, 0.11, 2.2), note: domestic },
    { match: 'glm-4-5-air', contextWindow: 131_072, cache, prices: prices(0.2, 0.03, 1.1), note: domestic },
    { match: 'glm-4-6', contextWindow: 200_000, cache, prices: prices(0.6, 0.11, 2.2), note: domestic },
    { match: 'glm-4-7', contextWindow: 200_000, cache, prices: prices(0.6, 0.11, 2.2), note: domestic },
    {
      match: 'glm-5',
      contextWindow: 200_000,
      cache,
      note: 'Sources disagree: 0.6 to 1 for fresh input abroad, 0.552 at bigmodel.cn.',
    },
    { match: 'glm-5-turbo', contextWindow: 200_000, cache, prices: prices(1.2, 0.24, 4), note: domestic },
    { match: 'glm-5-1', contextWindow: 200_000, cache, prices: prices(1.4, 0.26, 4.4), note: domestic },
    { match: 'glm-5-2', contextWindow: million, cache, prices: prices(1.4, 0.26, 4.4), note: domestic },
    { match: 'glm-5-3', contextWindow: million, cache, prices: prices(1.4, 0.26, 4.4), note: domestic },
    {
      match: 'glm-5-3-flash',
      contextWindow: million,
      cache,
      prices: prices(0.15, 0.03, 0.5),
      note: `genai-prices of 2026-09 has half of these prices. ${domestic}`,
    },
  ],
);
