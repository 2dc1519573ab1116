import type { Worker } from 'node:worker_threads';
import { currentTranslations, translate } from '../core/base/translate';
import type { StartThread } from '../node/bundleThread';
import { PendingQuestions } from '../protocol/pendingQuestions';
import type { Answer } from '../protocol/sessionMessages';
import { type readingAnswers, type ReadingOrder, sessionReadingTask } from '../protocol/sessionReading';

/** A thread that reads sessions outside of editors. When it ends by itself, all orders fail. */
export class ReadingThread {
  private readonly pending = new PendingQuestions();
  private readonly worker: Worker;

  constructor(startThread: StartThread, onEnd: (thread: ReadingThread) => void) {
    this.worker = startThread({
      workerData: { task: sessionReadingTask, translations: currentTranslations() },
    });
    const ended = (): void => {
      onEnd(this);
      this.pending.rejectAll(translate('The analysis ended unexpectedly ({0}).', 'sessions'));
    };
    this.worker.on('message', (answer: Answer) => this.pending.receive(answer));
    this.worker.on('error', ended);
    this.worker.on('exit', ended);
  }

  ask<Answers extends (typeof readingAnswers)[keyof typeof readingAnswers]>(
    order: ReadingOrder,
    answers: Answers,
  ) {
    return this.pending.ask(answers, id => this.worker.postMessage({ ...order, id }));
  }

  end(): void {
    this.worker.terminate().catch(() => undefined);
  }
}
