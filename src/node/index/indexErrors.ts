import { translate } from '../../core/base/translate';
import { describeWriteError } from '../fileErrors';
import { LockedError } from './indexLock';

/** One sentence for an error of the index. No session is lost with it: it can be made anew at any time. */
export function describeIndexError(error: unknown): string {
  if (error instanceof LockedError) {
    return translate('Another program is using the index over all sessions. Try again in a moment.');
  }
  if (error instanceof Error && 'code' in error) {
    return describeWriteError(error);
  }
  const message = error instanceof Error ? error.message : String(error);
  // SQLite says no more of what the system refused.
  return /disk I\/O|database or disk is full|unable to open|readonly/i.test(message)
    ? translate('The index over all sessions cannot be written. Is the disk full, or read-only?')
    : message;
}
