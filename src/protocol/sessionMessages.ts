import type { SessionSummary } from '../core/model/columns';
import type { ColumnUpdate } from './columnUpdate';
import type { PackedColumns } from './packedColumns';

/** What the worker is doing; `done` and `total` are bytes for reading, blocks for measuring. */
export interface Progress {
  readonly phase: 'reading' | 'measuring';
  readonly done: number;
  readonly total: number;
}

/** A whole session: the first one, and later if the changes cannot be sent as an update. */
export interface SessionState {
  readonly type: 'session';
  /** Increases with each update. */
  readonly revision: number;
  readonly summary: SessionSummary;
  readonly columns: PackedColumns;
  /** Work in progress in the background; absent when every figure is final. */
  readonly pending?: 'measuring' | undefined;
}

/** The difference from the previous revision: better figures, or additions to the file. */
export interface SessionUpdate {
  readonly type: 'update';
  readonly revision: number;
  readonly summary: Partial<SessionSummary>;
  readonly columns: ColumnUpdate;
  readonly pending?: 'measuring' | undefined;
}

/** The answer to the question with the same id. The asking side checks `value` with the schema of the answer. */
export type Answer =
  | { readonly type: 'answer'; readonly id: number; readonly ok: true; readonly value: unknown }
  | { readonly type: 'answer'; readonly id: number; readonly ok: false; readonly sentence: string };

/** Posts the answer to a question: the result of `answer`, or why it failed. */
export function postAnswer(
  id: number,
  answer: () => unknown,
  post: (answer: Answer) => void,
  sentenceOf: (error: unknown) => string | Promise<string>,
): void {
  Promise.resolve()
    .then(answer)
    .then(value => post({ type: 'answer', id, ok: true, value }))
    .catch(async (error: unknown) =>
      post({ type: 'answer', id, ok: false, sentence: await sentenceOf(error) }),
    );
}
