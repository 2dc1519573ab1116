import * as v from 'valibot';
import type { Described } from '../base/schema';
import { contentTypeOf, provenanceOf, roleOf } from '../model/blockWords';
import type { SessionColumns, SessionSummary } from '../model/columns';
import { contextOf } from '../model/requestBlocks';
import { RequestTokens } from '../view/requestTokens';
import { SessionPrices } from '../view/sessionCost';
import {
  breakpointKindOf,
  type BreakpointPlan,
  breakpointPlan,
  planBreakpoints,
  type PlannedBlock,
} from './breakpointPlan';
import { simulateBreakpoints, simulatedUse, type SimulatedUse } from './simulateBreakpoints';
import { type Stability, stabilityAt, stabilitySchema } from './stability';

/** The stability of a request's context, and the effect of better breakpoints. All tokens are calibrated. */
export const stabilityReportSchema = v.object({
  ...stabilitySchema.entries,
  /** Tokens of the stable prefix, including the unrecorded part before it. */
  stablePrefixTokens: v.number(),
  /** Unrecorded tokens before the first block. The plan assumes that they are stable. */
  notRecordedTokens: v.number(),
  plan: breakpointPlan,
  /** Positions that the request marked; undefined if breakpoints are not recorded. */
  usedBreakpoints: v.optional(v.array(v.number())),
  /**
   * The observed requests, simulated once with each choice of breakpoints; undefined without a plan, or if breakpoints
   * are not recorded. For the first request, nothing is cached.
   */
  comparison: v.optional(
    v.object({
      /** With the breakpoints of the transcript. */
      used: simulatedUse,
      /** With only the plan's breakpoints. */
      planned: simulatedUse,
      /** With the plan's breakpoints and one at the end of each request, up to the provider's maximum. */
      plannedAndLast: simulatedUse,
      /**
       * Input that the better of the two plans would have read instead of paying for it again; negative if neither is
       * better.
       */
      tokensSaved: v.number(),
      /** US dollars saved; undefined if prices are unknown. */
      dollarsSaved: v.optional(v.number()),
    }),
  ),
});
export type StabilityReport = Described<typeof stabilityReportSchema>;

/** The report for one request with this program's own plan. Linear in the contexts of the observed requests. */
export function stabilityReport(
  columns: SessionColumns,
  models: SessionSummary['models'],
  request: number,
): StabilityReport {
  const stability = stabilityAt(columns, request);
  const tokens = new RequestTokens(columns);
  const prices = new SessionPrices(columns, models);
  const notRecordedTokens = tokens.prefix(request, 0);
  const plan = planBreakpoints({
    observations: stability.observed.length,
    blocks: plannedBlocks(columns, tokens, stability),
    tokensBefore: notRecordedTokens,
    rules: prices.rowOf(request)?.cache,
    prices: prices.of(request),
  });
  return {
    ...stability,
    stablePrefixTokens:
      stability.stablePrefixBlocks === 0 ? 0 : tokens.prefix(request, stability.stablePrefixBlocks),
    notRecordedTokens,
    ...playedPlan(columns, models, request, stability.observed, plan),
  };
}

/**
 * A plan compared with the breakpoints that were marked.
 * @param requests the simulated requests, oldest first
 */
export function playedPlan(
  columns: SessionColumns,
  models: SessionSummary['models'],
  request: number,
  requests: readonly number[],
  plan: BreakpointPlan,
): Pick<StabilityReport, 'plan' | 'usedBreakpoints' | 'comparison'> {
  const prices = new SessionPrices(columns, models);
  const rules = prices.rowOf(request)?.cache;
  const recorded = new Map(columns.breakpoints.map(({ request: index, positions }) => [index, positions]));
  const tokens = new RequestTokens(columns);
  const play = (marksOf: (index: number) => readonly number[]): SimulatedUse | undefined =>
    rules === undefined
      ? undefined
      : simulateBreakpoints({
          columns,
          tokens,
          requests,
          marksOf,
          rules,
          pricesOf: index => prices.of(index),
        });
  return {
    plan,
    usedBreakpoints: recorded.get(request),
    comparison:
      plan.ok && requests.some(index => recorded.has(index))
        ? compare(
            play(index => recorded.get(index) ?? []),
            play(() => plan.breakpoints.map(({ position }) => position)),
            play(index => {
              const kept = plan.breakpoints.slice(-Math.max(0, (rules?.maximumBreakpoints ?? 0) - 1));
              return [...kept.map(({ position }) => position), (columns.requests.length[index] ?? 0) - 1];
            }),
          )
        : undefined,
  };
}

function compare(
  used: SimulatedUse | undefined,
  planned: SimulatedUse | undefined,
  plannedAndLast: SimulatedUse | undefined,
): StabilityReport['comparison'] {
  if (used === undefined || planned === undefined || plannedAndLast === undefined) {
    return undefined;
  }
  const better = costOf(planned) <= costOf(plannedAndLast) ? planned : plannedAndLast;
  return {
    used,
    planned,
    plannedAndLast,
    tokensSaved: better.cacheRead - used.cacheRead,
    dollarsSaved:
      used.dollars === undefined || better.dollars === undefined ? undefined : used.dollars - better.dollars,
  };
}

/** The money; if unknown, the tokens that are not read from the cache. */
function costOf({ dollars, cacheWrite, fresh }: SimulatedUse): number {
  return dollars ?? cacheWrite + fresh;
}

/** The stable prefix block by block. A block has the stability of its content's span. */
function plannedBlocks(
  columns: SessionColumns,
  tokens: RequestTokens,
  { request, spans, stablePrefixBlocks }: Stability,
): readonly PlannedBlock[] {
  const context = contextOf(columns, request);
  const count = Math.min(stablePrefixBlocks, columns.requests.length[request] ?? 0);
  const byPlace = new Map<string, (typeof spans)[number]>();
  for (const span of spans) {
    byPlace.set(`${span.position} ${columns.blocks.content[span.block] ?? 0}`, span);
  }
  const isTool = (block: number | undefined): boolean =>
    block !== undefined && contentTypeOf(columns.blocks, block) === 'tool_schema';
  const planned = context.subarray(0, count);
  return Array.from(planned, (block, position) => {
    const span = byPlace.get(`${position} ${columns.blocks.content[block] ?? 0}`);
    return {
      tokens: tokens.prefix(request, position + 1) - tokens.prefix(request, position),
      score: span?.score ?? 0,
      confidence: span?.confidence ?? 0,
      class: span?.class ?? 'variable',
      kind: breakpointKindOf(
        roleOf(columns.blocks, block),
        contentTypeOf(columns.blocks, block),
        provenanceOf(columns.blocks, block),
      ),
      isInsideTools: isTool(block) && isTool(planned[position + 1]),
    };
  });
}
