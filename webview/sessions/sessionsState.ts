import * as v from 'valibot';
import type { Described } from '../../src/core/base/schema';
import type {
  FromSessionsPage,
  Grouping,
  PageDetails,
  PageMarks,
  PageWeek,
  SessionDeed,
  ToSessionsPage,
  WelcomeDeed,
} from '../../src/protocol/sessionsPage';
import { onHostMessage } from '../state/hostMessages';
import { createStore, type Store } from '../state/store';
import type { VsCodeApi } from '../vscodeApi';
import type { SessionList } from './treeItems';

/** Saves at most so often while the user scrolls. */
const saveMilliseconds = 150;

const viewSchema = v.object({
  query: v.fallback(v.string(), ''),
  /** Groups that the user has opened or closed, by key. */
  opened: v.fallback(v.record(v.string(), v.boolean()), {}),
  /** The key of the line that keys act on. */
  active: v.fallback(v.optional(v.string()), undefined),
  scroll: v.fallback(v.pipe(v.number(), v.finite(), v.minValue(0)), 0),
});

/** What survives that the view is hidden or the window reloaded. */
export type SessionsViewState = Described<typeof viewSchema>;

export interface SessionsState {
  /** Undefined until the first list has come. */
  readonly list: SessionList | undefined;
  readonly grouping: Grouping;
  /** What was read of sessions so far, by number. */
  readonly details: ReadonlyMap<number, PageDetails>;
  /** What the index over all sessions knows of them, by number, and of this week. */
  readonly marks: ReadonlyMap<number, PageMarks>;
  readonly week: PageWeek | undefined;
  /** How many titles a search still waits for. */
  readonly left: number;
  readonly view: SessionsViewState;
}

/** The page's state and what it can do. */
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

export function createSessions(api: VsCodeApi<FromSessionsPage>): Sessions {
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
  let saving: number | undefined;
  const save = (): void => {
    window.clearTimeout(saving);
    saving = undefined;
    api.setState(store.get().view);
  };
  const receive = (message: ToSessionsPage): void => {
    switch (message.type) {
      case 'list':
        store.update(state => ({ ...state, list: message, grouping: message.grouping }));
        break;
      case 'details':
        store.update(state => {
          const details = new Map(state.details);
          message.details.forEach(each => details.set(each.id, each));
          return { ...state, details, left: message.left };
        });
        break;
      case 'marks':
        store.update(state => ({
          ...state,
          marks: new Map(message.marks.map(each => [each.id, each])),
          week: message.week,
        }));
        break;
    }
  };
  onHostMessage<ToSessionsPage>({ list: true, details: true, marks: true }, receive);
  api.postMessage({ type: 'ready' });
  return {
    store,
    changeView: change => {
      store.update(state => ({ ...state, view: { ...state.view, ...change } }));
      // A hidden page is thrown away without a further turn of the event loop: only scrolling may wait.
      if ('scroll' in change) {
        saving ??= window.setTimeout(save, saveMilliseconds);
      } else {
        save();
      }
    },
    showUsage: () => api.postMessage({ type: 'usage' }),
    group: grouping => {
      store.update(state => ({ ...state, grouping }));
      api.postMessage({ type: 'group', grouping });
    },
    act: (id, deed) => api.postMessage({ type: 'session', id, deed }),
    welcome: deed => api.postMessage({ type: 'welcome', deed }),
    look: ids => api.postMessage({ type: 'look', ids, all: store.get().view.query.trim() !== '' }),
    drop: uris => api.postMessage({ type: 'drop', uris }),
  };
}
