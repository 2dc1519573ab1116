import type { Worker } from 'node:worker_threads';
import type { StartThread } from '../threads/bundleThread';
import { readForIndex } from './indexReading';
import { bytesOfWords, type ReadingOrder, type ReadPart } from './readParts';

/** Reads files for the index. */
export interface IndexReader {
  /** How many files it takes at once: it reads one after the other, and need not wait for what is done with one. */
  readonly filesAtOnce: number;
  /** It reads in the thread that asks. */
  readonly isHere?: true;
  /** Rejects where the file cannot be read. */
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

/** What a thread that reads is told: to read a file after those before it, or that a part with so many bytes of words was taken. */
export type ToReader =
  | { readonly kind: 'read'; readonly number: number; readonly order: ReadingOrder }
  | { readonly kind: 'taken'; readonly bytes: number };

/** What such a thread says of an order. */
export type FromReader = { readonly number: number } & (
  | { readonly kind: 'begin' }
  | { readonly kind: 'part'; readonly part: ReadPart }
  | { readonly kind: 'end' }
  | { readonly kind: 'failed'; readonly sentence: string }
);

/** Bytes of words in parts that were not taken yet, from which on the thread reads no further. */
export const mostWaiting = 1 << 21;

/** In megabytes. A document is parsed as a whole. */
const resourceLimits = { maxOldGenerationSizeMb: 2048, maxYoungGenerationSizeMb: 8 };
/** Usage alone leaves little behind, and is read faster with more room for new objects. */
const roomForUsage = 16;

/** An order, and what the thread said of it and nobody has read yet. */
interface Reading {
  readonly number: number;
  readonly order: ReadingOrder;
  readonly said: FromReader[];
  worker: Worker | undefined;
  hasBegun: boolean;
  wake: () => void;
}

/** Reads in a thread of its own, which is started with the first file, and again after it has ended. */
export class ReadingThread implements IndexReader {
  private worker: Worker | undefined;
  private readonly readings = new Map<number, Reading>();
  private lastNumber = 0;

  /**
   * @param startThread starts src/worker/indexing.ts
   * @param isAwaited whether it works at the usual priority
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
          // Nobody waits for it any more.
          worker.postMessage(taken(message.part));
        }
      })
      .once('error', end)
      .once('exit', end);
  }

  /** After the thread has ended: the file that it was reading is to blame, those after it are given to another thread. */
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
