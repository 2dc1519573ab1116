import * as v from 'valibot';
import { type Described, maybeNumber, numbers, texts } from '../base/schema';
import { textSegment } from '../sensitivity/maskText';
import { idealLayoutSchema } from '../stability/idealLayout';
import { planners } from '../stability/planWords';
import { stabilityReportSchema } from '../stability/stabilityReport';

/**
 * The stability of a request's context, the effect of better breakpoints, and the part that another order of the blocks
 * would keep frozen.
 */
export const stabilityAnswer = v.object({
  planner: v.picklist(planners),
  report: stabilityReportSchema,
  layout: idealLayoutSchema,
  /** `sha256:` digest of the stable prefix; absent if it is empty. */
  fingerprint: v.exactOptional(v.string()),
});
export type StabilityAnswer = Described<typeof stabilityAnswer>;

/**
 * The selected request in the four slots of the upstream's renderer. Tokens are the renderer's own estimate by
 * characters.
 */
export const renderedSummarySchema = v.object({
  ...numbers('turns'),
  /** Text of the state turn, masked like block text; absent if there is none. */
  stateTurn: v.exactOptional(v.array(textSegment)),
  frozenPrefixLen: maybeNumber,
  ...texts('systemStableHash', 'systemKnowledgeHash'),
  /**
   * True if this render extends the previous request's, and the number of equal leading turns; absent for the first
   * request.
   */
  extendsPrevious: v.exactOptional(v.boolean()),
  commonTurnPrefix: maybeNumber,
  /** Number of blocks in upstream's Prompt IR. */
  irBlocks: v.number(),
  /** The digest of the request that was sent, if it is recorded. */
  sourceRequestHash: v.exactOptional(v.string()),
});
export type RenderedSummary = Described<typeof renderedSummarySchema>;
