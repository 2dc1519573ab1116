import type { CacheSession } from '../cache/cacheSession';
import { type PruneOptions, type PruneRuleSet, pruneRuleSets, withRuleSet } from '../model/pruneConfig';
import type { RequestView } from '../view/requestView';
import type { KnownLosses } from './laterRequests';
import { type PruneNet, pruneNet } from './net';
import { type PrunePreview, prunePreview } from './prunePreview';

/** One rule set at a request. */
export interface ComparedPrune {
  readonly ruleSet: PruneRuleSet;
  /** The given options with this rule set; thresholds that were not changed take its defaults. */
  readonly options: PruneOptions;
  readonly preview: PrunePreview;
  readonly net: PruneNet;
}

/**
 * Every rule set at the same request, in the order of `pruneRuleSets`. Linear in the request's blocks.
 * @param losses the cache losses of the session by request, to name a saving that rests on them
 */
export function comparePrunes(
  session: CacheSession,
  view: RequestView,
  options: PruneOptions,
  losses?: KnownLosses,
): readonly ComparedPrune[] {
  return pruneRuleSets.map(ruleSet => {
    const chosen = ruleSet === options.ruleSet ? options : withRuleSet(options, ruleSet);
    const preview = prunePreview(session.columns, view, chosen);
    return { ruleSet, options: chosen, preview, net: pruneNet(session, view, preview, chosen, losses) };
  });
}
