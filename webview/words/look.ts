import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import {
  byTokens,
  insightsTitle,
  moreInsights,
  belowText,
  overlapNote,
  worthWords,
} from '../../src/core/insights/insightWords';

/** The list of findings, and the strip that opens it. */
export const lookWords = {
  title: insightsTitle,
  looking: translate('Looking…'),
  secrets: (count: number): string => translate('{0, plural, one {# secret} other {# secrets}} sent', count),
  privateData: translate('private data sent'),
  all: (count: number): string => translate('All {0}', formatNumber(count)),
  ranked: (count: number): string => translate('{0} ranked by money', formatNumber(count)),
  rankedByTokens: (count: number): string => translate('{0} ranked by tokens', formatNumber(count)),
  close: translate('Close'),
  sensitive: translate('Secrets and private data'),
  next: translate('next, previous'),
  go: translate('go there'),
  hide: translate('hide this kind'),
  hidden: (count: number): string => translate('{0, plural, one {# kind} other {# kinds}} hidden', count),
  showHidden: translate('Show'),
  more: moreInsights,
  overlap: overlapNote,
  below: belowText,
  byTokens,
  worth: worthWords,
} as const;
