import { requests, tokens } from '../../src/core/base/countWords';
import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import type { RequestBoundary } from '../../src/core/cache/cacheFinding';

/** The cache at a request and over the session. */
export const cacheWords = {
  loading: translate('Comparing the requests…'),
  recorded: translate('Recorded'),
  predicted: translate('Predicted'),
  declared: translate('Declared'),
  readable: translate('Readable'),
  agreement: translate('Verdict'),
  readableText: (count: number): string => translate('{0} after the previous request', formatNumber(count)),
  agreementWords: {
    agrees: translate('recorded and predicted agree'),
    short: translate('less was read than predicted'),
    beyond: translate('more was read than predicted'),
    unknown: translate('cannot be compared'),
  } satisfies Readonly<Record<RequestBoundary['agreement'], string>>,
  conservationWords: {
    kept: translate('all of it was read'),
    short: translate('less was read'),
    more: translate('more was read than is on record'),
    unknown: '',
  } satisfies Readonly<Record<RequestBoundary['conservation'], string>>,
  possible: (causes: string): string => translate('possible: {0}', causes),
  noBreak: translate('The cache did not break at this request.'),
  broke: translate('Cache break'),
  brokeHere: (causes: string): string => translate('Cache break: {0}', causes),
  paidAgain: (count: number): string => translate('{0} paid for again', tokens(count)),
  lostHere: (causes: string, count: number): string =>
    translate('cache break: {0}, {1} paid for again', causes, tokens(count)),
  moneyLost: (money: string): string => translate('{0} lost', money),
  moneyUnknown: translate('prices unknown'),
  position: (place: number): string => translate('at position {0}', formatNumber(place)),
  before: translate('Show the block before'),
  after: translate('Show the block now'),
  goToRequest: (request: string): string => translate('Go to request {0}', request),
  session: translate('All requests'),
  parts: {
    read: translate('cache read'),
    written: translate('cache write'),
    fresh: translate('fresh input'),
  },
  lost: translate('Lost to cache breaks'),
  agreeing: translate('Read as predicted'),
  share: (part: number, whole: number): string =>
    translate('{0} of {1}', formatNumber(part), requests(whole)),
  causes: translate('Losses by cause'),
  cause: translate('Cause'),
  breaks: translate('Breaks'),
  moneyColumn: translate('Money'),
  allBreaks: (count: number): string =>
    translate('{0, plural, one {# cache break} other {# cache breaks}}', count),
  nothing: translate('No request lost cached tokens.'),
  nothingRecorded: translate(
    'This transcript records no use of the provider’s cache, so cache breaks cannot be detected.',
  ),
} as const;
