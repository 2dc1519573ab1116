import type { ModelPrices } from '../prices';
import type { TokenizerPrior } from '../tokenizerPrior';

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

/** `other` is that of a user's row for a model of no family here. */
export type ModelFamily =
  | 'claude'
  | 'openai'
  | 'deepseek'
  | 'glm'
  | 'qwen'
  | 'kimi'
  | 'gemini'
  | 'grok'
  | 'mistral'
  | 'minimax'
  | 'other';

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
  readonly cache: CacheRules;
  /** Undefined where no list price is published, or sources disagree: then no money is shown. */
  readonly prices?: ModelPrices;
  readonly source: string;
  /** Year and month of the source; empty for a row of the user's. */
  readonly asOf: string;
  /** Published figures that contradict the row's, or what it cannot say. */
  readonly note?: string;
}

export const million = 1_000_000;

/** Caching without marks, as most providers have it: their usage counts cached tokens as part of the input. */
export function automaticCache(minimumTokens?: number, lifetimeSeconds?: number): CacheRules {
  return {
    minimumTokens,
    lifetimeSeconds,
    lookbackBlocks: undefined,
    maximumBreakpoints: undefined,
    explicit: false,
    usageIncludesCached: true,
  };
}

type OwnMembers = 'match' | 'contextWindow' | 'cache' | 'prices' | 'note';

/** What a provider's file says of one model; the rest is common to its rows. */
export type ModelFacts = Pick<ModelRow, OwnMembers>;

/** Rows of one provider with what they have in common. */
export function modelRows(
  common: Omit<ModelRow, OwnMembers>,
  models: readonly ModelFacts[],
): readonly ModelRow[] {
  return models.map(model => ({ ...common, ...model }));
}
