import { statSync } from 'node:fs';
import type { SessionFile } from '../../core/finder/sessionList';

/** True if a file name is that of a database. */
export function isDatabase(path: string): boolean {
  return /\.(?:db|sqlite|vscdb)$/i.test(path);
}

/** Size and time of a file, to notice later writes. A database is first written in its log. */
export function stateOf({ path, size, modified }: Pick<SessionFile, 'path' | 'size' | 'modified'>): string {
  const log = isDatabase(path) ? statSync(`${path}-wal`, { throwIfNoEntry: false }) : undefined;
  return [size, modified, ...(log === undefined ? [] : [log.size, log.mtimeMs])].join(' ');
}
