import type { Worker } from 'node:worker_threads';
import type { Encoding } from '../../core/model/modelRow';
import type { MeasuredTexts, MeasureOrder, TextMeasurer } from '../../core/session/measureTexts';
import type { StartThread } from './bundleThread';

/**
 * `ready` comes once, when the thread has loaded everything needed for counting. Then comes an answer to each order, in
 * the order received.
 */
export type MeasuringMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'measured'; readonly measured: MeasuredTexts };

/**
 * In megabytes: many times the size of the texts being processed and their findings. Texts come and go in batches, so
 * more memory for new objects would only keep garbage longer.
 */
const resourceLimits = { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 8 };

interface Asked {
  readonly resolve: (measured: MeasuredTexts) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * Counts and scans in a separate thread, which is started at once. It keeps the process alive only while an answer is
 * pending, and ends with the thread that started it. After its end, every order is rejected.
 */
export class MeasuringThread implements TextMeasurer {
  private readonly worker: Worker;
  private readonly asked: Asked[] = [];
  private hasStarted = false;
  private ended: Error | undefined;

  /**
   * @param start starts src/worker/helper.ts
   * @param personalData true to search for personal data too
   */
  constructor(start: StartThread, encoding: Encoding, personalData = true) {
    this.worker = start({ workerData: { encoding, personalData }, resourceLimits });
    this.worker.unref();
    this.worker.on('message', (message: MeasuringMessage) => this.receive(message));
    this.worker.on('error', () => this.end('The helping thread has failed.'));
    this.worker.on('exit', () => this.end('The helping thread has ended.'));
  }

  /** True if it has loaded everything needed for counting in its encoding. */
  get isReady(): boolean {
    return this.hasStarted && this.ended === undefined;
  }

  /** Does not keep the order after it has been sent. */
  measure(order: MeasureOrder): Promise<MeasuredTexts> {
    return new Promise((resolve, reject) => {
      if (this.ended !== undefined) {
        reject(this.ended);
        return;
      }
      this.worker.postMessage(order);
      this.worker.ref();
      this.asked.push({ resolve, reject });
    });
  }

  /** Ends the thread, whatever its state. */
  async close(): Promise<void> {
    this.end('The helping thread is closed.');
    await this.worker.terminate();
  }

  private receive(message: MeasuringMessage): void {
    if (message.type === 'ready') {
      this.hasStarted = true;
      return;
    }
    this.asked.shift()?.resolve(message.measured);
    if (this.asked.length === 0) {
      this.worker.unref();
    }
  }

  private end(sentence: string): void {
    this.ended ??= new Error(sentence);
    for (const { reject } of this.asked.splice(0)) {
      reject(this.ended);
    }
  }
}
