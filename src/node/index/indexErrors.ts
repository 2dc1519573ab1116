import { translate } from '../../core/base/translate';
import { isSystemError } from '../files/fileErrors';
import { IndexDamage } from './indexValues';

// Codes of SQLite ("Result and Error Codes").
const busy: readonly number[] = [5, 6];
const moved = 1032;
/** No permission, read-only, an error of the disk, full, unable to open, and no support for locks or large files. */
const unwritable: readonly number[] = [3, 8, 10, 13, 14, 15, 22, 23];

/** SQLite's code of an error; undefined if the error is not SQLite's. */
function sqliteCode(error: unknown): number | undefined {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
    ? error.errcode
    : undefined;
}

/** The lowest byte is the kind. */
const isOf = (kinds: readonly number[], code: number | undefined): boolean =>
  code !== undefined && kinds.includes(code & 0xff);

/** True if nothing could be written because another program has deleted the file of the open database. */
export function isMoved(error: unknown): boolean {
  return sqliteCode(error) === moved;
}

/** True if the index cannot be created or written. */
export function isUnwritable(error: unknown): boolean {
  return isSystemError(error) || isOf(unwritable, sqliteCode(error));
}

/** True if the file of the index is not an intact database: our statements have no other errors. */
export function isDamage(error: unknown): boolean {
  const code = sqliteCode(error);
  const isTooLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_OUT_OF_RANGE';
  return (
    error instanceof IndexDamage ||
    isTooLarge ||
    (code !== undefined && !isOf(busy, code) && !isOf(unwritable, code))
  );
}

/** Number of times that all files are read because the index had to be made anew. After that, it cannot be kept. */
export const mostReadings = 3;

/** The error of an index that is damaged after each reading. */
export const notKept = (): Error => new Error(notWritten());

const notWritten = (): string =>
  translate('The session index cannot be written. Is the disk full or read-only?');

/** One sentence for an error of the index. No session is lost with it: the index can be created again at any time. */
export function describeIndexError(error: unknown): string {
  if (isOf(busy, sqliteCode(error))) {
    return translate('Another program is using the session index. Try again in a moment.');
  }
  if (isUnwritable(error)) {
    return notWritten();
  }
  return error instanceof Error ? error.message : String(error);
}
