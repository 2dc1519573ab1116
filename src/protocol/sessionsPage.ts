import * as v from 'valibot';
import type { SessionDescription, SessionUsage } from '../core/finder/sessionDescription';
import type { SessionMarks } from '../core/index/sessionMarks';
import type { WeekUsage } from './indexService';
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

/** Messages of the page with the list of sessions. */
export const fromSessionsPage = v.variant('type', [
  v.strictObject({ type: v.literal('ready') }),
  /** These sessions are in view; with `all`, every session is wanted, for a search. */
  v.strictObject({
    type: v.literal('look'),
    ids: v.pipe(v.array(count), v.maxLength(mostInView)),
    all: v.boolean(),
  }),
  v.strictObject({ type: v.literal('session'), id: count, deed: v.picklist(sessionDeeds) }),
  v.strictObject({ type: v.literal('welcome'), deed: v.picklist(welcomeDeeds) }),
  /** Opens the page with the usage of all sessions. */
  v.strictObject({ type: v.literal('usage') }),
  v.strictObject({ type: v.literal('group'), grouping: v.picklist(groupings) }),
  /** Addresses of files that were dropped on the list. */
  v.strictObject({ type: v.literal('drop'), uris: v.pipe(v.array(v.string()), v.maxLength(mostDropped)) }),
]);
export type FromSessionsPage = Described<typeof fromSessionsPage>;

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

/** Messages to the page. All texts have passed the gate. */
export type ToSessionsPage =
  | {
      readonly type: 'list';
      /** Newest first. */
      readonly sessions: readonly PageSession[];
      readonly agents: readonly string[];
      readonly projects: readonly PageProject[];
      readonly grouping: Grouping;
    }
  /** `left`: how many sessions a search still waits for. */
  | { readonly type: 'details'; readonly details: readonly PageDetails[]; readonly left: number }
  /** What is known of all listed sessions; without `week` the index is not there, or was not read yet. */
  | { readonly type: 'marks'; readonly marks: readonly PageMarks[]; readonly week?: PageWeek | undefined };
