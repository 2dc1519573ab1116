import { codeCacheFolder } from '../node/cacheFolder';
import { runBundle } from '../node/codeCache';
import { prepareEngine } from '../node/engine';
import { thisMachine } from '../node/thisMachine';

/** Runs a bundle of the command line; see runBundle. */
export function runOwnBundle(bundle: string, use?: string): void {
  // Kept code is for the settings of the engine that it was made with.
  prepareEngine();
  runBundle(bundle, codeCacheFolder(thisMachine()), use);
}
