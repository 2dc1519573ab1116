import './translations';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { isObject, stringAt } from '../core/base/json';
import { openTranscript } from '../core/session/openTranscript';
import { MeasureCache } from '../node/measureCache';
import { MeasuringThread } from '../node/measuringThread';
import { scannerFor } from '../node/secretScannerOnDemand';
import type { ToWorkerMessage } from '../protocol/workerMessages';
import { Analysis } from './analysis';

if (parentPort === null) {
  throw new Error('This file runs as a worker thread.');
}
const port = parentPort;
const start: unknown = workerData;
const [folder, version] = [stringAt(start, 'cacheFolder'), stringAt(start, 'version')];
const personalData = !isObject(start) || start['personalData'] !== false;
const analysis = new Analysis({
  openTranscript,
  scanner: scannerFor(personalData),
  cache:
    folder === undefined || version === undefined
      ? undefined
      : new MeasureCache(folder, personalData ? version : `${version} credentials`),
  startHelper:
    availableParallelism() > 1
      ? encoding => new MeasuringThread(join(__dirname, 'helper.js'), encoding, personalData)
      : undefined,
  post: (message, transfer = []) => port.postMessage(message, transfer),
});
port.on('message', (message: ToWorkerMessage) => analysis.handle(message));
