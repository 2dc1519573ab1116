import { statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Machine } from '../../core/finder/agentLocations';
import { cacheFolder } from '../files/userFolders';

/** Names another folder for the index. */
export const folderVariable = 'CONTEXT_INSPECTOR_INDEX';
/** If the variable is `off`, nothing is indexed. */
const off = 'off';

/** The file of the database in the folder. */
export const databaseName = 'sessions.db';

/** The folder of the index, which the editor and the command line share; undefined if the user turned the index off. */
export function indexFolder(machine: Machine): string | undefined {
  const chosen = machine.environment[folderVariable];
  if (chosen === off) {
    return undefined;
  }
  if (chosen !== undefined && isAbsolute(chosen)) {
    return chosen;
  }
  return join(cacheFolder(machine), 'index');
}

/** Changes whenever the index in a folder does; undefined without an index. */
export function indexState(folder: string): string | undefined {
  const found = statSync(join(folder, databaseName), { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.size} ${found.mtimeMs}`;
}
