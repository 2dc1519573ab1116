import type { CacheBreakCause, CauseCertainty } from './cacheFinding';

/** What each cause is called in reports. */
export const causeWords: Readonly<Record<CacheBreakCause, string>> = {
  modelChanged: 'another model',
  lifetimeExpired: 'lifetime expired',
  belowMinimum: 'below the minimum size',
  parallelRequests: 'parallel first requests',
  toolsAdded: 'tools added',
  toolsRemoved: 'tools removed',
  toolsChanged: 'tools changed',
  toolsReordered: 'tools in another order',
  systemChanged: 'system text changed',
  volatileValue: 'volatile value in the prefix',
  compaction: 'compaction',
  cleared: 'results cleared',
  historyRewritten: 'history rewritten',
  lookbackExceeded: 'lookback exceeded',
  evicted: 'evicted by the provider',
  unknown: 'cause not on record',
};

export const certaintyWords: Readonly<Record<CauseCertainty, string>> = {
  shown: 'shown by the transcript',
  narrowed: 'narrowed by the evidence',
  assumed: 'assumed: everything on record is equal',
};
