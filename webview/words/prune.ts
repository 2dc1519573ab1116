import { requests, tokens } from '../../src/core/base/countWords';
import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import type { PruneMeasure, PruneReplacement, PruneRuleSet } from '../../src/core/model/pruneConfig';
import type { LastingEnd } from '../../src/core/prune/laterRequests';
import type { NetState } from '../../src/core/prune/net';
import type { KeepReason } from '../../src/core/prune/ruleSet';

/** The options and what they would do to a request. */
export const pruneWords = {
  result: translate('What pruning would do'),
  enabled: translate('Clear old results'),
  ruleSet: translate('Rule'),
  protectTokens: translate('Keep newest'),
  minimumTokens: translate('Only if it frees'),
  toolOutputMaxChars: translate('Characters kept'),
  cacheWarmSuffixTokens: translate('Cache again at most'),
  protectedTools: translate('Never clear'),
  addTool: translate('Add a tool'),
  add: translate('Add'),
  removeTool: (tool: string): string => translate('Allow clearing {0}', tool),
  replacement: translate('Put in place'),
  measure: translate('Measure in'),
  freed: (count: number): string => (count === 0 ? '0' : `−${formatNumber(count)}`),
  unit: translate('tokens'),
  candidates: (count: number): string =>
    translate('{0, plural, one {# old result} other {# old results}}, less the notices put in place', count),
  fill: (before: string, after: string): string =>
    translate('the window is filled to {1} instead of {0}', before, after),
  tokensAfter: (before: number, after: number): string =>
    translate('the request shrinks from {0} to {1}', formatNumber(before), tokens(after)),
  prefix: (count: number, size: number): string =>
    translate(
      'the first {0, plural, one {# block stays} other {# blocks stay}} cached, {1}',
      count,
      tokens(size),
    ),
  executes: translate('would be cleared'),
  doesNotExecute: translate('would not be cleared'),
  off: translate('Clearing is off.'),
  nothing: translate('No result is old enough to be cleared.'),
  enough: {
    tokens: (candidates: number, minimum: number): string =>
      translate(
        'The old results have {0}. They are cleared from {1} on.',
        tokens(candidates),
        formatNumber(minimum),
      ),
    chars4: (candidates: number, minimum: number): string =>
      translate(
        'The old results have {0} (characters / 4). They are cleared from {1} on.',
        tokens(candidates),
        formatNumber(minimum),
      ),
  } satisfies Readonly<Record<PruneMeasure, (candidates: number, minimum: number) => string>>,
  listTitle: translate('Results to clear'),
  keptTitle: translate('Kept results'),
  more: (count: number): string => translate('and {0} more in the table', formatNumber(count)),
  save: translate('Save to settings'),
  exportCopy: translate('Export pruned copy…'),
  reset: translate('Reset'),
} as const;

export const keepWords: Readonly<Record<KeepReason, string>> = {
  recentTurn: translate('within the newest two turns'),
  notCompleted: translate('call not finished'),
  protectedTool: translate('tool that is never cleared'),
  alreadyPruned: translate('cleared before'),
  withinProtectedTokens: translate('among the newest tokens'),
  withinWarmPrefix: translate('too much would be cached again'),
  newestResults: translate('among the newest results'),
  notRepeated: translate('not repeated later'),
  tooSmall: translate('too small'),
  beyondStop: translate('older than where the rule stops'),
  disabled: translate('clearing is off'),
  belowMinimum: translate('would free too little'),
};

export const ruleSetWords: Readonly<Record<PruneRuleSet, string>> = {
  opencode: 'opencode',
  katu: 'katu',
  'oh-my-pi': 'oh-my-pi',
  microcompact: translate('Claude Code microcompact'),
  duplicates: translate('duplicates and outdated reads'),
};

export const replacementWords: Readonly<Record<PruneReplacement, string>> = {
  clear: translate('A one-line notice'),
  truncate: translate('The beginning and a notice'),
};

export const measureWords: Readonly<Record<PruneMeasure, string>> = {
  tokens: translate('Tokens'),
  chars4: translate('Characters / 4'),
};

