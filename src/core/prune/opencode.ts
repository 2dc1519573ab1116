import { clearedNotice } from './notices';
import { allResults } from './pruneInput';
import { noneUnconditional, recentTurns, type PruneRules, type WalkOutcome } from './ruleSet';

/**
 * opencode, session/compaction.ts and util/token.ts (1.18.34): walks from the newest message, skips what follows the
 * second newest user message, stops at a summary and at the first part that is pruned already. What fits into
 * `protectTokens`, its edge included, is kept; the part that crosses it is queued whole. More than `minimumTokens` must
 * be queued. It runs once the loop of a prompt has ended.
 */
export const opencodeRules: PruneRules = {
  moment: 'afterTurn',
  estimate: ({ characters }) => Math.round(characters / 4),

  walk(messages, options, sizeOf) {
    const outcomes = allResults(messages).map(({ alreadyPruned }): WalkOutcome =>
      alreadyPruned ? 'alreadyPruned' : 'beyondStop',
    );
    const queued: number[] = [];
    let scannedTokens = 0;
    let candidateTokens = 0;
    let turns = 0;
    let number = outcomes.length;
    walk: for (let at = messages.length - 1; at >= 0; at--) {
      const message = messages[at];
      if (message === undefined) {
        continue;
      }
      if (message.role === 'user') {
        turns++;
      }
      if (turns < recentTurns) {
        number -= message.results.length;
        outcomes.fill('recentTurn', number, number + message.results.length);
        continue;
      }
      if (message.summary && message.role === 'assistant') {
        break;
      }
      for (let part = message.results.length - 1; part >= 0; part--) {
        const result = message.results[part];
        number--;
        if (result === undefined) {
          continue;
        }
        if (result.status !== 'completed') {
          outcomes[number] = 'notCompleted';
        } else if (options.protectedTools.includes(result.tool)) {
          outcomes[number] = 'protectedTool';
        } else if (result.alreadyPruned) {
          break walk;
        } else {
          const size = sizeOf(result);
          scannedTokens += size;
          if (scannedTokens <= options.protectTokens) {
            outcomes[number] = 'withinProtectedTokens';
          } else {
            outcomes[number] = 'candidate';
            candidateTokens += size;
            queued.push(number);
          }
        }
      }
    }
    return { outcomes, queued, unconditional: noneUnconditional, scannedTokens, candidateTokens };
  },

  reachesMinimum: (candidateTokens, minimumTokens) => candidateTokens > minimumTokens,

  notice: () => clearedNotice,
};
