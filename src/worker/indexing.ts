import { parentPort, workerData } from 'node:worker_threads';
import { member } from '../core/base/json';
import { describeFileError } from '../node/fileErrors';
import { type FromReader, mostWaiting, type ToReader } from '../node/index/indexReaders';
import { type ReadingOrder, readForIndex } from '../node/index/indexReading';
import { lowerPriority } from '../node/lowPriority';

// Reads files for the index, one at a time.

if (member(workerData, 'isAwaited') !== true) {
  lowerPriority();
}

const port = parentPort;
let waiting = 0;
let wake = (): void => undefined;

function post(message: FromReader): void {
  port?.postMessage(message);
}

async function read(order: ReadingOrder): Promise<void> {
  waiting = 0;
  try {
    for await (const part of readForIndex(order)) {
      post({ kind: 'part', part });
      waiting += 1;
      while (waiting >= mostWaiting) {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
    }
    post({ kind: 'end' });
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): void {
  post({ kind: 'failed', sentence: describeFileError(error) });
}

port?.on('message', (message: ToReader) => {
  switch (message.kind) {
    case 'read':
      read(message.order).catch(fail);
      break;
    case 'taken':
      waiting -= 1;
      wake();
      break;
  }
});
