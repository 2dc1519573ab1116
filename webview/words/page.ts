import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import type { ColourMode } from '../../src/core/drawing/palette';
import type { MainView, Panel } from '../state/viewState';

const phases = {
  reading: translate('Reading the transcript'),
  measuring: translate('Counting tokens and scanning for sensitive data'),
} as const;

/** Words that more than one part of the page uses, and the pages without a session. */
export const pageWords = {
  untitled: translate('Untitled session'),
  loading: translate('Loading…'),
  showMore: (left: number): string => translate('Show more ({0} left)', formatNumber(left)),
  request: (number: string): string => translate('Request {0}', number),
  notRecorded: translate('not recorded'),
  notRecordedName: translate('Not recorded'),
  noCacheReads: translate('cache reads are not recorded'),
  cacheRead: translate('From the cache'),
  cacheWrite: translate('Written to the cache'),
  cost: translate('Cost'),
  priceUnknown: translate('price unknown'),
  none: translate('none'),
  unknown: translate('unknown'),
  breakpoints: (count: number): string =>
    translate('{0, plural, one {# breakpoint} other {# breakpoints}}', count),
  numberOf: (label: string): string => translate('{0}, value', label),
  phase: (phase: keyof typeof phases): string => phases[phase],
  cancel: translate('Cancel'),
  retry: translate('Try again'),
  close: translate('Close'),
  stillReading: translate('The transcript is still being read.'),
  nothingToHandOff: translate('Nothing to hand off: no request is shown.'),
  nothingToExport: translate('Nothing to export: no request is shown.'),
  openAs: translate('Open as…'),
  openAsText: translate('Open as text'),
  openExample: translate('Open example session'),
  failedTitle: translate('This file cannot be shown'),
  cancelledTitle: translate('Reading was cancelled'),
  cancelledText: translate('The file was not changed. Press Try again to read it.'),
  crashedTitle: translate('An error occurred in this view'),
  emptyTitle: translate('No requests in this transcript'),
  emptyText: translate(
    'Nothing in this transcript has been sent to a model yet. The view updates as the file grows.',
  ),
  emptyOf: (format: string): string => translate('The file was read as {0}.', format),
  waiting: translate('Opening the transcript'),
} as const;

/** The panes next to, below or over the drawing. */
export const paneWords = {
  details: translate('Details'),
  column: translate('Cache and prune'),
  panels: (pane: string): string => translate('{0}: panel', pane),
  resize: (pane: string): string => translate('Resize: {0}', pane),
  open: translate('Open details'),
  close: translate('Close details (Escape)'),
} as const;

export const modeWords: Readonly<Record<ColourMode, string>> = {
  source: translate('Source'),
  sensitivity: translate('Sensitivity'),
  provenance: translate('Provenance'),
  role: translate('Role'),
  cache: translate('Cache'),
};

export const mainViewWords: Readonly<Record<MainView, string>> = {
  layout: translate('Lanes'),
  conversation: translate('Conversation'),
  table: translate('Table'),
  breakdown: translate('Breakdown'),
  compaction: translate('Compaction'),
  comparison: translate('Compare'),
};

export const panelWords: Readonly<Record<Panel, string>> = {
  block: translate('Block'),
  cache: translate('Cache'),
  prune: translate('Prune'),
  waste: translate('Waste'),
  rendered: translate('Request'),
  model: translate('Model'),
};

/** A description of a panel's content, with the technical term. */
export const panelHints: Readonly<Record<Panel, string>> = {
  block: translate('The selected block and its text'),
  cache: translate('Cached tokens, cache losses and their causes'),
  prune: translate('Tokens that pruning old tool results would free, and its cost'),
  waste: translate('Avoidable context, its cost, and how to fix it'),
  rendered: translate('The full request as sent (rendered context, PromptIR)'),
  model: translate('Send the request, in full or pruned, to a model'),
};

export { reasonWords } from '../../src/core/cache/causeWords';
