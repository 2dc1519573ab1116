import type { PruneOptions } from '../model/pruneConfig';
import type { PruneMessage, PruneResult, PruneSituation } from './pruneInput';

/** Why a rule set leaves a result alone. */
export type WalkKeepReason =
  | 'recentTurn'
  | 'notCompleted'
  | 'protectedTool'
  | 'alreadyPruned'
  | 'withinProtectedTokens'
  | 'withinWarmPrefix'
  | 'newestResults'
  | 'notRepeated'
  | 'tooSmall'
  | 'beyondStop';

export type WalkOutcome = WalkKeepReason | 'candidate';

/** What a rule set's walk over the messages found. Results are numbered from 0 over all messages, oldest first. */
export interface PruneWalk {
  /** One entry a result. */
  readonly outcomes: readonly WalkOutcome[];
  /** Numbers of the queued results, in the order in which the rule set takes them. */
  readonly queued: readonly number[];
  /** Those of the queued results that go whether or not the minimum is reached. */
  readonly unconditional: ReadonlySet<number>;
  /** Sum of all sizes that were weighed, protected ones included (opencode's log calls it `total`). */
  readonly scannedTokens: number;
  /** What the rule set compares with the minimum: the sum of the queued sizes. */
  readonly candidateTokens: number;
}

/**
 * When an agent applies its rules: `afterTurn` once a prompt has been worked off, so that the next prompt is the first
 * to be sent with the pruned history; `beforeRequest` ahead of every request.
 */
export type PruneMoment = 'afterTurn' | 'beforeRequest';

/** The rules of one agent. Sizes are in tokens of the chosen measure. */
export interface PruneRules {
  readonly moment: PruneMoment;
  /** The agent's own estimate of an output, for the measure `chars4`. */
  readonly estimate: (result: PruneResult) => number;
  readonly walk: (
    messages: readonly PruneMessage[],
    options: PruneOptions,
    sizeOf: (result: PruneResult) => number,
    situation: PruneSituation,
  ) => PruneWalk;
  /** Whether so much is worth a prune. */
  readonly reachesMinimum: (
    candidateTokens: number,
    minimumTokens: number,
    situation: PruneSituation,
  ) => boolean;
  /** What the model reads in the place of a cleared output. */
  readonly notice: (result: PruneResult, options: PruneOptions, unconditional: boolean) => string;
}

/** The newest user turns that opencode and katu leave alone. */
export const recentTurns = 2;

/** For rule sets that hold every candidate to the minimum. */
export const noneUnconditional: ReadonlySet<number> = new Set();
