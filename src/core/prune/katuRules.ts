import { katuNotice } from '../content/pruneNotices';
import { messageRoles, type PruneHistory, resultFlags, toolsAmong } from './pruneInput';
import { noneUnconditional, outcomes, type PruneRules, recentTurns } from './ruleSet';

const imageTokens = 1000;

/** Index of the second user message from the end; with fewer of them, the number of messages, which protects no turn. */
function boundaryOf({ messageCount, roles }: PruneHistory): number {
  let turns = 0;
  for (let at = messageCount - 1; at >= 0; at--) {
    if (roles[at] === messageRoles.user && ++turns === recentTurns) {
      return at;
    }
  }
  return messageCount;
}

/**
 * Numbers of a message's results, newest result message first; undefined if this is simply the reverse order. Parallel
 * calls may be answered in another order.
 */
function newestFirst(
  { results: { resultMessage } }: PruneHistory,
  first: number,
  end: number,
): readonly number[] | undefined {
  const messageOf = (number: number): number => resultMessage[number] ?? 0;
  for (let number = first + 1; number < end; number += 1) {
    if (messageOf(number - 1) > messageOf(number)) {
      return Array.from({ length: end - first }, (_, place) => first + place).sort(
        (one, other) => messageOf(other) - messageOf(one) || other - one,
      );
    }
  }
  return undefined;
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
  estimate: ({ results }, number) =>
    Math.floor((results.bytes[number] ?? 0) / 4) + imageTokens * (results.imageCount[number] ?? 0),

  walk(history, options, sizes) {
    const { count, firstResults, results } = history;
    const isProtected = toolsAmong(history, options.protectedTools);
    const found = new Uint8Array(count).fill(outcomes.recentTurn);
    const boundary = boundaryOf(history);
    const queued: number[] = [];
    let protectedTokens = 0;
    let candidateTokens = 0;
    let scannedTokens = 0;
    let end = count;
    for (let at = history.messageCount - 1; at >= 0; at--) {
      const first = firstResults[at] ?? 0;
      if (at < boundary) {
        const order = newestFirst(history, first, end);
        for (let place = 0; place < end - first; place += 1) {
          const number = order?.[place] ?? end - 1 - place;
          const state = results.flags[number] ?? 0;
          if ((state & resultFlags.pending) !== 0) {
            found[number] = outcomes.notCompleted;
          } else if (isProtected[results.tool[number] ?? 0] === 1) {
            found[number] = outcomes.protectedTool;
          } else if ((state & resultFlags.alreadyPruned) !== 0) {
            found[number] = outcomes.alreadyPruned;
          } else {
            const size = sizes[number] ?? 0;
            scannedTokens += size;
            if (protectedTokens < options.protectTokens) {
              protectedTokens += size;
              found[number] = outcomes.withinProtectedTokens;
            } else if ((results.bytes[number] ?? 0) > options.toolOutputMaxChars) {
              candidateTokens += size;
              found[number] = outcomes.candidate;
              queued.push(number);
            } else {
              found[number] = outcomes.tooSmall;
            }
          }
        }
      }
      end = first;
    }
    return { outcomes: found, queued, unconditional: noneUnconditional, scannedTokens, candidateTokens };
  },

  reachesMinimum: (candidateTokens, minimumTokens) => candidateTokens >= minimumTokens,

  notice: (_history, _number, { toolOutputMaxChars }) => katuNotice(toolOutputMaxChars),
};
