import * as v from 'valibot';
import { type Described, maybeNumber, numbers, texts } from '../base/schema';
import { textSegment } from '../sensitivity/maskText';
import { idealLayoutSchema } from '../stability/idealLayout';
import { planners } from '../stability/planWords';
import { stabilityReportSchema } from '../stability/stabilityReport';

/**
 * How stable a request's context is, what better breakpoints would do, and what another order of the blocks would keep
 * frozen.
 */
export const stabilityAnswer = v.object({
  planner: v.picklist(planners),
  report: stabilityReportSchema,
  layout: idealLayoutSchema,
  /** `sha256:` digest of the stable prefix; absent where it is empty. */
  fingerprint: v.exactOptional(v.string()),
});
export type StabilityAnswer = Described<typeof stabilityAnswer>;

/**
 * The selected request in the four slots of the upstream's renderer. Tokens are the renderer's own estimate by
 * characters.
 */
export const renderedSummarySchema = v.object({
  ...numbers('systemStableTokens', 'systemKnowledgeTokens', 'historyTokens', 'totalTokens', 'turns'),
  /** Text of the state turn, masked like block text; absent when there is none. */
  stateTurn: v.exactOptional(v.array(textSegment)),
  frozenPrefixLen: maybeNumber,
  ...texts('systemStableHash', 'systemKnowledgeHash'),
  /** Whether this render extends the previous request's, and how many leading turns are equal; absent for the first. */
  extendsPrevious: v.exactOptional(v.boolean()),
  commonTurnPrefix: maybeNumber,
  /** Number of Prompt IR blocks, and the digest of the request they were built from. */
  irBlocks: v.number(),
  sourceRequestHash: v.string(),
});
export type RenderedSummary = Described<typeof renderedSummarySchema>;
