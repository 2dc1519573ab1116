import * as v from 'valibot';
import type { Described } from '../../src/core/base/schema';
import type { ComparedPlace } from '../../src/core/compare/comparison';
import { comparePage } from '../../src/protocol/comparePage';
import { connectHost, type Host, type VsCodeApi } from '../state/host';
import { keepView } from '../state/persistence';
import { createStore, type Store } from '../state/store';

/** The index of one of the two sessions. */
export type SideIndex = 0 | 1;

/** Opens one of the two at a place; without a place, at its newest request. */
export type OpenPlace = (side: SideIndex, place: ComparedPlace | undefined) => void;

const viewSchema = v.object({
  /** The index of a request of each session in the main conversation; null for whole sessions. */
  chosen: v.fallback(v.nullable(v.tuple([v.number(), v.number()])), null),
});

/** The page's state and its actions. */
export interface Compared {
  readonly store: Store<CompareState>;
  readonly ask: Host<typeof comparePage>['ask'];
  readonly open: OpenPlace;
  /**
   * Compares a request of each session, by its index in the main conversation. For null, compares the whole sessions.
   */
  readonly compare: (requests: CompareState['view']['chosen']) => void;
}

export interface CompareState {
  readonly view: Described<typeof viewSchema>;
}

export function createCompared(api: VsCodeApi): Compared {
  const saved = v.safeParse(viewSchema, api.getState());
  const store = createStore<CompareState>({ view: saved.success ? saved.output : { chosen: null } });
  keepView(api, store);
  const { ask, act } = connectHost(api, comparePage, () => undefined);
  return {
    store,
    ask,
    compare: chosen => store.update(() => ({ view: { chosen } })),
    open: (side, place) => {
      const { block, ...request } = place ?? {};
      act({ kind: 'open', side, place: block === undefined ? request : { ...request, block } });
    },
  };
}
