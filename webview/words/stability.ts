import { blocks, tokens } from '../../src/core/base/countWords';
import { formatNumber } from '../../src/core/base/format';
import { translate } from '../../src/core/base/translate';
import { noPlanWords, type Planner, plannerTexts, plannerWords } from '../../src/core/stability/planWords';
import type { StabilityClass } from '../../src/core/stability/stability';

/** Stability, breakpoints and the order of blocks. */
export const stabilityWords = {
  stability: translate('Stability'),
  stableHead: (count: number, size: number): string =>
    count === 0
      ? translate('no stable prefix')
      : translate('{0, plural, one {# stable block} other {# stable blocks}}, {1}', count, tokens(size)),
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
  prefix: translate('Stable prefix'),
  prefixText: (count: number, size: number): string =>
    count === 0 ? translate('none') : `${blocks(count)} · ${tokens(size)}`,
  withNotRecorded: (count: number): string => translate('{0} not recorded', formatNumber(count)),
  fingerprint: translate('Fingerprint'),
  spans: translate('Blocks by stability'),
  classes: {
    stable: translate('stable'),
    semi_stable: translate('semi-stable'),
    variable: translate('variable or new'),
  } satisfies Readonly<Record<StabilityClass, string>>,
  breakpoints: translate('Breakpoints'),
  plan: translate('Best plan'),
  planHead: (count: number): string =>
    translate('{0, plural, one {# breakpoint} other {# breakpoints}} planned', count),
  noPlanHead: translate('no plan'),
  after: translate('After block'),
  holds: translate('Prefix'),
  reads: translate('Reads'),
  worth: translate('Worth'),
  worthHint: translate('Worth is in tokens of fresh input, over the expected reads.'),
  used: translate('Used here'),
  comparison: translate('Over these requests'),
  asSent: translate('As sent'),
  planned: translate('Plan'),
  plannedAndLast: translate('Plan and last block'),
  read: translate('Read'),
  written: translate('Written'),
  fresh: translate('Fresh'),
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
  first: translate('This is the first request of its conversation, so nothing was frozen before it.'),
  frozen: translate('Frozen as sent'),
  stateLast: translate('With the state last'),
  fourSlots: translate('In slot order'),
  more: (count: number): string =>
    count > 0 ? translate('{0} more', formatNumber(count)) : translate('{0} fewer', formatNumber(-count)),
  moneySaved: (money: string): string =>
    translate('With the state last, this request would have cost {0} less.', money),
  moneyMore: (money: string): string =>
    translate('With the state last, this request would have cost {0} more.', money),
  early: translate('Changing blocks before stable ones'),
  earlyHint: translate(
    'The figures are the stable tokens after each block. They stay cached only while the block stays the same.',
  ),
  noneEarly: translate('No changing block comes before stable ones.'),
} as const;
