import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { formatBytes } from '../../core/base/format';
import { translate } from '../../core/base/translate';
import { sessionPlaces, subagentPlaces } from '../../core/finder/agentLocations';
import type { AddedFolder } from '../../core/finder/pathMapping';
import type { SessionFile } from '../../core/finder/sessionList';
import { siblingThreadOf } from '../threads/bundleThread';
import { indexFolder } from './indexFolder';
import { openIndex } from './indexStore';
import type { Index } from './indexTypes';
import { ProgressNotices } from './progressNotices';
import { ReadingThreads } from './readingThreads';
import { updateIndex } from './updateIndex';
import { describeIndexError, mostReadings, notKept } from './indexErrors';
import { localFilesAtOnce } from '../sessions/sessionFiles';
import { SessionFinder } from '../sessions/sessionFinder';
import { thisMachine } from '../thisMachine';

/** Up to this many bytes are read without starting threads. */
const littleToRead = 3_000_000;
/** In bytes. For less, collecting garbage sooner takes a tenth more time and saves no needed memory. */
const muchToRead = 50_000_000;
/** Maximum number of files that a message names. */
const mostNamed = 3;

/** All sessions of this machine, including subagents, with the index over them. */
export interface AllSessions {
  readonly index: Index;
  readonly files: readonly SessionFile[];
}

/** The sentence says why the index cannot be used. */
export class IndexUnusable extends Error {}

/** Prints or ignores a sentence about the work, which ends with a line break. */
type Notice = (sentence: string) => Promise<void>;

/** The folder of the index. Throws IndexUnusable if the user turned it off. */
export function ownIndexFolder(): string {
  const folder = indexFolder(thisMachine());
  if (folder === undefined) {
    throw new IndexUnusable(
      translate('The session index is turned off by the environment variable CONTEXT_INSPECTOR_INDEX.'),
    );
  }
  return folder;
}

/** Runs work on the index without reading files. Throws IndexUnusable with one sentence if the index cannot be used. */
export async function withIndex<Result>(
  work: (index: Index) => Promise<Result>,
  notice: Notice,
): Promise<Result> {
  const folder = ownIndexFolder();
  let saying = Promise.resolve();
  const index = openIndex(folder, {
    onMemory: () => {
      const sentence = translate(
        'The session index cannot be written. Is the disk full or read-only? All sessions are being read without it.',
      );
      saying = notice(`${folder}: ${sentence}\n`);
    },
  });
  try {
    return await work(index);
  } catch (error) {
    if (error instanceof IndexUnusable) {
      throw error;
    }
    throw new IndexUnusable(`${folder}: ${describeIndexError(error)}`);
  } finally {
    index.close();
    await saying;
  }
}

/**
 * Brings the index up to date, tells its progress, and runs work on it. Throws IndexUnusable with one
 * sentence if the index cannot be used.
 * @param words true if the words of all sessions are needed
 */
export async function withAllSessions<Result>(
  words: boolean,
  work: (sessions: AllSessions) => Promise<Result>,
  {
    folders,
    added,
    notice,
  }: {
    /** The folders in which the user works. */
    readonly folders: readonly string[];
    /** Folders with sessions that the user added to those of the agents. */
    readonly added: readonly AddedFolder[];
    readonly notice: Notice;
  },
): Promise<Result> {
  const machine = thisMachine();
  const files = await new SessionFinder(localFilesAtOnce()).list([
    ...sessionPlaces(machine, folders, added),
    ...subagentPlaces(machine),
  ]);
  return withIndex(async index => {
    for (let reading = 1; reading <= mostReadings; reading += 1) {
      const before = index.rebuilds;
      await bringUpToDate(index, files, words, notice);
      const result = await work({ index, files });
      // Damage may be found only when an answer is read.
      if (index.rebuilds === before) {
        return result;
      }
      if (!index.isInMemory) {
        await notice(
          `${translate('The index was damaged or made by another version. All sessions are being read again.')}\n`,
        );
      }
    }
    throw notKept();
  }, notice);
}

async function bringUpToDate(
  index: Index,
  files: readonly SessionFile[],
  words: boolean,
  notice: Notice,
): Promise<void> {
  const progress = new ProgressNotices(notice);
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
      onProgress: (done, total) =>
        progress.note(() => translate('Reading sessions: {0} of {1}', formatBytes(done), formatBytes(total))),
    });
    if (failed.length > 0) {
      await notice(
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
