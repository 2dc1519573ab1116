import { statSync } from 'node:fs';
import type { SessionFile } from '../../core/finder/sessionList';

/** Size and time, so that a file that was written since is noticed. That of a database is in its log first. */
export function stateOf({ path, size, modified }: SessionFile): string {
  const log = /\.(?:db|sqlite|vscdb)$/i.test(path)
    ? statSync(`${path}-wal`, { throwIfNoEntry: false })
    : undefined;
  return [size, modified, ...(log === undefined ? [] : [log.size, log.mtimeMs])].join(' ');
}
