import * as v from 'valibot';
import { indexQuestions, type IndexState } from './indexService';
import { shownPlace } from './messages';
import { count, type Described } from './schema';
import type { Answer } from './sessionMessages';

/** What the buttons of the page do. */
export const usageDeeds = ['update', 'stop', 'openSettings', 'openExample'] as const;
export type UsageDeed = (typeof usageDeeds)[number];

const question = v.variant('name', [
  v.strictObject({ name: v.literal('usage'), params: indexQuestions.usage.params }),
  v.strictObject({ name: v.literal('bar'), params: indexQuestions.bar.params }),
  v.strictObject({ name: v.literal('search'), params: indexQuestions.search.params }),
]);

/** Messages of the page with the usage of all sessions and the search in them. */
export const fromUsagePage = v.variant('type', [
  v.strictObject({ type: v.literal('ready') }),
  v.strictObject({ type: v.literal('question'), id: count, question }),
  v.strictObject({ type: v.literal('deed'), deed: v.picklist(usageDeeds) }),
  /** Saves the groups of a period as a table. */
  v.strictObject({ type: v.literal('export'), period: indexQuestions.usage.params }),
  /** Opens a session that an answer named. */
  v.strictObject({ type: v.literal('open'), file: count, place: shownPlace }),
]);
export type FromUsagePage = Described<typeof fromUsagePage>;

/** Messages to the page. All texts have passed the gate. */
export type ToUsagePage =
  | { readonly type: 'state'; readonly state: IndexState }
  /** The user wants to search: the field gets the focus. */
  | { readonly type: 'search' }
  | Answer;
