import type { JsonEdit } from '../base/jsonEdits';

/** What a plan takes out, as the records of a file see it. */
export interface PrunedResults {
  /** What stands in the place of a result, `undefined` for one that stays. The text tells apart results that share an id. */
  replacementOf(callId: string, text: string): string | undefined;
  /** Whether a result stands there as the agent's own notice, or cut. */
  readonly cleared: boolean;
  /** When the agent would have pruned, in milliseconds since 1970: just before the request of the plan. */
  readonly time: number;
}

/** Carries a plan into the records of one file. Records come in file order. */
export interface RecordEditor {
  /** Takes the pruned results out of a record. */
  prune(value: unknown): readonly JsonEdit[];
  /** Mends what refers to contents that have changed: called for every record, changed or not. */
  relink?(before: unknown, after: unknown): readonly JsonEdit[];
}

export type OpenRecordEditor = (pruned: PrunedResults) => RecordEditor;
