import type { PruneOptions, PruneRuleSet } from '../model/pruneConfig';
import { PruneDecisions } from './decisions';
import { duplicatesRules } from './duplicates';
import { katuRules } from './katuRules';
import { microcompactRules } from './microcompactRules';
import { ohMyPiRules } from './ohMyPiRules';
import { opencodeRules } from './opencodeRules';
import type { PruneHistory, PruneSituation } from './pruneInput';
import { noneUnconditional, outcomes, type PruneMoment, type PruneRules, type PruneWalk } from './ruleSet';
import { savings } from './savings';

/** The prune plan of a rule set. */
export interface PrunePlan {
  readonly ruleSet: PruneRuleSet;
  /** One per result, oldest first. */
  readonly decisions: PruneDecisions;
  /**
   * Blocks that the rule set queues, in the order of its walk, even if the plan does not execute. Blocks that miss the
   * minimum while others are exempt from it are left out.
   */
  readonly candidates: readonly number[];
  /** The notice that replaces each candidate, by block, if outputs are cleared. */
  readonly notices: ReadonlyMap<number, string>;
  /**
   * The queued outputs in the chosen measure, which the rule set compares with `minimumTokens`. Only oh-my-pi deducts
   * the notices.
   */
  readonly candidateTokens: number;
  /** Everything that the walk counted, in the chosen measure. */
  readonly scannedTokens: number;
  /** Tokens that pruning the candidates frees, minus the replacements. Nothing is freed unless the plan executes. */
  readonly tokensFreed: number;
  /** True if `tokensFreed` is estimated from the share of characters that truncated outputs keep. */
  readonly estimated: boolean;
  readonly executes: boolean;
}

const ruleSets: Readonly<Record<PruneRuleSet, PruneRules>> = {
  opencode: opencodeRules,
  katu: katuRules,
  'oh-my-pi': ohMyPiRules,
  microcompact: microcompactRules,
  duplicates: duplicatesRules,
};

/**
 * The number of results that a rule set prunes by the agent's own estimate of their sizes; undefined if they are those
 * of the plan. Agents never measure with a tokenizer.
 * @param planWith makes the plan with other options
 */
export function prunedByEstimate(
  options: PruneOptions,
  plan: Pick<PrunePlan, 'executes' | 'candidates'>,
  planWith: (options: PruneOptions) => Pick<PrunePlan, 'executes' | 'candidates'>,
): number | undefined {
  if (options.measure === 'chars4' || options.ruleSet === 'duplicates') {
    return undefined;
  }
  const going = prunedBy(plan);
  const own = prunedBy(planWith({ ...options, measure: 'chars4' }));
  const areSame = own.length === going.length && own.every((block, index) => block === going[index]);
  return areSame ? undefined : own.length;
}

/** The blocks that a plan prunes: its candidates if it executes. */
export const prunedBy = ({
  executes,
  candidates,
}: Pick<PrunePlan, 'executes' | 'candidates'>): readonly number[] => (executes ? candidates : []);

/** When the agent of a rule set applies it. */
export function pruneMoment(ruleSet: PruneRuleSet): PruneMoment {
  return ruleSets[ruleSet].moment;
}

/** The blocks of the queued results that are pruned if the plan executes, and the tokens that this frees. */
function going(
  { outcomes: verdicts, queued, unconditional }: PruneWalk,
  holdsAll: boolean,
  blocks: Int32Array,
  freed: Float64Array,
): Pick<PrunePlan, 'candidates' | 'tokensFreed'> {
  const candidates: number[] = [];
  let tokensFreed = 0;
  for (const number of queued) {
    if (verdicts[number] === outcomes.candidate && (holdsAll || unconditional.has(number))) {
      candidates.push(blocks[number] ?? 0);
      tokensFreed += freed[number] ?? 0;
    }
  }
  return { candidates, tokensFreed };
}

