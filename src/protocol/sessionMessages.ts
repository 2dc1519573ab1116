import type { SessionSummary } from '../core/model/columns';
import type { ColumnUpdate } from './columnUpdate';
import type { PackedColumns } from './packedColumns';

/** What the worker is doing; `done` and `total` are bytes for reading, blocks for measuring. */
export interface Progress {
  readonly phase: 'reading' | 'measuring';
  readonly done: number;
  readonly total: number;
}

/** All of a session: at first, and where what has changed since cannot be sent as an addition. */
export interface SessionState {
  readonly type: 'session';
  /** Counted up with each update. */
  readonly revision: number;
  readonly summary: SessionSummary;
  readonly columns: PackedColumns;
  /** Work that still goes on in the background; absent when every figure is final. */
  readonly pending?: 'measuring' | undefined;
}

/** What differs from the revision before: better figures, or what was added to the file. */
export interface SessionUpdate {
  readonly type: 'update';
  readonly revision: number;
  readonly summary: Partial<SessionSummary>;
  readonly columns: ColumnUpdate;
  readonly pending?: 'measuring' | undefined;
}

/** The answer to the question with the same id. `value` is checked with the schema of the question's answer by who asked. */
export type Answer =
  | { readonly type: 'answer'; readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly type: 'answer'; readonly id: number; readonly ok: false; readonly sentence: string };

/** Posts the answer to a question: what `answer` gives, or why it failed. */
export function postAnswer(
  id: number,
  answer: () => unknown,
  post: (answer: Answer) => void,
  sentenceOf: (error: unknown) => string,
): void {
  Promise.resolve()
    .then(answer)
    .then(value => post({ type: 'answer', id, ok: true, value }))
    .catch((error: unknown) => post({ type: 'answer', id, ok: false, sentence: sentenceOf(error) }));
}
