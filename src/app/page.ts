import { describeFileError } from '../node/files/fileErrors';
import {
  type ActOf,
  type FromPage,
  type NewsOf,
  type PageContract,
  readMessage,
  refusalOf,
  type ToPage,
} from '../protocol/page';
import { postAnswer, type QuestionOf } from '../protocol/rpc';
import type { Desk, Log, Surface } from './desk';
import { disposeAll } from './emitter';

/** The functions behind a page. */
export interface PageTools<Contract extends PageContract> {
  readonly log: Log;
  readonly desk: Pick<Desk, 'say'>;
  readonly contract: Contract;
  /** For people, in the log. */
  readonly title: string;
  /** Called when the page has started or restarted, to send its data. */
  onReady(): unknown;
  /** Rejects with one sentence, which the page shows. */
  answer(question: QuestionOf<Contract['questions']>): unknown;
  /** Rejects with one sentence, which a message shows. */
  act(act: ActOf<Contract>): unknown;
  /** True if a failure is expected and should not be logged. */
  isExpected?(sentence: string): boolean;
  /** The page was hidden or shown. */
  onVisible?(isVisible: boolean): void;
  onClose?(): void;
}

/**
 * One page. It may be discarded and made again at any time. Every message of the page passes the gate; a refused one gets an
 * answer and a line in the log.
 */
export class Page<Contract extends PageContract> {
  private hasBegun = false;
  /** True if the page had begun when it was hidden. */
  private mayBeKept = false;
  private isClosed = false;

  constructor(
    readonly surface: Surface,
    private readonly tools: PageTools<Contract>,
  ) {
    const subscriptions = [
      surface.onMessage(value => this.receive(value)),
      surface.onVisible(isVisible => this.noteVisibility(isVisible)),
      surface.onClose(() => {
        this.isClosed = true;
        disposeAll(subscriptions);
        tools.onClose?.();
      }),
    ];
  }

  /** True if the page can receive messages. */
  get isReady(): boolean {
    return this.hasBegun && !this.isClosed;
  }

  /** Sends news to a page. A page that is not ready gets everything once it is. */
  tell(news: NewsOf<Contract>): void {
    this.post(news);
  }

  private noteVisibility(isVisible: boolean): void {
    // A hidden page is discarded. Messages to the next one may be lost before its script runs.
    if (!isVisible) {
      this.mayBeKept ||= this.hasBegun;
      this.hasBegun = false;
    } else if (this.mayBeKept && !this.hasBegun) {
      // A page that was hidden for a moment only, as while an editor opens, is kept. It would never be ready again.
      this.mayBeKept = false;
      this.surface.post({ type: 'called' });
    }
    this.tools.onVisible?.(isVisible);
  }

  private receive(value: unknown): void {
    const { contract, title, log } = this.tools;
    const read = readMessage(contract, value);
    if (read.ok) {
      this.handle(read.message);
    } else {
      const { line, answer } = refusalOf(read, title);
      log.error(line);
      this.post(answer);
    }
  }

  private handle(message: FromPage<Contract>): void {
    switch (message.type) {
      case 'here':
        if (!this.hasBegun) {
          this.begin();
        }
        return;
      case 'ready':
        this.begin();
        return;
      case 'question': {
        const { id, question } = message;
        postAnswer(
          id,
          () => this.tools.answer(question),
          answer => this.post(answer),
          error => this.logged(question.name, error),
        );
        return;
      }
      case 'act':
        this.carryOut(message.act.kind, () => this.tools.act(message.act));
        return;
    }
  }

  private begin(): void {
    this.hasBegun = true;
    this.carryOut('ready', () => this.tools.onReady());
  }

  private carryOut(what: string, work: () => unknown): void {
    Promise.resolve()
      .then(work)
      .catch((error: unknown) => this.tools.desk.say('error', this.logged(what, error)));
  }

  /** Writes an error to the log and returns it as a sentence. */
  private logged(what: PropertyKey, error: unknown): string {
    const sentence = describeFileError(error);
    if (!this.isClosed && this.tools.isExpected?.(sentence) !== true) {
      this.tools.log.error(`${String(what)}: ${sentence}`);
    }
    return sentence;
  }

  private post(message: ToPage<Contract>): void {
    if (this.isReady) {
      this.surface.post(message);
    }
  }
}
