import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates a folder that only the user may read, with the folders above it. Throws the system's error. Node's own
 * recursion never ends where the system says of an existing folder that it does not exist, as below `/proc`.
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    return;
  }
  const parent = dirname(path);
  if (parent !== path) {
    makeFolder(parent);
  }
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another program may have created it meanwhile.
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
      throw error;
    }
  }
}
