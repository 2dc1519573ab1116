import type { Encoding } from '../../src/core/model/modelRow';
import { Worker, type ResourceLimits } from 'node:worker_threads';
import type { MeasuredTexts, MeasureOrder } from '../core/session/measureTexts';

/** What a helper is asked. It answers in the order of the questions. */
export type HelperQuestion =
  | { readonly type: 'count'; readonly encoding: Encoding; readonly texts: readonly string[] }
  | { readonly type: 'measure'; readonly order: MeasureOrder };

/** `ready` comes once, to a helper that was started with an encoding. */
export type HelperAnswer =
  | { readonly type: 'counted'; readonly counts: Uint32Array }
  | { readonly type: 'measured'; readonly measured: MeasuredTexts }
  | { readonly type: 'ready' };

interface Asked {
  readonly resolve: (answer: HelperAnswer) => void;
  readonly reject: (reason: Error) => void;
}

/**
 * A thread beside the one that reads. It is started with the first question or before, keeps the process alive only while
 * it has something to answer, and ends with the thread that started it. Once it has ended, everything is rejected.
 */
export class HelperThread {
  private worker: Worker | undefined;
  private ended: Error | undefined;
  private hasStarted = false;
  private readonly asked: Asked[] = [];

  /** @param script path of the bundle of src/worker/helper.ts */
  constructor(
    private readonly script: string,
    private readonly resourceLimits: ResourceLimits = {},
  ) {}

  /** Whether it has loaded what counting in its encoding takes. */
  get isReady(): boolean {
    return this.hasStarted && this.ended === undefined;
  }

  /** Starts the thread, which loads what counting in this encoding takes. */
  prepare(encoding: Encoding): void {
    this.worker ??= this.start(encoding);
  }

  async ask(question: HelperQuestion): Promise<HelperAnswer> {
    if (this.ended !== undefined) {
      throw this.ended;
    }
    this.worker ??= this.start(undefined);
    const { worker } = this;
    return new Promise((resolve, reject) => {
      worker.postMessage(question);
      worker.ref();
      this.asked.push({ resolve, reject });
    });
  }

  /** Ends the thread, whatever it is doing. */
  async close(): Promise<void> {
    this.end('The helping thread is closed.');
    await this.worker?.terminate();
  }

  private start(encoding: Encoding | undefined): Worker {
    const worker = new Worker(this.script, { workerData: encoding, resourceLimits: this.resourceLimits });
    worker.unref();
    worker.on('message', (answer: HelperAnswer) => {
      if (answer.type === 'ready') {
        this.hasStarted = true;
        return;
      }
      this.asked.shift()?.resolve(answer);
      if (this.asked.length === 0) {
        worker.unref();
      }
    });
    worker.on('error', () => this.end('The helping thread has failed.'));
    worker.on('exit', () => this.end('The helping thread has ended.'));
    return worker;
  }

  private end(sentence: string): void {
    this.ended ??= new Error(sentence);
    for (const { reject } of this.asked.splice(0)) {
      reject(this.ended);
    }
  }
}
