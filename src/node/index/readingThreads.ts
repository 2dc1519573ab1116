import type { StartThread } from '../threads/bundleThread';
import { type IndexReader, readerHere, ReadingThread } from './indexReaders';

/** More threads would only wait for the disk. */
const mostThreads = 4;
/**
 * Up to this many times the amount read only here, the caller's own thread reads too, because it is warmed up before
 * new threads are.
 */
const sharedUpTo = 8;
/**
 * Number of files given to a thread at once: enough for it to continue while words are written, and while the caller
 * reads too.
 */
const filesAhead = { alone: 16, shared: 2 };

/** The readers for one update of the index: threads, which are started when there are files to read. */
export class ReadingThreads {
  private readonly started: IndexReader[] = [];

  /**
   * @param startThread starts src/worker/indexing.ts
   * @param threads maximum number of threads
   * @param here up to this many bytes are read only in the caller's own thread
   * @param isAwaited true if someone waits for the results; otherwise the threads run with low priority
   */
  constructor(
    private readonly startThread: StartThread,
    private readonly threads: number,
    private readonly here = 0,
    private readonly isAwaited = false,
  ) {}

  start(bytes: number): readonly IndexReader[] {
    const isShared = bytes < this.here * sharedUpTo;
    const most = Math.max(1, Math.min(mostThreads, this.threads));
    const threads = bytes < this.here ? 0 : isShared ? most - 1 : most;
    for (let thread = 0; thread < threads; thread += 1) {
      const ahead = isShared ? filesAhead.shared : filesAhead.alone;
      this.started.push(new ReadingThread(this.startThread, this.isAwaited, ahead));
    }
    return isShared ? [readerHere, ...this.started] : this.started;
  }

  /** Makes their current readings fail. */
  async close(): Promise<void> {
    await Promise.all(this.started.map(reader => reader.close()));
  }
}
