import { requests, tokens } from '../../src/core/base/countWords';
import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import type { PruneMeasure, PruneReplacement, PruneRuleSet } from '../../src/core/model/pruneConfig';
import type { KeepReason } from '../../src/core/prune/ruleSet';
import type { TokenFigure } from '../../src/core/tokens/quality';
import { figureSpread } from '../../src/core/tokens/qualityWords';

/** The options and their effect on a request. */
export const pruneWords = {
  result: translate('Effect of pruning'),
  enabled: translate('Prune old results'),
  ruleSet: translate('Rule set'),
  protectTokens: translate('Protect newest'),
  minimumTokens: translate('Minimum tokens'),
  toolOutputMaxChars: translate('Keep characters'),
  cacheWarmSuffixTokens: translate('Max. rewritten'),
  protectedTools: translate('Protected tools'),
  addTool: translate('Add a tool'),
  add: translate('Add'),
  removeTool: (tool: string): string => translate('Stop protecting {0}', tool),
  replacement: translate('Replace with'),
  measure: translate('Measure in'),
  freed: (figure: TokenFigure): string => (figure.value === 0 ? '0' : `−${figureSpread(figure)}`),
  unit: translate('tokens'),
  candidates: (count: number): string =>
    translate('{0, plural, one {# old result} other {# old results}}', count),
  netOfPlaceholder: translate('Net of the placeholder text'),
  now: translate('Now'),
  after: translate('After'),
  prefix: (count: number, size: number): string =>
    translate('Still cached: the first {0, plural, one {block} other {# blocks}}, {1}', count, tokens(size)),
  enough: {
    tokens: (candidates: number, minimum: number): string =>
      translate('Old results: {0}. Pruning starts at {1}.', tokens(candidates), formatNumber(minimum)),
    chars4: (candidates: number, minimum: number): string =>
      translate(
        'Old results: {0} (characters / 4). Pruning starts at {1}.',
        tokens(candidates),
        formatNumber(minimum),
      ),
  } satisfies Readonly<Record<PruneMeasure, (candidates: number, minimum: number) => string>>,
  listTitle: translate('Results to prune'),
  keptTitle: translate('Kept results'),
  more: (count: number): string => translate('and {0} more in the table', formatNumber(count)),
  save: translate('Save to settings'),
  exportCopy: translate('Export pruned copy…'),
  reset: translate('Reset'),
} as const;

export const keepWords: Readonly<Record<KeepReason, string>> = {
  recentTurn: translate('in the newest two turns'),
  notCompleted: translate('call not finished'),
  protectedTool: translate('protected tool'),
  alreadyPruned: translate('already pruned'),
  withinProtectedTokens: translate('among the newest tokens'),
  withinWarmPrefix: translate('too many tokens after it to rewrite'),
  newestResults: translate('among the newest results'),
  notRepeated: translate('not repeated later'),
  tooSmall: translate('too small'),
  beyondStop: translate('older than the last prune or summary'),
  disabled: translate('pruning is off'),
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
  clear: translate('One-line placeholder'),
  truncate: translate('Beginning and placeholder'),
};

export const measureWords: Readonly<Record<PruneMeasure, string>> = {
  tokens: translate('Tokens'),
  chars4: translate('Characters / 4'),
};

/** The cost and savings of a prune, and the searches over the session. */
export const worthWords = {
  title: translate('Costs and savings'),
  cold: translate('Nothing after the first pruned result is cached, so pruning costs nothing.'),
  once: translate('One-time cost'),
  onceText: (count: number): string => translate('to rewrite {0} to the cache', tokens(count)),
  later: translate('Saved per request'),
  laterCold: (money: string): string => translate('{0} with a cold cache', money),
  breakEven: translate('Pays back'),
  breakEvenText: (count: number): string =>
    count === 1 ? translate('in this request') : translate('after {0}', requests(count)),
  /** The technical terms, as tooltips. */
  terms: {
    breakEven: translate(
      'Break-even: the number of requests until the savings exceed the cost of rewriting the cache',
    ),
    boundary: translate('Readable prefix: tokens the request would have read from the cache without pruning'),
  },
  never: translate('Never: nothing is saved per request'),
  here: translate('In this session'),
  hereText: (count: number, end: string): string =>
    count === 0
      ? translate('no later requests: {0}', end)
      : translate('{0, plural, one {# later request} other {# later requests}} until {1}', count, end),
  paidBack: (request: string): string => translate('paid back in request {0}', request),
  notPaidBack: translate('not paid back in this session'),
  boundary: translate('Cached to here'),
  pricesUnknown: translate('The prices of this model are unknown, so only tokens are shown.'),
  replay: translate('If pruned from here on'),
  replaying: translate('Replaying the rest of the session…'),
  replayText: (without: string, instead: string): string =>
    translate('Input cost for the rest of this session: {1} → {0}.', instead, without),
  replayTokens: (without: number, instead: number): string =>
    translate(
      'Uncached input tokens for the rest of this session: {1} → {0}.',
      formatNumber(instead),
      formatNumber(without),
    ),
  replayMore: (prunes: number, count: number): string =>
    translate(
      'Pruned {0, plural, one {once} other {# times}} in {1, plural, one {# request} other {# requests}}. Assumes the same replies, times and compactions as recorded.',
      prunes,
      count,
    ),
  replayCheck: (modelled: string, recorded: string): string =>
    translate(
      'Check: the same calculation for the requests as sent gives {0}; recorded: {1}.',
      modelled,
      recorded,
    ),
  chart: (text: string): string => translate('Cumulative input cost by request. {0}', text),
  asSent: translate('as sent'),
  pruned: translate('pruned'),
  best: translate('Search'),
  bestMoment: translate('Best moment'),
  bestMomentHint: translate(
    'The requests of this conversation where these settings would have saved the most:',
  ),
  bestHere: (gain: string): string => translate('This is the best request: {0}', gain),
  backTo: (request: string): string => translate('Back to request {0}', request),
  curve: (end: string): string => translate('Saved in all, by request, until {0}', end),
  even: (request: string): string => translate('even at {0}', request),
  lossAt: (request: string): string => translate('cache lost at {0}', request),
  bestOptions: translate('Best settings'),
  bestOptionsHint: translate(
    'Find the rule set and thresholds that would have saved the most from this request on',
  ),
  searching: translate('Searching…'),
  noGain: translate('Best: don’t prune. No setting saves money here.'),
  notPriced: translate('The prices of this model are unknown, so the settings cannot be ranked.'),
  noChoice: translate('No rule set would prune anything here.'),
  contentWarning: translate('Ranked by cost only. Pruned text is no longer visible to the model.'),
  settings: (ruleSet: string, protect: number, minimum: number): string =>
    translate('{0} · protect {1} · minimum {2}', ruleSet, formatNumber(protect), formatNumber(minimum)),
  compare: translate('Rule sets for this request'),
  results: translate('Results'),
  net: translate('Saved'),
} as const;
