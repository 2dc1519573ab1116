import { defaultPruneOptions } from '../../src/core/model/pruneConfig';
import { inspectorPage } from '../../src/protocol/inspectorPage';
import { createTheme } from '../drawing/theme';
import { settle } from './answerState';
import { noAsks } from './asks';
import { noFind } from './findState';
import { watchFirstSteps } from './firstSteps';
import { connectHost, type VsCodeApi } from './host';
import type { AppState, Inspector } from './inspector';
import { insightsAsker } from './insights';
import { closedLook } from './lookState';
import { Navigation } from './navigation';
import { keepView } from './persistence';
import { firstPruneOpening, pruneOpeningAfter } from './pruneOpening';
import { receiveWith } from './receiving';
import { createStore, type Store } from './store';
import { changedView, parseViewState } from './viewState';

/** The state of a page that has received nothing yet. */
export const firstState = (view: AppState['view']): AppState => ({
  page: { kind: 'waiting' },
  progress: undefined,
  cache: { kind: 'waiting' },
  insights: { kind: 'waiting' },
  look: closedLook,
  asks: noAsks,
  find: noFind,
  parent: undefined,
  notice: undefined,
  keysShown: false,
  scale: undefined,
  settings: defaultPruneOptions(),
  hiddenWaste: [],
  pruneOpening: firstPruneOpening(view),
  leftForBest: undefined,
  view,
});

export function createInspector(api: VsCodeApi): Inspector {
  const view = parseViewState(api.getState());
  const store = createStore(firstState(view));
  const hasColours = api.getState() !== undefined;
  keepView(api, store, ['layoutScroll', 'tableScroll']);
  const set = (change: Partial<AppState>): void => store.update(state => ({ ...state, ...change }));
  const notify = (notice: string | undefined): void => set({ notice });
  const changeView: Inspector['changeView'] = change =>
    store.update(state => ({
      ...state,
      pruneOpening: pruneOpeningAfter(state.pruneOpening, change),
      view: changedView(state.view, change),
    }));
  const act: Inspector['act'] = each => host.act(each);
  const navigation = new Navigation({ store, changeView, act, notify });
  const askCacheReport = cacheReportAsker(store, question => host.ask(question));
  const askInsights = insightsAsker(store, question => host.ask(question), act);
  const receive = receiveWith({ store, navigation, hasColours, askCacheReport, askInsights });
  const host = connectHost(api, inspectorPage, receive, notify);
  watchFirstSteps(store, step => act({ kind: 'step', step }));

  return {
    store,
    theme: createTheme(),
    changeView,
    copyLink: () => navigation.copyLink(),
    showKeys: keysShown => set({ keysShown }),
    exportView: form => navigation.exportView(form),
    askModel: ask => act({ kind: 'askModel', ask }),
    changeDraft: change =>
      store.update(state => ({
        ...state,
        asks: { ...state.asks, draft: { ...state.asks.draft, ...change } },
      })),
    chooseColours: mode => {
      changeView({ colourMode: mode });
      act({ kind: 'chooseColours', mode });
    },
    stayAtRequest: () => set({ pruneOpening: 'never' }),
    noteScale: scale => {
      if (store.get().scale !== scale) {
        set({ scale });
      }
    },
    fitScale: () =>
      store.update(state => ({
        ...state,
        scale: undefined,
        view: changedView(state.view, { rowTokens: undefined }),
      })),
    act: each => {
      if (each.kind === 'retry') {
        set({ page: { kind: 'waiting' } });
      }
      act(each);
    },
    ask: host.ask,
    dismissNotice: () => notify(undefined),
  };
}

/** Asks for the cache report of the session in view. Only the newest report is shown. */
function cacheReportAsker(store: Store<AppState>, ask: Inspector['ask']): () => void {
  let last = 0;
  const askAgain = (): void => {
    last += 1;
    const number = last;
    const show = (cache: AppState['cache']): void => {
      if (number === last && store.get().page.kind === 'session') {
        store.update(state => ({ ...state, cache }));
      }
    };
    const retry = (): void => {
      show({ kind: 'waiting' });
      askAgain();
    };
    settle(ask({ name: 'cacheReport', params: {} }), retry, show);
  };
  return askAgain;
}
