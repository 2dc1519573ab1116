import { isAbsolute, join } from 'node:path';
import type { Machine } from '../core/finder/agentLocations';

/**
 * The user's folder for settings. By the XDG base directory specification on Linux, below `Library/Application Support`
 * on macOS, and below `APPDATA` on Windows.
 */
export function configFolder(machine: Machine): string {
  return join(settingsOf(machine), 'context-inspector');
}

function settingsOf({ platform, home, environment }: Machine): string {
  switch (platform) {
    case 'windows':
      return environment['APPDATA'] ?? join(home, 'AppData', 'Roaming');
    case 'macos':
      return join(home, 'Library', 'Application Support');
    case 'linux': {
      const { XDG_CONFIG_HOME: folder } = environment;
      return folder !== undefined && isAbsolute(folder) ? folder : join(home, '.config');
    }
  }
}
