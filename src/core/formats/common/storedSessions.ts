import { defined } from '../../base/defined';
import { groupBy } from '../../base/groupBy';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';

/** A session of a store with many sessions. Its thread is its index in the store. */
export interface StoredSession {
  readonly id: string;
  readonly title: string;
  readonly workingDirectory?: string | undefined;
  /** The id of the session that started it as a subagent. */
  readonly parent?: string | undefined;
}

/**
 * Adds the sessions that no other session of the store started, with the threads of their subagents if there are
 * several.
 */
export function addStored(builder: TranscriptBuilder, sessions: readonly StoredSession[]): void {
  const threads = new Map(sessions.map(({ id }, thread) => [id, thread]));
  /** Undefined if the session that started one of them is not in the store. */
  const rootOf = (thread: number): number | undefined => {
    let root: number | undefined = thread;
    // In a damaged store, sessions may have started each other.
    for (let steps = 0; root !== undefined && steps <= sessions.length; steps += 1) {
      const parent: string | undefined = sessions[root]?.parent;
      if (parent === undefined) {
        return root;
      }
      root = threads.get(parent);
    }
    return undefined;
  };
  const byRoot = groupBy(sessions.keys(), rootOf);
  const roots = sessions.flatMap(({ id, title, workingDirectory, parent }, thread) =>
    parent === undefined
      ? {
          thread,
          title,
          session: {
            id,
            ...defined({ workingDirectory }),
            subagents: (byRoot.get(thread) ?? []).filter(each => each !== thread),
          },
        }
      : [],
  );
  if (roots.length > 1) {
    builder.conversations.push(...roots);
  }
}
