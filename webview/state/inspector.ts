import { createContext, useContext } from 'react';
import type { SessionColumns, SessionSummary } from '../../src/core/model/columns';
import type { ExportForm } from '../../src/core/model/exportForm';
import { defaultPruneOptions, type PruneOptions } from '../../src/core/model/pruneConfig';
import type { ReplaySummary } from '../../src/core/prune/replaySummary';
import type { Found, PruneMomentChoice, PruneOptionsChoice } from '../../src/core/prune/search';
import type { AskMessage } from '../../src/protocol/asking';
import type {
  Answer,
  BlockText,
  Progress,
  PruneQuestion,
  Question,
  RenderedSummary,
  StabilityAnswer,
  ToWebviewMessage,
  WebviewAct,
  WebviewQuestions,
} from '../../src/protocol/messages';
import { applyUpdate } from '../../src/protocol/columnUpdate';
import { unpackColumns } from '../../src/protocol/packedColumns';
import { createTheme, type Theme } from '../drawing/theme';
import type { VsCodeApi } from '../vscodeApi';
import {
  parseBlockText,
  parseCacheReport,
  parseChoices,
  parseMoments,
  parseRendered,
  parseStability,
  parseReplay,
} from './answers';
import { afterNews, noAsks, type AskDraft, type AsksState } from './asks';
import type { CacheAnswer } from './cacheReport';
import { requestsInView } from './derived';
import { exportAct } from './exportAct';
import { createStore, useSelected, type Store } from './store';
import { differsInScrollOnly, parseViewState, type ViewState } from './viewState';

export interface SessionInView {
  readonly fileName: string;
  readonly revision: number;
  readonly summary: SessionSummary;
  readonly columns: SessionColumns;
  readonly pending: 'measuring' | undefined;
}

export type Page =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'session'; readonly session: SessionInView }
  | { readonly kind: 'failed'; readonly sentence: string; readonly canOpenAsText: boolean }
  | { readonly kind: 'cancelled' };

export interface AppState {
  readonly page: Page;
  readonly progress: Progress | undefined;
  readonly cache: CacheAnswer;
  readonly asks: AsksState;
  /** The file of the session that started this one as its subagent. */
  readonly parent: string | undefined;
  /** As the settings have them. */
  readonly settings: PruneOptions;
  readonly view: ViewState;
}

/** Everything that the components need: the state, the host, the theme. Made once. */
export interface Inspector {
  readonly store: Store<AppState>;
  readonly theme: Theme;
  readonly changeView: (change: Partial<ViewState>) => void;
  readonly act: (act: WebviewAct) => void;
  /** Tells the host what the user wants of a model. */
  readonly askModel: (ask: AskMessage) => void;
  readonly changeDraft: (change: Partial<AskDraft>) => void;
  /** Exports the request in view, with the options in view. */
  readonly exportView: (form: ExportForm) => void;
  /** Rejects with a sentence that can be shown. */
  readonly askBlockText: (params: WebviewQuestions['blockText']['params']) => Promise<BlockText>;
  readonly askRendered: (request: number) => Promise<RenderedSummary>;
  readonly askStability: (request: number) => Promise<StabilityAnswer>;
  readonly askReplay: (params: PruneQuestion) => Promise<ReplaySummary>;
  readonly askBestMoment: (params: PruneQuestion) => Promise<Found<PruneMomentChoice>>;
  readonly askBestOptions: (params: PruneQuestion) => Promise<Found<PruneOptionsChoice>>;
}

/** Saves at most so often while the user scrolls. */
const saveMilliseconds = 150;

