import { createContext, useContext } from 'react';
import type { CacheReport } from '../../src/core/cache/cacheFinding';
import type { ColourMode } from '../../src/core/drawing/palette';
import type { LaneScale } from '../../src/core/drawing/rowTokens';
import type { Insights } from '../../src/core/insights/insight';
import type { SessionColumns, SessionSummary } from '../../src/core/model/columns';
import type { ExportForm } from '../../src/core/model/exportForm';
import type { PruneOptions } from '../../src/core/model/pruneConfig';
import type { WasteKind } from '../../src/core/waste/wasteKinds';
import type { AskMessage } from '../../src/protocol/askMessages';
import type { InspectorAct } from '../../src/protocol/inspectorPage';
import type { pageQuestions } from '../../src/protocol/questions';
import type { Ask } from '../../src/protocol/rpc';
import type { Progress } from '../../src/protocol/sessionMessages';
import type { Theme } from '../drawing/theme';
import type { AnswerState } from './answerState';
import type { AskDraft, AsksState } from './asks';
import { requestsInView } from './derived';
import type { FindState } from './findState';
import type { LookState } from './lookState';
import type { PruneOpening } from './pruneOpening';
import { type Store, useSelected } from './store';
import type { ViewState } from './viewState';

export interface SessionInView {
  readonly fileName: string;
  readonly revision: number;
  readonly summary: SessionSummary;
  readonly columns: SessionColumns;
  readonly pending: 'measuring' | undefined;
}

/** A session and one of its requests, by its index. */
export interface RequestOfSession {
  readonly session: SessionInView;
  readonly request: number;
}

export type Page =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'session'; readonly session: SessionInView }
  | {
      readonly kind: 'failed';
      readonly sentence: string;
      readonly canOpenAsText: boolean;
      readonly canOpenAs: boolean;
    }
  | { readonly kind: 'cancelled' };

export interface AppState {
  readonly page: Page;
  readonly progress: Progress | undefined;
  readonly cache: AnswerState<CacheReport>;
  /** The findings of all analyses. */
  readonly insights: AnswerState<Insights>;
  readonly look: LookState;
  readonly asks: AsksState;
  readonly find: FindState;
  /** The file of the parent session, which started this one as a subagent. */
  readonly parent: string | undefined;
  /** An error without a place of its own in the page. */
  readonly notice: string | undefined;
  /** True if the help with the keys is open. */
  readonly keysShown: boolean;
  /** The scale of the drawing without the user's zoom; absent until it has a size. */
  readonly scale: LaneScale | undefined;
  /** The options in the settings. */
  readonly settings: PruneOptions;
  /** Kinds of waste that the settings hide. */
  readonly hiddenWaste: readonly WasteKind[];
  readonly pruneOpening: PruneOpening;
  /** The request that the prune panel left by itself for the best one. */
  readonly leftForBest: number | undefined;
  readonly view: ViewState;
}

/** Everything that the components need: the state, the host, the theme. Created once. */
export interface Inspector {
  readonly store: Store<AppState>;
  readonly theme: Theme;
  readonly changeView: (change: Partial<ViewState>) => void;
  readonly act: (act: InspectorAct) => void;
  /** Chooses colours for this file and for those that are opened later. */
  readonly chooseColours: (mode: ColourMode) => void;
  /** The user has done something, so the prune panel no longer goes to the best request by itself. */
  readonly stayAtRequest: () => void;
  readonly noteScale: (scale: LaneScale) => void;
  /** Drops the zoom of the user, and chooses the scale again. */
  readonly fitScale: () => void;
  /** Sends the host the user's request to a model. */
  readonly askModel: (ask: AskMessage) => void;
  readonly changeDraft: (change: Partial<AskDraft>) => void;
  /** Exports the request in view, with the options in view. */
  readonly exportView: (form: ExportForm) => void;
  /** Rejects with one sentence that can be shown. */
  readonly ask: Ask<typeof pageQuestions>;
  readonly dismissNotice: () => void;
  readonly showKeys: (shown: boolean) => void;
  /** Copies a link to the visible place. */
  readonly copyLink: () => void;
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

/** The options in use: the what-if options if set, otherwise those in the settings. */
export function usePruneOptions(): PruneOptions {
  return useAppState(state => state.view.prune ?? state.settings);
}

/** Selects a request. If it is the newest, the selection follows the growing file. */
export function selectRequest(
  { store, changeView }: Inspector,
  columns: SessionColumns,
  request: number,
): void {
  const newest = requestsInView(columns, store.get().view).at(-1);
  changeView({ request: request === newest ? undefined : request });
}
