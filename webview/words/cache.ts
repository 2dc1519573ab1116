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
  readable: translate('Could be read'),
  agreement: translate('Compared'),
  diagnosis: translate('Provider’s verdict'),
  readableText: (count: number): string =>
    translate('{0}, all that the previous request left', formatNumber(count)),
  agreementWords: verdictWords,
  conservationWords: {
    kept: translate('all of it was read'),
    short: translate('less was read'),
    more: translate('more was read than is on record'),
    unknown: '',
  } satisfies Readonly<Record<RequestBoundary['conservation'], string>>,
  possible: (causes: string): string => translate('possible: {0}', causes),
  /** The systems' terms for the facts, as tooltips. */
  terms: {
    recorded: translate('Recorded boundary: the tokens that the provider says it read from its cache'),
    readable: translate('Readable prefix: what was read and written by the request before'),
    predicted: translate(
      'Predicted boundary: the prefix that equals an earlier request, by the rules of the cache',
    ),
    declared: translate('Declared boundary: a frozen prefix or a breakpoint that the agent states'),
    diagnosis: translate(
      'What the provider itself recorded about the cache of this request, in its own words. It compares requests, so a verdict may stand beside a full read.',
    ),
    lost: translate('Cache breaks: tokens that were cached and had to be paid for in full'),
    parts: translate('Cache read, cache write and fresh input, summed over all requests'),
  },
  noBreak: translate('Nothing was lost from the cache at this request.'),
  broke: translate('Cache lost'),
  brokeHere: (causes: string): string => translate('Cache lost: {0}', causes),
  paidAgain: (count: number): string => translate('{0} paid for again', tokens(count)),
  lostHere: (causes: string, count: number): string =>
    translate('cache lost: {0}, {1} paid for again', causes, tokens(count)),
  moneyLost: (money: string): string => translate('{0} lost', money),
  moneyUnknown: translate('prices unknown'),
  position: (place: number): string => translate('at position {0}', formatNumber(place)),
  before: translate('Show the block before'),
  after: translate('Show the block now'),
  goToRequest: (request: string): string => translate('Go to request {0}', request),
  session: translate('All requests'),
  parts: {
    read: translate('from the cache'),
    written: translate('written to the cache'),
    fresh: translate('in full'),
  },
  lost: translate('Paid for again'),
  agreeing: translate('Read as expected'),
  share: (part: number, whole: number): string =>
    translate('{0} of {1}', formatNumber(part), requests(whole)),
  causes: translate('Why the cache was lost'),
  cause: translate('Cause'),
  breaks: translate('Times'),
  moneyColumn: translate('Money'),
  allBreaks: (count: number): string =>
    translate('Cache lost {0, plural, one {# time} other {# times}}', count),
  nothing: translate('No request lost cached tokens.'),
  nothingRecorded: translate(
    'This transcript records no use of the provider’s cache, so it cannot show where the cache was lost.',
  ),
} as const;
