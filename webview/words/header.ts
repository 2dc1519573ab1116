import { translate } from '../../src/core/base/translate';

/** The session's facts, figures and problems. */
export const headerWords = {
  conversations: (count: number): string =>
    translate('{0, plural, one {# conversation} other {# conversations}}', count),
  compactions: (count: number): string =>
    translate('{0, plural, one {# compaction} other {# compactions}}', count),
  subagentCount: (count: number): string =>
    translate('{0, plural, one {# subagent} other {# subagents}}', count),
  window: translate('Context window'),
  cache: translate('Cache hits'),
  cacheOfAll: (share: string): string => translate('{0} over the session', share),
  cost: translate('Cost at list prices'),
  costOfRequest: (money: string): string => translate('this request: {0}', money),
  costAtLeast: (money: string): string => translate('at least {0}', money),
  costWithout: (count: number): string =>
    translate(
      'Does not include {0, plural, one {# request to a model} other {# requests to models}} without a known price.',
      count,
    ),
  costAbout: (money: string): string => translate('about {0}', money),
  costRecorded: (money: string): string => translate('recorded: {0}', money),
  costEstimated: (count: number): string =>
    translate(
      'The recorded output of {0, plural, one {# request} other {# requests}} is too low. The cost uses an estimate from the replies themselves.',
      count,
    ),
  costTooLow: translate('The agent records too few output tokens, so the cost is a lower bound.'),
  details: translate('Session details'),
  problemCount: (count: number): string =>
    count === 0
      ? translate('No problems')
      : translate('{0, plural, one {# problem} other {# problems}}', count),
  problems: translate('Problems'),
  leftOut: translate('Records never sent to the model'),
  leftOutCount: (count: number): string =>
    translate('{0, plural, one {# record not sent} other {# records not sent}}', count),
  subagents: translate('Subagents'),
  openSubagent: translate('Open'),
  openSubagentOf: (name: string): string => translate('Open {0}', name),
  openParent: translate('Open parent session'),
  openParentHint: (fileName: string): string => translate('Open parent session: {0}', fileName),
  count: translate('Count'),
} as const;
