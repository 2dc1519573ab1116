import type { StartThread } from '../threads/bundleThread';
import { type IndexReader, readerHere, ReadingThread } from './indexReaders';

/** More threads would only wait for the disk. */
const mostThreads = 4;
/** Up to so many times what is read here alone, the caller's own thread reads too: it is warm sooner than new ones. */
const sharedUpTo = 8;
/** Files that a thread is given at once: enough for it to go on while words are written, and while the caller reads too. */
const filesAhead = { alone: 16, shared: 2 };

/** What reads for one update of the index: threads, which are started when there is something to read. */
export class ReadingThreads {
  private readonly started: IndexReader[] = [];

  /**
   * @param startThread starts src/worker/indexing.ts
   * @param threads how many to start at most
   * @param here fewer bytes than this are read in the caller's own thread alone
   * @param isAwaited whether somebody waits for what is read; if not, they work when nothing else has to
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

  /** What they are reading fails. */
  async close(): Promise<void> {
    await Promise.all(this.started.map(reader => reader.close()));
  }
}
