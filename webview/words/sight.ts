import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import { verdictHeads } from '../../src/core/sight/sightWords';

/** The agent's view of the edited lines, and the content that was fetched again. */
export const sightWords = {
  title: translate('Edits and what the agent saw'),
  factHint: translate(
    'Shows if the agent had the current version of these lines in context when it edited them',
  ),
  toEvidence: {
    seen: translate('Go to what the agent saw'),
    stale: translate('Go to what the agent saw'),
    absent: translate('Go to its last appearance'),
  },
  toChange: translate('Go to the change'),
  toCompaction: {
    compaction: translate('Show the compaction'),
    clearing: translate('Show the pruning'),
  },
  none: translate('No file edits are recorded.'),
  loading: translate('Comparing edits with the context…'),
  heads: verdictHeads,
  verdict: translate('Verdict'),
  edits: translate('Edits'),
  failed: translate('Failed'),
  all: (count: number): string => translate('All edits · {0}', formatNumber(count)),
  fetched: (what: string): string => translate('Fetched again afterwards: {0}', what),
  fetchedHint: translate(
    'Removed content that the agent read, ran or searched again. Shows the tokens of the calls and their results, and the cost of sending them, at list prices.',
  ),
} as const;
