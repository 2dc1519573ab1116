import type { PruneOptions } from '../../../src/core/model/pruneConfig';
import type { PruneDecision } from '../../../src/core/prune/decisions';
import { HistoryBuilder } from '../../../src/core/prune/historyBuilder';
import { planPrune } from '../../../src/core/prune/plan';
import {
  messageRoles,
  type PruneHistory,
  type PruneSituation,
  resultFlags,
} from '../../../src/core/prune/pruneInput';

/** A message in the tests' notation; a user message has no results. */
export interface PruneMessage {
  readonly role: 'user' | 'assistant';
  /** True if this assistant message is a compaction summary. */
  readonly summary: boolean;
  readonly results: readonly PruneResult[];
}

/** A result in the tests' notation; empty texts are not recorded. */
export interface PruneResult {
  readonly block: number;
  readonly tool: string;
  readonly callHash: string;
  readonly contentHash: string;
  readonly path: string;
  readonly status: 'completed' | 'pending' | 'error';
  readonly alreadyPruned: boolean;
  readonly useless: boolean;
  readonly tokens: number;
  readonly characters: number;
  readonly bytes: number;
  readonly imageCount: number;
  readonly resultMessage: number;
  readonly endTokens: number;
  readonly endBytes: number;
}

export function historyOf(messages: readonly PruneMessage[]): PruneHistory {
  const texts = [''];
  const indexOf = (text: string): number => {
    const known = texts.indexOf(text);
    return known < 0 ? texts.push(text) - 1 : known;
  };
  const builder = new HistoryBuilder(texts);
  for (const { role, summary, results } of messages) {
    builder.open(summary ? messageRoles.summary : messageRoles[role]);
    for (const { tool, callHash, contentHash, path, status, alreadyPruned, useless, ...figures } of results) {
      builder.insert(builder.count, {
        ...figures,
        tool: builder.toolOf(tool),
        callHash: indexOf(callHash),
        contentHash: indexOf(contentHash),
        path: indexOf(path),
        flags:
          (status === 'completed' ? 0 : resultFlags[status]) |
          (alreadyPruned ? resultFlags.alreadyPruned : 0) |
          (useless ? resultFlags.useless : 0),
        pair: -1,
        position: 0,
      });
    }
  }
  return builder;
}

/** The plan for messages, with its decisions as a list. */
export function planOf(
  messages: readonly PruneMessage[],
  options: PruneOptions,
  noticeTokens: (notice: string) => number,
  situation?: PruneSituation,
) {
  const plan = planPrune(historyOf(messages), options, noticeTokens, situation);
  return { ...plan, decisions: [...plan.decisions] };
}

export const user: PruneMessage = { role: 'user', summary: false, results: [] };

export function assistant(...results: PruneResult[]): PruneMessage {
  return { role: 'assistant', summary: false, results };
}

export function summary(...results: PruneResult[]): PruneMessage {
  return { role: 'assistant', summary: true, results };
}

/** A completed result of this many tokens; its ASCII text has four characters per token. */
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

/** Two user turns; everything older is examined. */
export const twoTurns: readonly PruneMessage[] = [user, assistant(), user, assistant()];

/** The outcome for each result: `pruned`, or the reason why it is kept. */
export function reasons(decisions: readonly PruneDecision[]): readonly string[] {
  return decisions.map(decision => (decision.verdict === 'kept' ? decision.reason : decision.verdict));
}
