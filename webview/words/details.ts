import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';

/** The facts of a block and its actions. */
export const factWords = {
  size: translate('Size'),
  from: translate('Source'),
  attribution: translate('Recorded by the agent'),
  attributionTerm: translate(
    'Recorded by the agent with this reply. A skill or server listed here was in context and may still be.',
  ),
  path: translate('File'),
  slot: translate('Lane'),
  left: translate('Removed'),
  leftAt: (why: string, request: string): string => translate('since request {1}: {0}', why, request),
  sent: translate('Sent'),
  sentOnce: (request: string): string => translate('only in request {0}', request),
  sentIn: (count: number, first: string, last: string): string =>
    translate('in {0, plural, one {# request} other {# requests}}, {1} – {2}', count, first, last),
  neverSent: translate('never sent'),
  exposedTo: translate('Sent to'),
  frozen: translate('Frozen prefix'),
  cached: translate('Cached'),
  cachedNow: translate('yes, read from the cache'),
  cachedLater: (request: string): string => translate('not yet; from request {0}', request),
  notCached: translate('no'),
  cost: translate('Cost so far'),
  costUnknown: translate('not known'),
  costHint: translate('Share of the cost of all requests up to this one, at list prices'),
  line: translate('Line'),
  lineOf: (line: number, file: string): string => translate('{0} in {1}', formatNumber(line), file),
  technical: translate('Technical'),
  place: translate('Position'),
  characters: translate('Characters'),
  data: translate('Data'),
  origin: translate('Provenance'),
  newHere: translate('new in this request'),
  /** For blocks by the label of their most sensitive finding. */
  sensitive: {
    restricted: (count: number): string =>
      translate('secret, {0, plural, one {# finding} other {# findings}}', count),
    private: (count: number): string =>
      translate('private, {0, plural, one {# finding} other {# findings}}', count),
  },
} as const;

/** The text of a block. */
export const textWords = {
  formatted: translate('Show formatted'),
  copyText: translate('Copy text'),
  copyMasked: translate('Copy text without findings'),
  copied: translate('Copied.'),
  reveal: translate('Reveal'),
  revealHint: translate('Show masked text'),
  hide: translate('Mask again'),
  findings: translate('Findings'),
  findingsOf: (rule: string, count: number): string =>
    translate('{0}, {1, plural, one {# finding} other {# findings}}: go to next', rule, count),
  nextFinding: translate('Next finding (F8)'),
  previousFinding: translate('Previous finding (Shift+F8)'),
  placeOf: (place: number, count: number): string =>
    translate('{0} of {1}', formatNumber(place), formatNumber(count)),
  page: (page: number, pages: number): string =>
    translate('Page {0} of {1}', formatNumber(page), formatNumber(pages)),
  nextPage: translate('Next page'),
  previousPage: translate('Previous page'),
  fold: (row: number): string => translate('Fold row {0}', formatNumber(row)),
  unfold: (row: number): string => translate('Unfold row {0}', formatNumber(row)),
  mapHint: translate('Positions of findings and hits in the text'),
  masked: (rule: string, count: number): string =>
    translate('{0}, {1, plural, one {# masked character} other {# masked characters}}', rule, count),
  image: (width: number, height: number): string =>
    translate('Image, {0} × {1} pixels', formatNumber(width), formatNumber(height)),
  imageLoading: translate('Loading the image…'),
} as const;

/** The search in texts and names. */
export const findWords = {
  open: translate('Find'),
  openHint: (blocks: number): string =>
    translate('Find in {0, plural, one {# block} other {# blocks}} (Ctrl+F)', blocks),
  label: translate('Find in texts and names'),
  placeholder: translate('Find in texts'),
  matchCase: translate('Match case'),
  /** A large and a small letter, on the button. */
  caseSign: translate('Aa'),
  regex: translate('Regular expression'),
  wholeSession: translate('Find in the whole session'),
  next: translate('Next hit (Enter)'),
  previous: translate('Previous hit (Shift+Enter)'),
  close: translate('Close (Escape)'),
  place: (place: number, count: number): string =>
    translate('{0} of {1}', formatNumber(place), formatNumber(count)),
  hits: (count: number): string => translate('{0, plural, one {# hit} other {# hits}}', count),
  none: translate('No hits'),
  elsewhere: (count: number): string => translate('{0} more in the session', count),
  searching: translate('Searching…'),
  /** The column of the table. */
  column: translate('Found'),
  inName: translate('in the name'),
} as const;
