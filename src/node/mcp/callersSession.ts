import { open, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { sessionPlaces } from '../../core/finder/agentLocations';
import { sessionIdOf } from '../../core/finder/sessionId';
import { listSessions, type SessionFile } from '../../core/finder/sessionList';
import { describeAge } from '../../core/finder/sessionText';
import { ToolError } from '../../core/contextTools/contextTool';
import { recorded } from '../../core/contextTools/recordedText';
import { isDatabase } from '../index/fileState';
import { allSessionFiles, type NamedSession, newestSession, sessionsWithId } from '../sessions/findSession';
import { localFilesNow } from '../sessions/sessionFiles';
import { SessionFinder } from '../sessions/sessionFinder';
import { storedSessionsWithId } from '../sessions/storedSessions';
import { thisMachine } from '../thisMachine';
import type { CallIds } from './callIds';
import { type AnsweredPlaces, folderRule, howToAllow } from './folderRule';
import { mostListed, noneHere, whichOne } from './questions';

/** The agent that started the server, as far as the server knows it. */
export interface Caller extends AnsweredPlaces {
  /** When it started the server, in milliseconds since 1970: its session has been written since. */
  readonly started: number;
  /** The name that it gave, such as `claude-code`; empty if it gave none. */
  readonly client: string;
  readonly ids: CallIds;
}

/** A file, and the id of the session if the file has several. */
export interface FoundSession {
  readonly path: string;
  readonly id: string;
}

/** The possible form of an id, or of the beginning of one. */
const idLike = /^[\w-]{4,100}$/;
/** The end of a session in which the call is looked for, in bytes. */
const tailBytes = 1 << 20;

/** The session of the caller's folders whose id begins like this. Throws ToolError. */
export async function sessionNamed(id: string, places: AnsweredPlaces): Promise<FoundSession> {
  if (!idLike.test(id)) {
    throw new ToolError('session: give the id of a session, or its beginning. Paths are not read.');
  }
  const files = await allSessionFiles(places.added(), places.folders);
  const named = await sessionsWithId(id, files);
  const all = named.length > 0 ? named : await storedSessionsWithId(id, files);
  const found = await ofFolders(all, files, places);
  const [first] = found;
  if (first === undefined) {
    throw all.length > 0
      ? new ToolError(`This session is of another folder, and is not read. ${howToAllow}`)
      : new ToolError('No session has an id that begins like this.');
  }
  if (found.some(other => other.id !== first.id)) {
    const ids = found.slice(0, mostListed).map(other => recorded(other.id));
    throw new ToolError(`${found.length} sessions have an id that begins like this: ${ids.join(', ')}.`);
  }
  return expectOwn(first, places);
}

/** Those of the named sessions that the caller may be told of. */
async function ofFolders(
  named: readonly NamedSession[],
  files: readonly SessionFile[],
  places: AnsweredPlaces,
): Promise<readonly NamedSession[]> {
  const isOwn = folderRule(places);
  const byPath = new Map(files.map(file => [file.path, file]));
  const found = await Promise.all(
    named.map(async ({ path, project }) => {
      const file = byPath.get(path);
      return file !== undefined && (await isOwn(file, project));
    }),
  );
  return named.filter((_, index) => found[index]);
}

/**
 * The session of the caller: the one whose id came with the call, else the one that holds the id of the call, else the one
 * that started the server, else the only one of its agent and folder that has been written since then, else the newest of
 * the folder. Throws ToolError if there is none, or a question if there are several.
 */
export async function sessionOfCaller(caller: Caller): Promise<FoundSession> {
  const { folders, started, ids } = caller;
  const added = caller.added();
  const places = sessionPlaces(thisMachine(), folders, added);
  const finder = new SessionFinder(localFilesNow());
  const all = ofClient(await finder.list(places), caller);
  const files = all.filter(({ path, modified }) => modified >= started || isDatabase(path));
  const named =
    withAnyId(all, ids.sessions) ?? (await holdingAny(files, ids.calls)) ?? withAnyId(all, ids.startedBy);
  if (named !== undefined) {
    return expectOwn({ path: named.path, id: sessionIdOf(named.path) }, caller);
  }
  await finder.learn(files, places, folders);
  const { sessions } = listSessions(files, folders, file => finder.factsOf(file), added);
  const isOwn = folderRule(caller);
  const areOwn = await Promise.all(
    sessions.map(async ({ file, isHere }) => isDatabase(file.path) || (isHere && (await isOwn(file)))),
  );
  const here = sessions.filter((_, index) => areOwn[index]).map(({ file }) => file);
  const [first, second] = here;
  if (first !== undefined && second === undefined) {
    return expectOwn({ path: first.path, id: sessionIdOf(first.path) }, caller);
  }
  if (first !== undefined) {
    const now = Date.now();
    throw whichOne(
      here.map(
        ({ path, agent, modified }) => `${sessionIdOf(path)} (${agent}, ${describeAge(now, modified)})`,
      ),
    );
  }
  const newest = await newestSession(folders, added);
  if (newest === undefined || !(await isOwn(newest.file))) {
    throw noneHere();
  }
  return expectOwn({ path: newest.file.path, id: sessionIdOf(newest.file.path) }, caller);
}

/** The files of the client's agent; all but databases if no agent has its name. */
function ofClient(files: readonly SessionFile[], { client }: Caller): readonly SessionFile[] {
  const name = lettersOf(client);
  const own = files.filter(({ agent }) => name !== '' && name.includes(lettersOf(agent)));
  return own.length > 0 ? own : files.filter(({ path }) => !isDatabase(path));
}

const lettersOf = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');

/** The session with the first of the ids that one has. */
function withAnyId(files: readonly SessionFile[], ids: readonly string[]): SessionFile | undefined {
  const byId = new Map(files.map(file => [sessionIdOf(file.path), file]));
  return ids.map(id => byId.get(id)).find(file => file !== undefined);
}

/** The only session whose end holds one of the ids. */
async function holdingAny(
  files: readonly SessionFile[],
  ids: readonly string[],
): Promise<SessionFile | undefined> {
  const searched = ids.length === 0 ? [] : files.filter(({ path }) => !isDatabase(path));
  const tails = await Promise.all(searched.map(tailOf));
  const holding = searched.filter((_, index) => ids.some(id => tails[index]?.includes(id)));
  return holding.length === 1 ? holding[0] : undefined;
}

async function tailOf({ path, size }: SessionFile): Promise<string> {
  const file = await open(path);
  try {
    const length = Math.min(size, tailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, size - length);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Refuses a link that leads out of the agents' folders, and the file of another user. */
async function expectOwn<Place extends FoundSession>(
  place: Place,
  places: Pick<AnsweredPlaces, 'folders' | 'added'>,
): Promise<Place> {
  const refusal = await (await refusals(places))(place.path);
  if (refusal !== undefined) {
    throw new ToolError(refusal);
  }
  return place;
}

/** The sessions that may be read: those for which there is no refusal. */
export async function ownSessions<File extends Pick<SessionFile, 'path'>>(
  files: readonly File[],
  places: Pick<AnsweredPlaces, 'folders' | 'added'>,
): Promise<readonly File[]> {
  const refusalOf = await refusals(places);
  const found = await Promise.all(
    // A file that is gone by now is not read either.
    files.map(({ path }) => refusalOf(path).catch(() => 'gone')),
  );
  return files.filter((_, index) => found[index] === undefined);
}

/** Says why a file is not read; undefined if it is. */
async function refusals({
  folders,
  added,
}: Pick<AnsweredPlaces, 'folders' | 'added'>): Promise<(path: string) => Promise<string | undefined>> {
  const places = sessionPlaces(thisMachine(), folders, added());
  const roots = await Promise.all(places.map(({ root }) => realpath(root).catch(() => root)));
  return async path => {
    const [real, { uid }] = await Promise.all([realpath(path), stat(path)]);
    if (!roots.some(root => real.startsWith(`${root}${sep}`))) {
      return 'This session is a link out of the agents’ folders, and is not read.';
    }
    return process.getuid !== undefined && uid !== process.getuid()
      ? 'This session belongs to another user, and is not read.'
      : undefined;
  };
}