/**
 * True if a rule set would prune now. Faster than making the plan. With `truncate`, it may be true although the plan
 * frees nothing.
 */
export function wouldPrune(history: PruneHistory, options: PruneOptions, situation: PruneSituation): boolean {
  if (!options.enabled) {
    return false;
  }
  const rules = ruleSets[options.ruleSet];
  const { queued, unconditional, candidateTokens } = rules.walk(
    history,
    options,
    sizesIn(rules, history, options),
    situation,
  );
  return (
    unconditional.size > 0 ||
    (queued.length > 0 && rules.reachesMinimum(candidateTokens, options.minimumTokens, situation))
  );
}

function sizesIn(rules: PruneRules, history: PruneHistory, { measure }: PruneOptions): Float64Array {
  if (measure === 'tokens') {
    return history.results.tokens;
  }
  const sizes = new Float64Array(history.count);
  for (let number = 0; number < sizes.length; number += 1) {
    sizes[number] = rules.estimate(history, number);
  }
  return sizes;
}

function disabledWalk({ count }: PruneHistory): PruneWalk {
  return {
    outcomes: new Uint8Array(count).fill(outcomes.disabled),
    queued: [],
    unconditional: noneUnconditional,
    scannedTokens: 0,
    candidateTokens: 0,
  };
}

/**
 * Applies a rule set to a history. Thresholds are compared in `options.measure`, savings are always in the tokens of the
 * input. With the replacement `truncate`, queued outputs that are no longer than the limit stay as they are: they count
 * towards the minimum, as in the rule set, but are kept as `tooSmall` and are not candidates. Linear. The plan reads the
 * history's columns on access, so it is valid only until they change.
 * @param noticeTokens counts a notice; called once for each different notice.
 */
export function planPrune(
  history: PruneHistory,
  options: PruneOptions,
  noticeTokens: (notice: string) => number,
  situation: PruneSituation = {},
): PrunePlan {
  const rules = ruleSets[options.ruleSet];
  const { block: blocks, characters } = history.results;
  const walk = options.enabled
    ? rules.walk(history, options, sizesIn(rules, history, options), situation)
    : disabledWalk(history);
  const { outcomes: verdicts, queued, unconditional, candidateTokens, scannedTokens } = walk;

  const truncates = options.replacement === 'truncate';
  const reaches = rules.reachesMinimum(candidateTokens, options.minimumTokens, situation);
  const holdsAll = reaches || unconditional.size === 0;
  const goes = (number: number): boolean => holdsAll || unconditional.has(number);
  const freed = savings(rules, history, options, walk, noticeTokens);
  if (truncates) {
    for (const number of queued) {
      if ((characters[number] ?? 0) <= options.toolOutputMaxChars) {
        verdicts[number] = outcomes.tooSmall;
      }
    }
  }
  const { candidates, tokensFreed } = going(walk, holdsAll, blocks, freed);
  const executes = candidates.length > 0 && (reaches || unconditional.size > 0);
  if (!executes || !holdsAll) {
    for (const number of queued) {
      if (verdicts[number] === outcomes.candidate && !(executes && goes(number))) {
        verdicts[number] = outcomes.belowMinimum;
      }
    }
  }

  const noticesOf = (): ReadonlyMap<number, string> => {
    const made = new Map<number, string>();
    for (const number of truncates ? [] : queued) {
      if (goes(number)) {
        made.set(blocks[number] ?? 0, rules.notice(history, number, options, unconditional.has(number)));
      }
    }
    return made;
  };
  let notices: ReadonlyMap<number, string> | undefined;
  return {
    ruleSet: options.ruleSet,
    decisions: new PruneDecisions(history.count, blocks, verdicts, freed),
    candidates,
    // Created on access, because a moving slider needs none of the thousands of entries.
    get notices() {
      return (notices ??= noticesOf());
    },
    candidateTokens,
    scannedTokens,
    tokensFreed,
    estimated: truncates && candidates.length > 0,
    executes,
  };
}
