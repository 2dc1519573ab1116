import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { cacheFolder } from '../node/files/userFolders';
import { makeFolder } from '../node/files/makeFolder';
import { thisMachine } from '../node/thisMachine';

/** Lets Node keep the compiled code of what is loaded from here on. Returns its folder. */
export function keepCompiled(): string {
  const folder = join(cacheFolder(thisMachine()), 'compiled');
  try {
    makeFolder(folder);
    enableCompileCache(folder);
    // For the threads of this process.
    process.env['NODE_COMPILE_CACHE'] ??= folder;
  } catch {
    // Without a folder for compiled code, everything is compiled each time.
  }
  return folder;
}
