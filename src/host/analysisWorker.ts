import { Worker } from 'node:worker_threads';
import { currentTranslations } from '../core/base/translate';
import type {
  FromWorkerMessage,
  ToWorkerMessage,
  TranscriptInput,
  WorkerQuestion,
  WorkerStart,
} from '../protocol/workerMessages';
import type { UserModels } from '../core/tokens/userModels';
import type { Answer } from '../protocol/messages';

/** What the worker tells without being asked. */
export type WorkerReport = Exclude<FromWorkerMessage, Answer>;

export interface AnalysisWorkerListener {
  onReport(report: WorkerReport): void;
  /** The worker ended although nobody stopped it; it answers nothing more. */
  onCrash(sentence: string): void;
}

/**
 * In megabytes: what lives shortly while a file is read need not take more. The old generation has no limit, at which the
 * thread would end. test/bench/programs/worker.mjs has the same.
 */
const limits = { maxYoungGenerationSizeMb: 8 };

/** The thread that reads and counts one transcript. Every question is answered or rejected, at the latest by `dispose`. */
export class AnalysisWorker {
  private readonly waiting = new Map<
    number,
    { readonly resolve: (value: unknown) => void; readonly reject: (reason: Error) => void }
  >();
  private lastQuestion = 0;
  private ended = false;

  constructor(
    private readonly worker: Worker,
    private readonly listener: AnalysisWorkerListener,
  ) {
    worker.on('message', (message: FromWorkerMessage) => this.receive(message));
    worker.on('error', (error: Error) => this.crash(error.message));
    worker.on('exit', code => this.crash(`exit code ${code}`));
  }

  static start(
    script: string,
    start: WorkerStart | undefined,
    listener: AnalysisWorkerListener,
  ): AnalysisWorker {
    const workerData = { ...start, translations: currentTranslations() };
    return new AnalysisWorker(new Worker(script, { workerData, resourceLimits: limits }), listener);
  }

  open(fileName: string, input: TranscriptInput): void {
    this.send({ type: 'open', fileName, input }, input.kind === 'bytes' ? [input.bytes.buffer] : []);
  }

  setModels(models: UserModels): void {
    this.send({ type: 'models', models }, []);
  }

  /** Has all of the session reported once more. */
  showAgain(): void {
    this.send({ type: 'show' }, []);
  }

  /** Rejects with one sentence that can be shown. */
  ask(question: WorkerQuestion): Promise<unknown> {
    if (this.ended) {
      return Promise.reject(new Error('The transcript is closed.'));
    }
    this.lastQuestion += 1;
    const id = this.lastQuestion;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.send({ type: 'question', id, question }, []);
    });
  }

  /** Ends the thread at once, whatever it is doing. */
  dispose(): void {
    this.end('The transcript is closed.');
  }

  private send(message: ToWorkerMessage, transfer: readonly ArrayBuffer[]): void {
    this.worker.postMessage(message, transfer);
  }

  private receive(message: FromWorkerMessage): void {
    if (this.ended) {
      return;
    }
    if (message.type !== 'answer') {
      this.listener.onReport(message);
      return;
    }
    const asker = this.waiting.get(message.id);
    this.waiting.delete(message.id);
    if (message.ok) {
      asker?.resolve(message.value);
    } else {
      asker?.reject(new Error(message.sentence));
    }
  }

  private crash(reason: string): void {
    if (!this.ended) {
      const sentence = `The analysis ended unexpectedly (${reason}).`;
      this.end(sentence);
      this.listener.onCrash(sentence);
    }
  }

  private end(sentence: string): void {
    this.ended = true;
    for (const { reject } of this.waiting.values()) {
      reject(new Error(sentence));
    }
    this.waiting.clear();
    // Terminating a thread that has ended already resolves as well.
    this.worker.terminate().catch(() => undefined);
  }
}
