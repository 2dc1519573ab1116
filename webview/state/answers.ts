import * as v from 'valibot';
import { cacheBreakCauses, type CacheReport, type RequestBoundary } from '../../src/core/cache/cacheFinding';
import { predictionReasons } from '../../src/core/model/columns';
import { isSpanId, type SpanId } from '../../src/core/model/promptIr';
import { breakpointKinds, noPlanReasons, type BreakpointPlan } from '../../src/core/stability/breakpointPlan';
import { parsePruneOptions, type PruneOptions } from '../../src/core/model/pruneConfig';
import type { ReplaySummary } from '../../src/core/prune/replaySummary';
import type { Found, PruneMomentChoice, PruneOptionsChoice } from '../../src/core/prune/search';
import type { BlockText, RenderedSummary, StabilityAnswer } from '../../src/protocol/messages';

const label = v.picklist(['private', 'restricted']);
const segment = v.union([
  v.object({ text: v.string() }),
  v.object({ masked: v.number(), rule: v.string(), label }),
]);

const blockTextSchema: v.GenericSchema<unknown, BlockText> = v.object({
  segments: v.array(segment),
  start: v.number(),
  end: v.number(),
  characters: v.number(),
  findings: v.array(
    v.object({ rule: v.string(), label, start: v.number(), end: v.number(), message: v.string() }),
  ),
  irHash: v.string(),
});

const renderedSchema: v.GenericSchema<unknown, RenderedSummary> = v.object({
  systemStableTokens: v.number(),
  systemKnowledgeTokens: v.number(),
  historyTokens: v.number(),
  totalTokens: v.number(),
  turns: v.number(),
  stateTurn: v.exactOptional(v.array(segment)),
  frozenPrefixLen: v.exactOptional(v.number()),
  systemStableHash: v.string(),
  systemKnowledgeHash: v.string(),
  extendsPrevious: v.exactOptional(v.boolean()),
  commonTurnPrefix: v.exactOptional(v.number()),
  irBlocks: v.number(),
  sourceRequestHash: v.string(),
});

const cause = v.picklist(cacheBreakCauses);
const money = v.exactOptional(v.number());

const boundarySchema: v.GenericSchema<unknown, RequestBoundary> = v.object({
  request: v.number(),
  recorded: v.exactOptional(v.number()),
  readable: v.exactOptional(v.number()),
  conservation: v.picklist(['kept', 'short', 'more', 'unknown']),
  predicted: v.object({
    tokens: v.number(),
    blocks: v.number(),
    quality: v.picklist(['exact', 'calibrated', 'estimated']),
    reason: v.picklist(predictionReasons),
    from: v.exactOptional(v.number()),
  }),
  declared: v.exactOptional(v.object({ position: v.number(), tokens: v.number() })),
  agreement: v.picklist(['agrees', 'short', 'beyond', 'unknown']),
  surplus: v.exactOptional(v.picklist(['elsewhere', 'outlived', 'estimate'])),
});

const cacheReportSchema: v.GenericSchema<unknown, CacheReport> = v.object({
  findings: v.array(
    v.object({
      request: v.number(),
      previous: v.number(),
      causes: v.tupleWithRest([cause], cause),
      certainty: v.picklist(['shown', 'narrowed', 'assumed']),
      possible: v.array(cause),
      readable: v.number(),
      read: v.number(),
      tokensLost: v.number(),
      moneyLost: money,
      place: v.exactOptional(
        v.object({
          position: v.number(),
          before: v.exactOptional(v.number()),
          after: v.exactOptional(v.number()),
        }),
      ),
      evidence: v.array(v.string()),
    }),
  ),
  causes: v.array(v.object({ cause, requests: v.number(), tokensLost: v.number(), moneyLost: money })),
  boundaries: v.array(boundarySchema),
  input: v.object({ read: v.number(), written: v.number(), fresh: v.number() }),
  lost: v.object({ tokens: v.number(), money }),
  conservation: v.object({ checked: v.number(), kept: v.number() }),
  agreement: v.object({ compared: v.number(), agreeing: v.number() }),
});

