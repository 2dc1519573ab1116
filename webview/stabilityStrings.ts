import type { NoPlanReason } from '../src/core/stability/breakpointPlan';
import type { EarlyBlock } from '../src/core/stability/idealLayout';
import type { StabilityClass } from '../src/core/stability/stability';
import { counted, formatNumber } from '../src/core/base/format';

const tokensOf = (tokens: number): string => `${formatNumber(tokens)} tokens`;

/** What the panel of the cache says of stability, breakpoints and the order of blocks. */
export const stabilityStrings = {
  stability: 'Stability',
  stableHead: (blocks: number, tokens: number): string =>
    blocks === 0 ? 'no stable prefix' : `${counted(blocks, 'stable block')}, ${tokensOf(tokens)}`,
  observed: 'Looked back on',
  observedText: (requests: number): string =>
    `${counted(requests, 'request')} of this conversation and model`,
  prefix: 'Stable prefix',
  prefixText: (blocks: number, tokens: number): string =>
    blocks === 0 ? 'none' : `${counted(blocks, 'block')} · ${tokensOf(tokens)}`,
  withNotRecorded: (tokens: number): string => `, ${formatNumber(tokens)} of them not recorded`,
  fingerprint: 'Fingerprint',
  spans: 'Spans by class',
  classes: {
    stable: 'stable',
    semi_stable: 'semi-stable',
    variable: 'variable or new',
  } satisfies Readonly<Record<StabilityClass, string>>,
  breakpoints: 'Breakpoints',
  plan: 'The plan that is worth most',
  planHead: (breakpoints: number): string => `${counted(breakpoints, 'breakpoint')} planned`,
  noPlanHead: 'no plan',
  after: 'After block',
  holds: 'Prefix',
  reads: 'Reads',
  worth: 'Worth',
  worthHint: 'Worth is in tokens of fresh input, over the reads that are expected.',
  used: 'Used here',
  usedNone: 'none',
  usedUnknown: 'not on record',
  comparison: 'Played over these requests',
  asSent: 'As sent',
  planned: 'Plan',
  plannedAndLast: 'Plan and the end',
  read: 'Read',
  written: 'Written',
  fresh: 'Fresh',
  cost: 'Cost',
  saved: (tokens: number, money: string | undefined): string =>
    `The better plan would have read ${tokensOf(tokens)} more from the cache${
      money === undefined ? '' : ` and saved ${money}`
    }.`,
  savedMoney: (money: string): string => `The better plan would have saved ${money}.`,
  notSaved: 'No plan would have been cheaper than what was sent.',
  noPlan: {
    noReuse: 'There is one request only: nothing is read again, so that no breakpoint pays.',
    noBreakpoints: 'The provider of this model caches by itself: it takes no breakpoints.',
    emptyPrefix: 'Already the first block changes from request to request: no breakpoint would hold.',
    minimumUnknown: 'How much this model caches at least is not known, so that no plan can be made.',
    pricesUnknown: 'The prices of this model are not known, so that no plan can be weighed.',
    notWorthIt: 'The stable prefix is too small, or read too rarely, to pay for being written.',
  } satisfies Readonly<Record<NoPlanReason, string>>,
  layout: 'Order of the blocks',
  layoutHead: (early: number): string =>
    early === 0 ? 'nothing to move' : `${counted(early, 'changing block')} early`,
  first: 'It is the first request of its conversation: nothing was frozen before it.',
  frozen: 'Frozen as sent',
  stateLast: 'State moved last',
  fourSlots: 'In four slots',
  more: (tokens: number): string =>
    tokens === 0 ? '' : `${formatNumber(Math.abs(tokens))} ${tokens > 0 ? 'more' : 'fewer'}`,
  moneySaved: (money: string): string => `State moved last would have saved ${money} at this request.`,
  moneyMore: (money: string): string => `State moved last would have cost ${money} more at this request.`,
  early: 'Change, and stand before steady blocks',
  earlyHint: 'Beside each: the steady tokens behind it, which stay cached only as long as it stays the same.',
  reasons: {
    state: 'state',
    changing: 'changed',
  } satisfies Readonly<Record<EarlyBlock['reason'], string>>,
  noneEarly: 'No block that changes stands before steady ones.',
} as const;
