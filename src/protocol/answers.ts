import * as v from 'valibot';
import { cacheBreakCauses, type CacheReport } from '../core/cache/cacheFinding';
import { predictionReasons } from '../core/model/columns';
import { isSpanId, type SpanId } from '../core/model/promptIr';
import type { ReplaySummary } from '../core/prune/replaySummary';
import type { Found, PruneMomentChoice, PruneOptionsChoice } from '../core/prune/search';
import type { RenderedSummary, StabilityAnswer } from '../core/questions/answers';
import type { BlockText } from '../core/session/blockText';
import { breakpointKinds, noPlanReasons } from '../core/stability/breakpointPlan';
import { tokenQualities } from '../core/tokens/quality';
import { numbers, pruneOptions, schemaOf, texts } from './schema';

const number = v.number();
const maybeNumber = v.exactOptional(number);
const label = v.picklist(['private', 'restricted']);
const segments = v.array(
  v.union([v.object({ text: v.string() }), v.object({ masked: number, rule: v.string(), label })]),
);

export const blockText = schemaOf<BlockText>()(
  v.object({
    segments,
    ...numbers('start', 'end', 'characters'),
    findings: v.array(v.object({ ...texts('rule', 'message'), label, ...numbers('start', 'end') })),
    irHash: v.string(),
  }),
);

export const renderedSummary = schemaOf<RenderedSummary>()(
  v.object({
    ...numbers('systemStableTokens', 'systemKnowledgeTokens', 'historyTokens', 'totalTokens', 'turns'),
    stateTurn: v.exactOptional(segments),
    frozenPrefixLen: maybeNumber,
    ...texts('systemStableHash', 'systemKnowledgeHash', 'sourceRequestHash'),
    extendsPrevious: v.exactOptional(v.boolean()),
    commonTurnPrefix: maybeNumber,
    irBlocks: number,
  }),
);

const cause = v.picklist(cacheBreakCauses);

export const cacheReport = schemaOf<CacheReport>()(
  v.object({
    findings: v.array(
      v.object({
        ...numbers('request', 'previous'),
        causes: v.tupleWithRest([cause], cause),
        certainty: v.picklist(['shown', 'narrowed', 'assumed']),
        possible: v.array(cause),
        ...numbers('readable', 'read', 'tokensLost'),
        moneyLost: maybeNumber,
        place: v.exactOptional(v.object({ position: number, before: maybeNumber, after: maybeNumber })),
        evidence: v.array(v.string()),
      }),
    ),
    causes: v.array(v.object({ cause, ...numbers('requests', 'tokensLost'), moneyLost: maybeNumber })),
    boundaries: v.array(
      v.object({
        request: number,
        recorded: maybeNumber,
        readable: maybeNumber,
        conservation: v.picklist(['kept', 'short', 'more', 'unknown']),
        predicted: v.object({
          ...numbers('tokens', 'blocks'),
          quality: v.picklist(tokenQualities),
          reason: v.picklist(predictionReasons),
          from: maybeNumber,
        }),
        declared: v.exactOptional(v.object(numbers('position', 'tokens'))),
        agreement: v.picklist(['agrees', 'short', 'beyond', 'unknown']),
        surplus: v.exactOptional(v.picklist(['elsewhere', 'outlived', 'estimate'])),
      }),
    ),
    input: v.object(numbers('read', 'written', 'fresh')),
    lost: v.object({ tokens: number, money: maybeNumber }),
    conservation: v.object(numbers('checked', 'kept')),
    agreement: v.object(numbers('compared', 'agreeing')),
  }),
);

export const replaySummary = schemaOf<ReplaySummary>()(
  v.object({
    ...numbers('requests', 'prunes'),
    unit: v.picklist(['dollars', 'tokens']),
    asSent: v.array(number),
    pruned: v.array(number),
    check: v.exactOptional(v.object(numbers('recorded', 'modelled'))),
  }),
);

const gained = v.object(numbers('money', 'inputTokens'));
const moment = v.object({ ...numbers('request', 'tokensFreed'), gained });
const settings = v.object({ options: pruneOptions, gained, prunes: number });

export const foundMoments = schemaOf<Found<PruneMomentChoice>>()(
  v.object({ best: v.optional(moment), ranked: v.array(moment), ...numbers('considered', 'unpriced') }),
);

export const foundOptions = schemaOf<Found<PruneOptionsChoice>>()(
  v.object({ best: v.optional(settings), ranked: v.array(settings), ...numbers('considered', 'unpriced') }),
);

const dollars = v.optional(number);
const use = v.object({ ...numbers('cacheRead', 'cacheWrite', 'fresh'), dollars });

export const stabilityAnswer = schemaOf<StabilityAnswer>()(
  v.object({
    report: v.object({
      request: number,
      observed: v.array(number),
      spans: v.array(
        v.object({
          spanId: v.custom<SpanId>(isSpanId),
          ...numbers('position', 'block', 'present', 'score', 'confidence'),
          class: v.picklist(['stable', 'semi_stable', 'variable']),
        }),
      ),
      ...numbers('stablePrefixBlocks', 'stablePrefixTokens', 'notRecordedTokens'),
      plan: v.variant('ok', [
        v.object({
          ok: v.literal(true),
          breakpoints: v.array(
            v.object({
              kind: v.picklist(breakpointKinds),
              ...numbers('position', 'prefixTokens', 'expectedReads', 'worth'),
            }),
          ),
          worth: number,
        }),
        v.object({ ok: v.literal(false), reason: v.picklist(noPlanReasons) }),
      ]),
      usedBreakpoints: v.optional(v.array(number)),
      comparison: v.optional(
        v.object({
          used: use,
          planned: use,
          plannedAndLast: use,
          tokensSaved: number,
          dollarsSaved: dollars,
        }),
      ),
    }),
    layout: v.object({
      request: number,
      previous: v.optional(number),
      early: v.array(
        v.object({
          ...numbers('position', 'block', 'tokens', 'tokensBehind'),
          reason: v.picklist(['state', 'changing']),
        }),
      ),
      ...numbers('frozen', 'frozenStateLast', 'frozenFourSlots'),
      dollarsSaved: dollars,
    }),
    fingerprint: v.exactOptional(v.string()),
  }),
);