const noChange = translate('Nothing is cleared, so nothing is gained or lost.');

/** What a prune costs and saves, and the searches over the session. */
export const worthWords = {
  title: translate('Costs and savings'),
  states: {
    disabled: noChange,
    nothing: noChange,
    belowMinimum: translate('Too little to clear, so nothing is gained or lost.'),
    cold: translate('Nothing after the first result is cached, so nothing has to be written again.'),
    warm: '',
  } satisfies Readonly<Record<NetState, string>>,
  once: translate('One-time cost'),
  onceText: (count: number): string => translate('to write {0} to the cache again', tokens(count)),
  later: translate('Saved per request'),
  laterCold: (money: string): string => translate('{0} when nothing is cached', money),
  breakEven: translate('Pays back'),
  breakEvenText: (count: number): string =>
    count === 1 ? translate('at this request') : translate('after {0}', requests(count)),
  /** The systems' terms, as tooltips. */
  terms: {
    breakEven: translate(
      'Break-even: the requests until the savings exceed the cost of writing the cache again',
    ),
    boundary: translate(
      'Readable prefix: what the request would have read from the cache without the change',
    ),
  },
  never: translate('never: later requests save nothing'),
  here: translate('In this session'),
  hereText: (count: number, end: string): string =>
    count === 0
      ? translate('in no later request: {0}', end)
      : translate('{0, plural, one {# later request} other {# later requests}}, then {1}', count, end),
  ends: {
    sessionEnd: translate('the session ends'),
    rewritten: translate('the history is rewritten'),
    compaction: translate('a compaction drops the results'),
    clearing: translate('the agent clears the results'),
  } satisfies Readonly<Record<LastingEnd, string>>,
  paidBack: (request: string): string => translate('paid back at request {0}', request),
  notPaidBack: translate('not paid back in this session'),
  gains: (money: string): string => translate('gains {0}', money),
  loses: (money: string): string => translate('loses {0}', money),
  boundary: translate('Cached to here'),
  pricesUnknown: translate('The prices of this model are unknown, so only tokens are shown.'),
  replay: translate('With pruning from here on'),
  replaying: translate('Replaying the rest of the session…'),
  replayText: (without: string, instead: string): string =>
    translate('The input of the rest of this session would have cost {0} instead of {1}.', instead, without),
  replayTokens: (without: number, instead: number): string =>
    translate(
      'The rest of this session would have had {0} uncached input tokens instead of {1}.',
      formatNumber(instead),
      formatNumber(without),
    ),
  replayMore: (prunes: number, count: number): string =>
    translate(
      '{0, plural, one {# prune} other {# prunes}} over {1, plural, one {# request} other {# requests}}. Replies, times and compactions are taken as recorded.',
      prunes,
      count,
    ),
  replayCheck: (modelled: string, recorded: string): string =>
    translate(
      'As a check: for the requests as sent, this calculation gives {0}; the recorded cost is {1}.',
      modelled,
      recorded,
    ),
  chart: (text: string): string => translate('Cumulative cost of input by request. {0}', text),
  asSent: translate('as sent'),
  pruned: translate('pruned'),
  best: translate('Search'),
  bestMoment: translate('Best moment'),
  bestMomentHint: translate('At which request of this conversation would these settings have saved most?'),
  bestOptions: translate('Best settings'),
  bestOptionsHint: translate('Which rule set and thresholds would have saved most from this request on?'),
  searching: translate('Searching…'),
  noGain: translate('Not pruning is best: no choice gains anything.'),
  notPriced: translate('The prices of this model are unknown, so the choices cannot be ranked.'),
  noChoice: translate('No choice prunes anything.'),
  contentWarning: translate('Ranked by cost alone. The model no longer sees what is pruned.'),
  settings: (ruleSet: string, protect: number, minimum: number): string =>
    translate('{0} · protect {1} · minimum {2}', ruleSet, formatNumber(protect), formatNumber(minimum)),
  compare: translate('Rule sets at this request'),
  results: translate('Results'),
  net: translate('Gained'),
} as const;
