import { formatMoney, formatNumber, formatShortNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import type { UsagePeriodName, UsageStack } from '../../src/core/index/usagePeriod';

/** US dollars or tokens. */
export function formatMeasure(value: number, measure: 'money' | 'tokens', isShort = false): string {
  if (measure === 'tokens') {
    return formatShortNumber(value);
  }
  return isShort && Number.isInteger(value) ? `$${formatNumber(value)}` : formatMoney(value);
}

/** Words of the page with the usage of all sessions. */
export const usageWords = {
  title: translate('Usage'),
  known: ({ projects, agents, sessions }: Record<'projects' | 'agents' | 'sessions', number>): string =>
    [
      translate('{0, plural, one {# project} other {# projects}}', projects),
      translate('{0, plural, one {# agent} other {# agents}}', agents),
      translate('{0, plural, one {# session} other {# sessions}} on this machine', sessions),
    ].join(', '),
  period: translate('Period'),
  measure: translate('Measure'),
  money: translate('Cost'),
  tokens: translate('Tokens'),
  stack: translate('Group by'),
  subagents: translate('Subagents'),
  refresh: translate('Read sessions again'),
  others: (count: number): string =>
    translate('{0, plural, one {# other group} other {# other groups}}', count),
  notRecorded: translate('not recorded'),
  ofSubagents: (name: string): string => translate('{0}, subagents', name),
  byDay: translate('Usage by day'),
  day: translate('Day'),
  daysAsTable: translate('Days as a table'),
  exportTable: translate('Export table…'),
  lostOfDay: (amount: string): string => translate('{0} lost from the cache', amount),
  today: translate('today'),
  more: (share: string): string => translate('{0} more', share),
  less: (share: string): string => translate('{0} less', share),
  sessionsOf: (count: number): string => translate('{0, plural, one {session} other {sessions}}', count),
  fromCache: translate('read from the cache'),
  requestsOf: (count: number): string => translate('{0, plural, one {request} other {requests}}', count),
  where: translate('Cost breakdown'),
  whereTokens: translate('Token breakdown'),
  parts: {
    cacheRead: translate('cache reads'),
    cacheWrite: translate('cache writes'),
    output: translate('written by the model'),
    lost: translate('cache losses'),
    input: translate('not cached'),
    tools: translate('provider tools'),
  },
  sessions: translate('Sessions'),
  cacheShare: translate('From cache'),
  lostColumn: translate('Lost'),
  secrets: translate('Secrets'),
  noSecrets: translate('none'),
  lost: (count: number): string =>
    translate('lost from the cache, {0, plural, one {once} other {# times}}', count),
  causes: translate('Why the cache was lost'),
  waste: translate('waste'),
  wasted: translate('Waste'),
  nothingWasted: translate('No waste found.'),
  times: (count: number): string => translate('{0} ×', formatNumber(count)),
  nothingLost: translate('No cached tokens were lost.'),
  lossesUnread: translate('Cache losses are not computed yet for this period.'),
  lossesUnreadOf: (count: number): string =>
    translate(
      'Cache losses are not computed yet for {0, plural, one {# request} other {# requests}}.',
      count,
    ),
  quotas: translate('Limits of subscriptions'),
  quotaTotal: (sessions: number, worth: string): string =>
    translate('{0, plural, one {# session} other {# sessions}}: {1}', sessions, worth),
  versions: translate('Versions of agents, over all sessions'),
  versionsOf: (agent: string): string => translate('Versions of {0}', agent),
  version: translate('Version'),
  share: translate('Share'),
  sum: translate('Total'),
  showAll: (count: number): string => translate('Show all {0}', formatNumber(count)),
  daySessions: (day: string, count: number): string =>
    translate('{0}: {1, plural, one {# session} other {# sessions}}', day, count),
  nothingOn: (day: string): string => translate('{0}: no session', day),
  untitled: translate('Untitled session'),
  loading: translate('Loading…'),
  looking: translate('Looking for sessions'),
  readingUsage: (done: string, total: string): string =>
    translate('Reading session usage: {0} of {1}', done, total),
  readingWords: (done: string, total: string): string =>
    translate('Indexing sessions for search: {0} of {1}', done, total),
  stop: translate('Stop'),
  stopped: translate('Reading was stopped. The figures cover only the sessions read so far.'),
  stoppedWords: translate('Indexing was stopped. Search covers only the sessions read so far.'),
  goOn: translate('Continue'),
  madeAnew: {
    damage: translate('The index was damaged or made by another version. All sessions are being read again.'),
    unwritable: translate('The session index cannot be written. Is the disk full or read-only?'),
  },
  failedFiles: (count: number): string =>
    translate('{0, plural, one {# file} other {# files}} could not be read.', count),
  off: translate('The session index is turned off in the settings. Turn it on to see usage.'),
  offByVariable: translate(
    'The session index is turned off by the environment variable CONTEXT_INSPECTOR_INDEX.',
  ),
  openSettings: translate('Open settings'),
  deleted: translate('The index was deleted. Read the sessions again to see usage.'),
  retry: translate('Try again'),
  empty: translate(
    'No agent sessions were found on this machine. Use an agent, or open the example to see a session.',
  ),
  nothingIn: (period: UsagePeriodName): string =>
    period === 'twelveWeeks'
      ? translate('No usage was recorded in the last 12 weeks.')
      : translate('No usage was recorded in this period. Choose a longer one.'),
  openExample: translate('Open example session'),
} as const;

export const measureWords: Readonly<Record<'money' | 'tokens', string>> = {
  money: usageWords.money,
  tokens: usageWords.tokens,
};

export const subagentWords: Readonly<Record<'together' | 'apart', string>> = {
  together: translate('Included'),
  apart: translate('Separate'),
};

export const periodWords: Readonly<Record<UsagePeriodName, string>> = {
  week: translate('Week'),
  fourWeeks: translate('4 weeks'),
  twelveWeeks: translate('12 weeks'),
};

export const stackWords: Readonly<Record<UsageStack, string>> = {
  project: translate('Project'),
  agent: translate('Agent'),
  model: translate('Model'),
  branch: translate('Branch'),
};
