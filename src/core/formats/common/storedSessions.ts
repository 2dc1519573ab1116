import { defined } from '../../base/defined';
import { groupBy } from '../../base/groupBy';
import type { TranscriptBuilder } from '../../content/transcriptBuilder';

/** A session of a store that holds many; its thread is its place among them. */
export interface StoredSession {
  readonly id: string;
  readonly title: string;
  readonly workingDirectory?: string | undefined;
  /** The id of the session that started it as its subagent. */
  readonly parent?: string | undefined;
}

/** Adds the sessions of a store that no other one started, with the threads of their subagents, where there are several. */
export function addStored(builder: TranscriptBuilder, sessions: readonly StoredSession[]): void {
  const threads = new Map(sessions.map(({ id }, thread) => [id, thread]));
  /** Undefined where the session that started one is not in the store. */
  const rootOf = (thread: number): number | undefined => {
    let root: number | undefined = thread;
    // A damaged store may have sessions that started each other.
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
