import type { Worker } from 'node:worker_threads';
import type { StartThread } from '../threads/bundleThread';
import { readForIndex } from './indexReading';
import { bytesOfWords, type ReadingOrder, type ReadPart } from './readParts';

/** Reads files for the index. */
export interface IndexReader {
  /**
   * How many files the reader accepts at once. It reads them one after the other, without waiting until the results of
   * one are processed.
   */
  readonly filesAtOnce: number;
  /** True if it reads in the caller's thread. */
  readonly isHere?: true;
  /** Rejects if the file cannot be read. */
  read(order: ReadingOrder): AsyncIterable<ReadPart>;
  close(): Promise<void>;
}

/** Reads in this thread. */
export const readerHere: IndexReader = {
  filesAtOnce: 1,
  isHere: true,
  async *read(order) {
    yield* readForIndex(order);
  },
  close: () => Promise.resolve(),
};

/**
 * The messages to a reading thread. `read`: read this file after the earlier ones. `taken`: a part with this many bytes of
 * words has been processed.
 */
export type ToReader =
  | { readonly kind: 'read'; readonly number: number; readonly order: ReadingOrder }
  | { readonly kind: 'taken'; readonly bytes: number };

/** The messages of a reading thread about an order. */
export type FromReader = { readonly number: number } & (
  | { readonly kind: 'begin' }
  | { readonly kind: 'part'; readonly part: ReadPart }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly sentence: string }
);

/** Bytes of words in unprocessed parts at which the thread pauses reading. */
export const mostWaiting = 1 << 21;

/** In megabytes. A document is parsed as a whole. */
const resourceLimits = { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 8 };
/** Reading only usage creates few lasting objects, and is faster with more memory for new objects. */
const roomForUsage = 16;

/** An order, and the thread's messages about it that were not consumed yet. */
interface Reading {
  readonly number: number;
  readonly order: ReadingOrder;
  readonly said: FromReader[];
  worker: Worker | undefined;
  hasBegun: boolean;
  wake: () => void;
}

/** Reads in a separate thread, which is started with the first file, and again if it has ended. */
export class ReadingThread implements IndexReader {
  private worker: Worker | undefined;
  private readonly readings = new Map<number, Reading>();
  private lastNumber = 0;

  /**
   * @param startThread starts src/worker/indexing.ts
   * @param isAwaited true to work at the usual priority
   */
  constructor(
    private readonly startThread: StartThread,
    private readonly isAwaited: boolean,
    readonly filesAtOnce: number,
  ) {}

  async *read(order: ReadingOrder): AsyncGenerator<ReadPart> {
    this.lastNumber += 1;
    const reading: Reading = {
      number: this.lastNumber,
      order,
      said: [],
      worker: undefined,
      hasBegun: false,
      wake: () => undefined,
    };
    this.readings.set(reading.number, reading);
    this.give(reading);
    try {
      for (;;) {
        const message = reading.said.shift();
        switch (message?.kind) {
          case undefined:
            await new Promise<void>(resolve => {
              reading.wake = resolve;
            });
            break;
          case 'begin':
            break;
          case 'part':
            yield message.part;
            reading.worker?.postMessage(taken(message.part));
            break;
          case 'failed':
            throw new Error(message.sentence);
          case 'end':
            return;
        }
      }
    } finally {
      this.readings.delete(reading.number);
    }
  }

  async close(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    this.readings.forEach(fail);
    await worker?.terminate();
  }

  private give(reading: Reading): void {
    this.worker ??= this.start();
    reading.worker = this.worker;
    this.worker.postMessage({
      kind: 'read',
      number: reading.number,
      order: reading.order,
    } satisfies ToReader);
  }

  private start(): Worker {
    const worker = this.startThread({
      resourceLimits: this.isAwaited
        ? { ...resourceLimits, maxYoungGenerationSizeMb: roomForUsage }
        : resourceLimits,
      workerData: { isAwaited: this.isAwaited },
    });
    const end = (): void => {
      if (this.worker === worker) {
        this.goOn();
      }
    };
    return worker
      .on('message', (message: FromReader) => {
        const reading = this.readings.get(message.number);
        if (reading !== undefined) {
          reading.hasBegun = true;
          reading.said.push(message);
          reading.wake();
        } else if (message.kind === 'part') {
          // The results are no longer needed.
          worker.postMessage(taken(message.part));
        }
      })
      .once('error', end)
      .once('exit', end);
  }

  /**
   * Continues after the thread has ended. The file being read is the cause; later files are given to another thread.
   */
  private goOn(): void {
    this.worker = undefined;
    const readings = [...this.readings.values()];
    const isAnyBegun = readings.some(({ hasBegun }) => hasBegun);
    for (const reading of readings) {
      if (reading.hasBegun || !isAnyBegun) {
        fail(reading);
      } else {
        this.give(reading);
      }
    }
  }
}

const taken = (part: ReadPart): ToReader => ({ kind: 'taken', bytes: bytesOfWords(part) });

function fail({ number, said, wake }: Reading): void {
  said.push({ kind: 'failed', number, sentence: 'The reading thread has ended.' });
  wake();
}
