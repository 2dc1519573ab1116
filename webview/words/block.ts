import { tokens } from '../../src/core/base/countWords';
import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';

/** The details of one block. */
export const detailWords = {
  none: translate('No block selected'),
  noneHint: translate('Select a block in the drawing or the table, or move to one with the arrow keys.'),
  title: (place: number): string => translate('Block {0}', formatNumber(place)),
  notInRequest: translate('Not in this request'),
  origin: translate('From'),
  path: translate('Path'),
  wirePlace: (place: number, count: number): string =>
    translate('{0} of {1}', formatNumber(place), formatNumber(count)),
  wirePlaceOf: (place: number, count: number): string =>
    translate('position {0} of {1}', formatNumber(place), formatNumber(count)),
  span: translate('Span ID'),
  uncounted: translate('estimated from the size, not counted yet'),
  size: translate('Size'),
  characters: (count: number): string =>
    translate('{0, plural, one {# character} other {# characters}}', count),
  time: translate('Time'),
  exposure: translate('Sent'),
  exposureText: (count: number, first: string): string =>
    translate('in {0, plural, one {# request} other {# requests}}, first in request {1}', count, first),
  neverSent: translate('in no request'),
  frozen: translate('Cache'),
  frozenYes: translate('cached'),
  frozenNo: translate('not cached'),
  findings: (count: number): string => translate('{0, plural, one {# finding} other {# findings}}', count),
  findingRange: (start: number, end: number): string =>
    translate('characters {0} to {1}', formatNumber(start), formatNumber(end)),
  pruned: (freed: number): string => translate('to clear, frees {0}', tokens(freed)),
  keptFor: (reason: string): string => translate('kept: {0}', reason),
  contentHash: translate('Content hash'),
  irHash: translate('IR hash'),
  error: translate('error result'),
  cleared: translate('cleared by the agent'),
  summary: translate('part of a compaction summary'),
  goToLine: (line: number): string => translate('Go to line {0}', formatNumber(line)),
  goToCall: translate('Go to call'),
  goToResult: translate('Go to result'),
  openFile: translate('Open file'),
  openSubagent: translate('Open subagent'),
  text: translate('Text'),
  image: translate('Images are not shown here. Go to the line to see the record.'),
  loading: translate('Loading the text…'),
  reveal: translate('Reveal masked text'),
  hide: translate('Mask text again'),
  masked: (characters: number, rule: string): string =>
    translate('masked · {0, plural, one {# character} other {# characters}} · {1}', characters, rule),
  emptyText: translate('The text is empty.'),
  notRecordedText: translate(
    'The transcript does not contain this part. Usually it is the system prompt, the tool schemas and texts that the agent adds. Its size is the number of tokens that the provider counted beyond the recorded blocks.',
  ),
  notRecordedRange: translate('Over the session'),
  range: (low: number, high: number): string => translate('{0} to {1}', formatNumber(low), tokens(high)),
} as const;

/** The lists while no block is selected. */
export const overviewWords = {
  sensitive: translate('Sensitive blocks'),
  repeated: translate('Repeated content (newest copy)'),
  unusedTools: translate('Unused tools'),
  largest: translate('Largest blocks'),
} as const;

/** The request as the renderer writes it. */
export const renderedWords = {
  title: translate('The request as it is written'),
  titleTerm: translate('Rendered context'),
  stateTurnTerm: translate('State turn'),
  loading: translate('Writing the request…'),
  stable: translate('System text that stays'),
  total: translate('Total'),
  own: translate('These figures are estimated from characters.'),
  turnCount: translate('Turns'),
  pinned: translate('Pinned start'),
  absent: translate('none, because nothing was compacted yet'),
  technical: translate('Technical'),
  extends: translate('Extends the previous request'),
  extendsFirst: translate('first request'),
  yes: translate('yes'),
  no: translate('no'),
  common: (count: number): string =>
    translate('{0, plural, one {# leading turn is equal} other {# leading turns are equal}}', count),
  stateTurn: translate('State, sent last'),
  noStateTurn: translate('No state is sent.'),
  irBlocks: translate('Blocks'),
  source: translate('Source request'),
  notOnRecord: translate('the request itself is not on record'),
} as const;
