/** Something that ends: a subscription, a timer, a thread. */
export interface Disposable {
  dispose(): unknown;
}

/** Calls the listener for each event, until the subscription is disposed. */
export type Event<Value> = (listener: (value: Value) => unknown) => Disposable;

/** Calls the listeners of an event in the order of their subscription. */
export class Emitter<Value> implements Disposable {
  private readonly listeners = new Set<(value: Value) => unknown>();

  readonly event: Event<Value> = listener => {
    // The same function may listen twice.
    const own = (value: Value): unknown => listener(value);
    this.listeners.add(own);
    return { dispose: () => this.listeners.delete(own) };
  };

  fire(value: Value): void {
    for (const listener of [...this.listeners]) {
      listener(value);
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}

export function disposeAll(disposables: Iterable<Disposable>): void {
  for (const disposable of disposables) {
    disposable.dispose();
  }
}
