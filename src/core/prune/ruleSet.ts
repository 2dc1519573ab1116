import type { PruneOptions } from '../model/pruneConfig';
import type { PruneHistory, PruneSituation } from './pruneInput';

/**
 * Reasons to keep a result. `disabled`: pruning is off. `belowMinimum`: queued, but all queued results have too few
 * tokens. The rule sets define the others.
 */
export const keepReasons = [
  'beyondStop',
  'recentTurn',
  'notCompleted',
  'protectedTool',
  'alreadyPruned',
  'withinProtectedTokens',
  'withinWarmPrefix',
  'newestResults',
  'notRepeated',
  'tooSmall',
  'disabled',
  'belowMinimum',
] as const;
export type KeepReason = (typeof keepReasons)[number];

const codeOf = (reason: KeepReason): number => keepReasons.indexOf(reason);

/** The outcome for a result as a number: the index into `keepReasons` if it stays, or `candidate` if it is queued. */
export const outcomes = {
  beyondStop: codeOf('beyondStop'),
  recentTurn: codeOf('recentTurn'),
  notCompleted: codeOf('notCompleted'),
  protectedTool: codeOf('protectedTool'),
  alreadyPruned: codeOf('alreadyPruned'),
  withinProtectedTokens: codeOf('withinProtectedTokens'),
  withinWarmPrefix: codeOf('withinWarmPrefix'),
  newestResults: codeOf('newestResults'),
  notRepeated: codeOf('notRepeated'),
  tooSmall: codeOf('tooSmall'),
  disabled: codeOf('disabled'),
  belowMinimum: codeOf('belowMinimum'),
  candidate: keepReasons.length,
} as const;

/** The outcome of a rule set's walk over the messages. Results are numbered from 0 over all messages, oldest first. */
export interface PruneWalk {
  /** One of `outcomes` for each result. */
  readonly outcomes: Uint8Array;
  /** Numbers of the queued results, in the order in which the rule set takes them. */
  readonly queued: readonly number[];
  /** The queued results that are pruned even if the minimum is not reached. */
  readonly unconditional: ReadonlySet<number>;
  /** Sum of all sizes that were counted, including protected ones (opencode's log calls it `total`). */
  readonly scannedTokens: number;
  /** The sum of the queued sizes, which the rule set compares with the minimum. */
  readonly candidateTokens: number;
}

/**
 * When an agent applies its rules: `afterTurn` when a prompt is done, so the next prompt is the first to be sent with the
 * pruned history; `beforeRequest` ahead of every request.
 */
export type PruneMoment = 'afterTurn' | 'beforeRequest';

/** The rules of one agent. Sizes are in tokens of the chosen measure; results are given by number. */
export interface PruneRules {
  readonly moment: PruneMoment;
  /** The agent's own estimate of an output, for the measure `chars4`. */
  readonly estimate: (history: PruneHistory, number: number) => number;
  readonly walk: (
    history: PruneHistory,
    options: PruneOptions,
    /** Of each result, in the chosen measure. */
    sizes: Float64Array,
    situation: PruneSituation,
  ) => PruneWalk;
  /** True if this is enough to prune. */
  readonly reachesMinimum: (
    candidateTokens: number,
    minimumTokens: number,
    situation: PruneSituation,
  ) => boolean;
  /** The text that replaces a pruned output. */
  readonly notice: (
    history: PruneHistory,
    number: number,
    options: PruneOptions,
    unconditional: boolean,
  ) => string;
}

/** A quarter of the UTF-16 units, rounded to the nearest. */
export function quarterOfCharacters({ results }: PruneHistory, number: number): number {
  return Math.round((results.characters[number] ?? 0) / 4);
}

/** Number of newest user turns that opencode and katu leave alone. */
export const recentTurns = 2;

/** For rule sets that hold every candidate to the minimum. */
export const noneUnconditional: ReadonlySet<number> = new Set();
