import { existsSync } from 'node:fs';
import { translate } from '../core/base/translate';
import { originWords } from '../core/finder/sessionOrigin';
import { newestSession, sessionsWithId } from '../node/findSession';
import { addedFolders } from './addedFolders';
import { printNotice } from './terminal';
import { UsageError } from './usageError';

/** The word for the newest session of the current folder. */
export const latest = 'latest';

/** What may be the beginning of an id; no file's name with an ending is. */
const idLike = /^[\w-]{4,}$/;
/** How many sessions a message lists. */
const mostListed = 5;

/**
 * The file that a word of the command line means: a path, `latest`, or the beginning of a session's id. A path that does not
 * exist is returned as it is. Throws UsageError where no session is meant, or several.
 */
export async function fileNamed(word: string): Promise<string> {
  if (existsSync(word) || !idLike.test(word)) {
    return word;
  }
  if (word === latest) {
    return newestHere();
  }
  const found = await sessionsWithId(word, addedFolders());
  const [first, ...others] = found;
  if (first === undefined) {
    throw new UsageError(
      translate('{0}: there is no such file, and no session whose id begins like this.', word),
    );
  }
  // An agent may keep several files of one session.
  if (others.some(({ id }) => id !== first.id)) {
    const listed = found.slice(0, mostListed).map(({ path }) => `\n  ${path}`);
    throw new UsageError(
      translate('{0}: the ids of {1} sessions begin like this.{2}', word, found.length, listed.join('')),
    );
  }
  return first.path;
}

/**
 * The file of the newest session of the current folder, with a notice where the session was recorded elsewhere. Throws
 * UsageError where there is none.
 */
export async function newestHere(): Promise<string> {
  const folder = process.cwd();
  const newest = await newestSession([folder], addedFolders());
  if (newest === undefined) {
    throw new UsageError(
      translate(
        'No agent has a session of this folder: {0}. To see the commands: {1}',
        folder,
        'context-inspector --help',
      ),
    );
  }
  const { file, origin } = newest;
  if (origin !== undefined) {
    await printNotice(`${originWords(origin)}\n`);
  }
  return file.path;
}
