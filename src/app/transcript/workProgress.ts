import { translate } from '../../core/base/translate';
import type { InspectorNews } from '../../protocol/inspectorPage';
import type { Desk, Log } from '../desk';
import { disposeAll, type Event } from '../emitter';

/** Faster work shows no notification. */
const quietMilliseconds = 300;

type Pending = 'measuring';

export interface WorkProgressTools {
  readonly onDidPost: Event<InspectorNews>;
  readonly desk: Pick<Desk, 'progress'>;
  readonly cancel: () => void;
  readonly log: Log;
}

/**
 * Shows the progress of work on a document outside its editor: reading in a notification, later work in the status bar.
 */
export class WorkProgress {
  private pending: Pending | undefined;
  private finish: () => void = () => undefined;

  constructor(
    private readonly fileName: string,
    private readonly tools: WorkProgressTools,
  ) {}

  /**
   * Shows that the file is being read, with a way to cancel.
   * @returns the function that ends the notification
   */
  showReading(): () => void {
    return this.show(translate('Reading {0}', this.fileName), 'reading');
  }

  /** Shows work that continues after the session is visible. Undefined shows nothing. */
  follow(pending: Pending | undefined): void {
    if (pending === this.pending) {
      return;
    }
    this.finish();
    this.pending = pending;
    this.finish =
      pending === undefined
        ? () => undefined
        : this.show(
            translate('Counting tokens and scanning for sensitive data in {0}', this.fileName),
            pending,
          );
  }

  private show(title: string, phase: 'reading' | Pending): () => void {
    let finish: () => void = () => undefined;
    const finished = new Promise<void>(resolve => {
      finish = resolve;
    });
    const timer = setTimeout(() => {
      const isReading = phase === 'reading';
      const options = { title, canCancel: isReading, isQuiet: !isReading };
      const { desk, log } = this.tools;
      const work = desk.progress(options, async ({ report, onDidCancel }) => {
        let shown = 0;
        const reports = this.tools.onDidPost(message => {
          if (message.type !== 'progress' || message.progress.phase !== phase) {
            return;
          }
          const { done, total } = message.progress;
          const percent = total > 0 ? Math.floor((done / total) * 100) : 0;
          if (percent > shown) {
            // The status bar has no progress bar.
            report(percent - shown, isReading ? undefined : `${percent} %`);
            shown = percent;
          }
        });
        const cancelled = onDidCancel(() => this.tools.cancel());
        await finished;
        disposeAll([reports, cancelled]);
      });
      work.catch((error: unknown) => log.error(String(error)));
    }, quietMilliseconds);
    return () => {
      clearTimeout(timer);
      finish();
    };
  }
}
