import * as v from 'valibot';
import type { ExportForm } from '../../src/core/model/exportForm';
import { type PruneOptions, changedMembers, defaultPruneOptions } from '../../src/core/model/pruneConfig';
import { askNews } from '../../src/protocol/askMessages';
import { applyUpdate } from '../../src/protocol/columnUpdate';
import type { PageTask, ShownPlace, ToWebviewMessage } from '../../src/protocol/messages';
import { unpackColumns } from '../../src/protocol/packedColumns';
import { PendingQuestions } from '../../src/protocol/pendingQuestions';
import { pageQuestions } from '../../src/protocol/questions';
import { createTheme } from '../drawing/theme';
import type { VsCodeApi } from '../vscodeApi';
import { pageWords } from '../words/page';
import { placeWords } from '../words/place';
import { settle } from './answerState';
import { afterNews, noAsks } from './asks';
import { exportAct } from './exportAct';
import { noFind } from './findState';
import { watchFirstSteps } from './firstSteps';
import type { AppState, Inspector, SessionInView } from './inspector';
import { onHostMessage } from './hostMessages';
import { focusFind } from './keys';
import { placeInView, viewOfPlace } from './place';
import { createStore } from './store';
import { type ViewState, changedView, differsInScrollOnly, parseViewState } from './viewState';

/** Saves at most so often while the user scrolls. */
const saveMilliseconds = 150;

const messageTypes: Readonly<Record<ToWebviewMessage['type'], true>> = {
  progress: true,
  session: true,
  update: true,
  fileName: true,
  colours: true,
  hiddenWaste: true,
  pruneOptions: true,
  ask: true,
  exportWanted: true,
  show: true,
  task: true,
  parent: true,
  failed: true,
  cancelled: true,
  refused: true,
  answer: true,
};

