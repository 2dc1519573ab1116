import { parentPort, workerData } from 'node:worker_threads';
import { member } from '../core/base/json';
import { noteWorked } from '../node/threads/bundleThread';
import { describeFileError } from '../node/files/fileErrors';
import { type FromReader, mostWaiting, type ToReader } from '../node/index/indexReaders';
import { readForIndex } from '../node/index/indexReading';
import { bytesOfWords, type ReadingOrder } from '../node/index/readParts';
import { lowerPriority } from '../node/threads/lowPriority';

// Reads files for the index, one after the other.

if (member(workerData, 'isAwaited') !== true) {
  lowerPriority();
}

const port = parentPort;
/** Bytes of words in parts that were not processed yet. */
let waiting = 0;
let wake = (): void => undefined;
let last = Promise.resolve();

function post(message: FromReader): void {
  port?.postMessage(message);
}

async function read(number: number, order: ReadingOrder): Promise<void> {
  post({ kind: 'begin', number });
  try {
    for await (const part of readForIndex(order)) {
      post({ kind: 'part', number, part });
      waiting += bytesOfWords(part);
      while (waiting >= mostWaiting) {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
    }
    post({ kind: 'end', number });
    noteWorked();
  } catch (error) {
    post({ kind: 'failed', number, sentence: describeFileError(error) });
  }
}

port?.on('message', (message: ToReader) => {
  switch (message.kind) {
    case 'read':
      last = last.then(() => read(message.number, message.order));
      break;
    case 'taken':
      waiting -= message.bytes;
      wake();
      break;
  }
});
