import { type IndexReader, readerHere, ReadingThread } from './indexReaders';

/** More threads would only wait for the disk. */
const mostThreads = 4;

/** What reads for one update of the index: threads, which are started when there is something to read. */
export class ReadingThreads {
  private readonly started: IndexReader[] = [];

  /**
   * @param script path of the bundle of src/worker/indexing.ts
   * @param threads how many to start at most
   * @param here fewer bytes than this are read in the caller's own thread
   * @param isAwaited whether somebody waits for what is read; if not, they work when nothing else has to
   */
  constructor(
    private readonly script: string,
    private readonly threads: number,
    private readonly here = 0,
    private readonly isAwaited = false,
  ) {}

  start(bytes: number): readonly IndexReader[] {
    if (bytes < this.here) {
      return [readerHere];
    }
    for (let thread = 0; thread < Math.max(1, Math.min(mostThreads, this.threads)); thread += 1) {
      this.started.push(new ReadingThread(this.script, this.isAwaited));
    }
    return this.started;
  }

  /** What they are reading fails. */
  async close(): Promise<void> {
    await Promise.all(this.started.map(reader => reader.close()));
  }
}
