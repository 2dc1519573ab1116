import { homedir } from 'node:os';
import type { Machine } from '../core/finder/agentLocations';

/** The machine that this process runs on. */
export function thisMachine(): Machine {
  return {
    platform: process.platform === 'win32' ? 'windows' : process.platform === 'darwin' ? 'macos' : 'linux',
    home: homedir(),
    environment: process.env,
  };
}
