import { translate } from '../base/translate';
import type { PredictionReason } from '../model/columns';
import type { BoundaryVerdict, CacheBreakCause, CauseCertainty } from './cacheFinding';

/** Why the cache was lost. */
export const causeWords: Readonly<Record<CacheBreakCause, string>> = {
  modelChanged: translate('different model'),
  lifetimeExpired: translate('idle too long'),
  belowMinimum: translate('too small to be cached'),
  parallelRequests: translate('several first requests at once'),
  toolsAdded: translate('tools added'),
  toolsRemoved: translate('tools removed'),
  toolsChanged: translate('tools changed'),
  toolsReordered: translate('tools reordered'),
  systemChanged: translate('system text changed'),
  volatileValue: translate('a value near the start changes each time'),
  compaction: translate('compaction'),
  cleared: translate('results cleared'),
  historyRewritten: translate('earlier messages changed'),
  lookbackExceeded: translate('too many new blocks at once'),
  evicted: translate('dropped by the provider'),
  unknown: translate('cause not recorded'),
};

export const certaintyWords: Readonly<Record<CauseCertainty, string>> = {
  shown: translate('shown by the transcript'),
  narrowed: translate('narrowed down by the evidence'),
  assumed: translate('assumed, because everything recorded is equal'),
};

/** Why no more than this was expected to be cached. */
export const reasonWords: Readonly<Record<PredictionReason, string>> = {
  firstRequest: translate('first request, nothing is cached yet'),
  extendsPrevious: translate('continues the previous request'),
  earlierRequest: translate('starts like an earlier request'),
  contentChanged: translate('a block differs from the previous request'),
  compaction: translate('the history was compacted'),
  modelChanged: translate('different model'),
  lifetimeExpired: translate('idle longer than the cache lives'),
  belowMinimum: translate('too small to be cached'),
  lookbackExceeded: translate('too many new blocks at once'),
};

/** What was read from the cache, compared with what was expected. */
export const verdictWords: Readonly<Record<BoundaryVerdict, string>> = {
  agrees: translate('read as expected'),
  short: translate('less was read than expected'),
  beyond: translate('more was read than expected'),
  unknown: translate('cannot be compared'),
};
