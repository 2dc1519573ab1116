import { requests, tokens } from '../../src/core/base/countWords';
import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import type { RequestBoundary } from '../../src/core/cache/cacheFinding';
import { verdictWords } from '../../src/core/cache/causeWords';

/** The cache at a request and over the session. */
export const cacheWords = {
  loading: translate('Comparing the requests…'),
  recorded: translate('Cached to here'),
  predicted: translate('Expected'),
  declared: translate('Pinned start'),
  readable: translate('Available'),
  agreement: translate('Compared'),
  diagnosis: translate('Provider’s verdict'),
  readableText: (count: number): string =>
    translate('{0} (everything the previous request cached)', formatNumber(count)),
  agreementWords: verdictWords,
  conservationWords: {
    kept: translate('all of it was used'),
    short: translate('less was used'),
    more: translate('more was read than the transcript explains'),
    unknown: '',
  } satisfies Readonly<Record<RequestBoundary['conservation'], string>>,
  /** The technical terms for the facts, as tooltips. */
  terms: {
    recorded: translate('Recorded boundary: tokens read from the cache, as reported by the provider'),
    readable: translate('Readable prefix: the prefix cached by the previous request'),
    predicted: translate(
      'Predicted boundary: the longest prefix that matches an earlier request under the cache’s rules',
    ),
    declared: translate('Declared boundary: a frozen prefix or breakpoint set by the agent'),
    diagnosis: translate(
      'The provider’s own report on the cache of this request. It compares requests, so it can name a change even if everything was read.',
    ),
    lost: translate('Cached tokens that were lost and charged again at full price'),
    parts: translate('Cache reads, cache writes and uncached input of all requests'),
  },
  noBreak: translate('No cached tokens were lost in this request.'),
  broke: translate('Cache lost'),
  brokeHere: (causes: string): string => translate('Cache lost: {0}', causes),
  paidAgain: (count: number): string => translate('{0} paid for again', tokens(count)),
  lostHere: (causes: string, count: number): string =>
    translate('cache lost: {0}, {1} paid for again', causes, tokens(count)),
  moneyLost: (money: string): string => translate('{0} lost', money),
  moneyUnknown: translate('prices unknown'),
  position: (place: number): string => translate('at position {0}', formatNumber(place)),
  session: translate('All requests'),
  parts: {
    read: translate('from the cache'),
    written: translate('written to the cache'),
    fresh: translate('full price'),
  },
  lost: translate('Paid for again'),
  agreeing: translate('Read as expected'),
  share: (part: number, whole: number): string =>
    translate('{0} of {1}', formatNumber(part), requests(whole)),
  causes: translate('Why the cache was lost'),
  cause: translate('Cause'),
  breaks: translate('Times'),
  moneyColumn: translate('Cost'),
  allBreaks: (count: number): string =>
    translate('Cache lost {0, plural, one {once} other {# times}}', count),
  meant: translate('Compactions and pruning'),
  nothing: translate('No cached tokens were lost.'),
  nothingRecorded: translate('This transcript does not record cache use, so cache losses cannot be shown.'),
} as const;
