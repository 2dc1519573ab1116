import { isAbsolute, join } from 'node:path';
import type { Machine } from '../../core/finder/agentLocations';

/**
 * The user's folder for data that this program can create again. By the XDG base directory specification on Linux,
 * below `Library/Caches` on macOS, and below `LOCALAPPDATA` on Windows.
 */
export function cacheFolder(machine: Machine): string {
  return join(cachesOf(machine), 'context-inspector');
}

function cachesOf({ platform, home, environment }: Machine): string {
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
