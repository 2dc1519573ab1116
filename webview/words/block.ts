import { tokens } from '../../src/core/base/countWords';
import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';

/** The details of one block. */
export const detailWords = {
  none: translate('No block selected'),
  noneHint: translate('Select a block in the drawing or the table, or move to one with the arrow keys.'),
  title: (place: number): string => translate('Block {0}', formatNumber(place)),
  notInRequest: translate('Not in this request'),
  origin: translate('Source'),
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
    translate('{0, plural, one {# request} other {# requests}}, first: request {1}', count, first),
  neverSent: translate('never sent'),
  frozen: translate('Cache'),
  frozenYes: translate('cached'),
  frozenNo: translate('not cached'),
  findings: (count: number): string => translate('{0, plural, one {# finding} other {# findings}}', count),
  findingRange: (start: number, end: number): string =>
    translate('characters {0} to {1}', formatNumber(start), formatNumber(end)),
  pruned: (freed: number): string => translate('to prune, frees {0}', tokens(freed)),
  keptFor: (reason: string): string => translate('kept: {0}', reason),
  contentHash: translate('Content hash'),
  irHash: translate('IR hash'),
  error: translate('error result'),
  cleared: translate('pruned by the agent'),
  summary: translate('part of a compaction summary'),
  inherited: translate('inherited from the session that this one continues'),
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
    'The transcript does not contain this part. It is usually the system prompt, tool schemas and text added by the agent. Its size: the tokens that the provider counted, minus those of the recorded blocks.',
  ),
  notRecordedRange: translate('In this session'),
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
  title: translate('Request layout'),
  titleTerm: translate('Rendered context'),
  stateTurnTerm: translate('State turn'),
  loading: translate('Rendering the request…'),
  stable: translate('Stable system text'),
  turnCount: translate('Turns'),
  pinned: translate('Pinned start'),
  absent: translate('none: no compaction yet'),
  technical: translate('Technical'),
  extends: translate('Extends the previous request'),
  extendsFirst: translate('first request'),
  yes: translate('yes'),
  no: translate('no'),
  common: (count: number): string =>
    translate('{0, plural, one {first turn is the same} other {first # turns are the same}}', count),
  stateTurn: translate('State, sent last'),
  noStateTurn: translate('No state is sent.'),
  irBlocks: translate('Blocks'),
  source: translate('Source request'),
  notOnRecord: translate('the request itself is not recorded'),
} as const;
