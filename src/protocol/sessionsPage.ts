import * as v from 'valibot';
import type { SessionDescription, SessionUsage } from '../core/finder/sessionDescription';
import type { SessionMarks } from '../core/index/sessionMarks';
import type { WeekUsage } from './indexService';
import { fromHost, type FromPage, type PageContract, type ToPage } from './page';
import { count, type Described } from './schema';

/** How the list of sessions is grouped. */
export const groupings = ['recent', 'project', 'agent'] as const;
export type Grouping = (typeof groupings)[number];

/** The actions for a session of the list. */
export const sessionDeeds = ['open', 'openToSide', 'openAsText', 'reveal', 'copyPath'] as const;
export type SessionDeed = (typeof sessionDeeds)[number];

/** The actions of the buttons in an empty list. */
export const welcomeDeeds = ['openTranscript', 'openExample', 'addFolders'] as const;
export type WelcomeDeed = (typeof welcomeDeeds)[number];

/** More sessions at once than any screen shows. */
const mostInView = 500;
/** Dropping more files at once is probably a mistake. */
export const mostDropped = 10;

/** User actions in the page that only the host can carry out. */
const acts = v.variant('kind', [
  /** The visible sessions. With `all`, every session is needed, for a search. */
  v.strictObject({
    kind: v.literal('look'),
    ids: v.pipe(v.array(count), v.maxLength(mostInView)),
    all: v.boolean(),
  }),
  v.strictObject({ kind: v.literal('session'), id: count, deed: v.picklist(sessionDeeds) }),
  v.strictObject({ kind: v.literal('welcome'), deed: v.picklist(welcomeDeeds) }),
  /** Opens the page with the usage of all sessions. */
  v.strictObject({ kind: v.literal('usage') }),
  v.strictObject({ kind: v.literal('group'), grouping: v.picklist(groupings) }),
  /** Addresses of files that were dropped on the list. */
  v.strictObject({ kind: v.literal('drop'), uris: v.pipe(v.array(v.string()), v.maxLength(mostDropped)) }),
]);
export type SessionsAct = Described<typeof acts>;

/** The facts about a session that are known without opening its file. */
export interface PageSession {
  /** The same number in each list. */
  readonly id: number;
  /** Indexes into the lists of the message. */
  readonly agent: number;
  readonly project: number;
  /** The name of the worktree in which the agent worked. */
  readonly worktree?: string;
  readonly isHere: boolean;
  /** See `lastUsed`; milliseconds since 1970. The file's time until the session has been read. */
  readonly time: number;
  /** Time of the last write, in milliseconds since 1970. */
  readonly written: number;
}

export interface PageProject {
  readonly key: string;
  readonly name: string;
  /** True if the name is that of the folder where the agent worked. */
  readonly isFolder: boolean;
}

/** The member of a row's menu context that names the session. */
export const sessionIdMember = 'sessionId';

/** The facts read from a session. */
export interface PageDetails {
  readonly id: number;
  readonly description?: SessionDescription | undefined;
  readonly usage?: SessionUsage | undefined;
  /** A sentence about the place of its folder on this machine, if it is not the recorded one. */
  readonly origin?: string | undefined;
  /**
   * The data of a drag: the address, and the address with its editor in VS Code's format. Absent if the gate would
   * remove a part.
   */
  readonly drag?: { readonly uri: string; readonly editors: string } | undefined;
}

/** The index's findings for a session. At least one count is not 0. */
export interface PageMarks extends SessionMarks {
  readonly id: number;
}

/** The usage of all sessions in the last seven days, summed like on the Usage page. */
export interface PageWeek extends Omit<WeekUsage, 'since'> {
  /** Number of sessions written since the index was brought up to date. The sums lack their new requests. */
  readonly unread: number;
}

const news = v.variant('type', [
  v.object({
    type: v.literal('list'),
    /** The last used first. */
    sessions: fromHost<readonly PageSession[]>(),
    agents: fromHost<readonly string[]>(),
    projects: fromHost<readonly PageProject[]>(),
    grouping: v.picklist(groupings),
  }),
  /** `left`: number of sessions that a search still waits for. */
  v.object({ type: v.literal('details'), details: fromHost<readonly PageDetails[]>(), left: count }),
  /** The index's facts about all listed sessions. Without `week`, there is no index, or it was not read yet. */
  v.object({
    type: v.literal('marks'),
    marks: fromHost<readonly PageMarks[]>(),
    week: v.exactOptional(fromHost<PageWeek | undefined>()),
  }),
]);

/** The page with the list of sessions. */
export const sessionsPage = { questions: {}, acts, news } as const satisfies PageContract;
export type FromSessionsPage = FromPage<typeof sessionsPage>;
export type ToSessionsPage = ToPage<typeof sessionsPage>;
