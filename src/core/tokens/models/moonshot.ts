import { unknownPrior } from '../tokenizerPrior';
import { automaticCache, modelRows, prices } from './modelRows';

const cache = automaticCache();
const listed = 'Prices by pi-ai 1.6.0 alone.';

export const moonshotModels = modelRows(
  {
    family: 'kimi',
    tokenizerPrior: unknownPrior,
    source:
      'Moonshot AI platform documentation; prices by genai-prices 0.1.8 (2026-09) and pi-ai 1.5.2 (2026-11)',
    asOf: '2026-11',
  },
  [
    { match: 'kimi', contextWindow: undefined, cache },
    { match: 'kimi-k2-0711', contextWindow: 131_072, cache, prices: prices(0.6, 0.15, 2.5) },
    { match: 'kimi-k2-0905', contextWindow: 262_144, cache, prices: prices(0.6, 0.15, 2.5) },
    { match: 'kimi-k2-turbo', contextWindow: 262_144, cache, prices: prices(1.15, 0.15, 8) },
    { match: 'kimi-k2-thinking', contextWindow: 262_144, cache, prices: prices(0.6, 0.15, 2.5) },
    { match: 'kimi-k2-thinking-turbo', contextWindow: 262_144, cache, prices: prices(1.15, 0.15, 8) },
    { match: 'kimi-k2-5', contextWindow: 262_144, cache, prices: prices(0.6, 0.1, 3) },
    { match: 'kimi-k2-6', contextWindow: 262_144, cache, prices: prices(0.95, 0.16, 4) },
    { match: 'kimi-k2-7-code', contextWindow: 262_144, cache, prices: prices(0.95, 0.19, 4) },
    { match: 'kimi-k2-7-code-highspeed', contextWindow: 262_144, cache, prices: prices(1.9, 0.38, 8) },
    { match: 'kimi-k3', contextWindow: 1_048_576, cache, prices: prices(3, 0.3, 15) },
    {
      match: 'kimi-k3-1-pro',
      contextWindow: 1_048_576,
      cache,
      prices: prices(2, 0.2, 10),
      note: 'Prices by pi-ai 1.5.2 alone, for two of its providers alike.',
    },
    {
      match: 'kimi-k3-1-pro-highspeed',
      contextWindow: 1_048_576,
      cache,
      prices: prices(4, 0.2, 20),
      note: listed,
    },
    // The names in Kimi's own subscription, and its list prices by token.
    { match: 'k3', contextWindow: 1_048_576, cache, prices: prices(3, 0.3, 15), note: listed },
    { match: 'k3-256k', contextWindow: 262_144, cache, prices: prices(3, 0.3, 15), note: listed },
    { match: 'k3-1-pro', contextWindow: 1_048_576, cache, prices: prices(2, 0.2, 10), note: listed },
    {
      match: 'k3-1-pro-highspeed',
      contextWindow: 1_048_576,
      cache,
      prices: prices(4, 0.2, 20),
      note: listed,
    },
    {
      match: 'kimi-for-coding',
      contextWindow: 1_048_576,
      cache,
      prices: prices(0.95, 0.19, 4),
      note: listed,
    },
    {
      match: 'kimi-for-coding-highspeed',
      contextWindow: 262_144,
      cache,
      prices: prices(1.9, 0.38, 8),
      note: listed,
    },
  ],
);
