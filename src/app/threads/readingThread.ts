import { currentTranslations } from '../../core/base/translate';
import type { StartThread } from '../../node/threads/bundleThread';
import { readingQuestions, sessionReadingTask } from '../../protocol/sessionReading';
import { AskedThread } from './askedThread';

/** A thread that reads sessions outside of editors. */
export class ReadingThread extends AskedThread<typeof readingQuestions> {
  /** @param onCrash called when the thread ended unexpectedly */
  constructor(startThread: StartThread, onCrash?: () => void) {
    super(
      startThread({ workerData: { task: sessionReadingTask, translations: currentTranslations() } }),
      readingQuestions,
      onCrash && { onCrash },
    );
  }
}
