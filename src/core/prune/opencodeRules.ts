import { clearedNotice } from '../content/pruneNotices';
import { messageRoles, resultFlags, toolsAmong } from './pruneInput';
import { noneUnconditional, outcomes, type PruneRules, quarterOfCharacters, recentTurns } from './ruleSet';

/**
 * opencode, session/compaction.ts and util/token.ts (1.18.34): walks from the newest message, skips what follows the
 * second newest user message, stops at a summary and at the first part that is pruned already. What fits into
 * `protectTokens`, its edge included, is kept; the part that crosses it is queued whole. More than `minimumTokens` must
 * be queued. It runs once the loop of a prompt has ended.
 */
export const opencodeRules: PruneRules = {
  moment: 'afterTurn',
  estimate: quarterOfCharacters,

  walk(history, options, sizes) {
    const { count, firstResults, roles, results } = history;
    const { flags, tool } = results;
    const isProtected = toolsAmong(history, options.protectedTools);
    const found = new Uint8Array(count);
    for (let number = 0; number < count; number += 1) {
      if (((flags[number] ?? 0) & resultFlags.alreadyPruned) !== 0) {
        found[number] = outcomes.alreadyPruned;
      }
    }
    const queued: number[] = [];
    let scannedTokens = 0;
    let candidateTokens = 0;
    let turns = 0;
    let end = count;
    walk: for (let at = history.messageCount - 1; at >= 0; at--) {
      const role = roles[at];
      const first = firstResults[at] ?? 0;
      if (role === messageRoles.user) {
        turns++;
      }
      if (turns < recentTurns) {
        found.fill(outcomes.recentTurn, first, end);
        end = first;
        continue;
      }
      if (role === messageRoles.summary) {
        break;
      }
      for (let number = end - 1; number >= first; number--) {
        const state = flags[number] ?? 0;
        if ((state & (resultFlags.pending | resultFlags.error)) !== 0) {
          found[number] = outcomes.notCompleted;
        } else if (isProtected[tool[number] ?? 0] === 1) {
          found[number] = outcomes.protectedTool;
        } else if ((state & resultFlags.alreadyPruned) !== 0) {
          break walk;
        } else {
          const size = sizes[number] ?? 0;
          scannedTokens += size;
          if (scannedTokens <= options.protectTokens) {
            found[number] = outcomes.withinProtectedTokens;
          } else {
            found[number] = outcomes.candidate;
            candidateTokens += size;
            queued.push(number);
          }
        }
      }
      end = first;
    }
    return { outcomes: found, queued, unconditional: noneUnconditional, scannedTokens, candidateTokens };
  },

  reachesMinimum: (candidateTokens, minimumTokens) => candidateTokens > minimumTokens,

  notice: () => clearedNotice,
};
