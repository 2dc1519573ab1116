import { Worker } from 'node:worker_threads';
import type { TokenCounter } from '../core/tokens/tokenCounter';
import type { Encoding } from '../core/tokens/tokenizer';

/** What the helper is asked; it answers in the order of the questions, with a Uint32Array for each. */
export interface CountRequest {
  readonly encoding: Encoding;
  readonly texts: readonly string[];
}

interface Asked {
  readonly resolve: (counts: Uint32Array) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * Counts in a thread of its own, which is started with the first texts and keeps the process alive only while it counts.
 * Once the thread has ended, everything is rejected.
 */
export class CountingThread implements TokenCounter {
  private worker: Worker | undefined;
  private ended: Error | undefined;
  private readonly asked: Asked[] = [];

  /** @param script path of the bundle of src/worker/helper.ts */
  constructor(private readonly script: string) {}

  async count(encoding: Encoding, texts: readonly string[]): Promise<Uint32Array> {
    if (this.ended !== undefined) {
      throw this.ended;
    }
    this.worker ??= this.start();
    const { worker } = this;
    const request: CountRequest = { encoding, texts };
    return new Promise((resolve, reject) => {
      worker.postMessage(request);
      worker.ref();
      this.asked.push({ resolve, reject });
    });
  }

  /** Ends the thread, whatever it is doing. */
  async close(): Promise<void> {
    this.end('The counting thread is closed.');
    await this.worker?.terminate();
  }

  private start(): Worker {
    const worker = new Worker(this.script);
    worker.on('message', (counts: unknown) => {
      if (counts instanceof Uint32Array) {
        this.asked.shift()?.resolve(counts);
      }
      if (this.asked.length === 0) {
        worker.unref();
      }
    });
    worker.on('error', () => this.end('The counting thread has failed.'));
    worker.on('exit', () => this.end('The counting thread has ended.'));
    return worker;
  }

  private end(sentence: string): void {
    this.ended ??= new Error(sentence);
    for (const { reject } of this.asked.splice(0)) {
      reject(this.ended);
    }
  }
}
