import { closeSync, openSync, writeSync } from 'node:fs';

/**
 * The facts of a generated file; a reader must find exactly these. They cover the part taken from the generator so far.
 */
export interface FileFacts {
  lines: number;
  /** Calls of a model that the file records, in all threads. */
  requests: number;
  /** Number of blocks in a model's context or reply. */
  blocks: number;
  toolResults: number;
  compactions: number;
  subagents: number;
  /** Sums over all requests, each counted once. */
  readonly usage: { input: number; cacheRead: number; cacheWrite: number; output: number };
}

export const noFacts = (): FileFacts => ({
  lines: 0,
  requests: 0,
  blocks: 0,
  toolResults: 0,
  compactions: 0,
  subagents: 0,
  usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 },
});

/**
 * An endless file: lines come in steps, the file is complete after each step, and the facts are those of the steps so
 * far.
 */
export interface EndlessFile {
  readonly facts: FileFacts;
  readonly steps: Iterator<string, never>;
}

const bufferSize = 1 << 20;

/** Appends steps to a file until it has grown by at least this many bytes; returns the number of bytes added. */
export function appendSteps(path: string, { steps }: EndlessFile, bytes: number): number {
  const file = openSync(path, 'a');
  let written = 0;
  let waiting: string[] = [];
  let waitingSize = 0;
  const flush = (): void => {
    const buffer = Buffer.from(waiting.join(''));
    for (let from = 0; from < buffer.length;) {
      from += writeSync(file, buffer, from);
    }
    written += buffer.length;
    waiting = [];
    waitingSize = 0;
  };
  try {
    while (written < bytes) {
      const { value } = steps.next();
      waiting.push(value);
      waitingSize += value.length;
      // The last megabyte is written step by step, so that the file ends close to the requested size.
      if (waitingSize >= Math.min(bufferSize, (bytes - written) / 2)) {
        flush();
      }
    }
  } finally {
    closeSync(file);
  }
  return written;
}
