import { useEffect, useState } from 'react';

/** What a question came to; `waiting` until the newest one is answered. */
export type Settled<Value> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'known'; readonly value: Value }
  | { readonly kind: 'failed'; readonly sentence: string };

/** While the user scrubs or moves a slider, only what they end with is asked for. */
const settleMilliseconds = 200;

/** Asks when the question has not changed for a moment. `ask` must be the same function for the same question. */
export function useSettledAnswer<Value>(ask: () => Promise<Value>): Settled<Value> {
  const [answer, setAnswer] = useState<{
    readonly ask: () => Promise<Value>;
    readonly settled: Settled<Value>;
  }>();
  useEffect(() => {
    let isCurrent = true;
    const settle = (settled: Settled<Value>): void => {
      if (isCurrent) {
        setAnswer({ ask, settled });
      }
    };
    const timer = window.setTimeout(() => {
      ask().then(
        value => settle({ kind: 'known', value }),
        (error: unknown) =>
          settle({ kind: 'failed', sentence: error instanceof Error ? error.message : String(error) }),
      );
    }, settleMilliseconds);
    return () => {
      isCurrent = false;
      window.clearTimeout(timer);
    };
  }, [ask]);
  return answer?.ask === ask ? answer.settled : { kind: 'waiting' };
}
