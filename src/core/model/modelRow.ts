/** The encodings whose vocabularies are bundled with the program. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/**
 * The known facts about a model family's tokenizer before a session is read. There is one scale for all texts: ratios
 * by kind of text are published only between two generations of Claude, not to an encoding, and contradict each other
 * (TypeScript 1.13 in one source and 1.36 in another; two agree only on CJK). The error also covers the kinds of text.
 */
export interface TokenizerPrior {
  readonly encoding: Encoding;
  /** The family's tokens per token of `encoding`. */
  readonly scale: number;
  /** Expected relative error of a count with this scale. */
  readonly error: number;
  readonly source: string;
  /** Year and month of the source. */
  readonly asOf: string;
}

/** US dollars per million tokens of each kind. */
export interface TokenPrices {
  /** Input that was neither read from the cache nor written to the cache. */
  readonly input: number;
  readonly cacheRead: number;
  /** Writing to the cache for its default lifetime. If writing costs nothing extra, the price of uncached input. */
  readonly cacheWrite: number;
  /** Writing for an hour, if it has a price of its own. */
  readonly cacheWriteHour?: number;
  /** Output, including reasoning. */
  readonly output: number;
}

/** Prices that depend on the length of the input and on the time of the request. */
export interface PriceList extends TokenPrices {
  /** Prices for the whole request if its input of all kinds is longer than `inputTokens`. */
  readonly above?: { readonly inputTokens: number; readonly prices: TokenPrices };
  /** From Monday to Friday within these hours of the day, UTC; the end hour is excluded. */
  readonly peak?: { readonly hours: readonly (readonly [number, number])[]; readonly prices: TokenPrices };
}

/** The terms of a request, besides the standard ones, for which providers publish prices. */
export type PriceTerm = 'fast' | 'batch' | 'flex' | 'priority' | 'us';

/** List prices of a model: the current ones, and earlier ones, the oldest first. */
export interface ModelPrices extends PriceList {
  /** Factors on all prices under other terms. A term without a factor has no list price. */
  readonly terms?: Readonly<Partial<Record<PriceTerm, number>>>;
  /** US dollars for a call of a tool that the provider runs, by its name in the usage. */
  readonly tools?: Readonly<Record<string, number>>;
  /** `until` is the first moment of the next prices, in ISO 8601. */
  readonly earlier?: readonly { readonly until: string; readonly prices: PriceList }[];
}

/** Number of caches that survived pauses of some length, in recorded sessions. */
export interface CacheSurvival {
  /** The requested lifetime in seconds; 0 if not recorded. */
  readonly asked: number;
  /** The pauses are longer than `from` and at most `to`, in seconds. */
  readonly from: number;
  readonly to: number;
  readonly survived: number;
  readonly of: number;
  /** True if counted on the model itself; false if on all models of its family with the same promised lifetime. */
  readonly isOwn: boolean;
}

/**
 * A provider's rules of prompt caching. A member is undefined if the provider names no figure, or if sources disagree.
 */
export interface CacheRules {
  /** Shortest prefix that is cached, in tokens. */
  readonly minimumTokens: number | undefined;
  /** The default lifetime of an unused entry in seconds: the promised minimum. */
  readonly lifetimeSeconds: number | undefined;
  /** Number of caches that survived pauses, in recorded sessions, the shortest first. Absent if none was observed. */
  readonly survival?: readonly CacheSurvival[];
  /** Number of blocks that a read looks back from a breakpoint, including the breakpoint's own block. */
  readonly lookbackBlocks: number | undefined;
  readonly maximumBreakpoints: number | undefined;
  /** True if only marked places are written, so that a request without marks is not cached. */
  readonly explicit: boolean;
  /** Cache hits are multiples of this many tokens. */
  readonly granularityTokens?: number;
  /** Share of a request within which its count of cached tokens may deviate, if the session does not show it. */
  readonly readScatter?: number;
  /** True if the provider's usage includes cached tokens in its input figure. Our own input figure never does. */
  readonly usageIncludesCached?: boolean;
}

/** `other` is for a user's row about a model of an unknown family. */
export const modelFamilies = [
  'claude',
  'openai',
  'deepseek',
  'glm',
  'qwen',
  'kimi',
  'gemini',
  'grok',
  'mistral',
  'minimax',
  'other',
] as const;
export type ModelFamily = (typeof modelFamilies)[number];

/** The known facts about a model. */
export interface ModelRow {
  /** The model's id without provider and date, dots written as dashes. */
  readonly match: string;
  readonly family: ModelFamily;
  readonly tokenizerPrior: TokenizerPrior;
  /**
   * Maximum tokens. Undefined if not published, if sources disagree, or if one id is used with several windows (Claude
   * 4.6 in Claude Code, DeepSeek's moving aliases).
   */
  readonly contextWindow: number | undefined;
  /** The smaller and the larger window that one id is used with, in tokens. */
  readonly eitherWindow?: readonly [smaller: number, larger: number];
  /** The source of `contextWindow` if it is not the table: the suffix of the id, or the user. */
  readonly windowSource?: 'model' | 'settings';
  readonly cache: CacheRules;
  /** Undefined if no list price is published, or if sources disagree. Then no money is shown. */
  readonly prices?: ModelPrices;
  readonly source: string;
  /** Year and month of the source; empty for a row of the user's. */
  readonly asOf: string;
  /** Published figures that contradict the row, or limits of the row. */
  readonly note?: string;
}
