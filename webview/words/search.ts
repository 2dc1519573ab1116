import { formatNumber, formatShare } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import type { PromptRole } from '../../src/core/model/labels';
import type { nameFilters } from '../usage/searchFilters';

/** The search in all sessions. */
export const searchWords = {
  title: translate('Search in all sessions'),
  field: translate('Words, or a "phrase" in quotes'),
  hint: translate(
    'Searches the text of all sessions on this machine, including blocks that a compaction removed. A block must contain all the words. With filters only, all matching blocks are listed.',
  ),
  results: translate('Search results'),
  took: (milliseconds: number): string => translate('{0} ms', formatNumber(Math.max(1, milliseconds))),
  all: translate('All'),
  origin: translate('Source'),
  filters: translate('Filters'),
  filtersSet: (count: number): string => translate('Filters ({0})', count),
  noFilters: translate('Clear filters'),
  any: translate('Any'),
  from: translate('From date'),
  to: translate('To date'),
  failedOnly: translate('Failed results only'),
  clear: translate('Clear search'),
  also: (count: number): string =>
    translate('also in {0, plural, one {# session} other {# sessions}}', count),
  alsoAtLeast: (count: number): string =>
    translate('also in at least {0, plural, one {# session} other {# sessions}}', count),
  alsoHint: translate('Other sessions contain the same text, for example copies and forks of this session.'),
  failed: translate('failed'),
  request: (number: string): string => translate('request {0}', number),
  removedAt: (number: string): string => translate('removed in request {0}', number),
  removed: translate('removed'),
  removedHint: translate('Not in the newest request: removed by a compaction or pruned.'),
  unreadable: translate('The transcript can no longer be read.'),
  untitled: translate('Untitled session'),
  nothing: translate('Nothing found.'),
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
    translate('Results are incomplete: {0} of the sessions have been read.', formatShare(share)),
  waiting: translate('Results are incomplete: sessions are still being read.'),
  stopped: translate('Results are incomplete: reading was stopped.'),
  goOn: translate('Continue reading'),
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
