import type { CacheRules, ModelPrices } from '../../model/modelRow';
import { million } from '../prices';
import { earlierClaudePrior, laterClaudePrior } from '../tokenizerPrior';
import { modelRows } from './modelRows';

function cache(minimumTokens: number): CacheRules {
  return {
    minimumTokens,
    lifetimeSeconds: 300,
    lookbackBlocks: 20,
    maximumBreakpoints: 4,
    explicit: true,
    usageIncludesCached: false,
  };
}

/** Anthropic's pricing page, 2026-11: batches cost half; 1,000 web searches cost 10 dollars; fetches cost nothing. */
const common = {
  terms: { batch: 0.5 },
  tools: { web_search_requests: 0.01, web_fetch_requests: 0 },
} as const;

/** Writing costs 1.25 times the fresh input price for five minutes, twice for an hour. */
function prices(input: number, output: number, cacheRead: number): ModelPrices {
  return { input, cacheRead, cacheWrite: 1.25 * input, cacheWriteHour: 2 * input, output, ...common };
}

/**
 * From Opus 4.6 and Sonnet 4.6 on, inference in the US only costs 1.1 times as much. The pricing page has factors for
 * the fast mode, up to Opus 5.
 */
function withTerms(listed: ModelPrices, fast?: number): ModelPrices {
  return { ...listed, terms: { ...listed.terms, us: 1.1, ...(fast === undefined ? {} : { fast }) } };
}

/**
 * With the premium for a context of more than 200,000 tokens: twice the input price, one and a half times the output
 * price.
 */
function longContext(input: number, output: number, cacheRead: number): ModelPrices {
  return {
    ...prices(input, output, cacheRead),
    above: { inputTokens: 200_000, prices: prices(2 * input, 1.5 * output, 2 * cacheRead) },
  };
}

const earlierHaiku = {
  input: 0.25,
  cacheRead: 0.03,
  cacheWrite: 0.3,
  cacheWriteHour: 0.5,
  output: 1.25,
  ...common,
};
const sonnet = prices(3, 15, 0.3);
const earlierOpus = prices(15, 75, 1.5);
const opus = prices(5, 25, 0.5);
const fable = prices(10, 50, 1);
const laterFable = prices(10, 50, 0.25);

/** The day on which the premium for long contexts ended for the models with a window of one million tokens. */
const premiumEnd = '2026-03-13T00:00:00Z';
const severalWindows = 'A million tokens fit; Claude Code runs it with 200,000 unless [1m] is chosen.';
const premiumDisputed =
  'genai-prices has no premium beyond 200,000 tokens; Anthropic announced one in 2025-08.';
const minimumDisputed =
  'Cache minimum: other dates of the guide have 2048 (Sonnet 4.6), 4096 (Opus 4.7, 4.8).';

const facts = {
  family: 'claude',
  source:
    'Anthropic pricing, model and prompt caching pages; prices compared with genai-prices 0.1.8 and pi-ai 1.5.2',
  asOf: '2026-11',
} as const;

