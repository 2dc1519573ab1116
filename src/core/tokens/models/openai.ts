import type { CacheRules, ModelPrices, PriceTerm, TokenPrices } from '../../model/modelRow';
import { openaiPrior } from '../tokenizerPrior';
import { automaticCache, type ModelFacts, modelRows, prices } from './modelRows';

/** Up to 5.5: automatic; kept for 5 to 10 minutes without use; hits in steps of 128 tokens. */
const cache: CacheRules = { ...automaticCache(1024, 300), granularityTokens: 128 };
/** From 5.6 on: one automatic breakpoint and up to three explicit ones; kept for at least 30 minutes. */
const laterCache: CacheRules = { ...automaticCache(1024, 1800), maximumBreakpoints: 4 };

/** Writing to the cache costs 1.25 times the fresh input price. */
function laterPrices(input: number, cacheRead: number, output: number): TokenPrices {
  return { input, cacheRead, cacheWrite: 1.25 * input, output };
}

/** From 272,000 tokens of input on: twice the input price, one and a half times the output price. */
function withLongContext(short: TokenPrices): ModelPrices {
  return {
    ...short,
    above: {
      inputTokens: 271_999,
      prices: {
        input: 2 * short.input,
        cacheRead: 2 * short.cacheRead,
        cacheWrite: 2 * short.cacheWrite,
        output: 1.5 * short.output,
      },
    },
  };
}

/** No discount for cached input is listed. */
function undiscounted(input: number, output: number): TokenPrices {
  return prices(input, input, output);
}

const gpt5 = prices(1.25, 0.125, 10);
const gpt52 = prices(1.75, 0.175, 14);
const window6 = 'Codex runs it with smaller windows (272,000; 500,000), and records which.';
const listed = 'Prices by pi-ai 1.6.0 alone.';

type Tiers = Readonly<Partial<Record<PriceTerm, number>>>;

const batch: Tiers = { batch: 0.5 };
const halves: Tiers = { batch: 0.5, flex: 0.5 };
const codex: Tiers = { priority: 2 };
const all: Tiers = { ...halves, priority: 2 };
/** From 5.6 on the priority tier is also called the fast mode. */
const later: Tiers = { ...all, fast: 2 };

/**
 * Factors of the service tiers, by model. Batches and flex cost half. Priority by OpenAI's page about priority processing
 * (2026-06) and LiteLLM's list (2026-07-24); from 6 on by pi-ai 1.6.0 (2026-11), which has the same factors for flex and
 * priority. A tier that they do not name for a model is absent.
 */
const tiers: Readonly<Record<string, Tiers>> = {
  'gpt-4o': { ...batch, priority: 1.7 },
  'gpt-4o-2024-05-13': { ...batch, priority: 1.75 },
  'gpt-4o-mini': { ...batch, priority: 5 / 3 },
  'gpt-4-1': { ...batch, priority: 1.75 },
  'gpt-4-1-mini': { ...batch, priority: 1.75 },
  'gpt-4-1-nano': { ...batch, priority: 2 },
  o1: batch,
  o3: { ...halves, priority: 1.75 },
  'o3-mini': batch,
  'o3-pro': batch,
  'o4-mini': { ...halves, priority: 2 / 1.1 },
  'gpt-5': all,
  'gpt-5-codex': codex,
  'gpt-5-mini': { ...halves, priority: 1.8 },
  'gpt-5-nano': halves,
  'gpt-5-pro': batch,
  'gpt-5-1': all,
  'gpt-5-1-codex': codex,
  'gpt-5-1-codex-mini': { ...batch, priority: 1.8 },
  'gpt-5-2': all,
  'gpt-5-2-codex': codex,
  'gpt-5-2-pro': batch,
  'gpt-5-3-codex': codex,
  'gpt-5-3-codex-spark': codex,
  'gpt-5-4': all,
  'gpt-5-4-mini': all,
  'gpt-5-4-nano': halves,
  'gpt-5-4-pro': halves,
  'gpt-5-5': { ...halves, priority: 2.5 },
  'gpt-5-5-pro': halves,
  'gpt-5-6-sol': later,
  'gpt-5-6-terra': later,
  'gpt-5-6-luna': later,
  'gpt-6-astra': later,
  'gpt-6-sol': later,
  'gpt-6-luna': later,
  'gpt-6-1-sol': later,
  'gpt-6-1-terra': later,
  'gpt-6-2-astra': later,
  'gpt-6-2-sol': later,
};

