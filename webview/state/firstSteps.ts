import type { FirstStep } from '../../src/protocol/inspectorPage';
import { findingOf } from './cacheReport';
import { requestInView } from './derived';
import type { AppState } from './inspector';
import type { Store } from './store';

/** True if a change of the state completes a step of the walkthrough. */
const isDone: Readonly<Record<FirstStep, (now: AppState, before: AppState) => boolean>> = {
  blockSelected: ({ view }, before) => view.block !== undefined && view.block !== before.view.block,
  sliderMoved: ({ view }, before) => view.prune !== undefined && view.prune !== before.view.prune,
  breakSeen: ({ view, page, cache }) => {
    const isShown = view.panel === 'cache' || view.column === 'cache';
    if (!isShown || page.kind !== 'session') {
      return false;
    }
    const request = requestInView(page.session.columns, view);
    return request !== undefined && findingOf(cache, request) !== undefined;
  },
};

/** Reports each step of the walkthrough once, when the user takes it. */
export function watchFirstSteps(store: Store<AppState>, report: (step: FirstStep) => void): void {
  const left = new Set<FirstStep>(['blockSelected', 'sliderMoved', 'breakSeen']);
  let before = store.get();
  const stop = store.subscribe(() => {
    const now = store.get();
    for (const step of left) {
      if (isDone[step](now, before)) {
        left.delete(step);
        report(step);
      }
    }
    before = now;
    if (left.size === 0) {
      stop();
    }
  });
}
