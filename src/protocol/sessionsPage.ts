import * as v from 'valibot';
import type { SessionDescription, SessionUsage } from '../core/finder/sessionDescription';
import type { SessionMarks } from '../core/index/sessionMarks';
import type { WeekUsage } from './indexService';
import { fromHost, type FromPage, type PageContract, type ToPage } from './page';
import { count, type Described } from './schema';

/** How the list of sessions is grouped. */
export const groupings = ['recent', 'project', 'agent'] as const;
export type Grouping = (typeof groupings)[number];

/** What a person can do with a session of the list. */
export const sessionDeeds = ['open', 'openToSide', 'openAsText', 'reveal', 'copyPath'] as const;
export type SessionDeed = (typeof sessionDeeds)[number];

/** What the buttons of an empty list do. */
export const welcomeDeeds = ['openTranscript', 'openExample', 'addFolders'] as const;
export type WelcomeDeed = (typeof welcomeDeeds)[number];

/** More sessions at once than any screen shows. */
const mostInView = 500;
/** Dropping more files at once is probably a mistake. */
export const mostDropped = 10;

/** Acts of the user in the page that only the host can carry out. */
const acts = v.variant('kind', [
  /** These sessions are in view; with `all`, every session is wanted, for a search. */
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

/** A session as it is known without opening its file. */
export interface PageSession {
  /** The same in each list. */
  readonly id: number;
  /** Indexes into the lists of the message. */
  readonly agent: number;
  readonly project: number;
  readonly isHere: boolean;
  /** When it was last written, in milliseconds since 1970. */
  readonly time: number;
}

export interface PageProject {
  readonly key: string;
  readonly name: string;
  /** Whether the name is that of the folder where the agent worked. */
  readonly isFolder: boolean;
}

/** The member of a row's menu context that names the session. */
export const sessionIdMember = 'sessionId';

/** What was read of a session. */
export interface PageDetails {
  readonly id: number;
  readonly description?: SessionDescription | undefined;
  readonly usage?: SessionUsage | undefined;
  /** Says where its folder is here, if that is not where the session says. */
  readonly origin?: string | undefined;
  /** What a drag carries: the address, and the same with its editor, as VS Code reads it. Absent if the gate takes out part. */
  readonly drag?: { readonly uri: string; readonly editors: string } | undefined;
}

/** What the index over all sessions found in one; at least one count is not 0. */
export interface PageMarks extends SessionMarks {
  readonly id: number;
}

/** What all sessions used in the last seven days, as the page Usage sums it. */
export interface PageWeek extends Omit<WeekUsage, 'since'> {
  /** Sessions that were written to since the index was brought up to date: the sums lack what is new in them. */
  readonly unread: number;
}

const news = v.variant('type', [
  v.object({
    type: v.literal('list'),
    /** Newest first. */
    sessions: fromHost<readonly PageSession[]>(),
    agents: fromHost<readonly string[]>(),
    projects: fromHost<readonly PageProject[]>(),
    grouping: v.picklist(groupings),
  }),
  /** `left`: how many sessions a search still waits for. */
  v.object({ type: v.literal('details'), details: fromHost<readonly PageDetails[]>(), left: count }),
  /** What is known of all listed sessions; without `week` the index is not there, or was not read yet. */
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
