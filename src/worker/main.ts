import './translations';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { stringAt } from '../core/base/json';
import { openTranscript } from '../core/session/openTranscript';
import { MeasureCache } from '../node/measureCache';
import { MeasuringThread } from '../node/measuringThread';
import { secretScanner } from '../node/secretScannerOnDemand';
import type { ToWorkerMessage } from '../protocol/workerMessages';
import { Analysis } from './analysis';

if (parentPort === null) {
  throw new Error('This file runs as a worker thread.');
}
const port = parentPort;
const start: unknown = workerData;
const [folder, version] = [stringAt(start, 'cacheFolder'), stringAt(start, 'version')];
const analysis = new Analysis({
  openTranscript,
  scanner: secretScanner,
  cache: folder === undefined || version === undefined ? undefined : new MeasureCache(folder, version),
  startHelper:
    availableParallelism() > 1
      ? encoding => new MeasuringThread(join(__dirname, 'helper.js'), encoding)
      : undefined,
  post: (message, transfer = []) => port.postMessage(message, transfer),
});
port.on('message', (message: ToWorkerMessage) => analysis.handle(message));
