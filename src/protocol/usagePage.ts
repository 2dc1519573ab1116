import * as v from 'valibot';
import { indexQuestions, indexState, pricingProgress, usageQuestions } from './indexService';
import type { FromPage, PageContract, ToPage } from './page';
import { count, type Described } from './schema';
import { shownPlace } from './shownPlace';
import { usageParts } from './usageParts';

/** User actions in the page that only the host can carry out. */
const acts = v.variant('kind', [
  v.strictObject({ kind: v.literal('update') }),
  v.strictObject({ kind: v.literal('stop') }),
  v.strictObject({ kind: v.literal('stopPricing') }),
  v.strictObject({ kind: v.literal('openSettings') }),
  v.strictObject({ kind: v.literal('openExample') }),
  /** The user went to another part of the page. */
  v.strictObject({ kind: v.literal('turnTo'), part: v.picklist(usageParts) }),
  /** Saves the groups of a period as a table. */
  v.strictObject({ kind: v.literal('export'), period: indexQuestions.usage.params }),
  /** Opens a session from an answer. */
  v.strictObject({ kind: v.literal('open'), file: count, place: shownPlace }),
]);

export type UsageAct = Described<typeof acts>;

const news = v.variant('type', [
  v.object({ type: v.literal('state'), state: indexState }),
  v.object({ type: v.literal('pricing'), progress: pricingProgress }),
  /** The user wants a part of the page. The search field gets the focus. */
  v.object({ type: v.literal('turnTo'), part: v.picklist(usageParts) }),
]);

/** The page with the usage of all sessions, what they would have cost with other settings, and the search in them. */
export const usagePage = { questions: usageQuestions, acts, news } as const satisfies PageContract;
export type FromUsagePage = FromPage<typeof usagePage>;
export type ToUsagePage = ToPage<typeof usagePage>;
