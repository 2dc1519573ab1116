import { blocks, tokens } from '../../src/core/base/countWords';
import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import { noPlanWords, type Planner, plannerTexts, plannerWords } from '../../src/core/stability/planWords';
import type { StabilityClass } from '../../src/core/stability/stability';

/** Stability, breakpoints and the order of blocks. */
export const stabilityWords = {
  stability: translate('What stays the same'),
  stableHead: (count: number, size: number): string =>
    count === 0
      ? translate('nothing at the start stays the same')
      : translate('the first {0, plural, one {block} other {# blocks}}, {1}', count, tokens(size)),
  observed: translate('Based on'),
  observedTexts: {
    own: (count: number): string =>
      translate('{0, plural, one {# request} other {# requests}} of this conversation and model', count),
    relay: (count: number): string =>
      translate(
        '{0, plural, one {# earlier request} other {# earlier requests}} with the same model, system prompt, tools and response format',
        count,
      ),
  } satisfies Readonly<Record<Planner, (count: number) => string>>,
  planner: translate('How breakpoints are planned'),
  planners: plannerWords,
  plannerHints: {
    own: translate('This program’s own plan, with the token counts and prices of the model'),
    relay: translate('The Adaptive Cache Governor (ACG) of NeMo Relay 0.9.2'),
  } satisfies Readonly<Record<Planner, string>>,
  plannerTexts,
  prefix: translate('The same at the start'),
  prefixText: (count: number, size: number): string =>
    count === 0 ? translate('none') : `${blocks(count)} · ${tokens(size)}`,
  withNotRecorded: (count: number): string => translate('{0} not recorded', formatNumber(count)),
  fingerprint: translate('Fingerprint'),
  spans: translate('Blocks by how much they change'),
  classes: {
    stable: translate('stays the same'),
    semi_stable: translate('changes at times'),
    variable: translate('changes or is new'),
  } satisfies Readonly<Record<StabilityClass, string>>,
  breakpoints: translate('Breakpoints'),
  plan: translate('Best plan'),
  planHead: (count: number): string =>
    translate('{0, plural, one {# breakpoint} other {# breakpoints}} planned', count),
  noPlanHead: translate('no plan'),
  after: translate('After block'),
  holds: translate('Tokens to there'),
  reads: translate('Reads'),
  worth: translate('Worth'),
  worthHint: translate('Worth is in tokens paid in full, over the expected reads.'),
  used: translate('Used here'),
  comparison: translate('Over these requests'),
  asSent: translate('As sent'),
  planned: translate('Plan'),
  plannedAndLast: translate('Plan and last block'),
  read: translate('Read'),
  written: translate('Written'),
  fresh: translate('In full'),
  saved: (count: number, money: string | undefined): string =>
    money === undefined
      ? translate('The better plan would have read {0} more from the cache.', tokens(count))
      : translate(
          'The better plan would have read {0} more from the cache and saved {1}.',
          tokens(count),
          money,
        ),
  savedMoney: (money: string): string => translate('The better plan would have saved {0}.', money),
  notSaved: translate('No plan would have been cheaper than what was sent.'),
  noPlan: noPlanWords,
  layout: translate('Order of the blocks'),
  layoutHead: (early: number): string =>
    early === 0
      ? translate('nothing to move')
      : translate('{0, plural, one {# changing block} other {# changing blocks}} too early', early),
  first: translate('This is the first request of its conversation, so nothing was cached before it.'),
  frozen: translate('Cached as sent'),
  stateLast: translate('With the state last'),
  fourSlots: translate('In the order of the lanes'),
  more: (count: number): string =>
    count > 0 ? translate('{0} more', formatNumber(count)) : translate('{0} fewer', formatNumber(-count)),
  moneySaved: (money: string): string =>
    translate('With the state last, this request would have cost {0} less.', money),
  moneyMore: (money: string): string =>
    translate('With the state last, this request would have cost {0} more.', money),
  early: translate('Blocks that change before blocks that stay'),
  earlyHint: translate(
    'The figures are the tokens that stay the same after each block. They stay cached only while the block does not change.',
  ),
  noneEarly: translate('No block that changes comes before blocks that stay.'),
} as const;
