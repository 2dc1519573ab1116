import * as v from 'valibot';
import { type Described, maybeNumber, numbers } from '../base/schema';

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

/** The last record of a window in a session, if it says when the window ends. Times in milliseconds since 1970. */
export const quotaWindow = v.strictObject(numbers('minutes', 'used', 'resetsAt', 'at'));
export type QuotaWindow = Described<typeof quotaWindow>;

/** Ends of the same window differ by some seconds between records; those of two windows by hours. */
const sameEnd = 600_000;

export const isSameWindow = (one: QuotaWindow, other: QuotaWindow): boolean =>
  one.minutes === other.minutes && Math.abs(one.resetsAt - other.resetsAt) < sameEnd;

/** The windows of a record. One of which nothing is used has not begun: its end moves with the time. */
export function begunWindows({ at, windows }: RecordedQuota): readonly QuotaWindow[] {
  return windows.flatMap(({ minutes, used, resetsAt }) =>
    at === undefined || resetsAt === undefined || used === 0 ? [] : [{ minutes, used, resetsAt, at }],
  );
}
