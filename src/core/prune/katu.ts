import { katuNotice } from './notices';
import { allResults, type PruneMessage, type PruneResult } from './pruneInput';
import { noneUnconditional, recentTurns, type PruneRules, type WalkOutcome } from './ruleSet';

const imageTokens = 1000;

/** Index of the second user message from the end; with fewer of them, no turn is protected. */
function boundaryOf(messages: readonly PruneMessage[]): number {
  let turns = 0;
  for (let at = messages.length - 1; at >= 0; at--) {
    if (messages[at]?.role === 'user' && ++turns === recentTurns) {
      return at;
    }
  }
  return messages.length;
}

/** Positions of the results, newest result message first: parallel calls may be answered in another order. */
function newestFirst(results: readonly PruneResult[]): readonly number[] {
  return results
    .map((_, position) => position)
    .sort(
      (first, second) =>
        (results[second]?.resultMessage ?? 0) - (results[first]?.resultMessage ?? 0) || second - first,
    );
}

/**
 * katu-core 0.1.1, compaction.rs: walks the results before the second newest user message, through summaries and
 * earlier prunes. A result is kept while less than `protectTokens` have been counted, so that the one which crosses it
 * is kept; after that, those of more than `toolOutputMaxChars` bytes are queued. Errors are pruned like other results.
 * At least `minimumTokens` must be queued. A result whose output is a notice already is neither counted nor queued:
 * katu would find the short notice in its place. It runs after each batch of tool calls (katu-agent, runner.rs).
 */
export const katuRules: PruneRules = {
  moment: 'beforeRequest',
  estimate: ({ bytes, imageCount }) => Math.floor(bytes / 4) + imageTokens * imageCount,

  walk(messages, options, sizeOf) {
    const outcomes = allResults(messages).map((): WalkOutcome => 'recentTurn');
    const boundary = boundaryOf(messages);
    const queued: number[] = [];
    let protectedTokens = 0;
    let candidateTokens = 0;
    let scannedTokens = 0;
    let first = outcomes.length;
    for (let at = messages.length - 1; at >= 0; at--) {
      const results = messages[at]?.results ?? [];
      first -= results.length;
      if (at >= boundary) {
        continue;
      }
      for (const position of newestFirst(results)) {
        const result = results[position];
        if (result === undefined) {
          continue;
        }
        const number = first + position;
        if (result.status === 'pending') {
          outcomes[number] = 'notCompleted';
        } else if (options.protectedTools.includes(result.tool)) {
          outcomes[number] = 'protectedTool';
        } else if (result.alreadyPruned) {
          outcomes[number] = 'alreadyPruned';
        } else {
          const size = sizeOf(result);
          scannedTokens += size;
          if (protectedTokens < options.protectTokens) {
            protectedTokens += size;
            outcomes[number] = 'withinProtectedTokens';
          } else if (result.bytes > options.toolOutputMaxChars) {
            candidateTokens += size;
            outcomes[number] = 'candidate';
            queued.push(number);
          } else {
            outcomes[number] = 'tooSmall';
          }
        }
      }
    }
    return { outcomes, queued, unconditional: noneUnconditional, scannedTokens, candidateTokens };
  },

  reachesMinimum: (candidateTokens, minimumTokens) => candidateTokens >= minimumTokens,

  notice: (_result, { toolOutputMaxChars }) => katuNotice(toolOutputMaxChars),
};
