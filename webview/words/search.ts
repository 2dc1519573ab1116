import { formatNumber, formatShare } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import type { PromptRole } from '../../src/core/model/labels';
import type { nameFilters } from '../usage/searchFilters';

/** The search in all sessions. */
export const searchWords = {
  title: translate('Search in all sessions'),
  field: translate('Words, or a "phrase" in quotes'),
  hint: translate(
    'Finds words in the texts of all sessions on this machine, also in blocks that a compaction took out. All words have to stand in one block. Filters alone find every block that they fit.',
  ),
  results: translate('Search results'),
  took: (milliseconds: number): string => translate('{0} ms', formatNumber(Math.max(1, milliseconds))),
  all: translate('All'),
  origin: translate('Where it came from'),
  filters: translate('Filters'),
  filtersSet: (count: number): string => translate('Filters ({0})', count),
  noFilters: translate('Clear filters'),
  any: translate('Any'),
  from: translate('From'),
  to: translate('To'),
  failedOnly: translate('Failed results only'),
  clear: translate('Clear search'),
  also: (count: number): string =>
    translate('also in {0, plural, one {# session} other {# sessions}}', count),
  alsoAtLeast: (count: number): string =>
    translate('also in at least {0, plural, one {# session} other {# sessions}}', count),
  alsoHint: translate('Other sessions hold the same text, as copies and forks of a session do.'),
  failed: translate('failed'),
  request: (number: string): string => translate('request {0}', number),
  removedAt: (number: string): string => translate('removed at {0}', number),
  removed: translate('removed'),
  removedHint: translate(
    'The newest request does not carry it any more: a compaction took it out, or it was cleared.',
  ),
  unreadable: translate('The transcript cannot be read any more.'),
  untitled: translate('Untitled session'),
  nothing: translate('Nothing was found.'),
  places: (places: number, sessions: number): string =>
    translate(
      '{0, plural, one {# place} other {# places}} in {1, plural, one {# session} other {# sessions}}',
      places,
      sessions,
    ),
  placesAtLeast: (places: number): string => translate('More than {0} places', formatNumber(places)),
  more: translate('Show more'),
  opens: translate('opens at the request'),
  partial: (share: number): string =>
    translate('Results are not complete yet: {0} of the sessions are read.', formatShare(share)),
  waiting: translate('Results are not complete yet: sessions are still being read.'),
  stopped: translate('Results are not complete: reading was stopped.'),
  goOn: translate('Go on reading'),
} as const;

export const filterWords: Readonly<Record<(typeof nameFilters)[number], string>> = {
  agent: translate('Agent'),
  project: translate('Project'),
  tool: translate('Tool'),
  model: translate('Model'),
  file: translate('File'),
};

export const roleName = translate('Role');
export const roleWords: Readonly<Record<PromptRole, string>> = {
  system: translate('system'),
  user: translate('user'),
  assistant: translate('assistant'),
  tool: translate('tool'),
};
