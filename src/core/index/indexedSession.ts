import * as v from 'valibot';
import { defined } from '../base/defined';
import { entryOf } from '../base/entryOf';
import { type Described, maybeNumber, texts } from '../base/schema';
import { billing } from '../model/billing';
import { quotaWindow } from '../model/quota';
import { ruleCount } from './ruleCount';

/** The facts about a file in the index. All texts have passed the gate. An empty text is unknown. */
export const indexedSession = v.strictObject({
  ...texts('id', 'agent', 'project', 'branch', 'title'),
  /** If the project is a worktree: the folder of its repository. */
  repository: v.exactOptional(v.string()),
  /** The id of the session that started this one as a subagent. */
  parent: v.string(),
  /** If the file has several sessions: these sessions, and the requests of each in the table. */
  several: v.exactOptional(
    v.strictObject({
      sessions: v.array(
        v.strictObject({
          ...texts('id', 'project', 'title'),
          repository: v.exactOptional(v.string()),
          threads: v.array(v.number()),
        }),
      ),
      /** Consecutive runs: the index in `sessions`, and the number of the request after the run. */
      runs: v.array(v.strictObject({ session: v.number(), end: v.number() })),
    }),
  ),
  /** The version of each number in the table of requests. */
  versions: v.array(v.string()),
  /** The model of each number in the table of requests. */
  models: v.array(v.string()),
  /** The billings that the table of requests refers to; absent if there are none. */
  billings: v.exactOptional(v.array(billing)),
  /** Facts about the main conversation; absent if there is no request. */
  main: v.exactOptional(
    v.strictObject({
      requests: v.number(),
      /** The model of the newest request. */
      model: v.string(),
      /** The newest request with recorded input: its tokens, and the session's evidence about its window. */
      newest: v.exactOptional(
        v.strictObject({
          ...texts('model'),
          tokens: v.number(),
          recorded: v.exactOptional(
            v.strictObject({ tokens: v.number(), source: v.picklist(['transcript', 'header']) }),
          ),
          largest: v.number(),
          compacted: v.array(v.number()),
        }),
      ),
    }),
  ),
  /** See `Transcript.quotaWindows`; absent if there are none. */
  quotaWindows: v.exactOptional(v.array(quotaWindow)),
  /** See `sessionTimes`. */
  began: maybeNumber,
  ended: maybeNumber,
  /** Findings in the texts; absent if the file was read only for its usage. */
  findings: v.exactOptional(v.array(ruleCount)),
});
export type IndexedSession = Described<typeof indexedSession>;

/** The sessions of a file with several, by their threads. A search needs them for each block. */
const sessionsByThread = new WeakMap<IndexedSession, ReadonlyMap<number, IndexedSession>>();

/** The session of a thread in a file. */
export function sessionOfThread(file: IndexedSession, thread: number): IndexedSession {
  const byThread = entryOf(
    sessionsByThread,
    file,
    () =>
      new Map(
        file.several?.sessions.flatMap(own => {
          const session = partOf(file, own);
          return own.threads.map(each => [each, session] as const);
        }),
      ),
  );
  return byThread.get(thread) ?? file;
}

/** The requests of a file by session, in the order of the table. */
export function runsOf(
  file: IndexedSession,
  count: number,
): readonly { readonly session: IndexedSession; readonly thread: number; readonly end: number }[] {
  const { sessions = [], runs = [{ session: 0, end: count }] } = file.several ?? {};
  return runs.map(({ session, end }) => {
    const own = sessions[session];
    return own === undefined
      ? { session: file, thread: 0, end }
      : { session: partOf(file, own), thread: own.threads[0] ?? 0, end };
  });
}

export type SessionPart = NonNullable<IndexedSession['several']>['sessions'][number];

function partOf(file: IndexedSession, { id, project, repository, title }: SessionPart): IndexedSession {
  if (project === '') {
    return { ...file, id, title };
  }
  const { repository: _, ...rest } = file;
  return { ...rest, id, title, project, ...defined({ repository }) };
}

/** The project that a session belongs to: a worktree is a part of its repository. */
export const projectOf = ({ project, repository }: Pick<IndexedSession, 'project' | 'repository'>): string =>
  repository ?? project;

/** Names the session of a file: its own, or that of the subagent's parent. */
export const sessionRoot = ({ agent, id, parent }: IndexedSession): string =>
  `${agent} ${parent === '' ? id : parent}`;
