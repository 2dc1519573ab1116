import type { ModelPrices } from '../../model/modelRow';
import { million } from '../prices';
import { unknownPrior } from '../tokenizerPrior';
import { automaticCache, modelRows, prices } from './modelRows';

/** From 200,000 tokens of input on, all prices are doubled. */
function withLongContext(input: number, cacheRead: number, output: number): ModelPrices {
  return {
    ...prices(input, cacheRead, output),
    above: { inputTokens: 199_999, prices: prices(2 * input, 2 * cacheRead, 2 * output) },
  };
}

const cache = automaticCache();
const fast = prices(0.2, 0.05, 0.5);
const grok420 = withLongContext(1.25, 0.2, 2.5);

export const xaiModels = modelRows(
  {
    family: 'grok',
    tokenizerPrior: unknownPrior,
    source: 'xAI model pages; prices by genai-prices 0.1.8 (2026-09) and pi-ai 1.5.2 (2026-11)',
    asOf: '2026-11',
  },
  [
    { match: 'grok', contextWindow: undefined, cache },
    { match: 'grok-3', contextWindow: 131_072, cache, prices: prices(3, 0.75, 15) },
    { match: 'grok-3-mini', contextWindow: 131_072, cache, prices: prices(0.3, 0.075, 0.5) },
    { match: 'grok-4', contextWindow: 256_000, cache, prices: prices(3, 0.75, 15) },
    { match: 'grok-4-fast', contextWindow: 2 * million, cache, prices: fast },
    { match: 'grok-4-fast-non-reasoning', contextWindow: 2 * million, cache, prices: fast },
    { match: 'grok-4-1-fast', contextWindow: 2 * million, cache, prices: fast },
    { match: 'grok-4-1-fast-non-reasoning', contextWindow: 2 * million, cache, prices: fast },
    {
      match: 'grok-4-20',
      contextWindow: undefined,
      cache,
      prices: grok420,
      note: 'Windows of one and of two million are listed.',
    },
    { match: 'grok-4-3', contextWindow: million, cache, prices: grok420 },
    { match: 'grok-4-5', contextWindow: 500_000, cache, prices: withLongContext(2, 0.3, 6) },
    { match: 'grok-4-6', contextWindow: 500_000, cache, prices: withLongContext(2, 0.5, 6) },
    {
      match: 'grok-4-7',
      contextWindow: 500_000,
      cache,
      prices: withLongContext(2, 0.5, 6),
      note: 'Prices by pi-ai 1.5.2 alone, for four of its providers alike.',
    },
    { match: 'grok-code-fast-1', contextWindow: 256_000, cache, prices: prices(0.2, 0.02, 1.5) },
  ],
);
