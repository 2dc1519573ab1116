import type { PruneOptions, PruneRuleSet } from '../model/pruneConfig';
import { duplicatesRules } from './duplicates';
import { katuRules } from './katu';
import { microcompactRules } from './microcompact';
import { ohMyPiRules } from './ohMyPi';
import { opencodeRules } from './opencode';
import { allResults, type PruneMessage, type PruneResult, type PruneSituation } from './pruneInput';
import { truncationNotice } from './replacement';
import {
  noneUnconditional,
  type PruneMoment,
  type PruneRules,
  type PruneWalk,
  type WalkKeepReason,
} from './ruleSet';

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
  /**
   * Blocks that the rule set queues, in the order in which it walks; listed whether or not the plan executes, but for
   * those that miss the minimum where others go without it.
   */
  readonly candidates: readonly number[];
  /** What stands in the place of each candidate, by block, where outputs are cleared. */
  readonly notices: ReadonlyMap<number, string>;
  /**
   * What the rule set compares with `minimumTokens`: the queued outputs in the chosen measure, notices not deducted but
   * with oh-my-pi.
   */
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
  'oh-my-pi': ohMyPiRules,
  microcompact: microcompactRules,
  duplicates: duplicatesRules,
};

/** When the agent of a rule set applies it. */
export function pruneMoment(ruleSet: PruneRuleSet): PruneMoment {
  return ruleSets[ruleSet].moment;
}

/**
 * Tokens that replacing an output frees. Never negative: an output that is smaller than its notice frees nothing,
 * though the rule sets replace it all the same.
 */
function createSaving(
  rules: PruneRules,
  options: PruneOptions,
  noticeTokens: (notice: string) => number,
): (result: PruneResult, unconditional: boolean) => number {
  const known = new Map<string, number>();
  const count = (notice: string): number => {
    const tokens = known.get(notice) ?? noticeTokens(notice);
    known.set(notice, tokens);
    return tokens;
  };
  switch (options.replacement) {
    case 'clear':
      return (result, unconditional) =>
        Math.max(0, result.tokens - count(rules.notice(result, options, unconditional)));
    case 'truncate': {
      const limit = options.toolOutputMaxChars;
      // All numbers of the same length are the same number of tokens.
      return ({ tokens, characters }) => {
        const omitted = 10 ** (String(characters - limit).length - 1);
        const notice = count(`\n${truncationNotice(omitted)}`);
        return Math.max(0, tokens - Math.round((tokens * limit) / characters) - notice);
      };
    }
  }
}

/** Whether a rule set would prune now; quicker than the plan, which says what. With `truncate` it may promise too much. */
export function wouldPrune(
  messages: readonly PruneMessage[],
  options: PruneOptions,
  situation: PruneSituation,
): boolean {
  if (!options.enabled) {
    return false;
  }
  const rules = ruleSets[options.ruleSet];
  const { queued, unconditional, candidateTokens } = rules.walk(
    messages,
    options,
    sizeIn(rules, options),
    situation,
  );
  return (
    unconditional.size > 0 ||
    (queued.length > 0 && rules.reachesMinimum(candidateTokens, options.minimumTokens, situation))
  );
}

function sizeIn(rules: PruneRules, { measure }: PruneOptions): (result: PruneResult) => number {
  return measure === 'tokens' ? ({ tokens }) => tokens : rules.estimate;
}

function disabledWalk(results: readonly PruneResult[]): PruneWalk {
  return {
    outcomes: results.map(() => 'beyondStop'),
    queued: [],
    unconditional: noneUnconditional,
    scannedTokens: 0,
    candidateTokens: 0,
  };
}

/**
 * Applies a rule set to a transcript. Thresholds are compared in `options.measure`, savings are always in the tokens of
 * the input. With the replacement `truncate`, queued outputs that are no longer than the limit stay as they are: they
 * count towards the minimum, as in the rule set, but are kept as `tooSmall` and are no candidates. Time is linear.
 * @param noticeTokens counts a notice; it is asked once for each different notice.
 */
export function planPrune(
  messages: readonly PruneMessage[],
  options: PruneOptions,
  noticeTokens: (notice: string) => number,
  situation: PruneSituation = {},
): PrunePlan {
  const rules = ruleSets[options.ruleSet];
  const results = allResults(messages);
  const { outcomes, queued, unconditional, candidateTokens, scannedTokens } = options.enabled
    ? rules.walk(messages, options, sizeIn(rules, options), situation)
    : disabledWalk(results);

  const truncates = options.replacement === 'truncate';
  const fits = ({ characters }: PruneResult): boolean =>
    truncates && characters <= options.toolOutputMaxChars;
  const reaches = rules.reachesMinimum(candidateTokens, options.minimumTokens, situation);
  const goes = (number: number): boolean => reaches || unconditional.size === 0 || unconditional.has(number);
  const candidates: number[] = [];
  for (const number of queued) {
    const result = results[number];
    if (result !== undefined && !fits(result) && goes(number)) {
      candidates.push(result.block);
    }
  }
  const noticesOf = (): ReadonlyMap<number, string> => {
    const notices = new Map<number, string>();
    for (const number of truncates ? [] : queued) {
      const result = results[number];
      if (result !== undefined && goes(number)) {
        notices.set(result.block, rules.notice(result, options, unconditional.has(number)));
      }
    }
    return notices;
  };
  let notices: ReadonlyMap<number, string> | undefined;
  const executes = candidates.length > 0 && (reaches || unconditional.size > 0);

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
    const freed = saving(result, unconditional.has(number));
    tokensFreed += goes(number) ? freed : 0;
    return executes && goes(number)
      ? { block, verdict: 'pruned', tokensFreed: freed }
      : { block, verdict: 'kept', reason: 'belowMinimum', tokensFreed: freed };
  });
  return {
    ruleSet: options.ruleSet,
    decisions,
    candidates,
    // Made when it is asked for: a slider that moves needs none of the thousands of entries.
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
