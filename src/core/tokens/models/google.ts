import type { CacheRules, ModelPrices, TokenPrices } from '../../model/modelRow';
import { unknownPrior } from '../tokenizerPrior';
import { automaticCache, modelRows, prices } from './modelRows';

const window = 1_048_576;

/** Above 200,000 tokens of input: twice the input price, one and a half times the output price. */
function withLongContext(short: TokenPrices): ModelPrices {
  const { input, cacheRead, output } = short;
  return {
    ...short,
    above: { inputTokens: 200_000, prices: prices(2 * input, 2 * cacheRead, 1.5 * output) },
  };
}

const pro3 = withLongContext(prices(2, 0.2, 12));
const laterFlash = prices(0.75, 0.075, 3.75);
const raised = 'From 2027-01-01 twice these prices are announced.';

const listed = 'Prices by pi-ai 1.6.0 alone, for Google, Vertex AI and the Vercel gateway alike.';
const latest = 'The model behind this name in 2026-11; prices by pi-ai 1.6.0 alone.';

/** Its counts of cached tokens scatter: by 4 % at the median of a session with Gemini 3 Pro (2026-01). */
const implicitCache = (minimumTokens?: number): CacheRules => ({
  ...automaticCache(minimumTokens),
  readScatter: 0.05,
});

/** Implicit caching: writing costs nothing extra; storage of explicit caches is billed separately. */
export const googleModels = modelRows(
  {
    family: 'gemini',
    tokenizerPrior: unknownPrior,
    source:
      'Gemini API model and caching pages; prices by genai-prices 0.1.8 (2026-09) and pi-ai 1.5.2 (2026-11), for text',
    asOf: '2026-11',
  },
  [
    { match: 'gemini', contextWindow: undefined, cache: implicitCache() },
    {
      match: 'gemini-2-0-flash',
      contextWindow: window,
      cache: implicitCache(),
      prices: prices(0.1, 0.025, 0.4),
    },
    {
      match: 'gemini-2-5-flash',
      contextWindow: window,
      cache: implicitCache(2048),
      prices: prices(0.3, 0.03, 2.5),
    },
    {
      match: 'gemini-2-5-flash-lite',
      contextWindow: window,
      cache: implicitCache(2048),
      prices: prices(0.1, 0.01, 0.4),
    },
    {
      match: 'gemini-2-5-pro',
      contextWindow: window,
      cache: implicitCache(2048),
      prices: withLongContext(prices(1.25, 0.125, 10)),
    },
    { match: 'gemini-3-pro', contextWindow: window, cache: implicitCache(4096), prices: pro3 },
    {
      match: 'gemini-3-flash',
      contextWindow: window,
      cache: implicitCache(4096),
      prices: prices(0.5, 0.05, 3),
    },
    { match: 'gemini-3-1-pro', contextWindow: window, cache: implicitCache(4096), prices: pro3 },
    {
      match: 'gemini-3-1-flash-lite',
      contextWindow: window,
      cache: implicitCache(4096),
      prices: prices(0.25, 0.025, 1.5),
    },
    {
      match: 'gemini-3-5-flash',
      contextWindow: window,
      cache: implicitCache(4096),
      prices: prices(1.5, 0.15, 9),
    },
    {
      match: 'gemini-3-5-flash-lite',
      contextWindow: window,
      cache: implicitCache(4096),
      prices: prices(0.3, 0.03, 2.5),
    },
    {
      match: 'gemini-3-6-flash',
      contextWindow: window,
      cache: implicitCache(4096),
      prices: laterFlash,
      note: raised,
    },
    {
      match: 'gemini-3-7-flash',
      contextWindow: window,
      cache: implicitCache(4096),
      prices: laterFlash,
      note: raised,
    },
    {
      match: 'gemini-3-8-flash',
      contextWindow: window,
      cache: implicitCache(4096),
      prices: laterFlash,
      note: raised,
    },
    {
      match: 'gemini-4-argon',
      contextWindow: window,
      cache: implicitCache(4096),
      prices: prices(2, 0.1, 10),
      note: 'Prices by pi-ai 1.5.2 alone, for Google, GitHub Copilot and the Vercel gateway alike.',
    },
    {
      match: 'gemini-4-carbon',
      contextWindow: window,
      cache: implicitCache(4096),
      prices: prices(2, 0.1, 10),
      note: listed,
    },
    {
      match: 'gemini-4-hydrogen',
      contextWindow: window,
      cache: implicitCache(4096),
      prices: prices(1.5, 0.075, 7.5),
      note: listed,
    },
    {
      match: 'gemini-4-neon',
      contextWindow: window,
      cache: implicitCache(4096),
      prices: prices(3, 0.15, 15),
      note: listed,
    },
    {
      match: 'gemini-flash-latest',
      contextWindow: window,
      cache: implicitCache(4096),
      prices: prices(1.5, 0.15, 9),
      note: latest,
    },
    {
      match: 'gemini-flash-lite-latest',
      contextWindow: window,
      cache: implicitCache(4096),
      prices: prices(0.25, 0.025, 1.5),
      note: latest,
    },
    {
      match: 'gemini-pro-latest',
      contextWindow: window,
      cache: implicitCache(4096),
      prices: pro3,
      note: latest,
    },
  ],
);
