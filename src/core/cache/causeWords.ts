import { translate } from '../base/translate';
import type { CacheBreakCause, CauseCertainty } from './cacheFinding';

/** What each cause is called in reports. */
export const causeWords: Readonly<Record<CacheBreakCause, string>> = {
  modelChanged: translate('different model'),
  lifetimeExpired: translate('lifetime expired'),
  belowMinimum: translate('below the minimum size'),
  parallelRequests: translate('parallel first requests'),
  toolsAdded: translate('tools added'),
  toolsRemoved: translate('tools removed'),
  toolsChanged: translate('tools changed'),
  toolsReordered: translate('tools reordered'),
  systemChanged: translate('system text changed'),
  volatileValue: translate('volatile value in the prefix'),
  compaction: translate('compaction'),
  cleared: translate('results cleared'),
  historyRewritten: translate('history rewritten'),
  lookbackExceeded: translate('lookback exceeded'),
  evicted: translate('evicted by the provider'),
  unknown: translate('cause not recorded'),
};

export const certaintyWords: Readonly<Record<CauseCertainty, string>> = {
  shown: translate('shown by the transcript'),
  narrowed: translate('narrowed down by the evidence'),
  assumed: translate('assumed: everything recorded is equal'),
};
