import { setPriority } from 'node:os';

/** Lets the thread that calls it work when nothing else has to, where the system can do that for one thread. */
export function lowerPriority(): void {
  if (process.platform === 'linux') {
    try {
      // On Linux this is about the thread that calls it; elsewhere it would be about the whole program.
      setPriority(10);
    } catch {
      // It works at the usual priority too.
    }
  }
}
