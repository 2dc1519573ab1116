import * as v from 'valibot';
import { type Described, maybeNumber } from '../base/schema';

/** The limits of a subscription, as the agent last recorded them. */
export const recordedQuota = v.strictObject({
  /** When it was recorded, in milliseconds since 1970. */
  at: maybeNumber,
  windows: v.array(
    v.strictObject({
      /** Length of the window: 300 for five hours, 10,080 for a week. */
      minutes: v.number(),
      /** The used share, from 0 to 1; it can be more. */
      used: v.number(),
      /** When the window begins again, in milliseconds since 1970. */
      resetsAt: maybeNumber,
    }),
  ),
});
export type RecordedQuota = Described<typeof recordedQuota>;