export const anthropicModels = [
  ...modelRows({ ...facts, tokenizerPrior: earlierClaudePrior }, [
    { match: 'claude-3-haiku', contextWindow: 200_000, cache: cache(2048), prices: earlierHaiku },
    { match: 'claude-3-sonnet', contextWindow: 200_000, cache: cache(1024), prices: sonnet },
    { match: 'claude-3-opus', contextWindow: 200_000, cache: cache(1024), prices: earlierOpus },
    { match: 'claude-3-5-haiku', contextWindow: 200_000, cache: cache(2048), prices: prices(0.8, 4, 0.08) },
    { match: 'claude-3-5-sonnet', contextWindow: 200_000, cache: cache(1024), prices: sonnet },
    { match: 'claude-3-7-sonnet', contextWindow: 200_000, cache: cache(1024), prices: sonnet },
    { match: 'claude-opus-4', contextWindow: 200_000, cache: cache(1024), prices: earlierOpus },
    { match: 'claude-opus-4-0', contextWindow: 200_000, cache: cache(1024), prices: earlierOpus },
    { match: 'claude-opus-4-1', contextWindow: 200_000, cache: cache(1024), prices: earlierOpus },
    { match: 'claude-opus-4-5', contextWindow: 200_000, cache: cache(4096), prices: opus },
    {
      match: 'claude-opus-4-6',
      contextWindow: undefined,
      eitherWindow: [200_000, million],
      cache: cache(4096),
      prices: { ...withTerms(opus, 6), earlier: [{ until: premiumEnd, prices: longContext(5, 25, 0.5) }] },
      note: severalWindows,
    },
    {
      match: 'claude-sonnet-4',
      contextWindow: 200_000,
      cache: cache(1024),
      prices: longContext(3, 15, 0.3),
      note: premiumDisputed,
    },
    {
      match: 'claude-sonnet-4-0',
      contextWindow: 200_000,
      cache: cache(1024),
      prices: longContext(3, 15, 0.3),
      note: premiumDisputed,
    },
    {
      match: 'claude-sonnet-4-5',
      contextWindow: 200_000,
      cache: cache(1024),
      prices: longContext(3, 15, 0.3),
    },
    {
      match: 'claude-sonnet-4-6',
      contextWindow: undefined,
      eitherWindow: [200_000, million],
      cache: cache(1024),
      prices: { ...withTerms(sonnet), earlier: [{ until: premiumEnd, prices: longContext(3, 15, 0.3) }] },
      note: `${severalWindows} ${minimumDisputed}`,
    },
    { match: 'claude-haiku-4-5', contextWindow: 200_000, cache: cache(4096), prices: prices(1, 5, 0.1) },
  ]),
  ...modelRows({ ...facts, tokenizerPrior: laterClaudePrior }, [
    {
      match: 'claude-opus-4-7',
      contextWindow: million,
      cache: cache(2048),
      prices: withTerms(opus, 6),
      note: minimumDisputed,
    },
    {
      match: 'claude-opus-4-8',
      contextWindow: million,
      cache: cache(1024),
      prices: withTerms(opus, 2),
      note: minimumDisputed,
    },
    { match: 'claude-opus-5', contextWindow: million, cache: cache(512), prices: withTerms(opus, 2) },
    {
      match: 'claude-opus-5-5',
      contextWindow: million,
      cache: cache(512),
      prices: withTerms(prices(4, 20, 0.2)),
    },
    {
      match: 'claude-sonnet-5',
      contextWindow: million,
      cache: cache(1024),
      prices: withTerms(prices(2, 10, 0.2)),
    },
    {
      match: 'claude-sonnet-5-5',
      contextWindow: million,
      cache: cache(512),
      prices: {
        ...withTerms(prices(2, 10, 0.1)),
        earlier: [{ until: '2026-10-07T00:00:00Z', prices: prices(2, 10, 0.2) }],
      },
    },
    {
      match: 'claude-haiku-5-5',
      contextWindow: million,
      cache: cache(512),
      prices: {
        ...withTerms(prices(0.1, 0.5, 0.01)),
        above: { inputTokens: 100_000, prices: prices(0.5, 2.5, 0.05) },
      },
    },
    { match: 'claude-fable-5', contextWindow: million, cache: cache(512), prices: withTerms(fable) },
    { match: 'claude-fable-5-1', contextWindow: million, cache: cache(512), prices: withTerms(laterFable) },
    {
      match: 'claude-fable-5-2',
      contextWindow: million,
      cache: { ...cache(512), minimumTokens: undefined },
      prices: withTerms(prices(8, 40, 0.2)),
      note: 'The cache minimum is not known. Prices: pi-ai 1.5.2, for Anthropic and for the Vercel gateway.',
    },
    { match: 'claude-mythos-preview', contextWindow: million, cache: cache(2048) },
    { match: 'claude-mythos-5', contextWindow: million, cache: cache(512), prices: withTerms(fable) },
    { match: 'claude-mythos-5-1', contextWindow: million, cache: cache(512), prices: withTerms(laterFable) },
  ]),
];
