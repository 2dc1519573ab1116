import type { JsonEdit } from '../base/jsonEdits';

/** The results that a plan removes from the records of a file. */
export interface PrunedResults {
  /** The replacement of a result; `undefined` for one that is kept. The text distinguishes results with the same id. */
  replacementOf(callId: string, text: string): string | undefined;
  /** True if a result becomes the agent's own notice; false if it is truncated. */
  readonly cleared: boolean;
  /** When the agent would have pruned, in milliseconds since 1970: just before the request of the plan. */
  readonly time: number;
}

/** Applies a plan to the records of one file. Records come in file order. */
export interface RecordEditor {
  /** Removes the pruned results from a record. */
  prune(value: unknown): readonly JsonEdit[];
  /** Updates references to changed contents. Called for every record, changed or not. */
  relink?(before: unknown, after: unknown): readonly JsonEdit[];
}

export type OpenRecordEditor = (pruned: PrunedResults) => RecordEditor;
