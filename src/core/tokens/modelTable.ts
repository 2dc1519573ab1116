import type { ModelPrices } from './prices';
import {
  earlierClaudePrior,
  laterClaudePrior,
  openaiPrior,
  unknownPrior,
  type TokenizerPrior,
} from './tokenizerPrior';

/** A provider's rules of prompt caching; undefined where the provider names no figure, or sources disagree. */
export interface CacheRules {
  /** Shortest prefix that is cached, in tokens. */
  readonly minimumTokens: number | undefined;
  /** How long an unused entry lives by default, in seconds; the least that is promised. */
  readonly lifetimeSeconds: number | undefined;
  /** Blocks that a read looks back from a breakpoint, the breakpoint's own block being the first. */
  readonly lookbackBlocks: number | undefined;
  readonly maximumBreakpoints: number | undefined;
  /** Whether only marked places are written, so that a request without marks is not cached. */
  readonly explicit: boolean;
  /** Hits come in steps of so many tokens. */
  readonly granularityTokens?: number;
  /** Whether the provider's own usage counts cached tokens as part of its input figure; ours never does. */
  readonly usageIncludesCached?: boolean;
}

/** What is known about a model. */
export interface ModelRow {
  /** The model's id without provider and date, dots written as dashes. */
  readonly match: string;
  readonly family: 'claude' | 'openai' | 'deepseek' | 'glm' | 'qwen' | 'kimi' | 'gemini';
  readonly tokenizerPrior: TokenizerPrior;
  /**
   * Tokens that fit; undefined where it is not published, where sources disagree, or where one id is run with several
   * windows (Claude 4.6 in Claude Code, DeepSeek's moving aliases).
   */
  readonly contextWindow: number | undefined;
  readonly cache: CacheRules;
  /** Undefined where no list price is published, or sources disagree: then no money is shown. */
  readonly prices?: ModelPrices;
  readonly source: string;
  /** Year and month of the source. */
  readonly asOf: string;
  /** Published figures that contradict the row's. */
  readonly note?: string;
}

function anthropicCache(minimumTokens: number): CacheRules {
  return { minimumTokens, lifetimeSeconds: 300, lookbackBlocks: 20, maximumBreakpoints: 4, explicit: true };
}

function automaticCache(minimumTokens?: number, lifetimeSeconds?: number): CacheRules {
  return {
    minimumTokens,
    lifetimeSeconds,
    lookbackBlocks: undefined,
    maximumBreakpoints: undefined,
    explicit: false,
  };
}

/** OpenAI up to 5.5: automatic; kept for 5 to 10 minutes of idleness. */
const openaiCache = automaticCache(1024, 300);
/** OpenAI from 5.6 on: one automatic breakpoint and up to three marked ones; 30 minutes at least. */
const laterOpenaiCache: CacheRules = { ...openaiCache, lifetimeSeconds: 1800, maximumBreakpoints: 4 };

/** [match, context window, cache minimum] */
type ClaudeModel = readonly [match: string, contextWindow: number | undefined, minimumTokens: number];

function claudeRows(
  models: readonly ClaudeModel[],
  tokenizerPrior: TokenizerPrior,
  source: string,
  asOf: string,
): readonly ModelRow[] {
  return models.map(([match, contextWindow, minimumTokens]) => ({
    match,
    family: 'claude',
    tokenizerPrior,
    contextWindow,
    cache: anthropicCache(minimumTokens),
    source,
    asOf,
  }));
}

/** [match, context window, cache rules] */
type OtherModel = readonly [match: string, contextWindow: number | undefined, cache: CacheRules];

function otherRows(
  family: Exclude<ModelRow['family'], 'claude'>,
  models: readonly OtherModel[],
  source: string,
  asOf: string,
): readonly ModelRow[] {
  return models.map(([match, contextWindow, cache]) => ({
    match,
    family,
    tokenizerPrior: family === 'openai' ? openaiPrior : unknownPrior,
    contextWindow,
    cache,
    source,
    asOf,
  }));
}

const million = 1_000_000;

