import { translate } from '../../core/base/translate';
import { describeWriteError } from '../files/fileErrors';

// Codes of SQLite ("Result and Error Codes").
const busy = 5;
const moved = 1032;

/** SQLite's code of an error; undefined if the error is not SQLite's. */
function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined;
}

/** True if nothing could be written because another program has deleted the file of the open database. */
export function isMoved(error: unknown): boolean {
  return sqliteCode(error) === moved;
}

/** One sentence for an error of the index. No session is lost with it: the index can be created again at any time. */
export function describeIndexError(error: unknown): string {
  const code = sqliteCode(error);
  // The lowest byte is the kind.
  if (code !== undefined && (code & 0xff) === busy) {
    return translate('Another program is using the session index. Try again in a moment.');
  }
  if (code === undefined && error instanceof Error && 'code' in error) {
    return describeWriteError(error);
  }
  const message = error instanceof Error ? error.message : String(error);
  // SQLite gives no more details about a system error.
  return /disk I\/O|database or disk is full|unable to open|readonly/i.test(message)
    ? translate('The session index cannot be written. Is the disk full or read-only?')
    : message;
}
