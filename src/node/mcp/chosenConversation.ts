import { isInFolder } from '../../core/finder/pathMapping';
import type { Transcript } from '../../core/model/transcript';
import { isDatabase } from '../index/fileState';
import { noneHere, whichOne } from './questions';

/** A session in a database. */
interface Stored {
  readonly thread: number;
  readonly id: string;
  readonly workingDirectory?: string | undefined;
  /** When its last request was sent; 0 if not recorded. */
  readonly last: number;
}

/** The sessions of a file in which an agent keeps all of its sessions, even if it is only one; otherwise none. */
export function storedIn(
  path: string,
  { conversations, requests, sessionId, workingDirectory }: Transcript,
): readonly Stored[] {
  const last = new Map<number, number>();
  for (const { thread, timestamp = 0 } of requests) {
    last.set(thread, Math.max(timestamp, last.get(thread) ?? 0));
  }
  const stored = conversations.flatMap(({ thread, session }) =>
    session === undefined ? [] : [{ ...session, thread, last: last.get(thread) ?? 0 }],
  );
  return stored.length === 0 && sessionId !== undefined && isDatabase(path)
    ? [{ thread: 0, id: sessionId, workingDirectory, last: last.get(0) ?? 0 }]
    : stored;
}

/**
 * The conversation of a session in its file, and its id. Only a file with several sessions leaves a choice: by the id, else
 * the only one of the folder that has been written since `started`, else the newest of the folder. Throws ToolError with a
 * question if there are several.
 * @param wanted the beginning of its id; undefined for the caller's
 */
export function chosenConversation(
  stored: readonly Stored[],
  wanted: string | undefined,
  { folders, started }: { readonly folders: readonly string[]; readonly started: number },
): { readonly conversation: number; readonly id?: string } {
  if (stored.length === 0) {
    return { conversation: 0 };
  }
  const fitting = stored.filter(({ id, workingDirectory }) =>
    wanted === undefined
      ? workingDirectory !== undefined && folders.some(folder => isInFolder(workingDirectory, folder))
      : id.toLowerCase().startsWith(wanted.toLowerCase()),
  );
  const written = wanted === undefined ? fitting.filter(each => each.last >= started) : fitting;
  if (written.length > 1) {
    throw whichOne(written.map(({ id }) => id));
  }
  const [chosen] = written.length === 1 ? written : fitting.toSorted((one, other) => other.last - one.last);
  if (chosen === undefined) {
    throw noneHere();
  }
  return { conversation: chosen.thread, id: chosen.id };
}
