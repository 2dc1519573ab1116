import { tokens } from '../../src/core/base/countWords';
import { formatMoney, formatNumber, formatShare, formatShortNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import type { BreakdownGrouping } from '../../src/core/breakdown/breakdownKinds';
import type { BreakdownMeasure, BreakdownScope } from '../state/viewState';

/** The parts of a request or a session. */
export const breakdownWords = {
  label: translate('Breakdown'),
  hint: translate(
    'Use the arrow keys to move between parts, Enter to open one, and Backspace to go up. The table has the same parts.',
  ),
  tableLabel: translate('Parts of the breakdown'),
  computing: translate('Calculating the breakdown…'),
  measure: translate('Measure'),
  measures: {
    tokens: translate('Tokens'),
    carried: translate('Total sent'),
    money: translate('Cost'),
  } satisfies Readonly<Record<BreakdownMeasure, string>>,
  measureHints: {
    tokens: translate('Length of each part. Each block counts once.'),
    carried: translate('Input tokens, summed over all requests that contain them'),
    money: translate('Cost of sending each part, at list prices'),
  } satisfies Readonly<Record<BreakdownMeasure, string>>,
  scope: translate('Scope'),
  scopes: (count: number): Readonly<Record<BreakdownScope, string>> => ({
    request: translate('This request'),
    session: translate('{0, plural, one {# request} other {All # requests}}', count),
  }),
  grouping: translate('Grouping'),
  groupings: {
    content: translate('By content'),
    tool: translate('By tool'),
  } satisfies Readonly<Record<BreakdownGrouping, string>>,
  find: translate('Find a tool, server, file, skill'),
  noneFound: translate('Nothing matches.'),
  moreFound: (count: number): string => translate('{0} more. Type to narrow the list.', formatNumber(count)),
  showTable: translate('Show as a table'),
  path: translate('Path'),
  upTo: (name: string): string => translate('Up one level: {0}', name),
  empty: (request: string): string => translate('Nothing of this in request {0}.', request),
  emptySession: translate('Nothing of this in any request.'),
  within: (name: string, folder: string): string => translate('{0} in {1}', name, folder),
  partFigures: (name: string, figure: string, share: string): string =>
    translate('{0}: {1}, {2}', name, figure, share),
  blocksIn: (count: number): string => translate('{0, plural, one {# block} other {# blocks}}', count),
  figures: {
    tokens: (count: number): string => tokens(count),
    carried: (count: number): string =>
      translate('{0} {1, plural, one {token} other {tokens}} sent in total', formatShortNumber(count), count),
    cached: (count: number): string => translate('{0} from the cache', formatShortNumber(count)),
    fresh: (count: number): string => translate('{0} at full price', formatShortNumber(count)),
    countedOnce: (count: number): string =>
      translate('{0} {1, plural, one {token} other {tokens}}, each counted once', formatNumber(count), count),
  },
  total: (input: number, output: number): string =>
    translate(
      '{0} input + {1} written by the model = {2}',
      formatMoney(input),
      formatMoney(output),
      formatMoney(input + output),
    ),
  cachedShare: (share: number): string => translate('{0} from the cache', formatShare(share)),
  readAt: translate('read in'),
  cameAt: translate('added in'),
  arrival: (place: number | undefined, request: string, count: number): string =>
    place === undefined
      ? translate('Request {0}, {1}', request, tokens(count))
      : translate('{0}: request {1}, {2}', formatNumber(place), request, tokens(count)),
  neverSent: translate('never sent'),
  moreArrivals: (count: number): string => translate('and {0} more', formatNumber(count)),
  selection: translate('Selected part'),
  smallParts: translate('Parts too small to draw'),
  lanes: translate('Lanes'),
  lanesHint: translate('Highlight these blocks in the lanes'),
  line: (line: number): string => translate('Line {0}', formatNumber(line)),
  lineHint: translate('Open the transcript at this line'),
  arrivalName: (request: string): string => translate('request {0}', request),
  columns: {
    name: translate('Part'),
    share: translate('Share'),
    tokens: translate('Tokens'),
    carried: translate('Total sent'),
    cached: translate('From the cache'),
    money: translate('Cost'),
    blocks: translate('Blocks'),
  },
} as const;