const replaySchema: v.GenericSchema<unknown, ReplaySummary> = v.object({
  requests: v.number(),
  prunes: v.number(),
  unit: v.picklist(['dollars', 'tokens']),
  asSent: v.array(v.number()),
  pruned: v.array(v.number()),
  check: v.exactOptional(v.object({ recorded: v.number(), modelled: v.number() })),
});

const worth = v.object({ money: v.number(), inputTokens: v.number() });

const momentSchema = v.object({ request: v.number(), gained: worth, tokensFreed: v.number() });

const optionsSchema = v.pipe(
  v.unknown(),
  v.rawTransform(({ dataset, addIssue, NEVER }): PruneOptions => {
    const parsed = parsePruneOptions(dataset.value);
    if (parsed.ok) {
      return parsed.value;
    }
    addIssue({ message: parsed.problem });
    return NEVER;
  }),
);

const choiceSchema = v.object({ options: optionsSchema, gained: worth, prunes: v.number() });

const foundSchema = <Choice>(choice: v.GenericSchema<unknown, Choice>) =>
  v.object({
    best: v.optional(choice),
    ranked: v.array(choice),
    considered: v.number(),
    unpriced: v.number(),
  });

export const parseReplay = (value: unknown): ReplaySummary => v.parse(replaySchema, value);
export const parseMoments = (value: unknown): Found<PruneMomentChoice> =>
  withBest(v.parse(foundSchema(momentSchema), value));
export const parseChoices = (value: unknown): Found<PruneOptionsChoice> =>
  withBest(v.parse(foundSchema(choiceSchema), value));

/** JSON has no undefined members: the best is there, or it is not. */
function withBest<Choice>(found: Omit<Found<Choice>, 'best'> & { best?: Choice | undefined }): Found<Choice> {
  return { ...found, best: found.best };
}

const spanSchema = v.object({
  spanId: v.custom<SpanId>(isSpanId),
  position: v.number(),
  block: v.number(),
  present: v.number(),
  score: v.number(),
  class: v.picklist(['stable', 'semi_stable', 'variable']),
  confidence: v.number(),
});

const useSchema = v.object({
  cacheRead: v.number(),
  cacheWrite: v.number(),
  fresh: v.number(),
  dollars: v.optional(v.number()),
});

const planSchema: v.GenericSchema<unknown, BreakpointPlan> = v.variant('ok', [
  v.object({
    ok: v.literal(true),
    breakpoints: v.array(
      v.object({
        position: v.number(),
        kind: v.picklist(breakpointKinds),
        prefixTokens: v.number(),
        expectedReads: v.number(),
        worth: v.number(),
      }),
    ),
    worth: v.number(),
  }),
  v.object({ ok: v.literal(false), reason: v.picklist(noPlanReasons) }),
]);

const stabilitySchema: v.GenericSchema<unknown, StabilityAnswer> = v.object({
  report: v.object({
    request: v.number(),
    observed: v.array(v.number()),
    spans: v.array(spanSchema),
    stablePrefixBlocks: v.number(),
    stablePrefixTokens: v.number(),
    notRecordedTokens: v.number(),
    plan: planSchema,
    usedBreakpoints: v.optional(v.array(v.number())),
    comparison: v.optional(
      v.object({
        used: useSchema,
        planned: useSchema,
        plannedAndLast: useSchema,
        tokensSaved: v.number(),
        dollarsSaved: v.optional(v.number()),
      }),
    ),
  }),
  layout: v.object({
    request: v.number(),
    previous: v.optional(v.number()),
    early: v.array(
      v.object({
        position: v.number(),
        block: v.number(),
        tokens: v.number(),
        reason: v.picklist(['state', 'changing']),
        tokensBehind: v.number(),
      }),
    ),
    frozen: v.number(),
    frozenStateLast: v.number(),
    frozenFourSlots: v.number(),
    dollarsSaved: v.optional(v.number()),
  }),
  fingerprint: v.exactOptional(v.string()),
});

export const parseStability = (value: unknown): StabilityAnswer => v.parse(stabilitySchema, value);
export const parseCacheReport = (value: unknown): CacheReport => v.parse(cacheReportSchema, value);
export const parseBlockText = (value: unknown): BlockText => v.parse(blockTextSchema, value);
export const parseRendered = (value: unknown): RenderedSummary => v.parse(renderedSchema, value);
