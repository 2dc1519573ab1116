import { currentTranslations } from '../../core/base/translate';
import type { UnpackLimits } from '../../core/reading/decoders/unpacking';
import type { StartThread } from '../../node/threads/bundleThread';
import type { Answer } from '../../protocol/rpc';
import type {
  FromWorkerMessage,
  ToWorkerMessage,
  TranscriptInput,
  WorkerStart,
} from '../../protocol/workerMessages';
import { workerQuestions } from '../../protocol/workerQuestions';
import { AskedThread, type ThreadListener } from './askedThread';

/** The reports of the worker that are not answers. */
export type WorkerReport = Exclude<FromWorkerMessage, Answer>;

/**
 * Short-lived objects need no more than this while a file is read, in megabytes. The old generation has no limit, because
 * reaching one would end the thread. test/bench/programs/worker.mjs has the same limits.
 */
const limits = { maxYoungGenerationSizeMb: 8 };

/** The thread that reads and counts one transcript. */
export class AnalysisWorker extends AskedThread<typeof workerQuestions, ToWorkerMessage, WorkerReport> {
  static start(
    startThread: StartThread,
    start: WorkerStart | undefined,
    personalData: boolean,
    listener: ThreadListener<WorkerReport>,
  ): AnalysisWorker {
    const workerData = { ...start, personalData, translations: currentTranslations() };
    return new AnalysisWorker(startThread({ workerData, resourceLimits: limits }), workerQuestions, listener);
  }

  /** @param format the id of the format that the user chose; undefined to detect it from the content */
  open(fileName: string, input: TranscriptInput, limits: UnpackLimits, format?: string): void {
    this.tell(
      { type: 'open', fileName, input, limits, format },
      input.kind === 'bytes' ? [input.bytes.buffer] : [],
    );
  }
}
