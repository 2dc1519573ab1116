import { useEffect, useState } from 'react';

/** While the user scrubs, only the request where the scrubbing ends is asked for. */
const settleMilliseconds = 150;

/** What is known of an answer about a request. */
export type RequestAnswer<Value> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'known'; readonly value: Value }
  | { readonly kind: 'failed'; readonly sentence: string };

/**
 * Asks about a request once it has settled, and anew when the session was read again.
 * @param ask the same function on every render
 */
export function useRequestAnswer<Value>(
  request: number,
  session: object,
  ask: (request: number) => Promise<Value>,
): RequestAnswer<Value> {
  const [latest, setLatest] = useState<{ readonly request: number; readonly answer: RequestAnswer<Value> }>();
  useEffect(() => {
    let isCurrent = true;
    const show = (answer: RequestAnswer<Value>): void => {
      if (isCurrent) {
        setLatest({ request, answer });
      }
    };
    const timer = window.setTimeout(() => {
      ask(request).then(
        value => show({ kind: 'known', value }),
        (error: unknown) =>
          show({ kind: 'failed', sentence: error instanceof Error ? error.message : String(error) }),
      );
    }, settleMilliseconds);
    return () => {
      isCurrent = false;
      window.clearTimeout(timer);
    };
  }, [ask, request, session]);
  return latest?.request === request ? latest.answer : { kind: 'waiting' };
}
