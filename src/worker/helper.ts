import { parentPort, workerData } from 'node:worker_threads';
import { isObject, stringAt } from '../core/base/json';
import { type MeasureOrder, measureTexts } from '../core/session/measureTexts';
import { loadTokenizer } from '../core/tokens/bytePairTokenizer';
import { noteWorked } from '../node/threads/bundleThread';
import type { MeasuringMessage } from '../node/threads/measuringThread';
import { scannerFor } from '../node/secrets/secretScannerOnDemand';

const start: unknown = workerData;
const scanner = scannerFor(!isObject(start) || start['personalData'] !== false);

function post(message: MeasuringMessage, buffers: readonly ArrayBufferLike[] = []): void {
  parentPort?.postMessage(
    message,
    buffers.filter(buffer => buffer instanceof ArrayBuffer),
  );
}

async function answer(order: MeasureOrder): Promise<void> {
  const measured = await measureTexts(order, scanner);
  const { tokens, sensitivity, findings } = measured;
  post({ type: 'measured', measured }, [tokens.buffer, sensitivity.buffer, findings.buffer]);
  noteWorked();
}

let last = Promise.resolve();

const encoding = stringAt(start, 'encoding');
if (encoding === 'o200k_base' || encoding === 'cl100k_base') {
  last = loadTokenizer(encoding).then(() => post({ type: 'ready' }));
}
parentPort?.on('message', (order: MeasureOrder) => {
  last = last.then(() => answer(order));
});
