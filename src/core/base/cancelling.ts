/** Node has this function; browsers do not. */
declare const setImmediate: ((callback: () => void) => unknown) | undefined;

/** Lets a caller follow and cancel long work. */
export interface WorkOptions {
  readonly isCancelled?: (() => boolean) | undefined;
  /** Called with the finished amount and the total. The unit depends on the work. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Thrown by work whose `isCancelled` has become true. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
  constructor() {
    super('Cancelled.');
  }
}

/** @throws CancelledError if the work is cancelled. */
export function throwIfCancelled(isCancelled: WorkOptions['isCancelled']): void {
  if (isCancelled?.() === true) {
    throw new CancelledError();
  }
}

/** The longest time that work may hold the thread before messages are handled, in milliseconds. */
const longestTurn = 30;

/** Tells long work when to run the event loop, so that messages and cancellation are handled. */
export class WorkTurn {
  private end = Date.now() + longestTurn;

  get isOver(): boolean {
    return Date.now() > this.end;
  }

  /** Resolves when the event loop has run; the next turn begins then. */
  async next(): Promise<void> {
    await runEventLoop();
    this.end = Date.now() + longestTurn;
  }
}

/** Resolves when the event loop has run. */
export function runEventLoop(): Promise<void> {
  return new Promise(resolve => {
    // A timer waits for a millisecond at least.
    if (typeof setImmediate === 'function') {
      setImmediate(resolve);
    } else {
      setTimeout(resolve, 0);
    }
  });
}
