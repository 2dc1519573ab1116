import { isInFolder } from '../../core/finder/pathMapping';
import type { Transcript } from '../../core/model/transcript';
import { ToolError } from '../../core/contextTools/contextTool';

/** Sessions that a question lists. */
const mostListed = 5;

/** A session in a file with several. */
interface Stored {
  readonly thread: number;
  readonly id: string;
  readonly isHere: boolean;
  /** When its last request was sent; 0 if not recorded. */
  readonly last: number;
}

/**
 * The conversation of a session in its file, and its id. Only a file with several sessions leaves a choice: by the id, else
 * the only one of the folder that has been written since `started`, else the newest of the folder. Throws ToolError with a
 * question if there are several.
 * @param wanted the beginning of its id; undefined for the caller's
 */
export function chosenConversation(
  { conversations, requests }: Pick<Transcript, 'conversations' | 'requests'>,
  wanted: string | undefined,
  { folder, started }: { readonly folder: string; readonly started: number },
): { readonly conversation: number; readonly id?: string } {
  const last = new Map<number, number>();
  for (const { thread, timestamp = 0 } of requests) {
    last.set(thread, Math.max(timestamp, last.get(thread) ?? 0));
  }
  const stored = conversations.flatMap(({ thread, session }): readonly Stored[] =>
    session === undefined
      ? []
      : [
          {
            thread,
            id: session.id,
            isHere: session.workingDirectory !== undefined && isInFolder(session.workingDirectory, folder),
            last: last.get(thread) ?? 0,
          },
        ],
  );
  if (stored.length === 0) {
    return { conversation: 0 };
  }
  const fitting =
    wanted === undefined
      ? stored.filter(({ isHere }) => isHere)
      : stored.filter(({ id }) => id.toLowerCase().startsWith(wanted.toLowerCase()));
  const written = wanted === undefined ? fitting.filter(each => each.last >= started) : fitting;
  if (written.length > 1) {
    const ids = written.slice(0, mostListed).map(({ id }) => id);
    throw new ToolError(
      `${written.length} sessions are being written in this folder. Which one is yours? Name it: session. ${ids.join('; ')}`,
    );
  }
  const [chosen] = written.length === 1 ? written : fitting.toSorted((one, other) => other.last - one.last);
  if (chosen === undefined) {
    throw new ToolError('No agent has a session in this folder. Name one: session.');
  }
  return { conversation: chosen.thread, id: chosen.id };
}
