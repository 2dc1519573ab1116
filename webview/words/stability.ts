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
  planner: translate('Planning method'),
  planners: plannerWords,
  plannerHints: {
    own: translate('Context Inspector’s own plan, using the model’s token counts and prices'),
    relay: translate('The Adaptive Cache Governor (ACG) of NeMo Relay 0.9.2'),
  } satisfies Readonly<Record<Planner, string>>,
  plannerTexts,
  prefix: translate('Stable prefix'),
  prefixText: (count: number, size: number): string =>
    count === 0 ? blocks(count) : `${blocks(count)} · ${tokens(size)}`,
  withNotRecorded: (count: number): string => translate('{0} not recorded', formatNumber(count)),
  fingerprint: translate('Fingerprint'),
  spans: translate('Blocks by stability'),
  classes: {
    stable: translate('stable'),
    semi_stable: translate('sometimes changes'),
    variable: translate('volatile or new'),
  } satisfies Readonly<Record<StabilityClass, string>>,
  breakpoints: translate('Breakpoints'),
  plan: translate('Best plan'),
  planHead: (count: number): string =>
    translate('{0, plural, one {# breakpoint} other {# breakpoints}} planned', count),
  noPlanHead: translate('no plan'),
  after: translate('After block'),
  holds: translate('Tokens up to it'),
  reads: translate('Reads'),
  worth: translate('Value'),
  worthHint: translate('Value in full-price tokens over the expected cache reads.'),
  used: translate('Used here'),
  comparison: translate('In these requests'),
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
  notSaved: translate('No plan would have been cheaper.'),
  noPlan: noPlanWords,
  layout: translate('Order of the blocks'),
  layoutHead: (early: number): string =>
    early === 0
      ? translate('order is fine')
      : translate(
          '{0, plural, one {# volatile block comes} other {# volatile blocks come}} before stable ones',
          early,
        ),
  first: translate('First request of its conversation: nothing was cached before.'),
  frozen: translate('Cached, as sent'),
  stateLast: translate('State sent last'),
  fourSlots: translate('Sent in lane order'),
  more: (count: number): string =>
    count > 0 ? translate('{0} more', formatNumber(count)) : translate('{0} fewer', formatNumber(-count)),
  moneySaved: (money: string): string =>
    translate('If the state were sent last, this request would have cost {0} less.', money),
  moneyMore: (money: string): string =>
    translate('If the state were sent last, this request would have cost {0} more.', money),
  early: translate('Volatile blocks before stable ones'),
  earlyHint: translate(
    'Figures: stable tokens after each block. They stay cached only until the block changes.',
  ),
  noneEarly: translate('No volatile block comes before stable ones.'),
} as const;
