import * as v from 'valibot';
import type { PageContract } from './page';
import { readingQuestions } from './sessionReading';
import { shownPlace } from './shownPlace';

const acts = v.variant('kind', [
  /** Opens one of the two sessions at a place. */
  v.strictObject({ kind: v.literal('open'), side: v.picklist([0, 1]), place: shownPlace }),
]);

/** The page with two sessions side by side. */
export const comparePage = {
  questions: {
    /**
     * Compares a request of each session, by its 0-based index in the main conversation. For null, compares the whole
     * sessions.
     */
    compare: {
      params: v.pick(readingQuestions.compare.params, ['requests']),
      result: readingQuestions.compare.result,
    },
  },
  acts,
  news: v.never(),
} as const satisfies PageContract;
