import * as v from 'valibot';
import { type Described, numbers } from '../base/schema';
import { cacheBreakCause } from '../cache/cacheFinding';
import { wasteKinds } from '../waste/wasteKinds';
import { ruleCount } from './ruleCount';

/** Requests that paid more than they had to, and for how many input tokens, of all kinds. */
const lossSum = {
  ...numbers('requests', 'tokens'),
  /** US dollars at list prices, of the requests whose model has a known price; `unpriced` have none. */
  ...numbers('money', 'unpriced'),
};
export type LossSum = Readonly<Record<keyof typeof lossSum, number>>;

/** What the index says of losses. */
export const usageLosses = v.strictObject({
  /** Requests in sessions that were read for their usage alone: what they lost is not in these sums. */
  unread: v.number(),
  /**
   * Cache breaks, with what they cost more than reading from the cache would have. Each counts under its first cause; the
   * dearest cause comes first.
   */
  cache: v.strictObject({
    ...lossSum,
    causes: v.array(v.strictObject({ cause: cacheBreakCause, ...lossSum })),
  }),
  /**
   * What need not have been sent: a request counts once in the sum, and in each kind that it carried. The dearest kind comes
   * first.
   */
  waste: v.strictObject({
    ...lossSum,
    kinds: v.array(v.strictObject({ kind: v.picklist(wasteKinds), ...lossSum })),
  }),
  /**
   * Credentials in the files of the sessions (no personal data), by rule, the most frequent first; equal texts of a file
   * count once. It is of whole files, whenever in them a text came.
   */
  findings: v.array(ruleCount),
});
export type UsageLosses = Described<typeof usageLosses>;
