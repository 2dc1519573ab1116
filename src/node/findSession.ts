import { sessionPlaces } from '../core/finder/agentLocations';
import type { AddedFolder } from '../core/finder/pathMapping';
import { lastName } from '../core/finder/pathPattern';
import { sessionIdOf } from '../core/finder/sessionId';
import { type ListedSession, listSessions, type SessionFile } from '../core/finder/sessionList';
import { localFilesNow } from './sessionFiles';
import { SessionFinder, thisMachine } from './sessionFinder';

/** How many sessions are looked into first for the one that belongs to a folder; each next time twice as many. */
const firstLook = 32;

/**
 * The newest session of some folders, without those that subagents had; undefined where there is none.
 * @param added folders that are searched beside those of the agents
 */
export async function newestSession(
  folders: readonly string[],
  added: readonly AddedFolder[] = [],
): Promise<ListedSession | undefined> {
  const places = sessionPlaces(thisMachine(), folders, added);
  const finder = new SessionFinder(localFilesNow());
  const files = newestFirst(await finder.list(places));
  for (let count = firstLook; ; count *= 2) {
    const looked = files.slice(0, count);
    await finder.learn(looked, places, folders);
    const { sessions } = listSessions(looked, folders, file => finder.factsOf(file), added);
    const here = sessions.find(({ isHere }) => isHere);
    if (here !== undefined || count >= files.length) {
      return here;
    }
  }
}

/** The sessions of this machine whose id begins with a text, newest first. */
export async function sessionsWithId(
  begin: string,
  added: readonly AddedFolder[] = [],
): Promise<readonly SessionFile[]> {
  const places = sessionPlaces(thisMachine(), [process.cwd()], added);
  const files = newestFirst(await new SessionFinder(localFilesNow()).list(places));
  const text = begin.toLowerCase();
  const isNamed = ({ path }: SessionFile): boolean =>
    sessionIdOf(path).toLowerCase().startsWith(text) ||
    // Some agents write no more than the beginning of the id, at the end of the file's name.
    lastName(path).toLowerCase().split('.', 1)[0]?.endsWith(`-${text}`) === true;
  return files.filter(isNamed);
}

function newestFirst(files: readonly SessionFile[]): readonly SessionFile[] {
  return [...files].sort((one, other) => other.modified - one.modified || (one.path < other.path ? -1 : 1));
}
