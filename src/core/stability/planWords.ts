import { formatNumber } from '../base/format';
import { translate } from '../base/translate';
import type { BreakpointPlan, NoPlanReason } from './breakpointPlan';

/** The planners of breakpoints: this program's own, or NeMo Relay's Adaptive Cache Governor. */
export const planners = ['own', 'relay'] as const;
export type Planner = (typeof planners)[number];

export const plannerWords = {
  own: translate('Best plan'),
  relay: translate('NeMo Relay’s plan'),
} satisfies Readonly<Record<Planner, string>>;

/** The name of the shown plan, and its method. */
export const plannerTexts = {
  own: translate(
    'This plan saves the most. Unlike NeMo Relay, it continues past small differences and grows with the conversation.',
  ),
  relay: translate(
    'What NeMo Relay 0.9.2 would do: learns from earlier requests only, starts over when tools change, stops at the first difference, and estimates four bytes per token.',
  ),
} satisfies Readonly<Record<Planner, string>>;

/** The reasons for having no plan. */
export const noPlanWords = {
  noReuse: translate('With only one request, no breakpoint pays for itself.'),
  noBreakpoints: translate(
    'The provider of this model caches automatically and does not accept breakpoints.',
  ),
  emptyPrefix: translate('The first block changes in every request, so no breakpoint would help.'),
  minimumUnknown: translate('The minimum cacheable size of this model is unknown, so no plan can be made.'),
  pricesUnknown: translate('The prices of this model are unknown, so no plan can be evaluated.'),
  noSystemPrompt: translate(
    'NeMo Relay treats requests without a system prompt as OpenAI requests and plans nothing.',
  ),
  tooFewObservations: translate(
    'Fewer than two earlier requests have the same model, system prompt, tools and response format.',
  ),
  otherRequest: translate(
    'The stable prefix extends beyond the system prompt and the tools. In that case, NeMo Relay plans only for requests that it has seen before.',
  ),
  modelUnknown: translate('NeMo Relay does not know this model.'),
  notWorthIt: translate('The stable prefix is too small or too rarely read to be worth caching.'),
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
