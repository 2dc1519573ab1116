import { lazy } from '../../base/lazy';
import type { CacheRules, ModelRow, TokenPrices } from '../../model/modelRow';
import { survivalOf } from '../cacheSurvival';

/**
 * Caching without explicit breakpoints, as with most providers: their usage counts cached tokens as part of the input.
 */
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

/** Prices of providers for which writing to the cache costs nothing extra, which are most. */
export function prices(input: number, cacheRead: number, output: number): TokenPrices {
  return { input, cacheRead, cacheWrite: input, output };
}

type OwnMembers = 'match' | 'contextWindow' | 'eitherWindow' | 'cache' | 'prices' | 'note';

/** The facts about one model in a provider's file. Everything else is the same in all its rows. */
export type ModelFacts = Pick<ModelRow, OwnMembers>;

/** Rows of one provider with their common members. */
export function modelRows(
  common: Omit<ModelRow, OwnMembers>,
  models: readonly ModelFacts[],
): readonly ModelRow[] {
  return models.map(model => {
    // Computed on demand, because a process needs it for few models.
    const survival = lazy(() => survivalOf(common.family, model.match, model.cache.lifetimeSeconds));
    const cache = {
      ...model.cache,
      get survival() {
        return survival();
      },
    };
    return { ...common, ...model, cache };
  });
}
