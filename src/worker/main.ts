import './translations';
import { availableParallelism } from 'node:os';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import { isObject, stringAt } from '../core/base/json';
import { openTranscript } from '../core/session/openTranscript';
import { noteWorked, siblingThreadOf } from '../node/threads/bundleThread';
import { describeFileError } from '../node/files/fileErrors';
import { MeasureCache } from '../node/threads/measureCache';
import { MeasuringThread } from '../node/threads/measuringThread';
import { scannerFor } from '../node/secrets/secretScannerOnDemand';
import { answerTo, postAnswer, type QuestionMessage } from '../protocol/rpc';
import { type readingQuestions, sessionReadingTask } from '../protocol/sessionReading';
import type { ToWorkerMessage } from '../protocol/workerMessages';
import { Analysis } from './analysis';
import { serveSessions } from './contextTools';
import { readingAnswers } from './sessionReading';

const start: unknown = workerData;
const [folder, version] = [stringAt(start, 'cacheFolder'), stringAt(start, 'version')];
const personalData = !isObject(start) || start['personalData'] !== false;

/**
 * Minimum file size for starting a helper. On two cores, this thread and the engine's own threads for compiling and
 * garbage collection leave no capacity for another one: there, a helper made the first drawing of 2 to 32 MB 3 to 17 %
 * later, and the final figures no earlier; it made the final figures of 100 MB 7 to 17 % earlier.
 */
const leastBytes = { withRoom: 2 ** 21, withoutRoom: 2 ** 26 };

function startAnalysis(port: MessagePort): void {
  const cores = availableParallelism();
  const analysis = new Analysis({
    openTranscript,
    scanner: scannerFor(personalData),
    cache:
      folder === undefined || version === undefined
        ? undefined
        : new MeasureCache(folder, personalData ? version : `${version} credentials`),
    helping:
      cores > 1
        ? {
            leastBytes: cores > 2 ? leastBytes.withRoom : leastBytes.withoutRoom,
            start: encoding => new MeasuringThread(siblingThreadOf('helper.js'), encoding, personalData),
          }
        : undefined,
    post: (message, transfer = []) => port.postMessage(message, transfer),
    onComplete: noteWorked,
  });
  port.on('message', (message: ToWorkerMessage) => analysis.handle(message));
}

function startReadingForList(port: MessagePort): void {
  port.on('message', ({ id, question }: QuestionMessage<typeof readingQuestions>) =>
    postAnswer(
      id,
      () => answerTo(readingAnswers, undefined, question),
      answer => {
        port.postMessage(answer);
        noteWorked();
      },
      describeFileError,
    ),
  );
}

if (parentPort === null) {
  // VS Code runs this bundle as a program too, because another one would hold all readers and analyses again.
  serveSessions();
} else if (stringAt(start, 'task') === sessionReadingTask) {
  startReadingForList(parentPort);
} else {
  startAnalysis(parentPort);
}
