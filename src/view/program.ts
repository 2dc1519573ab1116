import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { translate } from '../core/base/translate';

/** A program and its words. */
export type Call = readonly [string, ...string[]];

/**
 * Starts another program, without a shell. It goes on when this one ends.
 * @param waits true to wait for its end
 */
export async function startProgram([program, ...words]: Call, waits = false): Promise<void> {
  const child = spawn(program, words, { stdio: 'ignore', detached: true });
  child.unref();
  try {
    await once(child, waits ? 'exit' : 'spawn');
  } catch {
    throw new Error(translate('{0} could not be started.', program));
  }
  child.on('error', () => undefined);
}
