import type { ComparedPlace, Comparison } from '../../src/core/compare/comparison';
import type { FromComparePage, ToComparePage } from '../../src/protocol/comparePage';
import { onHostMessage } from '../state/hostMessages';
import { createStore, type Store } from '../state/store';
import type { VsCodeApi } from '../vscodeApi';

/** Which of the two sessions. */
export type SideIndex = 0 | 1;

/** Opens one of the two at a place; at its newest request where there is none. */
export type OpenPlace = (side: SideIndex, place: ComparedPlace | undefined) => void;

type Chosen = readonly [first: number, second: number] | null;

/** The page's state and what it can do. */
export interface Compared {
  readonly store: Store<CompareState>;
  readonly open: OpenPlace;
  /** Compares a request of each, by its index in the main conversation; for null, the whole sessions. */
  readonly compare: (requests: Chosen) => void;
}

export interface CompareState {
  /** What the host found out; undefined while the sessions are being read. */
  readonly answer: ToComparePage | undefined;
  /** Both as a whole, whatever is shown: its requests can be chosen. */
  readonly whole: Comparison | undefined;
  /** What is compared or asked for: the index of a request of each; null for whole sessions. */
  readonly chosen: Chosen;
  /** Another comparison than the shown one was asked for. */
  readonly isReading: boolean;
}

export function createCompared(api: VsCodeApi<FromComparePage>): Compared {
  const store = createStore<CompareState>({
    answer: undefined,
    whole: undefined,
    chosen: null,
    isReading: false,
  });
  onHostMessage<ToComparePage>({ comparison: true, failed: true }, answer =>
    store.update(({ whole, chosen }) => ({
      answer,
      // What comes first is the comparison of the whole.
      whole: whole ?? (answer.type === 'comparison' ? answer.comparison : undefined),
      chosen: answer.type === 'comparison' ? requestsOf(answer.comparison) : chosen,
      isReading: false,
    })),
  );
  api.postMessage({ type: 'ready' });
  return {
    store,
    compare: requests => {
      store.update(state => ({ ...state, chosen: requests, isReading: true }));
      api.postMessage({
        type: 'compare',
        requests: requests === null ? null : [...requests],
      });
    },
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

function requestsOf({ sides: [first, second] }: Comparison): Chosen {
  return first.request === undefined || second.request === undefined
    ? null
    : [first.request.request, second.request.request];
}
