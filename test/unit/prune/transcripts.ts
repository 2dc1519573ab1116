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
    status: 'completed',
    alreadyPruned: false,
    tokens,
    characters: tokens * 4,
    bytes: tokens * 4,
    imageCount: 0,
    resultMessage: block,
    ...other,
  };
}

/** Two user turns after which everything older is looked at. */
export const twoTurns: readonly PruneMessage[] = [user, assistant(), user, assistant()];
