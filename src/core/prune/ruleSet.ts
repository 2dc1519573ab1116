import type { PruneOptions } from '../model/pruneConfig';
import type { PruneMessage, PruneResult } from './pruneInput';

/** Why a rule set leaves a result alone. */
export type WalkKeepReason =
  | 'recentTurn'
  | 'notCompleted'
  | 'protectedTool'
  | 'alreadyPruned'
  | 'withinProtectedTokens'
  | 'tooSmall'
  | 'beyondStop';

export type WalkOutcome = WalkKeepReason | 'candidate';

/** What a rule set's walk over the messages found. Results are numbered from 0 over all messages, oldest first. */
export interface PruneWalk {
  /** One entry a result. */
  readonly outcomes: readonly WalkOutcome[];
  /** Numbers of the queued results, in the order of the walk: newest first. */
  readonly queued: readonly number[];
  /** Sum of all sizes that were weighed, protected ones included (opencode's log calls it `total`). */
  readonly scannedTokens: number;
  /** Sum of the queued sizes. */
  readonly candidateTokens: number;
}

/** The rules of one agent. Sizes are in tokens of the chosen measure. */
export interface PruneRules {
  /** The agent's own estimate of an output, for the measure `chars4`. */
  readonly estimate: (result: PruneResult) => number;
  readonly walk: (
    messages: readonly PruneMessage[],
    options: PruneOptions,
    sizeOf: (result: PruneResult) => number,
  ) => PruneWalk;
  /** Whether so much is worth a prune. */
  readonly reachesMinimum: (candidateTokens: number, minimumTokens: number) => boolean;
  /** What the model reads in the place of a cleared output. */
  readonly notice: (options: PruneOptions) => string;
}

/** The newest user turns that both rule sets leave alone. */
export const recentTurns = 2;