export function createInspector(api: VsCodeApi): Inspector {
  const store = createStore<AppState>({
    page: { kind: 'waiting' },
    progress: undefined,
    cache: { kind: 'waiting' },
    asks: noAsks,
    parent: undefined,
    settings: defaultPruneOptions(),
    view: parseViewState(api.getState()),
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  let lastQuestion = 0;
  const ask = (question: Question): Promise<unknown> => {
    lastQuestion += 1;
    const id = lastQuestion;
    return new Promise((resolve, reject) => {
      waiting.set(id, answer => {
        if (answer.ok) {
          resolve(answer.value);
        } else {
          reject(new Error(answer.sentence));
        }
      });
      api.postMessage({ type: 'question', id, question });
    });
  };

  // Hidden webviews are thrown away without a further turn of the event loop: only scrolling may wait.
  let saving: number | undefined;
  let saved = store.get().view;
  const save = (): void => {
    window.clearTimeout(saving);
    saving = undefined;
    saved = store.get().view;
    api.setState(saved);
  };
  store.subscribe(() => {
    const { view } = store.get();
    if (view === saved) {
      return;
    }
    if (differsInScrollOnly(saved, view)) {
      saving ??= window.setTimeout(save, saveMilliseconds);
    } else {
      save();
    }
  });

  let lastReport = 0;
  const askCacheReport = (): void => {
    lastReport += 1;
    const number = lastReport;
    const show = (cache: CacheAnswer): void => {
      if (number === lastReport && store.get().page.kind === 'session') {
        store.update(state => ({ ...state, cache }));
      }
    };
    ask({ name: 'cacheReport', params: {} })
      .then(parseCacheReport)
      .then(
        report => show({ kind: 'known', report }),
        (error: unknown) =>
          show({ kind: 'failed', sentence: error instanceof Error ? error.message : String(error) }),
      );
  };

  const exportView = (form: ExportForm, ask?: number): void => {
    const act = exportAct(store.get(), form, ask);
    if (act !== undefined) {
      api.postMessage({ type: 'act', act });
    }
  };

  const showSession = (session: SessionInView): void => {
    const { pending } = session;
    store.update(state => ({
      ...state,
      page: { kind: 'session', session },
      progress: pending === undefined ? undefined : state.progress,
    }));
    // While tokens are counted, boundaries still move.
    if (pending === undefined) {
      askCacheReport();
    }
  };

  const receive = (message: ToWebviewMessage): void => {
    switch (message.type) {
      case 'progress':
        store.update(state => ({ ...state, progress: message.progress }));
        break;
      case 'session': {
        const { fileName, revision, summary, pending } = message;
        const columns = unpackColumns(message.columns);
        showSession({ fileName, revision, summary, columns, pending });
        break;
      }
      case 'update': {
        const { page } = store.get();
        // All of the session comes to a page that has asked for it and has another revision until then.
        if (page.kind === 'session' && page.session.revision === message.revision - 1) {
          const { fileName, summary, columns } = page.session;
          const { revision, pending } = message;
          showSession({
            fileName,
            revision,
            summary: { ...summary, ...message.summary },
            columns: applyUpdate(columns, message.columns),
            pending,
          });
        }
        break;
      }
      case 'fileName':
        store.update(state =>
          state.page.kind === 'session'
            ? {
                ...state,
                page: { kind: 'session', session: { ...state.page.session, fileName: message.fileName } },
              }
            : state,
        );
        break;
      case 'parent':
        store.update(state => ({ ...state, parent: message.fileName }));
        break;
      case 'pruneOptions':
        store.update(state => ({
          ...state,
          settings: message.options,
          view: isSame(state.view.prune, message.options) ? { ...state.view, prune: undefined } : state.view,
        }));
        break;
      case 'ask':
        store.update(state => ({ ...state, asks: afterNews(state.asks, message.news) }));
        break;
      case 'exportWanted':
        exportView(message.form, message.ask);
        break;
      case 'failed': {
        const { sentence, canOpenAsText } = message;
        store.update(state => ({
          ...state,
          page: { kind: 'failed', sentence, canOpenAsText },
          progress: undefined,
        }));
        break;
      }
      case 'cancelled':
        store.update(state => ({ ...state, page: { kind: 'cancelled' }, progress: undefined }));
        break;
      case 'answer':
        waiting.get(message.id)?.(message);
        waiting.delete(message.id);
        break;
    }
  };
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isFromHost(data)) {
      receive(data);
    }
  });
  document.addEventListener('visibilitychange', () => {
    if (saving !== undefined) {
      save();
    }
  });
  api.postMessage({ type: 'ready' });

  return {
    store,
    theme: createTheme(),
    changeView: change => store.update(state => ({ ...state, view: { ...state.view, ...change } })),
    exportView,
    askModel: ask => api.postMessage({ type: 'ask', ask }),
    changeDraft: change =>
      store.update(state => ({
        ...state,
        asks: { ...state.asks, draft: { ...state.asks.draft, ...change } },
      })),
    act: act => {
      if (act.kind === 'retry') {
        store.update(state => ({ ...state, page: { kind: 'waiting' } }));
      }
      api.postMessage({ type: 'act', act });
    },
    askBlockText: params => ask({ name: 'blockText', params }).then(parseBlockText),
    askRendered: request => ask({ name: 'rendered', params: { request } }).then(parseRendered),
    askStability: request => ask({ name: 'stability', params: { request } }).then(parseStability),
    askReplay: params => ask({ name: 'pruneReplay', params }).then(parseReplay),
    askBestMoment: params => ask({ name: 'bestMoment', params }).then(parseMoments),
    askBestOptions: params => ask({ name: 'bestOptions', params }).then(parseChoices),
  };
}

/** Other scripts of the page's window post messages as well. */
function isFromHost(data: unknown): data is ToWebviewMessage {
  return typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string';
}

/** Whether a what-if says what the settings say. */
function isSame(first: PruneOptions | undefined, second: PruneOptions): boolean {
  return (
    first?.ruleSet === second.ruleSet &&
    first.enabled === second.enabled &&
    first.protectTokens === second.protectTokens &&
    first.minimumTokens === second.minimumTokens &&
    first.toolOutputMaxChars === second.toolOutputMaxChars &&
    first.replacement === second.replacement &&
    first.measure === second.measure &&
    first.protectedTools.length === second.protectedTools.length &&
    first.protectedTools.every((tool, index) => tool === second.protectedTools[index])
  );
}

const InspectorContext = createContext<Inspector | undefined>(undefined);
export const InspectorProvider = InspectorContext.Provider;

export function useInspector(): Inspector {
  const inspector = useContext(InspectorContext);
  if (inspector === undefined) {
    throw new Error('Components of the inspector stand inside an InspectorProvider.');
  }
  return inspector;
}

export function useAppState<Value>(select: (state: AppState) => Value): Value {
  return useSelected(useInspector().store, select);
}

export function useViewState<Key extends keyof ViewState>(key: Key): ViewState[Key] {
  return useAppState(state => state.view[key]);
}

/** The options in force: the what-if, else those of the settings. */
export function usePruneOptions(): PruneOptions {
  return useAppState(state => state.view.prune ?? state.settings);
}

/** Selects a request; the newest one is followed when the file grows. */
export function selectRequest(
  { store, changeView }: Inspector,
  columns: SessionColumns,
  request: number,
): void {
  const newest = requestsInView(columns, store.get().view).at(-1);
  changeView({ request: request === newest ? undefined : request });
}
