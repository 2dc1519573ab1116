import type { Worker } from 'node:worker_threads';
import * as v from 'valibot';
import { currentTranslations, translate } from '../core/base/translate';
import type { UnpackLimits } from '../core/reading/decoders/unpacking';
import type { UserModels } from '../core/tokens/userModels';
import type { StartThread } from '../node/bundleThread';
import { PendingQuestions } from '../protocol/pendingQuestions';
import type { Asked } from '../protocol/questions';
import type { Answer } from '../protocol/sessionMessages';
import type {
  FromWorkerMessage,
  ToWorkerMessage,
  TranscriptInput,
  WorkerStart,
} from '../protocol/workerMessages';
import {
  type WorkerQuestion,
  type WorkerQuestionName,
  workerQuestions,
  type WorkerResult,
} from '../protocol/workerQuestions';

/** What the worker reports on its own. */
export type WorkerReport = Exclude<FromWorkerMessage, Answer>;

export interface AnalysisWorkerListener {
  onReport(report: WorkerReport): void;
  /** The worker ended by itself and answers no more questions. */
  onCrash(sentence: string): void;
}

/**
 * Short-lived objects need no more than this while a file is read, in megabytes. The old generation has no limit, because
 * reaching one would end the thread. research/bench/programs/worker.mjs has the same limits.
 */
const limits = { maxYoungGenerationSizeMb: 8 };

export const transcriptClosed = translate('The transcript is closed.');

/** The thread that reads and counts one transcript. Every question is answered or rejected, at the latest by `dispose`. */
export class AnalysisWorker {
  private readonly pending = new PendingQuestions();
  private ended = false;

  constructor(
    private readonly worker: Worker,
    private readonly listener: AnalysisWorkerListener,
  ) {
    worker.on('message', (message: FromWorkerMessage) => this.receive(message));
    worker.on('error', (error: Error) => this.crash(error.message));
    worker.on('exit', code => this.crash(translate('exit code {0}', code)));
  }

  static start(
    startThread: StartThread,
    start: WorkerStart | undefined,
    personalData: boolean,
    listener: AnalysisWorkerListener,
  ): AnalysisWorker {
    const workerData = { ...start, personalData, translations: currentTranslations() };
    return new AnalysisWorker(startThread({ workerData, resourceLimits: limits }), listener);
  }

  /** @param format the id of the format that the user chose; undefined for that which the content shows */
  open(fileName: string, input: TranscriptInput, limits: UnpackLimits, format?: string): void {
    this.send(
      { type: 'open', fileName, input, limits, format },
      input.kind === 'bytes' ? [input.bytes.buffer] : [],
    );
  }

  setModels(models: UserModels): void {
    this.send({ type: 'models', models });
  }

  /** Asks for the whole session to be reported again. */
  showAgain(): void {
    this.send({ type: 'show' });
  }

  /** Rejects with one sentence that can be shown. */
  ask<Name extends WorkerQuestionName>(
    question: Asked<typeof workerQuestions, Name>,
  ): Promise<WorkerResult<Name>> {
    const { name } = question;
    return this.question(question, workerQuestions[name].result);
  }

  /** Asks for a caller that checks the answer. Rejects with one sentence that can be shown. */
  passOn(question: WorkerQuestion): Promise<unknown> {
    return this.question(question, v.unknown());
  }

  private question<Schema extends v.GenericSchema>(
    question: WorkerQuestion,
    result: Schema,
  ): Promise<v.InferOutput<Schema>> {
    return this.ended
      ? Promise.reject(new Error(transcriptClosed))
      : this.pending.ask(result, id => this.send({ type: 'question', id, question }));
  }

  /** Ends the thread at once, even in the middle of its work. */
  dispose(): void {
    this.end(transcriptClosed);
  }

  private send(message: ToWorkerMessage, transfer: readonly ArrayBuffer[] = []): void {
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
    this.pending.receive(message);
  }

  private crash(reason: string): void {
    if (!this.ended) {
      const sentence = translate('The analysis ended unexpectedly ({0}).', reason);
      this.end(sentence);
      this.listener.onCrash(sentence);
    }
  }

  private end(sentence: string): void {
    this.ended = true;
    this.pending.rejectAll(sentence);
    // Also resolves for a thread that has ended already.
    this.worker.terminate().catch(() => undefined);
  }
}
