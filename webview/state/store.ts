import { useSyncExternalStore } from 'react';

/**
 * A value that changes as a whole. Selectors must return the same object for the same state: derived values are
 * memoised.
 */
export interface Store<State> {
  readonly get: () => State;
  readonly update: (change: (state: State) => State) => void;
  readonly subscribe: (listener: () => void) => () => void;
}

export function createStore<State>(initial: State): Store<State> {
  let state = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => state,
    update(change) {
      const next = change(state);
      if (next !== state) {
        state = next;
        for (const listener of listeners) {
          listener();
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useSelected<State, Value>(store: Store<State>, select: (state: State) => Value): Value {
  return useSyncExternalStore(store.subscribe, () => select(store.get()));
}

/** Remembers the latest results; arguments are compared by identity. */
export function memoise<Arguments extends readonly unknown[], Result>(
  compute: (...input: Arguments) => Result,
  size = 1,
): (...input: Arguments) => Result {
  const known: { readonly input: Arguments; readonly result: Result }[] = [];
  return (...input) => {
    const hit = known.find(entry => entry.input.every((value, index) => Object.is(value, input[index])));
    if (hit !== undefined) {
      return hit.result;
    }
    const result = compute(...input);
    known.unshift({ input, result });
    known.length = Math.min(known.length, size);
    return result;
  };
}
