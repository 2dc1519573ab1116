import { translate } from '../base/translate';
import { requests, tokens } from '../base/countWords';
import { formatMoney } from '../base/format';
import type { CacheDiagnosisType } from '../model/cacheDiagnosis';
import type { PredictionReason } from '../model/columns';
import type {
  BoundaryVerdict,
  CacheBreakCause,
  CauseTotal,
  CauseCertainty,
  RecordedDiagnosis,
  ToldCauses,
} from './cacheFinding';

/** The causes of a cache loss. */
export const causeWords: Readonly<Record<CacheBreakCause, string>> = {
  modelChanged: translate('different model'),
  settingsChanged: translate('different request settings'),
  resumed: translate('session resumed'),
  lifetimeExpired: translate('idle too long'),
  belowMinimum: translate('too small to be cached'),
  parallelRequests: translate('parallel first requests'),
  toolsAdded: translate('tools added'),
  toolsRemoved: translate('tools removed'),
  toolsChanged: translate('tools changed'),
  toolsReordered: translate('tools reordered'),
  systemChanged: translate('system text changed'),
  volatileValue: translate('a value near the start changes every time'),
  unrecordedChanged: translate('a change in the unrecorded prompt or tools'),
  skillLoaded: translate('a skill was loaded'),
  compaction: translate('compaction'),
  cleared: translate('results pruned'),
  reasoningDropped: translate('earlier reasoning dropped'),
  historyRewritten: translate('earlier messages changed'),
  lookbackExceeded: translate('too many new blocks at once'),
  notWrittenYet: translate('not written yet'),
  evicted: translate('dropped or not found by the provider'),
  unknown: translate('cause not recorded'),
};

/** The tokens that were paid for again for one cause, in words: `idle too long: 2 requests, 3,000 tokens, $0.01`. */
export const causeText = ({ cause, requests: count, tokensLost, moneyLost }: CauseTotal): string =>
  [
    `${causeWords[cause]}: ${requests(count)}`,
    tokens(tokensLost),
    ...(moneyLost === undefined ? [] : [formatMoney(moneyLost)]),
  ].join(', ');

/** The same for a compaction or a prune, of which `what` is the sum in words. */
export const meantSentence = (what: string): string => translate('No loss, because it was meant: {0}', what);

const certaintyWords: Readonly<Record<CauseCertainty, string>> = {
  recorded: translate('recorded by the provider'),
  shown: translate('shown by the transcript'),
  narrowed: translate('the likeliest cause, not shown'),
  assumed: translate('assumed, because no recorded part changed'),
};

/** The certainty of the causes of a loss. */
export function certaintyText({ causes: [first], certainty }: Omit<ToldCauses, 'possible'>): string {
  return first === 'unknown' ? translate('narrowed down by the evidence') : certaintyWords[certainty];
}

/** The causes of a loss that are possible besides the named ones; undefined if there are none. */
export function possibleText({ causes, possible }: Omit<ToldCauses, 'certainty'>): string | undefined {
  const others = possible.filter(cause => !causes.includes(cause));
  const names = others.map(cause => causeWords[cause]).join(', ');
  if (others.length === 0) {
    return undefined;
  }
  return causes[0] === 'unknown' ? translate('possible: {0}', names) : translate('also possible: {0}', names);
}

/** The provider's diagnosis of a request's cache. */
export const diagnosisWords: Readonly<Record<CacheDiagnosisType, string>> = {
  model_changed: translate('the model changed'),
  system_changed: translate('the system prompt changed'),
  tools_changed: translate('the tools changed'),
  messages_changed: translate('earlier messages changed'),
  previous_message_not_found: translate('the previous message was not found'),
  unavailable: translate('no comparison available'),
  not_yet_compared: translate('not compared yet'),
  cache_hit: translate('cache hit'),
  cache_miss: translate('cache miss'),
  comparison_response_not_found: translate('the response to compare with was not found'),
  prompt_cache_key_changed: translate('the cache key changed'),
  text_format_changed: translate('the text format changed'),
  reasoning_effort_changed: translate('the reasoning effort changed'),
  verbosity_changed: translate('the verbosity changed'),
  context_compacted: translate('the context was compacted'),
  input_changed: translate('the input changed'),
  service_tier_changed: translate('the service tier changed'),
  other: translate('a reason unknown to this version'),
};

/** The provider's verdict with its tokens. */
export function diagnosisText({ type, tokens: count }: RecordedDiagnosis): string {
  return count === null ? diagnosisWords[type] : `${diagnosisWords[type]}, ${tokens(count)}`;
}

/** The reasons why no more was expected to be cached. */
export const reasonWords: Readonly<Record<PredictionReason, string>> = {
  firstRequest: translate('first request, nothing is cached yet'),
  extendsPrevious: translate('continues the previous request'),
  earlierRequest: translate('starts like an earlier request'),
  contentChanged: translate('a block differs from the previous request'),
  compaction: translate('the history was compacted'),
  modelChanged: translate('different model'),
  lifetimeExpired: translate('idle longer than the cache lifetime'),
  belowMinimum: translate('too small to be cached'),
  lookbackExceeded: translate('too many new blocks at once'),
};

/** The tokens read from the cache, compared with the expected tokens. */
export const verdictWords: Readonly<Record<BoundaryVerdict, string>> = {
  agrees: translate('read as expected'),
  short: translate('less was read than expected'),
  beyond: translate('more was read than expected'),
  unknown: translate('cannot be compared'),
};
