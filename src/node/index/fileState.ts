import { statSync } from 'node:fs';
import type { SessionFile } from '../../core/finder/sessionList';

/** Whether the name of a file is that of a database. */
export function isDatabase(path: string): boolean {
  return /\.(?:db|sqlite|vscdb)$/i.test(path);
}

/** Size and time, so that a file that was written since is noticed. That of a database is in its log first. */
export function stateOf({ path, size, modified }: SessionFile): string {
  const log = isDatabase(path) ? statSync(`${path}-wal`, { throwIfNoEntry: false }) : undefined;
  return [size, modified, ...(log === undefined ? [] : [log.size, log.mtimeMs])].join(' ');
}
