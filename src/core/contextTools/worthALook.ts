import type { Insight } from '../insights/insight';
import { insightsOf } from '../insights/insightsOf';
import { belowText, byTokens, insightLine, overlapNote } from '../insights/insightWords';
import { defaultPruneOptions } from '../model/pruneConfig';
import { requestNames } from '../view/requestNames';
import { commonParams, contextTool } from './contextTool';
import { recorded } from './recordedText';

export const worthALook = contextTool({
  name: 'worth_a_look',
  title: 'Worth a look',
  description: 'Ranked findings: secrets sent, cache losses, waste, best prune, each with its cost.',
  params: commonParams,
  answer: async ({ session: wanted }, { open }) => {
    const { session } = await open(wanted);
    const { found, below, unpriced } = await insightsOf(session, defaultPruneOptions());
    const names = requestNames(session.transcript.requests);
    const further = below === 0 ? [] : [`${belowText(below)}.`];
    return found.length === 0
      ? ['Nothing found.', ...further]
      : [
          ...(unpriced === '' ? [] : [`Sorted ${byTokens(unpriced)}.`]),
          ...found.map(insight => {
            const text = insightLine(marked(insight));
            const place = names[insight.request];
            return place === undefined ? text : { text, place };
          }),
          ...(found.length > 1 ? [overlapNote] : []),
          ...further,
        ];
  },
});

/** The finding with marks around what may have names of the transcript. */
const marked = (insight: Insight): Insight => ({
  ...insight,
  what: insight.kind === 'waste' ? recorded(insight.what) : insight.what,
  why: insight.why === '' ? '' : recorded(insight.why),
});
