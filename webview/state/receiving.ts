import { changedMembers, type PruneOptions } from '../../src/core/model/pruneConfig';
import { applyUpdate } from '../../src/protocol/columnUpdate';
import type { InspectorNews } from '../../src/protocol/inspectorPage';
import { unpackColumns } from '../../src/protocol/packedColumns';
import { afterNews } from './asks';
import type { AppState, SessionInView } from './inspector';
import type { Navigation } from './navigation';
import type { Store } from './store';
import type { ViewState } from './viewState';

export interface ReceivingTools {
  readonly store: Store<AppState>;
  readonly navigation: Navigation;
  /** True if the page is restored with its own colours. */
  readonly hasColours: boolean;
  readonly askCacheReport: () => void;
  readonly askInsights: () => void;
}

/** Handles the host's news in the page. */
export function receiveWith({
  store,
  navigation,
  hasColours,
  askCacheReport,
  askInsights,
}: ReceivingTools): (news: InspectorNews) => void {
  const set = (change: Partial<AppState>): void => store.update(state => ({ ...state, ...change }));

  const showSession = (session: SessionInView): void => {
    const isFinal = session.pending === undefined;
    set({ page: { kind: 'session', session }, ...(isFinal && { progress: undefined }) });
    navigation.sessionShown();
    // While tokens are counted, boundaries still move.
    if (isFinal) {
      askCacheReport();
      askInsights();
    }
  };

  return news => {
    const { page } = store.get();
    switch (news.type) {
      case 'progress':
        set({ progress: news.progress });
        return;
      case 'session': {
        const { fileName, revision, summary, pending } = news;
        // Findings name requests and blocks by their numbers in the session before.
        set({ insights: { kind: 'waiting' } });
        showSession({ fileName, revision, summary, columns: unpackColumns(news.columns), pending });
        return;
      }
      case 'update':
        // A page that has requested the whole session will get it, and has another revision until then.
        if (page.kind === 'session' && page.session.revision === news.revision - 1) {
          const { fileName, summary, columns } = page.session;
          const { revision, pending } = news;
          showSession({
            fileName,
            revision,
            summary: { ...summary, ...news.summary },
            columns: applyUpdate(columns, news.columns),
            pending,
          });
        }
        return;
      case 'fileName':
        if (page.kind === 'session') {
          set({ page: { kind: 'session', session: { ...page.session, fileName: news.fileName } } });
        }
        return;
      case 'colours':
        if (!hasColours) {
          store.update(state => ({ ...state, view: { ...state.view, colourMode: news.mode } }));
        }
        return;
      case 'parent':
        set({ parent: news.fileName });
        return;
      case 'hiddenWaste':
        set({ hiddenWaste: news.kinds });
        return;
      case 'neverLooked':
        store.update(state => ({ ...state, look: { ...state.look, isNew: true } }));
        return;
      case 'pruneOptions':
        store.update(state => ({
          ...state,
          settings: news.options,
          view: withoutWhatIf(state.view, news.options),
        }));
        if (page.kind === 'session' && page.session.pending === undefined) {
          askInsights();
        }
        return;
      case 'ask':
        store.update(state => ({ ...state, asks: afterNews(state.asks, news.news) }));
        return;
      case 'exportWanted':
        navigation.onceShown(() => navigation.exportView(news.form, news.ask));
        return;
      case 'show':
        navigation.show(news.place);
        return;
      case 'task':
        navigation.run(news.task);
        return;
      case 'failed': {
        navigation.giveUp({ keepsPlace: false });
        const { sentence, canOpenAsText, canOpenAs = false } = news;
        set({ page: { kind: 'failed', sentence, canOpenAsText, canOpenAs }, progress: undefined });
        return;
      }
      case 'cancelled':
        navigation.giveUp({ keepsPlace: true });
        set({ page: { kind: 'cancelled' }, progress: undefined });
        return;
    }
  };
}

/** The view without what-if options that equal the settings. */
function withoutWhatIf(view: ViewState, settings: PruneOptions): ViewState {
  return view.prune !== undefined && changedMembers(view.prune, settings).length === 0
    ? { ...view, prune: undefined }
    : view;
}
