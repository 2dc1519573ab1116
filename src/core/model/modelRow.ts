/** The encodings whose rank tables come with the program. */
export type Encoding = 'o200k_base' | 'cl100k_base';

/**
 * What is known of a model family's tokenizer before a session is looked at. One scale for all texts: ratios by kind of
 * text are published only between two generations of Claude, not to an encoding, and contradict each other (TypeScript
 * 1.13 in one source and 1.36 in another; two agree on CJK alone). The error covers the kinds of text too.
 */
export interface TokenizerPrior {
  readonly encoding: Encoding;
  /** The family's tokens per token of `encoding`. */
  readonly scale: number;
  /** Expected relative error of a count that is scaled so. */
  readonly error: number;
  readonly source: string;
  /** Year and month of the source. */
  readonly asOf: string;
}

/** US dollars for a million tokens of each kind. */
export interface TokenPrices {
  /** Input that was neither read from the cache nor written to it. */
  readonly input: number;
  readonly cacheRead: number;
  /** Writing to the cache for its default lifetime; the price of fresh input where writing costs nothing extra. */
  readonly cacheWrite: number;
  /** Writing for an hour, where that is offered at a price of its own. */
  readonly cacheWriteHour?: number;
  /** Reasoning is part of it. */
  readonly output: number;
}

/** Prices that depend on how long the input is and on when the request was made. */
export interface PriceList extends TokenPrices {
  /** For a request whose input of all kinds is longer than `inputTokens`: the whole of it is charged so. */
  readonly above?: { readonly inputTokens: number; readonly prices: TokenPrices };
  /** From Monday to Friday within these hours of the day, UTC, the last one excluded. */
  readonly peak?: { readonly hours: readonly (readonly [number, number])[]; readonly prices: TokenPrices };
}

/** List prices of a model: the row's own at its date, and what was charged before, the oldest first. */
export interface ModelPrices extends PriceList {
  /** `until` is the first moment of the prices that follow, in ISO 8601. */
  readonly earlier?: readonly { readonly until: string; readonly prices: PriceList }[];
}

/** How many caches were still there after pauses of some length, in recorded sessions. */
export interface CacheSurvival {
  /** Seconds for which the provider had been asked to keep them; 0 where that is not recorded. */
  readonly asked: number;
  /** The pauses are longer than `from` and at most `to`, in seconds. */
  readonly from: number;
  readonly to: number;
  readonly survived: number;
  readonly of: number;
  /** Counted on the model itself; otherwise on all models of its family that are promised the same lifetime. */
  readonly isOwn: boolean;
}

/** A provider's rules of prompt caching; undefined where the provider names no figure, or sources disagree. */
export interface CacheRules {
  /** Shortest prefix that is cached, in tokens. */
  readonly minimumTokens: number | undefined;
  /** How long an unused entry lives by default, in seconds: the promised minimum. */
  readonly lifetimeSeconds: number | undefined;
  /** How many caches were still there after pauses, in recorded sessions, the shortest first. Absent where none was seen. */
  readonly survival?: readonly CacheSurvival[];
  /** Blocks that a read looks back from a breakpoint, the breakpoint's own block being the first. */
  readonly lookbackBlocks: number | undefined;
  readonly maximumBreakpoints: number | undefined;
  /** Whether only marked places are written, so a request without marks is not cached. */
  readonly explicit: boolean;
  /** Hits come in steps of this many tokens. */
  readonly granularityTokens?: number;
  /** Whether the provider's own usage counts cached tokens as part of its input figure; ours never does. */
  readonly usageIncludesCached?: boolean;
}

/** `other` is for a user's row about a model of no known family. */
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

/** What is known about a model. */
export interface ModelRow {
  /** The model's id without provider and date, dots written as dashes. */
  readonly match: string;
  readonly family: ModelFamily;
  readonly tokenizerPrior: TokenizerPrior;
  /**
   * Tokens that fit; undefined where it is not published, where sources disagree, or where one id is run with several
   * windows (Claude 4.6 in Claude Code, DeepSeek's moving aliases).
   */
  readonly contextWindow: number | undefined;
  /** The smaller and the larger window that one id is run with, in tokens. */
  readonly eitherWindow?: readonly [smaller: number, larger: number];
  /** Where `contextWindow` comes from, unless it is the table: the suffix of the id, or the user. */
  readonly windowSource?: 'model' | 'settings';
  readonly cache: CacheRules;
  /** Undefined where no list price is published, or sources disagree: then no money is shown. */
  readonly prices?: ModelPrices;
  readonly source: string;
  /** Year and month of the source; empty for a row of the user's. */
  readonly asOf: string;
  /** Published figures that contradict the row's, or what it cannot say. */
  readonly note?: string;
}
