import './translations';
import { availableParallelism } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { stringAt } from '../core/base/json';
import { siblingThreadOf } from '../node/threads/bundleThread';
import { openIndex } from '../node/index/indexStore';
import { lowerPriority } from '../node/threads/lowPriority';
import { localFilesNow } from '../node/sessions/sessionFiles';
import { SessionFinder } from '../node/sessions/sessionFinder';
import type { ToIndexService } from '../protocol/indexService';
import { IndexService } from './indexService';

// Owns the index over all sessions in a thread, because SQLite blocks the thread that calls it.

lowerPriority();

const port = parentPort;
const folder = stringAt(workerData, 'folder') ?? '';

const service = new IndexService({
  openIndex: () => openIndex(folder),
  finder: new SessionFinder(localFilesNow()),
  startReading: siblingThreadOf('indexing.js'),
  // One processor is left for the user's work.
  threads: availableParallelism() - 1,
  post: message => port?.postMessage(message),
});
port?.on('message', (message: ToIndexService) => {
  service.handle(message).then(
    () => {
      if (message.type === 'end') {
        port.close();
      }
    },
    () => undefined,
  );
});
