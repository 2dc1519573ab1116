import { mkdirSync } from 'node:fs';
import { createRequire, enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { cacheFolder } from '../node/files/cacheFolder';
import { thisMachine } from '../node/thisMachine';

/** Runs the bundle of all commands, from the code that Node kept of it. */
export function runCommands(): void {
  const folder = join(cacheFolder(thisMachine()), 'compiled');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    enableCompileCache(folder);
    // For the threads that it starts.
    process.env['NODE_COMPILE_CACHE'] ??= folder;
  } catch {
    // Without a place to keep code in, it is compiled each time.
  }
  createRequire(__filename)('./commands.js');
}
