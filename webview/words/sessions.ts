import { translate } from '../../src/core/base/translate';
import type { AgePeriod } from '../../src/core/finder/sessionText';
import type { Grouping, SessionDeed, WelcomeDeed } from '../../src/protocol/sessionsPage';

/** The list of sessions. */
export const sessionsWords = {
  label: translate('Sessions'),
  grouping: translate('Group sessions by'),
  here: translate('This workspace'),
  elsewhere: translate('Elsewhere on this machine'),
  searchIn: (count: number): string =>
    translate('{0, plural, one {Search in # session} other {Search in # sessions}}', count),
  clearSearch: translate('Clear search'),
  found: (count: number): string =>
    translate('{0, plural, one {# session found} other {# sessions found}}', count),
  reading: (left: number): string =>
    translate('{0, plural, one {# title is still being read} other {# titles are still being read}}', left),
  nothingFound: translate('No session matches.'),
  live: translate('live'),
  written: translate('last written:'),
  window: translate('of the window:'),
  cost: translate('cost:'),
  secrets: (kinds: number): string =>
    translate('{0, plural, one {# kind of credentials} other {# kinds of credentials}}', kinds),
  personal: (kinds: number): string =>
    translate('{0, plural, one {# kind of personal data} other {# kinds of personal data}}', kinds),
  breaks: (count: number): string =>
    translate('{0, plural, one {# cache loss} other {# cache losses}}', count),
  week: translate('This week'),
  sessions: (count: number): string => translate('{0, plural, one {# session} other {# sessions}}', count),
  unread: (count: number): string =>
    translate(
      '{0, plural, one {# session has} other {# sessions have}} changed since these figures were calculated. Open Usage to update them.',
      count,
    ),
  allSessions: translate('Usage of all sessions'),
  usage: translate('Usage'),
  more: translate('More actions'),
  unknownAddress: translate(
    'VS Code did not provide the path of the dropped file. Hold Shift while you drop a file from the explorer, or use "Open a Transcript".',
  ),
} as const;

export const ageWords: Readonly<Record<AgePeriod, string>> = {
  today: translate('Today'),
  yesterday: translate('Yesterday'),
  lastWeek: translate('Last 7 days'),
  lastMonth: translate('Last 30 days'),
  older: translate('Older'),
};

export const groupingWords: Readonly<Record<Grouping, string>> = {
  recent: translate('Recent'),
  project: translate('Project'),
  agent: translate('Agent'),
};

export const sessionDeedWords: Readonly<
  Record<Exclude<SessionDeed, 'open' | 'reveal' | 'copyPath'>, string>
> = {
  openToSide: translate('Open to the side'),
  openAsText: translate('Open as text'),
};

/** Shown if there are no sessions. */
export const welcomeWords: Readonly<Record<WelcomeDeed | 'title' | 'text', string>> = {
  title: translate('No agent sessions were found on this machine.'),
  text: translate(
    'Sessions of Claude Code, Codex, opencode, Gemini CLI and other agents appear here automatically. Nothing leaves this machine.',
  ),
  openExample: translate('Open Example Session'),
  openTranscript: translate('Open a Transcript'),
  addFolders: translate('Add Folders'),
};
