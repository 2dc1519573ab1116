import { byWorth, type Insight, type Insights, isSensitive } from '../../src/core/insights/insight';
import { knownCost } from '../../src/core/tokens/usageFigures';
import { type WasteKind, wasteKinds } from '../../src/core/waste/wasteKinds';
import { settle } from './answerState';
import { goToRequest } from './cacheReport';
import { compactionAt } from './compaction';
import { wholeCostOf } from './derived';
import { goToBlock } from './exposure';
import { type AppState, type Inspector, type SessionInView, useAppState } from './inspector';
import type { LookState } from './lookState';
import { focusContent } from './panes';
import { memoise, type Store } from './store';
import type { ViewState } from './viewState';

/** While a file grows, its findings are looked for again after a pause of this length. In milliseconds. */
const idleMilliseconds = 1_500;
/** The list opens by itself once, for the first session above this cost. In US dollars. */
const leastCost = 0.2;

/** The name of a finding, which stays the same while others are added. */
export const insightKey = ({ kind, detail, request, blocks: [first] }: Insight): string =>
  [kind, detail, request, first ?? ''].join(' ');

const wasteKindOf = ({ kind, detail }: Insight): WasteKind | undefined =>
  kind === 'waste' ? wasteKinds.find(waste => waste === detail) : undefined;

/** The findings without the hidden kinds. */
const withoutHidden = memoise(
  (
    { found }: Insights,
    hiddenWaste: readonly WasteKind[],
    hidden: ViewState['hiddenInsights'],
  ): readonly Insight[] =>
    found.filter(insight => {
      const waste = wasteKindOf(insight);
      return (waste === undefined || !hiddenWaste.includes(waste)) && !hidden.includes(insight.kind);
    }),
  2,
);

const none: readonly Insight[] = [];

/** The findings that are shown, in their order. */
export function shownInsights({ insights, hiddenWaste, view }: AppState): readonly Insight[] {
  return insights.kind === 'known' ? withoutHidden(insights.value, hiddenWaste, view.hiddenInsights) : none;
}

/** The finding that is pointed at; undefined while the list is closed. */
export const useLitInsight = (): Insight | undefined =>
  useAppState(state =>
    state.look.isOpen
      ? shownInsights(state).find(insight => insightKey(insight) === state.look.current)
      : undefined,
  );

/** 1 for the blocks of a finding, by block; undefined if none of them is among the given blocks. */
export const blocksOfInsight = memoise(
  ({ blocks: own }: Insight, count: number, inView: Uint32Array): Uint8Array | undefined => {
    const lit = new Uint8Array(count);
    for (const block of own) {
      lit[block] = 1;
    }
    return inView.some(block => lit[block] === 1) ? lit : undefined;
  },
  2,
);

/**
 * Asks for the findings of the session in view: first for those that need little work, then for all. While the file
 * grows, asks again only when it has been still for a while.
 */
export function insightsAsker(
  store: Store<AppState>,
  ask: Inspector['ask'],
  act: Inspector['act'],
): () => void {
  let last = 0;
  let timer: number | undefined;
  const askAgain = (): void => {
    last += 1;
    const number = last;
    const put = (isQuick: boolean, then: () => void): void =>
      settle(
        ask({ name: 'insights', params: { isQuick, options: store.get().settings } }),
        () => {
          store.update(state => ({ ...state, insights: { kind: 'waiting' } }));
          askAgain();
        },
        insights => {
          if (number === last && store.get().page.kind === 'session') {
            store.update(state => ({ ...state, insights: inOrderOf(state, insights) }));
            if (insights.kind === 'known') {
              then();
            }
          }
        },
      );
    const askForAll = (): void => put(false, () => openOnce(store, act));
    window.clearTimeout(timer);
    if (store.get().insights.kind === 'known') {
      timer = window.setTimeout(askForAll, idleMilliseconds);
    } else {
      put(true, askForAll);
    }
  };
  return askAgain;
}

/** While the list is open, its order stays and new findings come at the end. */
function inOrderOf({ insights: before, look }: AppState, now: AppState['insights']): AppState['insights'] {
  if (!look.isOpen || before.kind !== 'known' || now.kind !== 'known') {
    return now;
  }
  const places = new Map(before.value.found.map((insight, place) => [insightKey(insight), place]));
  const placeOf = (insight: Insight): number => places.get(insightKey(insight)) ?? places.size;
  const found = now.value.found.toSorted((one, other) => placeOf(one) - placeOf(other));
  return { ...now, value: { ...now.value, found } };
}

