import type { ComparedPlace } from '../../src/core/compare/comparison';
import type { FromComparePage, ToComparePage } from '../../src/protocol/comparePage';
import { onHostMessage } from '../state/hostMessages';
import { createStore, type Store } from '../state/store';
import type { VsCodeApi } from '../vscodeApi';

/** Which of the two sessions. */
export type SideIndex = 0 | 1;

/** Opens one of the two at a place; at its newest request where there is none. */
export type OpenPlace = (side: SideIndex, place: ComparedPlace | undefined) => void;

/** The page's state and what it can do. */
export interface Compared {
  /** What the host found out; undefined while the sessions are being read. */
  readonly store: Store<ToComparePage | undefined>;
  readonly open: OpenPlace;
}

export function createCompared(api: VsCodeApi<FromComparePage>): Compared {
  const store = createStore<ToComparePage | undefined>(undefined);
  onHostMessage<ToComparePage>({ comparison: true, failed: true }, message => store.update(() => message));
  api.postMessage({ type: 'ready' });
  return {
    store,
    open: (side, place) => {
      const { block, ...request } = place ?? {};
      api.postMessage({
        type: 'open',
        side,
        place: block === undefined ? request : { ...request, block },
      });
    },
  };
}
