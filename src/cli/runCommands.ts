import { createRequire } from 'node:module';
import { deleteOldCode } from '../node/files/formerFiles';
import { keepCompiled } from './keepCompiled';

/** Runs the bundle of all commands, using the compiled code that Node cached. */
export function runCommands(): void {
  const folder = keepCompiled();
  createRequire(__filename)('./commands.js');
  deleteOldCode(folder).catch(() => undefined);
}
