import * as v from 'valibot';
import { entryOf } from '../base/entryOf';
import { type Described, maybeNumber, texts } from '../base/schema';
import { ruleCount } from './ruleCount';

/** What the index says of a file. All texts have passed the gate, and an empty one is not known. */
export const indexedSession = v.strictObject({
  ...texts('id', 'agent', 'project', 'branch', 'title'),
  /** The id of the session that started this one as its subagent. */
  parent: v.string(),
  /** Where the file holds several sessions: those, and which requests of the table are of which. */
  several: v.exactOptional(
    v.strictObject({
      sessions: v.array(v.strictObject({ ...texts('id', 'project', 'title'), threads: v.array(v.number()) })),
      /** One after another: the place among `sessions`, and the number of the request that the run ends before. */
      runs: v.array(v.strictObject({ session: v.number(), end: v.number() })),
    }),
  ),
  /** The model of each number in the table of requests. */
  models: v.array(v.string()),
  /** Of the main conversation; absent where there is no request. */
  main: v.exactOptional(
    v.strictObject({
      requests: v.number(),
      /** The model of the newest request. */
      model: v.string(),
      /** The newest request whose input is recorded: its tokens, and what the session shows of its window. */
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
  /** See `sessionTimes`. */
  began: maybeNumber,
  ended: maybeNumber,
  /** What was found in its texts; absent where it was read for its usage alone. */
  findings: v.exactOptional(v.array(ruleCount)),
});
export type IndexedSession = Described<typeof indexedSession>;

/** The sessions of a file that holds several, by their threads: a search asks for that of each block. */
const sessionsByThread = new WeakMap<IndexedSession, ReadonlyMap<number, IndexedSession>>();

/** The session of a file that a thread belongs to. */
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

/** The requests of a file by the session that they are of, in the order of the table. */
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

const partOf = (file: IndexedSession, { id, project, title }: SessionPart): IndexedSession => ({
  ...file,
  id,
  title,
  project: project === '' ? file.project : project,
});
