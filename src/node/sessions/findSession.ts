import { sessionPlaces } from '../../core/finder/agentLocations';
import type { AddedFolder } from '../../core/finder/pathMapping';
import { lastName } from '../../core/base/pathPattern';
import { madeIdOf, sessionIdOf } from '../../core/finder/sessionId';
import { type ListedSession, listSessions, type SessionFile } from '../../core/finder/sessionList';
import { lastUsed } from '../../core/model/sessionTimes';
import { localFilesAtOnce, localFilesNow, type SessionFileSystem } from './sessionFiles';
import { outlineFile } from './outlineFile';
import { probeFile, SessionFinder } from './sessionFinder';
import { thisMachine } from '../thisMachine';

/** Number of sessions examined first to find the one of a folder. It doubles each time. */
const firstLook = 32;

interface TimedSession {
  readonly session: ListedSession;
  /** When it was used, in milliseconds since 1970, but not after its file was written. */
  readonly time: number;
}

/** Chooses one of sessions, which are in the order in which their files were written, the last first. */
type Choose = (sessions: readonly ListedSession[]) => Promise<TimedSession | undefined>;

/**
 * The session of some folders whose file was written last, without subagents; undefined if there is none.
 * @param added folders to search besides those of the agents
 */
export function newestSession(
  folders: readonly string[],
  added: readonly AddedFolder[] = [],
): Promise<ListedSession | undefined> {
  return chosenSession(folders, added, ([session]) =>
    Promise.resolve(session && { session, time: session.file.modified }),
  );
}

/** As `newestSession`, but the session that was used last. A copied or restored file is newer than its session. */
export function lastUsedSession(
  folders: readonly string[],
  added: readonly AddedFolder[] = [],
): Promise<ListedSession | undefined> {
  return chosenSession(folders, added, sessions => lastUsedOf(sessions, localFilesNow()));
}

async function chosenSession(
  folders: readonly string[],
  added: readonly AddedFolder[],
  choose: Choose,
): Promise<ListedSession | undefined> {
  const places = sessionPlaces(thisMachine(), folders, added);
  const finder = new SessionFinder(localFilesNow());
  const files = newestFirst(await finder.list(places));
  for (let count = firstLook; ; count *= 2) {
    const looked = files.slice(0, count);
    await finder.learn(looked, places, folders);
    const { sessions } = listSessions(looked, folders, file => finder.factsOf(file), added);
    const chosen = await choose(sessions.filter(({ isHere }) => isHere));
    const next = files[count];
    if (next === undefined || (chosen !== undefined && chosen.time >= next.modified)) {
      return chosen?.session;
    }
  }
}

async function lastUsedOf(
  sessions: readonly ListedSession[],
  system: Pick<SessionFileSystem, 'read'>,
): Promise<TimedSession | undefined> {
  let newest: TimedSession | undefined;
  for (const session of sessions) {
    const { file } = session;
    // No session was used after its file was written.
    if (newest !== undefined && newest.time >= file.modified) {
      break;
    }
    const read = await outlineFile(file, system);
    const time = lastUsed(read.kind === 'session' ? read.outline.lastTime : undefined, file.modified);
    if (newest === undefined || time > newest.time) {
      newest = { session, time };
    }
  }
  return newest;
}

export interface NamedSession {
  readonly id: string;
  readonly path: string;
  /** The conversation, if the file has several sessions. */
  readonly conversation?: number | undefined;
  /** Its folder, if the file has several sessions. */
  readonly project?: string;
}

/** The files of the sessions of this machine, newest first. */
export async function allSessionFiles(
  added: readonly AddedFolder[],
  folders: readonly string[] = [process.cwd()],
): Promise<readonly SessionFile[]> {
  const places = sessionPlaces(thisMachine(), folders, added);
  return newestFirst(await new SessionFinder(localFilesAtOnce()).list(places));
}

/** The sessions whose id begins with a text, among files with one session. */
export async function sessionsWithId(
  begin: string,
  files: readonly SessionFile[],
): Promise<readonly NamedSession[]> {
  const text = begin.toLowerCase();
  const named = files
    .map(({ path }) => ({ path, id: sessionIdOf(path) }))
    .filter(
      ({ path, id }) =>
        id.toLowerCase().startsWith(text) ||
        // Some agents write only the beginning of the id, at the end of the file's name.
        lastName(path).toLowerCase().split('.', 1)[0]?.endsWith(`-${text}`) === true,
    );
  if (named.length > 0) {
    return named;
  }
  const system = localFilesAtOnce();
  // If the file's name has no id, only the records have the whole id.
  const recorded = files
    .filter(({ path }) => madeIdOf(lastName(path)) === undefined)
    .map(async ({ path }) => ({ path, id: (await probeFile(path, system)).sessionId ?? '' }));
  return (await Promise.all(recorded)).filter(({ id }) => id.toLowerCase().startsWith(text));
}

function newestFirst(files: readonly SessionFile[]): readonly SessionFile[] {
  return [...files].sort((one, other) => other.modified - one.modified || (one.path < other.path ? -1 : 1));
}
