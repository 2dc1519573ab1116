import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { env } from 'node:process';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Starts a thread that runs a certain bundle of this program. */
export type StartThread = (options: WorkerOptions) => Worker;

/**
 * @param codeFolder the folder in which Node caches the compiled code of the bundle and of the bundles that it loads.
 * Applies to this thread and the threads that it starts, and to no other of the process.
 */
export function threadOf(bundle: string, codeFolder?: string): StartThread {
  return options =>
    new Worker(bundle, {
      ...options,
      // The environment may have changed since the first thread was started.
      ...(codeFolder === undefined ? {} : { env: { NODE_COMPILE_CACHE: codeFolder, ...env } }),
    });
}

/** Starts threads from this one. */
export function siblingThreadOf(bundle: string): StartThread {
  return threadOf(join(__dirname, bundle));
}

/** Saves the compiled code of this thread, now that most functions that it uses have run. */
export function noteWorked(): void {
  flushCompileCache();
}
