import type { CacheRules, ModelRow } from '../../model/modelRow';

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
