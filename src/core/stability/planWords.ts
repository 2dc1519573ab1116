import { formatNumber } from '../base/format';
import { translate } from '../base/translate';
import type { BreakpointPlan, NoPlanReason } from './breakpointPlan';

/** How breakpoints are planned: as this program finds best, or as NeMo Relay's Adaptive Cache Governor does. */
export const planners = ['own', 'relay'] as const;
export type Planner = (typeof planners)[number];

export const plannerWords = {
  own: translate('Best plan'),
  relay: translate('As NeMo Relay plans'),
} satisfies Readonly<Record<Planner, string>>;

/** Which plan is shown, and why it is as it is. */
export const plannerTexts = {
  own: translate(
    'Shown is the plan that saves most. It goes on past a place where a few requests differ, where NeMo Relay stops, and follows a conversation as it grows, where NeMo Relay plans nothing.',
  ),
  relay: translate(
    'Shown is what NeMo Relay would do: it learns from earlier requests only, starts anew when the tools change, stops at the first place where requests differ, and estimates four bytes per token.',
  ),
} satisfies Readonly<Record<Planner, string>>;

/** Why there is no plan. */
export const noPlanWords = {
  noReuse: translate('There is only one request. Nothing is read again, so no breakpoint pays for itself.'),
  noBreakpoints: translate('The provider of this model caches automatically and takes no breakpoints.'),
  emptyPrefix: translate(
    'The first block already changes from request to request, so no breakpoint would hold.',
  ),
  minimumUnknown: translate('The minimum cacheable size of this model is unknown, so no plan can be made.'),
  pricesUnknown: translate('The prices of this model are unknown, so no plan can be evaluated.'),
  noSystemPrompt: translate(
    'NeMo Relay takes a request without a system prompt for one to OpenAI, and plans nothing.',
  ),
  tooFewObservations: translate(
    'Fewer than two earlier requests have the same model, system prompt, tools and response format.',
  ),
  otherRequest: translate(
    'The stable prefix goes beyond the system prompt and the tools. NeMo Relay then plans only for a request that it has seen before.',
  ),
  modelUnknown: translate('NeMo Relay does not know this model.'),
  notWorthIt: translate('The stable prefix is too small, or read too rarely, to be worth writing.'),
} satisfies Readonly<Record<NoPlanReason, string>>;

/** A plan in one sentence. */
export function planText(plan: BreakpointPlan): string {
  return plan.ok
    ? plan.breakpoints
        .map(({ position, prefixTokens }) =>
          translate('after block {0} ({1} tokens)', formatNumber(position + 1), formatNumber(prefixTokens)),
        )
        .join(', ')
    : noPlanWords[plan.reason];
}
