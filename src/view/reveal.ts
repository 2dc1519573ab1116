import { dirname } from 'node:path';
import { thisMachine } from '../node/thisMachine';
import { type Call, startProgram } from './program';

/** Shows a file in the file manager. Rejects with a sentence if there is none. */
export function reveal(path: string): Promise<void> {
  return startProgram(callOf(path));
}

function callOf(path: string): Call {
  switch (thisMachine().platform) {
    case 'macos':
      return ['open', '-R', path];
    case 'windows':
      return ['explorer', `/select,${path}`];
    case 'linux':
      return ['xdg-open', dirname(path)];
  }
}
