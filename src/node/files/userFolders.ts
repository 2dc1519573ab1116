import { isAbsolute, join } from 'node:path';
import type { Machine } from '../../core/finder/agentLocations';

/** The names of a user's folder for one kind of data on each system. */
interface UserFolder {
  /** A variable with its path, and its name in the user's `AppData`. */
  readonly windows: readonly [variable: string, name: string];
  /** Its name in the user's `Library`. */
  readonly macos: string;
  /** A variable with its path (XDG base directory specification), and its name in the user's folder. */
  readonly linux: readonly [variable: string, name: string];
}

/** The user's folder for data that this program can create again. */
export function cacheFolder(machine: Machine): string {
  return ownFolder(machine, {
    windows: ['LOCALAPPDATA', 'Local'],
    macos: 'Caches',
    linux: ['XDG_CACHE_HOME', '.cache'],
  });
}

/** The user's folder for settings. */
export function configFolder(machine: Machine): string {
  return ownFolder(machine, {
    windows: ['APPDATA', 'Roaming'],
    macos: 'Application Support',
    linux: ['XDG_CONFIG_HOME', '.config'],
  });
}

function ownFolder(machine: Machine, folder: UserFolder): string {
  return join(folderOf(machine, folder), 'context-inspector');
}

function folderOf({ platform, home, environment }: Machine, { windows, macos, linux }: UserFolder): string {
  switch (platform) {
    case 'windows': {
      const [variable, name] = windows;
      return environment[variable] ?? join(home, 'AppData', name);
    }
    case 'macos':
      return join(home, 'Library', macos);
    case 'linux': {
      const [variable, name] = linux;
      const path = environment[variable];
      return path !== undefined && isAbsolute(path) ? path : join(home, name);
    }
  }
}
