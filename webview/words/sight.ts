import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import { verdictHeads } from '../../src/core/sight/sightWords';

/** What the agent had in its context of what it edited, and what was fetched again. */
export const sightWords = {
  title: translate('Edits and what the agent saw'),
  factHint: translate(
    'Whether the lines that the edit replaced stood in the context of the request whose reply made it, and whether they were the newest',
  ),
  toEvidence: {
    seen: translate('Go to what it saw'),
    stale: translate('Go to what it saw'),
    absent: translate('Go to where it had been'),
  },
  toChange: translate('Go to what changed it'),
  toCompaction: {
    compaction: translate('Show the compaction'),
    clearing: translate('Show the clearing'),
  },
  none: translate('No edit of a file is recorded.'),
  loading: translate('Comparing edits with what was shown…'),
  heads: verdictHeads,
  verdict: translate('Verdict'),
  edits: translate('Edits'),
  failed: translate('Failed'),
  all: (count: number): string => translate('All edits · {0}', formatNumber(count)),
  fetched: (what: string): string => translate('Fetched again after it: {0}', what),
  fetchedHint: translate(
    'What had been removed and was read, run or searched again afterwards. Tokens of the calls and their results, and what the requests that carried them have cost, at list prices.',
  ),
} as const;