function withTiers(model: ModelFacts): ModelFacts {
  const terms = tiers[model.match];
  return model.prices === undefined || terms === undefined
    ? model
    : { ...model, prices: { ...model.prices, terms } };
}

/** All facts but the factors of the service tiers. */
const models: readonly ModelFacts[] = [
  { match: 'gpt-4o', contextWindow: 128_000, cache, prices: prices(2.5, 1.25, 10) },
  { match: 'gpt-4o-2024-05-13', contextWindow: 128_000, cache, prices: undiscounted(5, 15) },
  { match: 'gpt-4o-mini', contextWindow: 128_000, cache, prices: prices(0.15, 0.075, 0.6) },
  { match: 'gpt-4-1', contextWindow: 1_047_576, cache, prices: prices(2, 0.5, 8) },
  { match: 'gpt-4-1-mini', contextWindow: 1_047_576, cache, prices: prices(0.4, 0.1, 1.6) },
  { match: 'gpt-4-1-nano', contextWindow: 1_047_576, cache, prices: prices(0.1, 0.025, 0.4) },
  { match: 'o1', contextWindow: 200_000, cache, prices: prices(15, 7.5, 60) },
  { match: 'o1-mini', contextWindow: 128_000, cache, prices: prices(1.1, 0.55, 4.4) },
  { match: 'o1-preview', contextWindow: 128_000, cache, prices: prices(15, 7.5, 60) },
  {
    match: 'o3',
    contextWindow: 200_000,
    cache,
    prices: {
      ...prices(2, 0.5, 8),
      earlier: [{ until: '2025-06-10T00:00:00Z', prices: prices(10, 2.5, 40) }],
    },
    note: 'Before 2025-06-10 genai-prices has 0.5 for cached input, a quarter of the later fresh price.',
  },
  { match: 'o3-mini', contextWindow: 200_000, cache, prices: prices(1.1, 0.55, 4.4) },
  { match: 'o3-pro', contextWindow: 200_000, cache, prices: undiscounted(20, 80) },
  { match: 'o4-mini', contextWindow: 200_000, cache, prices: prices(1.1, 0.275, 4.4) },
  { match: 'codex-mini', contextWindow: 200_000, cache, prices: prices(1.5, 0.375, 6) },
  { match: 'gpt-5', contextWindow: 400_000, cache, prices: gpt5 },
  { match: 'gpt-5-codex', contextWindow: 400_000, cache, prices: gpt5 },
  { match: 'gpt-5-mini', contextWindow: 400_000, cache, prices: prices(0.25, 0.025, 2) },
  { match: 'gpt-5-nano', contextWindow: 400_000, cache, prices: prices(0.05, 0.005, 0.4) },
  { match: 'gpt-5-pro', contextWindow: 400_000, cache, prices: undiscounted(15, 120) },
  { match: 'gpt-5-chat', contextWindow: 128_000, cache, prices: gpt5 },
  { match: 'gpt-5-1', contextWindow: 400_000, cache, prices: gpt5 },
  { match: 'gpt-5-1-codex', contextWindow: 400_000, cache, prices: gpt5 },
  { match: 'gpt-5-1-codex-max', contextWindow: 400_000, cache, prices: gpt5 },
  { match: 'gpt-5-1-codex-mini', contextWindow: 400_000, cache, prices: prices(0.25, 0.025, 2) },
  { match: 'gpt-5-1-chat', contextWindow: 128_000, cache, prices: gpt5 },
  { match: 'gpt-5-2', contextWindow: 400_000, cache, prices: gpt52 },
  { match: 'gpt-5-2-codex', contextWindow: 400_000, cache, prices: gpt52 },
  { match: 'gpt-5-2-chat', contextWindow: 128_000, cache, prices: gpt52 },
  { match: 'gpt-5-2-pro', contextWindow: 400_000, cache, prices: undiscounted(21, 168) },
  { match: 'gpt-5-3', contextWindow: 128_000, cache, prices: gpt52 },
  { match: 'gpt-5-3-codex', contextWindow: 400_000, cache, prices: gpt52 },
  {
    match: 'gpt-5-3-codex-spark',
    contextWindow: 128_000,
    cache,
    prices: gpt52,
    note: 'Prices by pi-ai 1.6.0 alone: those of gpt-5.3-codex.',
  },
  { match: 'gpt-5-4', contextWindow: 1_050_000, cache, prices: withLongContext(prices(2.5, 0.25, 15)) },
  { match: 'gpt-5-4-mini', contextWindow: 400_000, cache, prices: prices(0.75, 0.075, 4.5) },
  { match: 'gpt-5-4-nano', contextWindow: 400_000, cache, prices: prices(0.2, 0.02, 1.25) },
  { match: 'gpt-5-4-pro', contextWindow: 1_050_000, cache, prices: withLongContext(undiscounted(30, 180)) },
  { match: 'gpt-5-5', contextWindow: 1_050_000, cache, prices: withLongContext(prices(5, 0.5, 30)) },
  { match: 'gpt-5-5-pro', contextWindow: 1_050_000, cache, prices: withLongContext(undiscounted(30, 180)) },
  { match: 'gpt-5-6', contextWindow: undefined, cache: laterCache },
  {
    match: 'gpt-5-6-sol',
    contextWindow: 1_050_000,
    cache: laterCache,
    prices: {
      ...withLongContext(laterPrices(4, 0.4, 20)),
      earlier: [{ until: '2026-08-21T00:00:00Z', prices: withLongContext(laterPrices(5, 0.5, 30)) }],
    },
  },
  {
    match: 'gpt-5-6-terra',
    contextWindow: 1_050_000,
    cache: laterCache,
    prices: {
      ...withLongContext(laterPrices(2, 0.2, 12)),
      earlier: [{ until: '2026-07-30T00:00:00Z', prices: withLongContext(laterPrices(2.5, 0.25, 15)) }],
    },
  },
  {
    match: 'gpt-5-6-luna',
    contextWindow: 1_050_000,
    cache: laterCache,
    prices: {
      ...withLongContext(laterPrices(0.2, 0.02, 1.2)),
      earlier: [{ until: '2026-07-30T00:00:00Z', prices: withLongContext(laterPrices(1, 0.1, 6)) }],
    },
  },
  { match: 'gpt-6', contextWindow: undefined, cache: laterCache },
  {
    match: 'gpt-6-astra',
    contextWindow: 1_050_000,
    cache: laterCache,
    prices: withLongContext(laterPrices(10, 1, 50)),
    note: window6,
  },
  {
    match: 'gpt-6-sol',
    contextWindow: 1_050_000,
    cache: laterCache,
    prices: withLongContext(laterPrices(2, 0.2, 10)),
    note: window6,
  },
  {
    match: 'gpt-6-luna',
    contextWindow: 1_050_000,
    cache: laterCache,
    prices: withLongContext(laterPrices(0.1, 0.01, 0.5)),
    note: window6,
  },
  {
    match: 'gpt-6-1-sol',
    contextWindow: 1_050_000,
    cache: laterCache,
    prices: withLongContext(laterPrices(2, 0.1, 10)),
    note: window6,
  },
  {
    match: 'gpt-6-1-terra',
    contextWindow: 1_050_000,
    cache: laterCache,
    prices: withLongContext(laterPrices(1, 0.05, 5)),
    note: window6,
  },
  {
    match: 'gpt-6-2-astra',
    contextWindow: 1_050_000,
    cache: laterCache,
    prices: withLongContext(laterPrices(8, 0.4, 40)),
    note: `${window6} ${listed}`,
  },
  {
    match: 'gpt-6-2-sol',
    contextWindow: 1_050_000,
    cache: laterCache,
    prices: withLongContext(laterPrices(2, 0.1, 10)),
    note: `${window6} ${listed}`,
  },
  {
    match: 'gpt-5-6-cyber',
    contextWindow: 400_000,
    cache: laterCache,
    prices: laterPrices(12.5, 1.25, 75),
    note: listed,
  },
  {
    match: 'gpt-6-cyber',
    contextWindow: 1_050_000,
    cache: laterCache,
    prices: laterPrices(20, 2, 100),
    note: listed,
  },
  { match: 'gpt', contextWindow: undefined, cache: automaticCache() },
];

export const openaiModels = modelRows(
  {
    family: 'openai',
    tokenizerPrior: openaiPrior,
    source:
      'OpenAI model, pricing and prompt caching pages; prices by genai-prices 0.1.8 (2026-09) and pi-ai 1.5.2 (2026-11)',
    asOf: '2026-11',
  },
  models.map(withTiers),
);
