import * as v from 'valibot';
import type { Comparison } from '../core/compare/comparison';
import { shownPlace } from './messages';
import { count, type Described } from './schema';

/** Messages of the page with two sessions side by side. */
export const fromComparePage = v.variant('type', [
  v.strictObject({ type: v.literal('ready') }),
  /** Compares a request of each, by its 0-based index in the main conversation; for null, the whole sessions. */
  v.strictObject({ type: v.literal('compare'), requests: v.nullable(v.tuple([count, count])) }),
  /** Opens one of the two sessions at a place. */
  v.strictObject({ type: v.literal('open'), side: v.picklist([0, 1]), place: shownPlace }),
]);
export type FromComparePage = Described<typeof fromComparePage>;

/** Messages to the page. All texts have passed the gate. */
export type ToComparePage =
  | { readonly type: 'comparison'; readonly comparison: Comparison }
  | { readonly type: 'failed'; readonly sentence: string };
