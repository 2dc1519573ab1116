import { formatNumber, formatShortNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import type { SortKey, Verdict } from '../state/viewState';

/** The choice of view, the filter and the zoom. */
export const toolbarWords = {
  view: translate('View'),
  colours: translate('Colour'),
  coloursBy: (mode: string): string => translate('Colour: {0}', mode),
  exports: {
    html: translate('Export report…'),
    svg: translate('Export drawing…'),
    json: translate('Export context as JSON…'),
    prunedCopy: translate('Export pruned copy…'),
    twin: translate('Export anonymised twin…'),
  },
  search: translate('Find blocks'),
  matches: (count: number, all: number): string =>
    translate('{0} of {1} blocks', formatNumber(count), formatNumber(all)),
  clearFilter: translate('Clear filter'),
  removeFilter: (name: string): string => translate('Remove filter: {0}', name),
  zoomIn: translate('Zoom in'),
  zoomOut: translate('Zoom out'),
  row: (tokens: number): string => translate('1 row = {0}', formatShortNumber(tokens)),
  rowHint: translate('Tokens per row of the drawing. Press to fit the largest request in the window.'),
  outgrown: (tokens: number): string => translate('was {0}', formatShortNumber(tokens)),
  outgrownHint: (tokens: number): string =>
    translate('The session has grown: at {0} tokens per row, it no longer fits.', formatShortNumber(tokens)),
  viewAndColours: (view: string): string => translate('View and colours: {0}', view),
  more: translate('Exports'),
  filters: translate('Filters'),
  filtersSet: (count: number): string => translate('Filters ({0})', count),
  anyKind: translate('All kinds'),
  anySensitivity: translate('All sensitivities'),
  anyVerdict: translate('Pruned and kept'),
  verdict: translate('Pruned or kept'),
} as const;

export const verdictWords: Readonly<Record<Verdict, string>> = {
  pruned: translate('results to prune'),
  kept: translate('kept results'),
};

/** The request as a drawing of its lanes. */
export const layoutWords = {
  label: translate('Lanes'),
  hint: translate(
    'Use the arrow keys to move between blocks, with Shift to sum a range, Enter to open details, and plus and minus to zoom.',
  ),
  ofRequest: (share: string): string => translate('{0} of the request', share),
  forInput: (money: string): string => translate('{0} for input', money),
  deselect: translate('Esc deselects'),
  legend: translate('Legend'),
  displaced: (position: number): string =>
    translate('sent at position {0}, among the messages', formatNumber(position)),
} as const;

/** The request as a table of blocks. */
export const tableWords = {
  label: translate('Blocks in the request'),
  noMatch: translate('No blocks match the filter.'),
  candidate: translate('to prune'),
  kept: translate('kept'),
  sort: (column: string): string => translate('Sort by {0}', column),
} as const;

/** The columns of the table. Other parts of the page use the same names. */
export const columnWords: Readonly<Record<SortKey, string>> = {
  wire: translate('Position'),
  label: translate('Block'),
  source: translate('Source'),
  kind: translate('Kind'),
  tool: translate('Tool'),
  tokens: translate('Tokens'),
  sensitivity: translate('Sensitivity'),
  partition: translate('Lane'),
  firstRequest: translate('First'),
  line: translate('Line'),
  verdict: translate('Prune'),
};
