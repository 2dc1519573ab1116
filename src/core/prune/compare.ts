import type { CacheSession } from '../cache/cacheSession';
import { pruneRuleSets, withRuleSet, type PruneOptions, type PruneRuleSet } from '../model/pruneConfig';
import { prunePreview, type PrunePreview } from './prunePreview';
import type { RequestView } from '../view/requestView';
import { pruneNet, type PruneNet } from './net';

/** One rule set at a request. */
export interface ComparedPrune {
  readonly ruleSet: PruneRuleSet;
  /** The given options with this rule set; thresholds that nobody has moved are its own. */
  readonly options: PruneOptions;
  readonly preview: PrunePreview;
  readonly net: PruneNet;
}

/** Every rule set at the same request, in the order of `pruneRuleSets`. Linear in the request's blocks. */
export function comparePrunes(
  session: CacheSession,
  view: RequestView,
  options: PruneOptions,
): readonly ComparedPrune[] {
  return pruneRuleSets.map(ruleSet => {
    const chosen = ruleSet === options.ruleSet ? options : withRuleSet(options, ruleSet);
    const preview = prunePreview(session.columns, view, chosen);
    return { ruleSet, options: chosen, preview, net: pruneNet(session, view, preview, chosen) };
  });
}
