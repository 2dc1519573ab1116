import { setPriority } from 'node:os';

/** Lowers the priority of the calling thread, if the system supports this for a single thread. */
export function lowerPriority(): void {
  if (process.platform === 'linux') {
    try {
      // On Linux, this applies to the calling thread. On other systems, it would apply to the whole program.
      setPriority(10);
    } catch {
      // It works at the usual priority too.
    }
  }
}
