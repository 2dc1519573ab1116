import { parentPort } from 'node:worker_threads';
import { openTranscript } from '../core/session/openTranscript';
import { secretScanner } from '../node/secretScanner';
import type { ToWorkerMessage } from '../protocol/workerMessages';
import { Analysis } from './analysis';

if (parentPort === null) {
  throw new Error('This file runs as a worker thread.');
}
const port = parentPort;
const analysis = new Analysis({
  openTranscript,
  scanner: secretScanner,
  post: (message, transfer = []) => port.postMessage(message, transfer),
});
port.on('message', (message: ToWorkerMessage) => analysis.handle(message));
