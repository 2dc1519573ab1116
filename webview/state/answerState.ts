/** The state of a question; `waiting` until the newest one is answered. */
export type AnswerState<Value> =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'known'; readonly value: Value }
  /** `retry` asks again. */
  | { readonly kind: 'failed'; readonly sentence: string; readonly retry: () => void };

/** Passes on the end of a question, as an answer or a failure. */
export function settle<Value>(
  answer: Promise<Value>,
  retry: () => void,
  show: (state: AnswerState<Value>) => void,
): void {
  answer.then(
    value => show({ kind: 'known', value }),
    (error: unknown) =>
      show({ kind: 'failed', sentence: error instanceof Error ? error.message : String(error), retry }),
  );
}
