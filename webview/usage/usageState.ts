import * as v from 'valibot';
import type { Described } from '../../src/core/base/schema';
import { assertNever } from '../../src/core/model/labels';
import { usagePeriods, usageStacks } from '../../src/core/index/usagePeriod';
import type { IndexState, PricingProgress } from '../../src/protocol/indexService';
import type { ShownPlace } from '../../src/protocol/shownPlace';
import { type UsageAct, usagePage } from '../../src/protocol/usagePage';
import { type UsagePart, usageParts } from '../../src/protocol/usageParts';
import { connectHost, type Host, type VsCodeApi } from '../state/host';
import { keepView } from '../state/persistence';
import { createStore, type Store } from '../state/store';
import { settingNames } from '../../src/core/whatIf/settings';
import { searchFilters } from './searchFilters';

export const usageMeasures = ['money', 'tokens'] as const;
export const subagentWays = ['together', 'apart'] as const;

const viewSchema = v.object({
  part: v.fallback(v.picklist(usageParts), 'usage'),
  /** The query of the search in all sessions. */
  query: v.fallback(v.string(), ''),
  filters: v.fallback(searchFilters, {}),
  period: v.fallback(v.picklist(usagePeriods), 'fourWeeks'),
  measure: v.fallback(v.picklist(usageMeasures), 'money'),
  stack: v.fallback(v.picklist(usageStacks), 'project'),
  subagents: v.fallback(v.picklist(subagentWays), 'together'),
  /** True if the days are a table instead of bars. */
  daysAsTable: v.fallback(v.boolean(), false),
  /** The chosen settings of what-if. A text may be no value of its setting yet. */
  settings: v.fallback(v.array(v.object({ name: v.picklist(settingNames), text: v.string() })), []),
  /** The day whose sessions are listed, as `2026-01-31`. */
  day: v.fallback(v.string(), ''),
});

/** The state that is kept when the page is hidden or the window reloaded. */
export type UsageViewState = Described<typeof viewSchema>;

export interface UsageState {
  /** The current activity of the index; undefined until known. */
  readonly index: IndexState | undefined;
  /** Number of times that the user asked for the search field. */
  readonly searches: number;
  /** The progress of a what-if since it was asked; undefined until known. */
  readonly pricing: PricingProgress | undefined;
  readonly view: UsageViewState;
}

/** The actions of the page's buttons. */
export type UsageDeed = Exclude<UsageAct, { kind: 'export' | 'open' | 'turnTo' }>['kind'];

/** The page's state and its actions. */
export interface Usage {
  readonly store: Store<UsageState>;
  readonly changeView: (change: Partial<UsageViewState>) => void;
  /** Rejects with one sentence. */
  readonly ask: Host<typeof usagePage>['ask'];
  readonly act: (kind: UsageDeed) => void;
  /** Forgets the progress of an earlier what-if. */
  readonly beginPricing: () => void;
  /** Shows a part of the page. */
  readonly turnTo: (part: UsagePart) => void;
  /** Saves the table of groups in a file that the user chooses. */
  readonly exportTable: () => void;
  /** @param file its number in an answer */
  readonly open: (file: number, place: ShownPlace) => void;
}

export function createUsage(api: VsCodeApi): Usage {
  const saved = v.safeParse(viewSchema, api.getState());
  const store = createStore<UsageState>({
    index: undefined,
    searches: 0,
    pricing: undefined,
    view: saved.success ? saved.output : v.parse(viewSchema, {}),
  });
  keepView(api, store);
  const show = (part: UsagePart): void =>
    store.update(state => ({
      ...state,
      view: { ...state.view, part },
      searches: part === 'search' ? state.searches + 1 : state.searches,
    }));
  const { ask, act } = connectHost(api, usagePage, news => {
    switch (news.type) {
      case 'state':
        store.update(state => ({ ...state, index: news.state }));
        break;
      case 'pricing':
        store.update(state => ({ ...state, pricing: news.progress }));
        break;
      case 'turnTo':
        show(news.part);
        break;
      default:
        return assertNever(news);
    }
  });
  return {
    store,
    changeView: change => store.update(state => ({ ...state, view: { ...state.view, ...change } })),
    ask,
    beginPricing: () => store.update(state => ({ ...state, pricing: undefined })),
    turnTo: part => {
      show(part);
      act({ kind: 'turnTo', part });
    },
    exportTable: () => {
      const { period, stack, subagents } = store.get().view;
      act({ kind: 'export', period: { period, stack, subagents } });
    },
    act: kind => act({ kind }),
    open: (file, place) => act({ kind: 'open', file, place }),
  };
}
