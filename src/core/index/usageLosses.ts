import * as v from 'valibot';
import { type Described, numbers } from '../base/schema';
import { cacheBreakCause } from '../cache/cacheFinding';
import { wasteKinds } from '../waste/wasteKinds';
import { ruleCount } from './ruleCount';

/** Number of requests that paid more than necessary, and number of input tokens of all kinds. */
const lossSum = {
  ...numbers('requests', 'tokens'),
  /** US dollars at list prices, for requests with a known price. `unpriced` counts the others. */
  ...numbers('money', 'unpriced'),
};
export type LossSum = Readonly<Record<keyof typeof lossSum, number>>;

const cacheSums = v.strictObject({
  ...lossSum,
  causes: v.array(v.strictObject({ cause: cacheBreakCause, ...lossSum })),
});

/** The losses in the index. */
export const usageLosses = v.strictObject({
  /** Requests of sessions that were read only for their usage. Their losses are not in these sums. */
  unread: v.number(),
  /**
   * Cache losses, with the cost beyond reading from the cache. Each counts under its first cause. The most expensive
   * cause comes first.
   */
  cache: cacheSums,
  /** The same for compactions and prunes, after which the cache was written again: they are meant, and no losses. */
  meant: cacheSums,
  /**
   * Avoidable content. A request counts once in the sum, and once in each kind that it carried. The most expensive kind
   * comes first.
   */
  waste: v.strictObject({
    ...lossSum,
    kinds: v.array(v.strictObject({ kind: v.picklist(wasteKinds), ...lossSum })),
  }),
  /**
   * Credentials in the files of the sessions (no personal data), by rule, the most frequent first. Equal texts of a
   * file count once. Counts whole files, whatever the time of a text.
   */
  findings: v.array(ruleCount),
});
export type UsageLosses = Described<typeof usageLosses>;
