import { channel } from 'node:diagnostics_channel';
import { dirname, join } from 'node:path';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Where a thread says that it has worked. What runs a bundle shares no variables with it. */
export const workedChannel = 'context-inspector.worked';

const worked = channel(workedChannel);

/** Says that most functions that this thread uses have run, so that their code is worth keeping. */
export function noteWorked(): void {
  if (worked.hasSubscribers) {
    worked.publish({});
  }
}

/** Starts a thread that runs a certain bundle of this program. */
export type StartThread = (options: WorkerOptions) => Worker;

/** @param codeCacheFolder where the bundle's code is kept from one start to the next, see codeCache; nowhere if not given */
export function threadOf(bundle: string, codeCacheFolder?: string): StartThread {
  return options =>
    codeCacheFolder === undefined
      ? new Worker(bundle, options)
      : new Worker(join(dirname(bundle), 'thread.js'), { ...options, argv: [bundle, codeCacheFolder] });
}

/** Starts threads from this one, which `threadOf` has started: with the same folder. */
export function siblingThreadOf(bundle: string): StartThread {
  return threadOf(join(__dirname, bundle), process.argv[3]);
}
