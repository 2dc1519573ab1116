import * as v from 'valibot';
import { commonParams, contextTool } from './contextTool';

/** Hits that are asked for. Later pages show what does not fit on the first. */
const mostHits = 40;

export const findInSessions = contextTool({
  name: 'find_in_sessions',
  title: 'Find in sessions',
  description:
    'Search the text of the sessions of this folder, also what compactions removed: words, "phrases".',
  params: {
    words: v.pipe(v.string(), v.minLength(1), v.maxLength(1000)),
    page: commonParams.page,
  },
  answer: ({ words }, { find }) => find(words, mostHits),
});