export function createInspector(api: VsCodeApi): Inspector {
  const store = createStore<AppState>({
    page: { kind: 'waiting' },
    progress: undefined,
    cache: { kind: 'waiting' },
    asks: noAsks,
    find: noFind,
    parent: undefined,
    notice: undefined,
    keysShown: false,
    drawnRowTokens: undefined,
    settings: defaultPruneOptions(),
    hiddenWaste: [],
    view: parseViewState(api.getState()),
  });
  const hadState = api.getState() !== undefined;
  const set = (change: Partial<AppState>): void => store.update(state => ({ ...state, ...change }));
  const pending = new PendingQuestions();
  const ask: Inspector['ask'] = question => {
    const { name } = question;
    return pending.ask(pageQuestions[name].result, id => api.postMessage({ type: 'question', id, question }));
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
    const show = (cache: AppState['cache']): void => {
      if (number === lastReport && store.get().page.kind === 'session') {
        set({ cache });
      }
    };
    const retry = (): void => {
      show({ kind: 'waiting' });
      askCacheReport();
    };
    settle(ask({ name: 'cacheReport', params: {} }), retry, show);
  };

  const notify = (notice: string | undefined): void => set({ notice });

  const exportView = (form: ExportForm, ask?: number): void => {
    const act = exportAct(store.get(), form, ask);
    if (act === undefined) {
      notify(pageWords.nothingToExport);
    } else {
      api.postMessage({ type: 'act', act });
    }
  };

  const changeView: Inspector['changeView'] = change =>
    store.update(state => ({ ...state, view: changedView(state.view, change) }));

  const copyLink = (): void => {
    const { page, view } = store.get();
    const place = page.kind === 'session' ? placeInView(page.session.columns, view) : undefined;
    if (place === undefined) {
      notify(page.kind === 'waiting' ? pageWords.stillReading : placeWords.nothingToLink);
    } else {
      api.postMessage({ type: 'act', act: { kind: 'copyLink', ...place } });
    }
  };

  const showKeys = (keysShown: boolean): void => set({ keysShown });

  const run = (task: PageTask): void => {
    switch (task) {
      case 'copyLink':
        copyLink();
        return;
      case 'find':
        if (store.get().page.kind === 'waiting') {
          notify(pageWords.stillReading);
        } else {
          focusFind();
        }
        return;
      case 'showKeys':
        showKeys(true);
        return;
    }
  };

  /** A place to show as soon as there is a session. */
  let wanted: ShownPlace | undefined;
  const showWanted = (): void => {
    const { page } = store.get();
    if (wanted === undefined || page.kind !== 'session') {
      return;
    }
    const found = viewOfPlace(page.session.columns, wanted);
    wanted = undefined;
    if (found.ok) {
      changeView(found.change);
    } else {
      notify(found.sentence);
    }
  };

  /** What commands want of the session that the page waits for. */
  let waiting: (() => void)[] = [];
  const onceShown = (action: () => void): void => {
    if (store.get().page.kind === 'waiting') {
      waiting.push(action);
    } else {
      action();
    }
  };

  const showSession = (session: SessionInView): void => {
    const { pending } = session;
    set({ page: { kind: 'session', session }, ...(pending === undefined && { progress: undefined }) });
    showWanted();
    const actions = waiting;
    waiting = [];
    for (const action of actions) {
      action();
    }
    // While tokens are counted, boundaries still move.
    if (pending === undefined) {
      askCacheReport();
    }
  };

  const receive = (message: ToWebviewMessage): void => {
    switch (message.type) {
      case 'progress':
        set({ progress: message.progress });
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
      case 'fileName': {
        const { page } = store.get();
        if (page.kind === 'session') {
          set({ page: { kind: 'session', session: { ...page.session, fileName: message.fileName } } });
        }
        break;
      }
      case 'colours':
        // A page that comes back keeps the colours that it had.
        if (!hadState) {
          store.update(state => ({ ...state, view: { ...state.view, colourMode: message.mode } }));
        }
        break;
      case 'parent':
        set({ parent: message.fileName });
        break;
      case 'hiddenWaste':
        set({ hiddenWaste: message.kinds });
        break;
      case 'pruneOptions':
        store.update(state => ({
          ...state,
          settings: message.options,
          view: withoutWhatIf(state.view, message.options),
        }));
        break;
      case 'ask': {
        const news = v.safeParse(askNews, message.news);
        if (news.success) {
          store.update(state => ({ ...state, asks: afterNews(state.asks, news.output) }));
        } else {
          notify(v.summarize(news.issues));
        }
        break;
      }
      case 'exportWanted':
        onceShown(() => exportView(message.form, message.ask));
        break;
      case 'show':
        wanted = message.place;
        showWanted();
        break;
      case 'task':
        run(message.task);
        break;
      case 'failed': {
        wanted = undefined;
        waiting = [];
        const { sentence, canOpenAsText, canOpenAs = false } = message;
        set({ page: { kind: 'failed', sentence, canOpenAsText, canOpenAs }, progress: undefined });
        break;
      }
      case 'cancelled':
        waiting = [];
        set({ page: { kind: 'cancelled' }, progress: undefined });
        break;
      case 'answer':
        pending.receive(message);
        break;
      case 'refused':
        notify(message.sentence);
        break;
    }
  };
  onHostMessage(messageTypes, receive);
  document.addEventListener('visibilitychange', () => {
    if (saving !== undefined) {
      save();
    }
  });
  watchFirstSteps(store, step => api.postMessage({ type: 'act', act: { kind: 'step', step } }));
  api.postMessage({ type: 'ready' });

  return {
    store,
    theme: createTheme(),
    changeView,
    copyLink,
    showKeys,
    exportView,
    askModel: ask => api.postMessage({ type: 'ask', ask }),
    changeDraft: change =>
      store.update(state => ({
        ...state,
        asks: { ...state.asks, draft: { ...state.asks.draft, ...change } },
      })),
    chooseColours: mode => {
      changeView({ colourMode: mode });
      api.postMessage({ type: 'act', act: { kind: 'chooseColours', mode } });
    },
    noteRowTokens: rowTokens => {
      if (store.get().drawnRowTokens !== rowTokens) {
        set({ drawnRowTokens: rowTokens });
      }
    },
    act: act => {
      if (act.kind === 'retry') {
        set({ page: { kind: 'waiting' } });
      }
      api.postMessage({ type: 'act', act });
    },
    ask,
    dismissNotice: () => notify(undefined),
  };
}

/** The view without a what-if that is what the settings are. */
function withoutWhatIf(view: ViewState, settings: PruneOptions): ViewState {
  return view.prune !== undefined && changedMembers(view.prune, settings).length === 0
    ? { ...view, prune: undefined }
    : view;
}
