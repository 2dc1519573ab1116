import { existsSync } from 'node:fs';
import { resolve, sep } from 'node:path';
import { sessionPlaces } from '../../core/finder/agentLocations';
import { sessionIdOf } from '../../core/finder/sessionId';
import { shellQuoted } from '../../core/base/shellQuoted';
import { translate } from '../../core/base/translate';
import { originWords } from '../../core/finder/sessionOrigin';
import {
  allSessionFiles,
  type NamedSession,
  lastUsedSession,
  sessionsWithId,
} from '../../node/sessions/findSession';
import { storedSessionsWithId } from '../../node/sessions/storedSessions';
import { thisMachine } from '../../node/thisMachine';
import { addedFolders } from '../options/addedFolders';
import { printNotice } from '../output/terminal';
import { UsageError } from '../options/usageError';

/** The word for the newest session of the current folder. */
export const latest = 'latest';

/** The possible form of the beginning of an id. A file name with an extension does not match. */
const idLike = /^[\w-]{4,}$/;
/** The number of sessions that a message lists. */
const mostListed = 5;

/** A file, and the chosen conversation if it has several sessions. */
export type NamedFile = Omit<NamedSession, 'id'>;

/**
 * The file for a word on the command line, and the conversation if the file has several sessions. The word is a path,
 * `latest`, or the beginning of a session's id. A path that does not exist is returned unchanged. Throws UsageError if
 * no session matches, or several.
 */
export async function fileNamed(word: string): Promise<NamedFile> {
  if (existsSync(word) || !idLike.test(word)) {
    return { path: word };
  }
  if (word === latest) {
    return { path: await newestHere() };
  }
  const files = await allSessionFiles(addedFolders());
  const named = await sessionsWithId(word, files);
  const found = named.length > 0 ? named : await storedSessionsWithId(word, files);
  const [first, ...others] = found;
  if (first === undefined) {
    throw new UsageError(translate('{0}: no such file, and no session ID begins like this.', word));
  }
  // An agent may store one session in several files.
  if (others.some(({ id }) => id !== first.id)) {
    const listed = found
      .slice(0, mostListed)
      .map(({ path, id, conversation }) => `\n  ${conversation === undefined ? path : `${path}: ${id}`}`);
    throw new UsageError(
      translate('{0}: {1} session IDs begin like this.{2}', word, found.length, listed.join('')),
    );
  }
  return first;
}

/** The word that names a file in a shell: the id of an agent's session in its place, otherwise the path. */
export function wordFor(path: string): string {
  const absolute = resolve(path);
  const places = sessionPlaces(thisMachine(), [], addedFolders());
  const id = sessionIdOf(path);
  const isKnown = idLike.test(id) && places.some(({ root }) => absolute.startsWith(`${resolve(root)}${sep}`));
  return isKnown ? id : /^[\w./\\:@%+=-]+$/.test(path) ? path : shellQuoted(path);
}

/**
 * The file of the session that was used last in the current folder, with a notice if the session was recorded elsewhere. Throws
 * UsageError if there is no session.
 */
export async function newestHere(): Promise<string> {
  const folder = process.cwd();
  const newest = await lastUsedSession([folder], addedFolders());
  if (newest === undefined) {
    throw new UsageError(
      translate(
        'No agent sessions in this folder: {0}. To see the commands: {1}',
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
