/** A session written to this recently, in milliseconds, is probably still running. */
export const liveMilliseconds = 5 * 60_000;

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
