import type { ModelFamily } from '../model/modelRow';

/** The ranges of pauses that are told apart, by their longest pause in seconds. */
export const pauseLimits = [60, 300, 600, 1800, 3600, 7200, Number.POSITIVE_INFINITY] as const;

/** Caches of some models after pauses, as a command counted them. */
export interface MeasuredPauses {
  readonly family: ModelFamily;
  /** As `ModelRow.match`; absent for all models of the family that are promised the same lifetime. */
  readonly model?: string;
  /** The promised lifetime and the one that was asked for, in seconds; 0 for none. */
  readonly promised: number;
  readonly asked: number;
  /** For each of `pauseLimits`: how many survived, of how many. 0 of 0 where too few were seen. */
  readonly pauses: readonly (readonly [survived: number, of: number])[];
}
