import * as v from 'valibot';
import type { Described } from '../../src/core/base/schema';
import {
  type Grouping,
  type PageDetails,
  type PageMarks,
  type PageWeek,
  type SessionDeed,
  sessionsPage,
  type WelcomeDeed,
} from '../../src/protocol/sessionsPage';
import { connectHost, type VsCodeApi } from '../state/host';
import { keepView } from '../state/persistence';
import { createStore, type Store } from '../state/store';
import type { SessionList } from './treeItems';

const viewSchema = v.object({
  query: v.fallback(v.string(), ''),
  /** Groups that the user has opened or closed, by key. */
  opened: v.fallback(v.record(v.string(), v.boolean()), {}),
  /** The key of the active line. */
  active: v.fallback(v.optional(v.string()), undefined),
  scroll: v.fallback(v.pipe(v.number(), v.finite(), v.minValue(0)), 0),
});

/** The state that is kept when the view is hidden or the window reloaded. */
export type SessionsViewState = Described<typeof viewSchema>;

export interface SessionsState {
  /** Undefined before the first list. */
  readonly list: SessionList | undefined;
  readonly grouping: Grouping;
  /** The facts read from sessions so far, by number. */
  readonly details: ReadonlyMap<number, PageDetails>;
  /** The index's facts about the sessions, by number, and about this week. */
  readonly marks: ReadonlyMap<number, PageMarks>;
  readonly week: PageWeek | undefined;
  /** The number of titles that a search still waits for. */
  readonly left: number;
  readonly view: SessionsViewState;
}

/** The page's state and its actions. */
export interface Sessions {
  readonly store: Store<SessionsState>;
  readonly changeView: (change: Partial<SessionsViewState>) => void;
  readonly showUsage: () => void;
  readonly group: (grouping: Grouping) => void;
  readonly act: (id: number, deed: SessionDeed) => void;
  readonly welcome: (deed: WelcomeDeed) => void;
  readonly look: (ids: readonly number[]) => void;
  readonly drop: (uris: readonly string[]) => void;
}

export function createSessions(api: VsCodeApi): Sessions {
  const saved = v.safeParse(viewSchema, api.getState());
  const store = createStore<SessionsState>({
    list: undefined,
    grouping: 'recent',
    details: new Map(),
    marks: new Map(),
    week: undefined,
    left: 0,
    view: saved.success ? saved.output : v.parse(viewSchema, {}),
  });
  keepView(api, store, ['scroll']);
  /** The user's choice in this page. A list that was sent before it has the former one. */
  let chosen: Grouping | undefined;
  const { act } = connectHost(api, sessionsPage, news => {
    switch (news.type) {
      case 'list':
        store.update(state => ({ ...state, list: news, grouping: chosen ?? news.grouping }));
        break;
      case 'details':
        store.update(state => {
          const details = new Map(state.details);
          news.details.forEach(each => details.set(each.id, each));
          return { ...state, details, left: news.left };
        });
        break;
      case 'marks':
        store.update(state => ({
          ...state,
          marks: new Map(news.marks.map(each => [each.id, each])),
          week: news.week,
        }));
        break;
    }
  });
  return {
    store,
    changeView: change => store.update(state => ({ ...state, view: { ...state.view, ...change } })),
    showUsage: () => act({ kind: 'usage' }),
    group: grouping => {
      chosen = grouping;
      store.update(state => ({ ...state, grouping }));
      act({ kind: 'group', grouping });
    },
    act: (id, deed) => act({ kind: 'session', id, deed }),
    welcome: deed => act({ kind: 'welcome', deed }),
    look: ids => act({ kind: 'look', ids, all: store.get().view.query.trim() !== '' }),
    drop: uris => act({ kind: 'drop', uris }),
  };
}
