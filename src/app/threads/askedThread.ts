import type { Worker } from 'node:worker_threads';
import { translate } from '../../core/base/translate';
import { type Answer, type Ask, type QuestionOf, Questions, type QuestionTable } from '../../protocol/rpc';
import { describeAnyError } from '../../node/files/fileErrors';

export interface ThreadListener<News> {
  /** Called when the thread reports something that is not an answer. */
  readonly onNews?: (news: News) => void;
  /** Called when the thread ended unexpectedly. It answers no more questions. */
  readonly onCrash?: (sentence: string, reason: string) => void;
  /** The sentence for such an end. */
  readonly crashSentence?: (reason: string) => string;
}

export const transcriptClosed = translate('The transcript is closed.');
const endedUnexpectedly = (reason: string): string =>
  translate('The analysis ended unexpectedly ({0}).', reason);

/** A thread that answers the questions of a table. Every question is answered or rejected, at the latest by `end`. */
export class AskedThread<
  Table extends QuestionTable,
  Order extends { readonly type: string } = never,
  News extends { readonly type: string } = never,
> {
  readonly ask: Ask<Table>;
  private readonly questions: Questions<Table>;
  private hasEnded = false;

  constructor(
    private readonly worker: Worker,
    table: Table,
    private readonly listener: ThreadListener<News> = {},
  ) {
    this.questions = new Questions<Table>(table, message => worker.postMessage(message));
    this.ask = this.questions.ask;
    worker.on('message', (message: Answer | News) => this.receive(message));
    worker.on('error', (error: Error) => this.crash(describeAnyError(error)));
    worker.on('exit', code => this.crash(translate('exit code {0}', code)));
  }

  /** Asks for a caller that checks the answer. */
  passOn(question: QuestionOf<Table>): Promise<unknown> {
    return this.questions.passOn(question);
  }

  tell(order: Order, transfer: readonly ArrayBuffer[] = []): void {
    this.worker.postMessage(order, transfer);
  }

  /** Ends the thread at once, even in the middle of its work. */
  end(sentence = transcriptClosed): void {
    this.letGo(sentence);
    // Also resolves if the thread has already ended.
    this.worker.terminate().catch(() => undefined);
  }

  /** Stops waiting for the thread, which ends by itself. */
  letGo(sentence: string): void {
    this.hasEnded = true;
    this.questions.end(sentence);
  }

  private receive(message: Answer | News): void {
    if (isAnswer(message)) {
      this.questions.receive(message);
    } else if (!this.hasEnded) {
      this.listener.onNews?.(message);
    }
  }

  private crash(reason: string): void {
    if (!this.hasEnded) {
      const { onCrash, crashSentence = endedUnexpectedly } = this.listener;
      const sentence = crashSentence(reason);
      this.end(sentence);
      onCrash?.(sentence, reason);
    }
  }
}

function isAnswer(message: { readonly type: string }): message is Answer {
  return message.type === 'answer';
}
