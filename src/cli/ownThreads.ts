import { join } from 'node:path';
import { type StartThread, threadOf } from '../node/bundleThread';
import { codeCacheFolder } from '../node/cacheFolder';
import { thisMachine } from '../node/thisMachine';

/** Starts threads of the command line. */
export function ownThreadOf(bundle: string): StartThread {
  return threadOf(join(__dirname, bundle), codeCacheFolder(thisMachine()));
}