/** Opens the list by itself the first time, unless the user has already chosen something. */
function openOnce(store: Store<AppState>, act: Inspector['act']): void {
  const state = store.get();
  const { page, look, view } = state;
  if (page.kind !== 'session' || !look.isNew || look.isOpen || shownInsights(state).length === 0) {
    return;
  }
  const { money = 0 } = knownCost(wholeCostOf(page.session.columns, page.session.summary).total);
  const isUntouched = view.request === undefined && view.block === undefined && view.isPaneOpen === undefined;
  if (money >= leastCost && isUntouched) {
    changeLook(store, { isOpen: true, takesFocus: false, isNew: false });
    act({ kind: 'looked' });
  }
}

function changeLook(store: Store<AppState>, change: Partial<LookState>): void {
  store.update(state => ({ ...state, look: { ...state.look, ...change } }));
}

/** Opens the list, with the focus in it. */
export function openLook({ store, act }: Inspector): void {
  const state = store.get();
  const [first] = shownInsights(state);
  if (first === undefined || state.look.isOpen) {
    return;
  }
  if (state.look.isNew) {
    act({ kind: 'looked' });
  }
  const current = state.look.current ?? insightKey(first);
  changeLook(store, { isOpen: true, takesFocus: true, isNew: false, current });
}

/** Closes the list. From now on, the findings are in their order again. */
export function closeLook({ store }: Inspector): void {
  store.update(state => ({
    ...state,
    look: { ...state.look, isOpen: false },
    insights:
      state.insights.kind === 'known'
        ? {
            kind: 'known',
            value: { ...state.insights.value, found: state.insights.value.found.toSorted(byWorth) },
          }
        : state.insights,
  }));
}

/** Points at a finding. */
export const pointAt = ({ store }: Inspector, insight: Insight): void =>
  changeLook(store, { current: insightKey(insight) });

/** Points at the next or previous finding. Opens the list if it is closed. */
export function stepLook(inspector: Inspector, by: 1 | -1): void {
  const { store } = inspector;
  const state = store.get();
  const { current, isOpen } = state.look;
  const found = shownInsights(state);
  const place = found.findIndex(insight => insightKey(insight) === current);
  const next = found[place < 0 ? 0 : (place + by + found.length) % found.length];
  if (next === undefined) {
    return;
  }
  pointAt(inspector, next);
  if (isOpen) {
    changeLook(store, { takesFocus: true });
  } else {
    openLook(inspector);
  }
}

/** Goes to the place of a finding and opens its panel. */
export function goToInsight(inspector: Inspector, session: SessionInView, insight: Insight): void {
  const { columns, summary } = session;
  const { changeView } = inspector;
  const { request, blocks, panel } = insight;
  const block = blocks.find(each => columns.blocks.firstRequest[each] === request) ?? blocks[0];
  pointAt(inspector, insight);
  closeLook(inspector);
  switch (panel) {
    case 'block':
      changeView({ filter: {} });
      if (block === undefined) {
        goToRequest(inspector, columns, request);
      } else {
        goToBlock(inspector, columns, block);
      }
      break;
    case 'waste':
      goToRequest(inspector, columns, request);
      changeView({ panel, filter: { blocks: [...blocks] }, ...(block === undefined ? {} : { block }) });
      break;
    case 'cache':
      goToRequest(inspector, columns, request);
      changeView({ panel });
      break;
    case 'prune':
      goToRequest(inspector, columns, request);
      // The finding is about the options of the settings.
      changeView({ panel, prune: undefined });
      break;
    case 'compaction':
      goToRequest(inspector, columns, request);
      changeView({ mainView: 'compaction', compaction: compactionAt(columns, summary, request)?.place });
  }
  requestAnimationFrame(focusContent);
}

/** Hides the findings of a kind: waste in all lists and sessions, others in this list. Sensitive data stays. */
export function hideKind({ store, act, changeView }: Inspector, insight: Insight): void {
  const { hiddenWaste, view } = store.get();
  const waste = wasteKindOf(insight);
  if (waste !== undefined) {
    act({ kind: 'hideWaste', kinds: [...hiddenWaste, waste] });
  } else if (!isSensitive(insight)) {
    changeView({ hiddenInsights: [...view.hiddenInsights, insight.kind] });
  }
}

/** Shows the hidden kinds again. */
export function showKinds({ act, changeView, store }: Inspector): void {
  changeView({ hiddenInsights: [] });
  if (store.get().hiddenWaste.length > 0) {
    act({ kind: 'hideWaste', kinds: [] });
  }
}
