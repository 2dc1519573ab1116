import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { formatBytes } from '../../core/base/format';
import { translate } from '../../core/base/translate';
import { sessionPlaces, subagentPlaces } from '../../core/finder/agentLocations';
import type { SessionFile } from '../../core/finder/sessionList';
import { siblingThreadOf } from '../../node/threads/bundleThread';
import { folderVariable, indexFolder } from '../../node/index/indexFolder';
import { openIndex } from '../../node/index/indexStore';
import type { Index } from '../../node/index/indexTypes';
import { ReadingThreads } from '../../node/index/readingThreads';
import { updateIndex } from '../../node/index/updateIndex';
import { describeIndexError } from '../../node/index/indexErrors';
import { localFilesAtOnce } from '../../node/sessions/sessionFiles';
import { SessionFinder } from '../../node/sessions/sessionFinder';
import { thisMachine } from '../../node/thisMachine';
import { addedFolders } from '../options/addedFolders';
import { UsageError } from '../options/usageError';
import { printNotice } from '../output/terminal';

/** Up to this many bytes are read without starting threads. */
const littleToRead = 3_000_000;
/** In bytes. For less, collecting garbage sooner takes a tenth more time and saves no needed memory. */
const muchToRead = 50_000_000;
/** Maximum number of files that a message names. */
const mostNamed = 3;
/** Pause between progress messages, in milliseconds. */
const progressPause = 3000;

/** All sessions of this machine, including subagents, with the index over them. */
export interface AllSessions {
  readonly index: Index;
  readonly files: readonly SessionFile[];
}

/** The folder of the index. Throws UsageError if the user turned it off. */
export function ownIndexFolder(): string {
  const folder = indexFolder(thisMachine());
  if (folder === undefined) {
    throw new UsageError(
      translate('The session index is turned off by the environment variable {0}.', folderVariable),
    );
  }
  return folder;
}

/** Runs work on the index without reading files. Throws UsageError with one sentence if the index cannot be used. */
export async function withIndex<Result>(work: (index: Index) => Promise<Result>): Promise<Result> {
  const folder = ownIndexFolder();
  let saying = Promise.resolve();
  const index = openIndex(folder, {
    onMemory: () => {
      const sentence = translate(
        'The session index cannot be written. Is the disk full or read-only? All sessions are being read without it.',
      );
      saying = printNotice(`${folder}: ${sentence}\n`);
    },
  });
  try {
    return await work(index);
  } catch (error) {
    if (error instanceof UsageError) {
      throw error;
    }
    throw new UsageError(`${folder}: ${describeIndexError(error)}`);
  } finally {
    index.close();
    await saying;
  }
}

/**
 * Brings the index up to date, with progress on the standard error, and runs work on it. Throws UsageError with one
 * sentence if the index cannot be used.
 * @param words true if the words of all sessions are needed
 */
export async function withAllSessions<Result>(
  words: boolean,
  work: (sessions: AllSessions) => Promise<Result>,
): Promise<Result> {
  const machine = thisMachine();
  const files = await new SessionFinder(localFilesAtOnce()).list([
    ...sessionPlaces(machine, [process.cwd()], addedFolders()),
    ...subagentPlaces(machine),
  ]);
  return withIndex(async index => {
    for (;;) {
      const before = index.rebuilds;
      await bringUpToDate(index, files, words);
      const result = await work({ index, files });
      // Damage may be found only when an answer is read.
      if (index.rebuilds === before) {
        return result;
      }
      if (!index.isInMemory) {
        await printNotice(
          `${translate('The index was damaged or made by another version. All sessions are being read again.')}\n`,
        );
      }
    }
  });
}

async function bringUpToDate(index: Index, files: readonly SessionFile[], words: boolean): Promise<void> {
  const progress = new Progress();
  // Indexing all words takes minutes; usage alone takes seconds.
  const readers = new ReadingThreads(
    siblingThreadOf('indexing.js'),
    availableParallelism(),
    littleToRead,
    !words,
  );
  try {
    const { failed } = await updateIndex(index, files, {
      words,
      readersFor: bytes => {
        if (bytes >= muchToRead) {
          // Collects garbage when a heap has doubled: with this, the first index over 600 MB takes 250 MB of memory
          // instead of 315.
          setFlagsFromString('--heap-growing-percent=100');
        }
        return readers.start(bytes);
      },
      onProgress: (done, total) => progress.note(done, total),
    });
    if (failed.length > 0) {
      await printNotice(
        `${translate(
          '{0, plural, one {# file} other {# files}} could not be read: {1}',
          failed.length,
          failed.slice(0, mostNamed).join(', '),
        )}\n`,
      );
    }
  } finally {
    await progress.end();
    await readers.close();
  }
}

/** Prints the progress of reading that takes long. */
class Progress {
  private last = Date.now();
  private saying = Promise.resolve();

  note(done: number, total: number): void {
    if (Date.now() - this.last > progressPause) {
      this.last = Date.now();
      const sentence = translate('Reading sessions: {0} of {1}', formatBytes(done), formatBytes(total));
      this.saying = this.saying.then(() => printNotice(`${sentence}\n`));
    }
  }

  end(): Promise<void> {
    return this.saying;
  }
}
