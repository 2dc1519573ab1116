import { blocks, tokens } from '../../src/core/base/countWords';
import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import type { Compaction } from '../../src/core/model/transcript';
import type { Fate } from '../state/compaction';

type ByKind<Value> = Readonly<Record<Compaction['kind'], Value>>;

/** The effect of a compaction or clearing. */
export const compactionWords = {
  title: {
    compaction: (number: number, count: number): string =>
      translate('Compaction {0} of {1}', formatNumber(number), formatNumber(count)),
    clearing: (number: number, count: number): string =>
      translate('Pruning {0} of {1}', formatNumber(number), formatNumber(count)),
  } satisfies ByKind<(number: number, count: number) => string>,
  here: {
    compaction: translate('Compacted here'),
    clearing: translate('Results pruned here'),
  } satisfies ByKind<string>,
  allTitle: translate('Compactions and pruning'),
  beforeRequest: {
    compaction: request => translate('Compaction before request {0}', request),
    clearing: request => translate('Pruning before request {0}', request),
  } satisfies ByKind<(request: string) => string>,
  atEnd: {
    compaction: translate('Compaction after the last request'),
    clearing: translate('Pruning after the last request'),
  } satisfies ByKind<string>,
  show: translate('Show'),
  showIt: (name: string): string => translate('Show: {0}', name),
  trigger: (trigger: string): string => translate('trigger: {0}', trigger),
  change: (before: number, after: number, share: string): string =>
    after <= before
      ? translate('{0} fewer, −{1}', tokens(before - after), share)
      : translate('{0} more, +{1}', tokens(after - before), share),
  previous: translate('Previous'),
  next: translate('Next'),
  noFollowing: translate('No later request.'),
  noPreceding: translate('No earlier request.'),
  bars: translate('Tokens before and after'),
  part: translate('Part of the request'),
  before: (request: string): string => translate('Before, request {0}', request),
  after: (request: string): string => translate('After, request {0}', request),
  beforeUnknown: translate('Before'),
  afterUnknown: translate('After'),
  input: translate('Input'),
  fates: {
    notRecorded: translate('Not recorded'),
    kept: translate('Kept'),
    reinjected: translate('Reinjected'),
    summarised: translate('Summarised'),
    cleared: translate('Pruned'),
    dropped: translate('Dropped'),
    added: translate('Added later'),
  } satisfies Readonly<Record<Fate, string>>,
  lists: {
    summarised: translate('Replaced by the summary'),
    dropped: translate('Dropped without a summary'),
    cleared: translate('Pruned results'),
    kept: translate('Kept'),
    reinjected: translate('Reinjected'),
    added: translate('Added later'),
  },
  list: (title: string, count: number): string => `${title} · ${blocks(count)}`,
  summary: (number: number, count: number): string =>
    count === 1
      ? translate('Summary')
      : translate('Summary, part {0} of {1}', formatNumber(number), formatNumber(count)),
  reset: translate('The conversation was reset here, without a summary.'),
  noSummary: translate('The transcript contains no summary.'),
  summarySize: (count: number, replaced: number): string =>
    translate('{0} instead of {1}', tokens(count), formatNumber(replaced)),
  figures: translate('Exact totals are recorded. The parts are calibrated.'),
  none: translate('This conversation has no compactions or pruning.'),
} as const;
