import {
  type AllSessions,
  IndexUnusable,
  ownIndexFolder,
  withAllSessions as withAll,
  withIndex as withOwnIndex,
} from '../../node/index/allSessions';
import type { Index } from '../../node/index/indexTypes';
import { addedFolders } from '../options/addedFolders';
import { UsageError } from '../options/usageError';
import { printNotice } from '../output/terminal';

/** The folder of the index. Throws UsageError if the user turned it off. */
export const indexFolderHere = (): Promise<string> => asUsage(() => Promise.resolve(ownIndexFolder()));

/** Runs work on the index without reading files. Throws UsageError with one sentence if the index cannot be used. */
export const withIndex = <Result>(work: (index: Index) => Promise<Result>): Promise<Result> =>
  asUsage(() => withOwnIndex(work, printNotice));

/**
 * Brings the index up to date, with progress on the standard error, and runs work on it. Throws UsageError with one
 * sentence if the index cannot be used.
 * @param words true if the words of all sessions are needed
 */
export const withAllSessions = <Result>(
  words: boolean,
  work: (sessions: AllSessions) => Promise<Result>,
): Promise<Result> =>
  asUsage(() =>
    withAll(words, work, { folders: [process.cwd()], added: addedFolders(), notice: printNotice }),
  );

async function asUsage<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof IndexUnusable ? new UsageError(error.message) : error;
  }
}
