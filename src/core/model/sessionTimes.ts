/** A session written to this recently, in milliseconds, is probably still running. */
export const liveMilliseconds = 5 * 60_000;

/** A running session may wait this long for a tool or for the user before it writes again, in milliseconds. */
const longestWait = 24 * 3_600_000;

/**
 * True for a session that is probably still running: its file was just written, and not long after its last request. A
 * copied or restored file is newer than its session.
 * @param used when it was last used, as `lastUsed`; all times in milliseconds since 1970
 */
export const isLive = (now: number, written: number, used: number): boolean =>
  now - written < liveMilliseconds && written - used < longestWait;

/**
 * The times of a session's first and last request, in milliseconds since 1970; undefined if no request has a time.
 * Other records do not count, because not every reading of a file sees them.
 */
export function sessionTimes(requests: readonly { readonly timestamp?: number | undefined }[]): {
  readonly began: number | undefined;
  readonly ended: number | undefined;
} {
  let began: number | undefined;
  let ended: number | undefined;
  for (const { timestamp } of requests) {
    if (timestamp !== undefined) {
      began = Math.min(began ?? timestamp, timestamp);
      ended = Math.max(ended ?? timestamp, timestamp);
    }
  }
  return { began, ended };
}

/**
 * The time when a session was last used. Its age is measured from then, because a copied or restored file is newer than
 * its session.
 * @param modified when its file was written
 */
export function lastUsed(ended: number | undefined, modified: number): number {
  return ended ?? modified;
}
