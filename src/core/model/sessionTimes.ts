/**
 * When the first and the last request of a session were sent, in milliseconds since 1970; undefined where no request has a
 * time. Not every reading of a file sees its other records.
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
 * When a session was last used: its age is measured from then. A copied or restored file is newer than the session in it.
 * @param modified when its file was written
 */
export function lastUsed(ended: number | undefined, modified: number): number {
  return ended ?? modified;
}
