import { Worker } from 'node:worker_threads';
import { type ReadingOrder, readForIndex, type ReadPart } from './indexReading';

/** Reads files for the index. */
export interface IndexReader {
  /** Rejects where the file cannot be read. One file at a time. */
  read(order: ReadingOrder): AsyncIterable<ReadPart>;
  close(): Promise<void>;
}

/** Reads in this thread. */
export const readerHere: IndexReader = {
  read: readForIndex,
  close: () => Promise.resolve(),
};

/** What a thread that reads is told: to read a file, or that a part of it was taken. */
export type ToReader = { readonly kind: 'read'; readonly order: ReadingOrder } | { readonly kind: 'taken' };

/** What such a thread says. */
export type FromReader =
  | { readonly kind: 'part'; readonly part: ReadPart }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly sentence: string };

/** Parts that wait in the thread's queue before it stops reading. */
export const mostWaiting = 2;

/** In megabytes. A document is parsed as a whole. */
const resourceLimits = { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 8 };
/** Usage alone leaves little behind, and is read faster with more room for new objects. */
const roomForUsage = 16;

/** Reads in a thread of its own, which is started with the first file, and again after it has ended. */
export class ReadingThread implements IndexReader {
  private worker: Worker | undefined;

  /**
   * @param script path of the bundle of src/worker/indexing.ts
   * @param isAwaited whether it works at the usual priority
   */
  constructor(
    private readonly script: string,
    private readonly isAwaited: boolean,
  ) {}

  async *read(order: ReadingOrder): AsyncGenerator<ReadPart> {
    const worker = (this.worker ??= new Worker(this.script, {
      resourceLimits: this.isAwaited
        ? { ...resourceLimits, maxYoungGenerationSizeMb: roomForUsage }
        : resourceLimits,
      workerData: { isAwaited: this.isAwaited },
    }));
    const waiting: FromReader[] = [];
    let wake = (): void => undefined;
    const receive = (message: FromReader): void => {
      waiting.push(message);
      wake();
    };
    const fail = (): void => {
      this.worker = undefined;
      receive({ kind: 'failed', sentence: 'The reading thread has ended.' });
    };
    worker.on('message', receive).once('error', fail).once('exit', fail);
    try {
      worker.postMessage({ kind: 'read', order } satisfies ToReader);
      for (;;) {
        const message = waiting.shift();
        if (message === undefined) {
          await new Promise<void>(resolve => {
            wake = resolve;
          });
          continue;
        }
        if (message.kind === 'failed') {
          throw new Error(message.sentence);
        }
        if (message.kind === 'end') {
          return;
        }
        yield message.part;
        worker.postMessage({ kind: 'taken' } satisfies ToReader);
      }
    } finally {
      worker.off('message', receive).off('error', fail).off('exit', fail);
    }
  }

  async close(): Promise<void> {
    await this.worker?.terminate();
    this.worker = undefined;
  }
}
