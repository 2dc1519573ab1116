import { formatMoney, formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import type { BandName } from '../../src/core/view/requestBands';

/** Two requests side by side, and the proof of a cache loss. */
export const comparisonWords = {
  title: (earlier: string, later: string): string =>
    translate('Request {0} and request {1} side by side', earlier, later),
  compareWith: translate('Compare with…'),
  compareHint: (request: string): string => translate('Compare with request {0}, side by side', request),
  sideBySide: translate('Side by side'),
  theOneBefore: translate('the request before'),
  noneBefore: translate('This is the first request of its conversation. Choose another one to compare.'),
  more: (count: number): string => translate('{0} more. Type to narrow the list.', formatNumber(count)),
  none: translate('No such request'),
  bands: {
    start: translate('Before it: the same'),
    rest: translate('After it: the same'),
    others: translate('Further differences'),
  } satisfies Readonly<Record<Exclude<BandName, 'difference' | 'end'>, string>>,
  end: (isGone: boolean, isNew: boolean): string =>
    isGone
      ? isNew
        ? translate('Different at the end')
        : translate('Gone from the end')
      : translate('New at the end'),
  whole: translate('The same'),
  stillCached: (count: number): string => translate('{0} from the cache', formatNumber(count)),
  paidAgain: (count: number, money: number | undefined): string =>
    money === undefined
      ? translate('but {0} paid for again', formatNumber(count))
      : translate('but {0} paid for again, {1} more', formatNumber(count), formatMoney(money)),
  reply: translate('Reply'),
  cost: translate('Cost of the request at list prices'),
  remedy: translate('Remedy'),
  wouldHaveSaved: (money: number): string => translate('would have saved {0} here', formatMoney(money)),
  mightHaveSaved: (money: number): string => translate('might have saved {0} here', formatMoney(money)),
  newNotLost: translate('new, so no loss'),
  nothingDiffers: translate(
    'Nothing that the transcript records differs here. The cache was read up to this place.',
  ),
  identical: translate('Nothing that the transcript records differs.'),
  differenceOf: (name: string): string => translate('First difference: {0}', name),
  changedLines: (first: number, changed: number, all: number): string =>
    translate(
      'line {0} · {1} of {2, plural, one {# line} other {# lines}}',
      formatNumber(first),
      formatNumber(changed),
      all,
    ),
  linesLeft: (count: number): string =>
    translate('… {0, plural, one {# more line} other {# more lines}}', count),
  moreBlocks: (count: number): string =>
    translate('{0, plural, one {# more block} other {# more blocks}}', count),
  fewerBlocks: translate('Fewer blocks'),
  from: (request: string): string => translate('from {0}', request),
  nothing: translate('nothing'),
  recorded: translate('Recorded by the provider'),
  noVerdict: translate('The provider gave no reason.'),
  readOf: (read: number, readable: number): string =>
    translate('{0} of {1} cached tokens were read.', formatNumber(read), formatNumber(readable)),
  inferred: translate('Inferred from the transcript'),
  agrees: translate('agrees with the record'),
  disagrees: translate('does not agree with the record'),
} as const;
