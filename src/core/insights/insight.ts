import * as v from 'valibot';
import { type Described, texts } from '../base/schema';
import { tokenQualities } from '../tokens/quality';

/** Kinds of findings. The order is that of findings without a price. */
export const insightKinds = [
  'secret',
  'privateData',
  'loss',
  'prune',
  'waste',
  'compaction',
  'fetchedAgain',
  'layout',
  'staleEdit',
] as const;
export type InsightKind = (typeof insightKinds)[number];

/** The places that show the details of a finding. */
export const insightPanels = ['block', 'cache', 'prune', 'waste', 'compaction'] as const;
export type InsightPanel = (typeof insightPanels)[number];

const count = v.number();

/** A finding of any analysis. Requests and blocks are numbers of the session's columns. */
export const insightSchema = v.object({
  kind: v.picklist(insightKinds),
  /** Of waste its kind, of secrets and private data the rule, if there is only one; otherwise empty. */
  detail: v.string(),
  /**
   * The finding, its reason, and its figure: money, or tokens if no price is known; a large error makes it a range.
   * `mark` is the quality of the figure, empty for an exact one. All texts may have names of the transcript.
   */
  ...texts('what', 'why', 'figure', 'mark'),
  /** US dollars at list prices; null if no price is known, or the finding has none. */
  money: v.nullable(count),
  tokens: v.nullable(count),
  quality: v.picklist(tokenQualities),
  /** Expected relative error of money and tokens. */
  error: count,
  request: count,
  /** The blocks of the finding, the most important first. */
  blocks: v.array(count),
  panel: v.picklist(insightPanels),
});
export type Insight = Described<typeof insightSchema>;

/**
 * The findings of a session: secrets and private data first, then the others by money, or by tokens. They overlap, so
 * they have no sum.
 */
export const insightsSchema = v.object({
  found: v.array(insightSchema),
  /** Number of further findings whose price is below `leastShare` of the session's cost. */
  below: count,
  /** Why no finding has a price; empty if one has. */
  unpriced: v.string(),
  /** True if all analyses are done. */
  isComplete: v.boolean(),
});
export type Insights = Described<typeof insightsSchema>;

/** A finding that costs less than this share of the session is not worth a look. */
export const leastShare = 0.005;

/** True for findings that come first and have no price. */
export const isSensitive = ({ kind }: Pick<Insight, 'kind'>): boolean =>
  kind === 'secret' || kind === 'privateData';

/** Secrets and private data first, then by money, then by tokens, then the rest. */
export function byWorth(one: Insight, other: Insight): number {
  const place = (insight: Insight): number => (isSensitive(insight) ? insightKinds.indexOf(insight.kind) : 2);
  return (
    place(one) - place(other) ||
    (other.money ?? -1) - (one.money ?? -1) ||
    (other.tokens ?? -1) - (one.tokens ?? -1) ||
    insightKinds.indexOf(one.kind) - insightKinds.indexOf(other.kind) ||
    one.request - other.request
  );
}
