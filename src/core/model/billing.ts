import * as v from 'valibot';
import { type Described, numbers, texts } from '../base/schema';

/**
 * A further pass of the model within a request, billed beside the reply: a compaction by the provider, an attempt of a
 * model that did not finish, or an earlier step of a loop that the provider ran. `run` is the sum of a whole run that
 * records no usage for each request; the last request of the run has it.
 */
const billedPass = v.strictObject({
  kind: v.picklist(['compaction', 'message', 'advisor', 'run', 'other']),
  /** Empty if it is the request's model. */
  ...texts('model'),
  /** Tokens, in the convention of `RecordedUsage`. */
  ...numbers('input', 'cacheRead', 'cacheWrite', 'cacheWriteHour', 'output'),
});
export type BilledPass = Described<typeof billedPass>;

/** The facts of a request's usage, besides its own tokens, that change its cost. */
export const billing = v.strictObject({
  /** Terms other than the standard ones, in the provider's words: `fast`, `batch`, `priority`, `us`. */
  terms: v.array(v.string()),
  /** Calls of the tools that the provider ran, by the name in the usage: `web_search_requests`. */
  tools: v.array(v.strictObject({ ...texts('name'), ...numbers('calls') })),
  passes: v.array(billedPass),
});
export type Billing = Described<typeof billing>;

/** The text form of a billing, for columns; empty without one. */
export function billingText(facts: Billing | undefined): string {
  return facts === undefined ? '' : JSON.stringify(facts);
}

/** The billing that a text of `billingText` describes. */
export function billingOf(text: string): Billing | undefined {
  return text === '' ? undefined : v.parse(billing, JSON.parse(text));
}
