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
  enabled: translate('Enable pruning'),
  ruleSet: translate('Rule set'),
  protectTokens: translate('Protected tokens'),
  minimumTokens: translate('Minimum tokens'),
  toolOutputMaxChars: translate('Max. output characters'),
  cacheWarmSuffixTokens: translate('Max. tokens re-cached'),
  protectedTools: translate('Protected tools'),
  addTool: translate('Add a tool'),
  add: translate('Add'),
  removeTool: (tool: string): string => translate('Stop protecting {0}', tool),
  replacement: translate('Replace outputs by'),
  measure: translate('Measure thresholds in'),
  freed: (count: number): string => (count === 0 ? '0' : `−${formatNumber(count)}`),
  unit: translate('tokens'),
  candidates: (count: number): string =>
    translate('{0, plural, one {# candidate} other {# candidates}}, net of notices', count),
  fill: (before: string, after: string): string =>
    translate('the window is filled to {1} instead of {0}', before, after),
  tokensAfter: (before: number, after: number): string =>
    translate('the request shrinks from {0} to {1}', formatNumber(before), tokens(after)),
  prefix: (place: number, count: number): string =>
    translate('the cacheable prefix ends before block {0}, at {1}', formatNumber(place), tokens(count)),
  executes: translate('would prune'),
  doesNotExecute: translate('would not prune'),
  off: translate('Pruning is off.'),
  nothing: translate('No tool result is a candidate.'),
  enough: {
    tokens: (candidates: number, minimum: number): string =>
      translate('The candidates have {0}, the minimum is {1}.', tokens(candidates), formatNumber(minimum)),
    chars4: (candidates: number, minimum: number): string =>
      translate(
        'The candidates have {0} (characters / 4), the minimum is {1}.',
        tokens(candidates),
        formatNumber(minimum),
      ),
  } satisfies Readonly<Record<PruneMeasure, (candidates: number, minimum: number) => string>>,
  listTitle: translate('Candidates'),
  keptTitle: translate('Kept results'),
  more: (count: number): string => translate('and {0} more in the table', formatNumber(count)),
  save: translate('Save to settings'),
  exportCopy: translate('Export pruned copy…'),
  reset: translate('Reset'),
} as const;

export const keepWords: Readonly<Record<KeepReason, string>> = {
  recentTurn: translate('within the newest two turns'),
  notCompleted: translate('not completed'),
  protectedTool: translate('protected tool'),
  alreadyPruned: translate('already pruned'),
  withinProtectedTokens: translate('within the protected tokens'),
  withinWarmPrefix: translate('too many tokens to re-cache'),
  newestResults: translate('among the newest results'),
  notRepeated: translate('not repeated later'),
  tooSmall: translate('too small'),
  beyondStop: translate('older than where the rule stops'),
  disabled: translate('pruning is off'),
  belowMinimum: translate('below the minimum'),
};

export const ruleSetWords: Readonly<Record<PruneRuleSet, string>> = {
  opencode: 'opencode',
  katu: 'katu',
  'oh-my-pi': 'oh-my-pi',
  microcompact: translate('Claude Code microcompact'),
  duplicates: translate('duplicates and outdated reads'),
};

export const replacementWords: Readonly<Record<PruneReplacement, string>> = {
  clear: translate('Notice'),
  truncate: translate('Beginning and notice'),
};

export const measureWords: Readonly<Record<PruneMeasure, string>> = {
  tokens: translate('Tokens'),
  chars4: translate('Characters / 4'),
};

const noChange = translate('Nothing is pruned, so nothing is gained or lost.');

/** What a prune costs and saves, and the searches over the session. */
export const worthWords = {
  title: translate('Costs and savings'),
  states: {
    disabled: noChange,
    nothing: noChange,
    belowMinimum: translate('Too little to prune, so nothing is gained or lost.'),
    cold: translate('The cache is cold after the first candidate, so nothing has to be written again.'),
    warm: '',
  } satisfies Readonly<Record<NetState, string>>,
  once: translate('One-time cost'),
  onceText: (count: number): string => translate('to write {0} to the cache again', tokens(count)),
  later: translate('Saved per request'),
  laterCold: (money: string): string => translate('{0} when the cache is cold', money),
  breakEven: translate('Break-even'),
  breakEvenText: (count: number): string =>
    count === 1 ? translate('at this request') : translate('after {0}', requests(count)),
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
  boundary: translate('Readable prefix'),
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
