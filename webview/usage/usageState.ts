import * as v from 'valibot';
import type { Described } from '../../src/core/base/schema';
import { usagePeriods, usageStacks } from '../../src/core/index/usagePeriod';
import {
  type IndexState,
  type UsageQuestionName,
  type UsageResult,
  usageQuestions,
} from '../../src/protocol/indexService';
import type { ShownPlace } from '../../src/protocol/messages';
import { PendingQuestions } from '../../src/protocol/pendingQuestions';
import type { Asked } from '../../src/protocol/questions';
import type { FromUsagePage, ToUsagePage, UsageDeed } from '../../src/protocol/usagePage';
import { onHostMessage } from '../state/hostMessages';
import { createStore, type Store } from '../state/store';
import type { VsCodeApi } from '../vscodeApi';
import { searchFilters } from './searchFilters';

export const usageMeasures = ['money', 'tokens'] as const;
export const subagentWays = ['together', 'apart'] as const;

const viewSchema = v.object({
  /** What is looked for in all sessions. */
  query: v.fallback(v.string(), ''),
  filters: v.fallback(searchFilters, {}),
  period: v.fallback(v.picklist(usagePeriods), 'fourWeeks'),
  measure: v.fallback(v.picklist(usageMeasures), 'money'),
  stack: v.fallback(v.picklist(usageStacks), 'project'),
  subagents: v.fallback(v.picklist(subagentWays), 'together'),
  /** Whether the days are a table instead of bars. */
  daysAsTable: v.fallback(v.boolean(), false),
  /** The day whose sessions are listed, as `2026-01-31`. */
  day: v.fallback(v.string(), ''),
});

/** What survives that the page is hidden or the window reloaded. */
export type UsageViewState = Described<typeof viewSchema>;

export interface UsageState {
  /** What the index is doing; undefined until that is known. */
  readonly index: IndexState | undefined;
  /** How often the user has asked for the search field. */
  readonly searches: number;
  readonly view: UsageViewState;
}

/** The page's state and what it can do. */
export interface Usage {
  readonly store: Store<UsageState>;
  readonly changeView: (change: Partial<UsageViewState>) => void;
  /** Rejects with one sentence. */
  readonly ask: <Name extends UsageQuestionName>(
    question: Asked<typeof usageQuestions, Name>,
  ) => Promise<UsageResult<Name>>;
  readonly act: (deed: UsageDeed) => void;
  /** Saves the table of groups in a file that the user chooses. */
  readonly exportTable: () => void;
  /** @param file its number in an answer */
  readonly open: (file: number, place: ShownPlace) => void;
}

export function createUsage(api: VsCodeApi<FromUsagePage>): Usage {
  const saved = v.safeParse(viewSchema, api.getState());
  const store = createStore<UsageState>({
    index: undefined,
    searches: 0,
    view: saved.success ? saved.output : v.parse(viewSchema, {}),
  });
  const pending = new PendingQuestions();
  onHostMessage<ToUsagePage>({ state: true, search: true, answer: true }, message => {
    switch (message.type) {
      case 'answer':
        pending.receive(message);
        break;
      case 'search':
        store.update(state => ({ ...state, searches: state.searches + 1 }));
        break;
      case 'state':
        store.update(state => ({ ...state, index: message.state }));
        break;
    }
  });
  api.postMessage({ type: 'ready' });
  return {
    store,
    changeView: change => {
      store.update(state => ({ ...state, view: { ...state.view, ...change } }));
      api.setState(store.get().view);
    },
    ask: question => {
      const { name } = question;
      return pending.ask(usageQuestions[name].result, id =>
        api.postMessage({ type: 'question', id, question }),
      );
    },
    exportTable: () => {
      const { period, stack, subagents } = store.get().view;
      api.postMessage({ type: 'export', period: { period, stack, subagents } });
    },
    act: deed => api.postMessage({ type: 'deed', deed }),
    open: (file, place) => api.postMessage({ type: 'open', file, place }),
  };
}
