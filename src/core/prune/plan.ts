import type { PruneOptions, PruneRuleSet } from '../model/pruneConfig';
import { katuRules } from './katu';
import { opencodeRules } from './opencode';
import { allResults, type PruneMessage, type PruneResult } from './pruneInput';
import { truncationNotice } from './replacement';
import type { PruneRules, PruneWalk, WalkKeepReason } from './ruleSet';

/** `disabled`: pruning is switched off. `belowMinimum`: queued, but all queued results together are too few tokens. */
export type KeepReason = WalkKeepReason | 'disabled' | 'belowMinimum';

export type PruneDecision =
  | { readonly block: number; readonly verdict: 'pruned'; readonly tokensFreed: number }
  | {
      readonly block: number;
      readonly verdict: 'kept';
      readonly reason: KeepReason;
      /** What pruning it would free for `belowMinimum`, else 0. */
      readonly tokensFreed: number;
    };

/** What a rule set would prune now. */
export interface PrunePlan {
  readonly ruleSet: PruneRuleSet;
  /** One a result, oldest first. */
  readonly decisions: readonly PruneDecision[];
  /** Blocks that the rule set queues, newest first as it walks; listed whether or not the plan executes. */
  readonly candidates: readonly number[];
  /** What the rule set compares with `minimumTokens`: the queued outputs in the chosen measure, notices not deducted. */
  readonly candidateTokens: number;
  /** Everything that was weighed on the walk, in the chosen measure. */
  readonly scannedTokens: number;
  /** Tokens that pruning the candidates frees, net of what stands in their place; nothing is freed unless it executes. */
  readonly tokensFreed: number;
  /** Whether `tokensFreed` rests on the share of characters that truncated outputs keep. */
  readonly estimated: boolean;
  readonly executes: boolean;
}

const ruleSets: Readonly<Record<PruneRuleSet, PruneRules>> = {
  opencode: opencodeRules,
  katu: katuRules,
};

/** What stands in the place of a cleared output. */
export function pruneNotice(options: PruneOptions): string {
  return ruleSets[options.ruleSet].notice(options);
}

/**
 * Tokens that replacing an output frees. Never negative: an output that is smaller than its notice frees nothing,
 * though the rule sets replace it all the same.
 */
function createSaving(
  rules: PruneRules,
  options: PruneOptions,
  noticeTokens: (notice: string) => number,
): (result: PruneResult) => number {
  switch (options.replacement) {
    case 'clear': {
      const cleared = noticeTokens(rules.notice(options));
      return ({ tokens }) => Math.max(0, tokens - cleared);
    }
    case 'truncate': {
      const limit = options.toolOutputMaxChars;
      const byDigits = new Map<number, number>();
      return ({ tokens, characters }) => {
        const omitted = characters - limit;
        const digits = String(omitted).length;
        const notice = byDigits.get(digits) ?? noticeTokens(`\n${truncationNotice(omitted)}`);
        byDigits.set(digits, notice);
        return Math.max(0, tokens - Math.round((tokens * limit) / characters) - notice);
      };
    }
  }
}

function disabledWalk(results: readonly PruneResult[]): PruneWalk {
  return { outcomes: results.map(() => 'beyondStop'), queued: [], scannedTokens: 0, candidateTokens: 0 };
}

/**
 * Applies a rule set to a transcript. Thresholds are compared in `options.measure`, savings are always in the tokens of
 * the input. With the replacement `truncate`, queued outputs that are no longer than the limit stay as they are: they
 * count towards the minimum, as in the rule set, but are kept as `tooSmall` and are no candidates. Time is linear.
 * @param noticeTokens counts a notice; it is asked a few times for the whole plan.
 */
export function planPrune(
  messages: readonly PruneMessage[],
  options: PruneOptions,
  noticeTokens: (notice: string) => number,
): PrunePlan {
  const rules = ruleSets[options.ruleSet];
  const results = allResults(messages);
  const sizeOf = options.measure === 'tokens' ? ({ tokens }: PruneResult) => tokens : rules.estimate;
  const { outcomes, queued, candidateTokens, scannedTokens } = options.enabled
    ? rules.walk(messages, options, sizeOf)
    : disabledWalk(results);

  const truncates = options.replacement === 'truncate';
  const fits = ({ characters }: PruneResult): boolean =>
    truncates && characters <= options.toolOutputMaxChars;
  const candidates = queued.flatMap(number => {
    const result = results[number];
    return result === undefined || fits(result) ? [] : [result.block];
  });
  const executes = candidates.length > 0 && rules.reachesMinimum(candidateTokens, options.minimumTokens);

  const saving = createSaving(rules, options, noticeTokens);
  let tokensFreed = 0;
  const decisions = results.map((result, number): PruneDecision => {
    const { block } = result;
    const outcome = outcomes[number] ?? 'beyondStop';
    if (!options.enabled) {
      return { block, verdict: 'kept', reason: 'disabled', tokensFreed: 0 };
    }
    if (outcome !== 'candidate') {
      return { block, verdict: 'kept', reason: outcome, tokensFreed: 0 };
    }
    if (fits(result)) {
      return { block, verdict: 'kept', reason: 'tooSmall', tokensFreed: 0 };
    }
    const freed = saving(result);
    tokensFreed += freed;
    return executes
      ? { block, verdict: 'pruned', tokensFreed: freed }
      : { block, verdict: 'kept', reason: 'belowMinimum', tokensFreed: freed };
  });
  return {
    ruleSet: options.ruleSet,
    decisions,
    candidates,
    candidateTokens,
    scannedTokens,
    tokensFreed,
    estimated: truncates && candidates.length > 0,
    executes,
  };
}