/** Re-check against the sources before a figure is shown as a promise: minimums and windows have changed by the month. */
export const modelTable: readonly ModelRow[] = [
  ...claudeRows(
    [
      ['claude-3-haiku', 200_000, 2048],
      ['claude-3-sonnet', 200_000, 1024],
      ['claude-3-opus', 200_000, 1024],
      ['claude-3-5-haiku', 200_000, 2048],
      ['claude-3-5-sonnet', 200_000, 1024],
      ['claude-3-7-sonnet', 200_000, 1024],
    ],
    earlierClaudePrior,
    'Anthropic models overview and prompt caching guide',
    '2025-10',
  ),
  ...claudeRows(
    [
      ['claude-opus-4', 200_000, 1024],
      ['claude-opus-4-0', 200_000, 1024],
      ['claude-opus-4-1', 200_000, 1024],
      ['claude-opus-4-5', 200_000, 4096],
      ['claude-opus-4-6', undefined, 4096],
      ['claude-sonnet-4', 200_000, 1024],
      ['claude-sonnet-4-0', 200_000, 1024],
      ['claude-sonnet-4-5', 200_000, 1024],
      ['claude-sonnet-4-6', undefined, 1024],
      ['claude-haiku-4-5', 200_000, 4096],
    ],
    earlierClaudePrior,
    'Anthropic context windows page and prompt caching guide',
    '2026-10',
  ),
  ...claudeRows(
    [
      ['claude-opus-4-7', million, 2048],
      ['claude-opus-4-8', million, 1024],
      ['claude-opus-5', million, 512],
      ['claude-opus-5-5', million, 512],
      ['claude-sonnet-5', million, 1024],
      ['claude-sonnet-5-5', million, 512],
      ['claude-haiku-5-5', million, 512],
      ['claude-fable-5', million, 512],
      ['claude-fable-5-1', million, 512],
      ['claude-mythos-preview', million, 2048],
      ['claude-mythos-5', million, 512],
      ['claude-mythos-5-1', million, 512],
    ],
    laterClaudePrior,
    'Anthropic model pages and prompt caching guide',
    '2026-10',
  ),
  ...otherRows(
    'openai',
    [
      ['gpt-4o', 128_000, openaiCache],
      ['gpt-4-1', 1_047_576, openaiCache],
      ['o1', 200_000, openaiCache],
      ['o1-mini', 128_000, openaiCache],
      ['o1-preview', 128_000, openaiCache],
      ['o3', 200_000, openaiCache],
      ['o4-mini', 200_000, openaiCache],
      ['gpt-5', 400_000, openaiCache],
      ['gpt-5-chat', 128_000, openaiCache],
      ['gpt-5-1', 400_000, openaiCache],
      ['gpt-5-1-chat', 128_000, openaiCache],
      ['gpt-5-2', 400_000, openaiCache],
      ['gpt-5-2-chat', 128_000, openaiCache],
      ['gpt-5-3-codex', 400_000, openaiCache],
      ['gpt-5-3-codex-spark', 128_000, openaiCache],
      ['gpt-5-4', 1_050_000, openaiCache],
      ['gpt-5-4-mini', undefined, openaiCache],
      ['gpt-5-4-nano', undefined, openaiCache],
      ['gpt-5-5', 1_050_000, openaiCache],
      ['gpt-5-6', undefined, laterOpenaiCache],
      ['gpt-5-6-sol', 1_050_000, laterOpenaiCache],
      ['gpt-6', undefined, laterOpenaiCache],
      ['gpt-6-1-sol', 1_050_000, laterOpenaiCache],
      ['gpt', undefined, automaticCache()],
    ],
    'OpenAI model pages and prompt caching guide',
    '2026-09',
  ),
  ...otherRows(
    'deepseek',
    [
      ['deepseek', undefined, automaticCache()],
      ['deepseek-v4', million, automaticCache()],
    ],
    'DeepSeek API documentation, models and context caching',
    '2026-09',
  ),
  ...otherRows(
    'glm',
    [
      ['glm', undefined, automaticCache()],
      ['glm-4-6', 200_000, automaticCache()],
      ['glm-4-7', 200_000, automaticCache()],
    ],
    'Z.ai model documentation',
    '2026-01',
  ),
  ...otherRows(
    'qwen',
    [
      ['qwen', undefined, automaticCache()],
      ['qwen3', undefined, automaticCache()],
    ],
    'Alibaba Cloud Model Studio documentation: windows differ by release and region',
    '2026-01',
  ),
  ...otherRows(
    'kimi',
    [
      ['kimi', undefined, automaticCache()],
      ['kimi-k2-0905', 262_144, automaticCache()],
      ['kimi-k2-thinking', 262_144, automaticCache()],
    ],
    'Moonshot AI platform documentation',
    '2026-01',
  ),
  ...otherRows(
    'gemini',
    [
      ['gemini', undefined, automaticCache()],
      ['gemini-2-0-flash', 1_048_576, automaticCache()],
      ['gemini-2-5-flash', 1_048_576, automaticCache(2048)],
      ['gemini-2-5-pro', 1_048_576, automaticCache(2048)],
      ['gemini-3-flash', 1_048_576, automaticCache(4096)],
      ['gemini-3-8-flash', undefined, automaticCache(4096)],
    ],
    'Gemini API documentation, models and context caching',
    '2026-10',
  ),
];

const rowsByLength = [...modelTable].sort((first, second) => second.match.length - first.match.length);
const longContext = '[1m]';

/** After a model's name only a variant or a date may follow: one or two digits would be another version. */
const sameVersion = /^(?:$|[-@:](?!\d{1,2}(?!\d)))/;
/** A name of letters alone stands for the whole family, every version of it. */
const wholeFamily = /^[a-z]+$/;
const anyVersion = /^(?![a-z])/;

function matches({ match }: ModelRow, name: string): boolean {
  const follows = wholeFamily.test(match) ? anyVersion : sameVersion;
  return name.startsWith(match) && follows.test(name.slice(match.length));
}

/** Lower case, without provider (`anthropic/`, `us.anthropic.`), dots written as dashes. */
function normalise(id: string): string {
  return id
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/^(?:[a-z-]+\.)+(?=[a-z])/, '')
    .replaceAll('.', '-');
}

/**
 * The row of a model id as agents write it: exact, else the longest family name that the id begins with. Dates,
 * provider prefixes, and dots for dashes do not matter; another version is never taken for a known one
 * (`claude-opus-4.9` is not `claude-opus-4`). The suffix `[1m]` sets the window to 1,000,000.
 */
export function lookUpModel(id: string): ModelRow | undefined {
  const name = normalise(id);
  const plain = name.endsWith(longContext) ? name.slice(0, -longContext.length) : name;
  const row = rowsByLength.find(candidate => matches(candidate, plain));
  return row !== undefined && plain !== name ? { ...row, contextWindow: million } : row;
}
