import { statSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import type { Machine } from '../../core/finder/agentLocations';

/** Names another folder for the index. */
export const folderVariable = 'CONTEXT_INSPECTOR_INDEX';
/** Where it is `off`, nothing is indexed. */
const off = 'off';

/** The file of the database in the folder. */
export const databaseName = 'sessions.db';

const name = 'context-inspector';

/**
 * The folder of the index, which the editor and the command line share; undefined where the user turned the index off.
 * By the XDG base directory specification on Linux, below `Library/Caches` on macOS, and below `LOCALAPPDATA` on Windows.
 */
export function indexFolder({ platform, home, environment }: Machine): string | undefined {
  const chosen = environment[folderVariable];
  if (chosen === off) {
    return undefined;
  }
  if (chosen !== undefined && isAbsolute(chosen)) {
    return chosen;
  }
  return join(cacheFolder(platform, home, environment), name, 'index');
}

/** Where the command line keeps the code of its bundles; see codeCache. */
export function codeFolder({ platform, home, environment }: Machine): string {
  return join(cacheFolder(platform, home, environment), name, 'code');
}

/** Changes whenever the index in a folder does; undefined where there is none. */
export function indexState(folder: string): string | undefined {
  const found = statSync(join(folder, databaseName), { throwIfNoEntry: false });
  return found === undefined ? undefined : `${found.size} ${found.mtimeMs}`;
}

function cacheFolder(
  platform: Machine['platform'],
  home: string,
  environment: Machine['environment'],
): string {
  switch (platform) {
    case 'windows':
      return environment['LOCALAPPDATA'] ?? join(home, 'AppData', 'Local');
    case 'macos':
      return join(home, 'Library', 'Caches');
    case 'linux': {
      const { XDG_CACHE_HOME: folder } = environment;
      return folder !== undefined && isAbsolute(folder) ? folder : join(home, '.cache');
    }
  }
}
