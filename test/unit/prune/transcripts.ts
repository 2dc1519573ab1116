import type { PruneDecision } from '../../../src/core/prune/plan';
import type { PruneMessage, PruneResult } from '../../../src/core/prune/pruneInput';

export const user: PruneMessage = { role: 'user', summary: false, results: [] };

export function assistant(...results: PruneResult[]): PruneMessage {
  return { role: 'assistant', summary: false, results };
}

export function summary(...results: PruneResult[]): PruneMessage {
  return { role: 'assistant', summary: true, results };
}

/** A completed result of so many tokens; its ASCII text has four characters a token. */
export function result(block: number, tokens: number, other: Partial<PruneResult> = {}): PruneResult {
  return {
    block,
    tool: 'bash',
    callHash: `call ${block}`,
    contentHash: `result ${block}`,
    path: '',
    status: 'completed',
    alreadyPruned: false,
    useless: false,
    tokens,
    characters: tokens * 4,
    bytes: tokens * 4,
    imageCount: 0,
    resultMessage: block,
    endTokens: 0,
    endBytes: 0,
    ...other,
  };
}

/** Two user turns after which everything older is looked at. */
export const twoTurns: readonly PruneMessage[] = [user, assistant(), user, assistant()];

/** What became of each result: `pruned`, or why it stays. */
export function reasons(decisions: readonly PruneDecision[]): readonly string[] {
  return decisions.map(decision => (decision.verdict === 'kept' ? decision.reason : decision.verdict));
}
