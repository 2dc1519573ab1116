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
  money: translate('Money'),
  tokens: translate('Tokens'),
  stack: translate('Stack'),
  subagents: translate('Subagents'),
  refresh: translate('Read sessions again'),
  others: (count: number): string => translate('{0, plural, one {# other} other {# others}}', count),
  notRecorded: translate('not recorded'),
  ofSubagents: (name: string): string => translate('{0}, subagents', name),
  byDay: translate('Usage by day'),
  day: translate('Day'),
  daysAsTable: translate('Days as a table'),
  exportTable: translate('Export table…'),
  lostOfDay: (amount: string): string => translate('{0} lost with the cache', amount),
  today: translate('today'),
  more: (share: string): string => translate('{0} more', share),
  less: (share: string): string => translate('{0} less', share),
  sessionsOf: (count: number): string => translate('{0, plural, one {session} other {sessions}}', count),
  fromCache: translate('read from the cache'),
  requestsOf: (count: number): string => translate('{0, plural, one {request} other {requests}}', count),
  where: translate('Where the money went'),
  whereTokens: translate('What the tokens were'),
  parts: {
    cacheRead: translate('cache, read'),
    cacheWrite: translate('cache, written'),
    output: translate('written by the model'),
    lost: translate('cache, lost'),
    input: translate('not cached'),
  },
  sessions: translate('Sessions'),
  cacheShare: translate('From cache'),
  lostColumn: translate('Lost'),
  secrets: translate('Secrets'),
  noSecrets: translate('none'),
  lost: (count: number): string =>
    translate('lost with the cache, {0, plural, one {# time} other {# times}}', count),
  causes: translate('Why the cache was lost'),
  waste: translate('waste found'),
  wasted: translate('What was carried in vain'),
  nothingWasted: translate('No request carried anything in vain.'),
  times: (count: number): string => translate('{0} ×', formatNumber(count)),
  nothingLost: translate('No request lost cached tokens.'),
  lossesUnread: translate(
    'It is not known yet what the cache lost: the sessions of this period were read for their usage alone.',
  ),
  lossesUnreadOf: (count: number): string =>
    translate(
      'What {0, plural, one {# request} other {# requests}} lost is not known yet: their sessions were read for their usage alone.',
      count,
    ),
  share: translate('Share'),
  sum: translate('Sum'),
  showAll: (count: number): string => translate('Show all {0}', formatNumber(count)),
  daySessions: (day: string, count: number): string =>
    translate('{0}: {1, plural, one {# session} other {# sessions}}', day, count),
  nothingOn: (day: string): string => translate('{0}: no session', day),
  untitled: translate('Untitled session'),
  loading: translate('Loading…'),
  looking: translate('Looking for sessions'),
  readingUsage: (done: string, total: string): string =>
    translate('Reading what sessions used: {0} of {1}', done, total),
  readingWords: (done: string, total: string): string =>
    translate('Reading words for the search: {0} of {1}', done, total),
  stop: translate('Stop'),
  stopped: translate('Reading was stopped. The figures are those of what was read so far.'),
  stoppedWords: translate('Reading was stopped. The search knows what was read so far.'),
  goOn: translate('Go on'),
  madeAnew: translate('The index was damaged or of another version, so all sessions are read again.'),
  failedFiles: (count: number): string =>
    translate('{0, plural, one {# file} other {# files}} could not be read.', count),
  off: translate('The index over all sessions is turned off in the settings. Turn it on to see usage.'),
  offByVariable: translate(
    'The index over all sessions is turned off: the variable CONTEXT_INSPECTOR_INDEX says so.',
  ),
  openSettings: translate('Open settings'),
  deleted: translate('The index was deleted. To see usage, let all sessions be read again.'),
  retry: translate('Try again'),
  empty: translate(
    'No session of an agent was found on this machine. Use an agent, or open the example to see what a session looks like.',
  ),
  nothingIn: translate('No session of an agent recorded any usage in this period. Choose a longer one.'),
  openExample: translate('Open example session'),
} as const;

export const measureWords: Readonly<Record<'money' | 'tokens', string>> = {
  money: usageWords.money,
  tokens: usageWords.tokens,
};

export const subagentWords: Readonly<Record<'together' | 'apart', string>> = {
  together: translate('Together'),
  apart: translate('Apart'),
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
